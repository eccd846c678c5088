# The proxy between peers that others wrote: clients of the TypeScript and the Python SDK, with servers of both, of rmcp, and the reference
# server of the protocol. What a client gets must be the same with the proxy and without it, but for what a rule forbids.
source .ci/need
need_npm proxy-peers node@22.23.3 @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/server-everything@2026.8.31
node="$npm_folder/node_modules/.bin/node"
everything="$npm_folder/node_modules/@modelcontextprotocol/server-everything/dist/index.js"

cargo build --package stanchion-cli
cargo build --package stanchion-mcp --features rmcp --example demo_server --example misbehaving_server
stanchion="$CARGO_TARGET_DIR/debug/stanchion"
examples="$CARGO_TARGET_DIR/debug/examples"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A module finds its packages from where it lies.
cp tools/mcp/tests/clients/typescript.mjs tools/proxy/tests/peers/compare.mjs "$npm_folder/"

proxy="[\"$stanchion\",\"mcp\",\"proxy\",\"--events\",\"$folder/events\",\"--\"]"
program() {
    printf '#!/bin/sh\nexec %s\n' "$2" >"$folder/$1"
    chmod +x "$folder/$1"
}
program plain "$examples/demo_server --plain"
program proxied "$stanchion mcp proxy --events $folder/events -- $examples/demo_server --plain"

# Older clients cannot read the list of a plain rmcp server whose outputs are arrays or numbers. Behind the proxy they can.
typescript() { timeout 120 "$node" "$npm_folder/typescript.mjs" "$@"; }
python() { timeout 120 "$python" tools/mcp/tests/clients/python.py "$@"; }
fails() {
    if "$@" >"$folder/log" 2>&1; then
        echo "expected to fail: $*"
        exit 1
    fi
}
fails typescript "$folder/plain" 1 old
for client in "1 old" "2 old" "2 new"; do
    typescript "$folder/proxied" $client
done
need_python mcp 1.30.0
python "$folder/proxied" 1 old
need_python mcp 2.3.0
fails python "$folder/plain" 2 old
for era in old new; do
    python "$folder/proxied" 2 "$era"
done

# The same answers with the proxy as without, from servers with checks of their own.
calls=(add '{"a": 1, "b": 2}' add '{"a": "x", "b": 2}' weather '{"city": "Turin"}' weather '{}' cities '{"prefix": "B"}' fail '{"why": "no"}')
compare() { timeout 120 "$python" tools/proxy/tests/peers/compare.py "$1" "$2" "$proxy" "[\"$python\",\"tools/proxy/tests/peers/server.py\"]" "${calls[@]}"; }
for sdk in 1 2; do
    timeout 120 "$node" "$npm_folder/compare.mjs" "$sdk" "$proxy" "[\"$node\",\"$everything\"]"
    timeout 120 "$node" "$npm_folder/compare.mjs" "$sdk" "$proxy" "[\"$python\",\"tools/proxy/tests/peers/server.py\"]"
done
compare 2 old
compare 2 new
need_python mcp 1.30.0
compare 1 old

# Nothing hostile of the server that misbehaves reaches a client.
"$stanchion" mcp --stdio "$stanchion" mcp proxy --events "$folder/events" -- "$examples/misbehaving_server" >"$folder/report"
grep -q '^3 tools: 3 accepted, 0 refused' "$folder/report"
grep -q '"event":"ended"' "$folder/events"
echo "proxy: all peers agree"
