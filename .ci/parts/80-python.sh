# The Python binding: builds the wheel, runs its tests, and the client tests of the Python SDK with Stanchion in place of jsonschema.
source .ci/need
need_program python3
python3 -c 'import ensurepip' 2>/dev/null || need_package python3-venv
CARGO_TARGET_DIR="$CARGO_TARGET_DIR/python" timeout 1200 tools/python/test core sdk
