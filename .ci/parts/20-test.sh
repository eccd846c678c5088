# The README's test command. Work is counted by valgrind.
source .ci/need
need_program valgrind
STANCHION_REQUIRE_VALGRIND=1 cargo test --workspace
