# The protocol's own conformance suite against the example server of stanchion-mcp: its scenarios on tools, schemas, headers and forms.
source .ci/need
need_npm mcp-conformance node@22.23.3 @modelcontextprotocol/conformance@0.2.0-alpha.12
suite=("$npm_folder/node_modules/.bin/node" "$npm_folder/node_modules/@modelcontextprotocol/conformance/dist/index.js")

cargo build --package stanchion-mcp --features rmcp --example conformance_server
folder=$(mktemp -d)
"$CARGO_TARGET_DIR/debug/examples/conformance_server" >"$folder/url" &
server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
for _ in $(seq 100); do
    [ -s "$folder/url" ] && break
    sleep 0.1
done
url=$(cat "$folder/url")

both=(tools-list tools-call-{simple-text,image,audio,embedded-resource,mixed-content,error,with-progress} json-schema-2020-12)
old=(tools-call-{with-logging,sampling,elicitation} elicitation-sep1034-defaults elicitation-sep1330-enums)
new=(http-header-validation http-custom-header-server-validation
    input-required-result-{basic-elicitation,multi-round,missing-input-response,result-type,unsupported-methods,ignore-extra-params,validate-input})

passed=0
failed=()
run() {
    local version=$1 scenario
    shift
    for scenario in "$@"; do
        # A warning is something that a server should do, and fails here, too.
        if timeout 60 "${suite[@]}" server --url "$url" --scenario "$scenario" --spec-version "$version" >"$folder/log" 2>&1 &&
            grep -q 'Passed: [1-9]' "$folder/log" && grep -q ' 0 failed, 0 warnings' "$folder/log"; then
            passed=$((passed + 1))
        else
            failed+=("$scenario at $version")
            cat "$folder/log"
        fi
    done
}
run 2025-11-25 "${both[@]}" "${old[@]}"
run 2026-07-28 "${both[@]}" "${new[@]}"
echo "conformance: $passed passed, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ] || { printf '  %s\n' "${failed[@]}"; exit 1; }
