# Every attack ends within the time and memory that README promises.
cargo bench --package stanchion-benches --bench hostile
