# The C library, from C: gcc and g++, valgrind, AddressSanitizer, threads, and all calls of the suite.
tools/c/test
