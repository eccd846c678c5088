# Clients of other SDKs against the demo server of stanchion-mcp, each at an old and at the new protocol version.
source .ci/need
need_npm mcp-sdks node@22.23.3 @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/sdk@1.32.2

cargo build --package stanchion-mcp --features rmcp --example demo_server
server="$CARGO_TARGET_DIR/debug/examples/demo_server"

# A module finds its packages from where it lies.
cp tools/mcp/tests/clients/typescript.mjs "$npm_folder/"
for client in "1 old" "2 old" "2 new"; do
    timeout 120 "$npm_folder/node_modules/.bin/node" "$npm_folder/typescript.mjs" "$server" $client
done

need_python mcp 1.30.0
timeout 120 "$python" tools/mcp/tests/clients/python.py "$server" 1 old
need_python mcp 2.3.0
for era in old new; do
    timeout 120 "$python" tools/mcp/tests/clients/python.py "$server" 2 "$era"
done
