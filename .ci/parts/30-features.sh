# Other sets of features, which are other builds of everything.

# The engine alone, and what SDKs link: without rmcp, which is there in all tests.
cargo check --package stanchion --no-default-features
cargo check --package stanchion-mcp
# The same cases over the other forms of `serde_json::Value`.
cargo test --package stanchion-suite --features arbitrary_precision,preserve_order
# The engine alone: in the whole workspace, maps keep the order of the text, which `stanchion-mcp` wants.
cargo test --package stanchion
