# Documentation, in which no link leads nowhere.
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps
