# Every program of `benches`, the comparisons with other validators included, still builds.
cargo check --package stanchion-benches --all-targets --features peers,count
