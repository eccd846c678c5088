# The C# assemblies, by Debian's mono: the calls of all bindings, tools of MCP, threads, finalizers, memory, and a smoke run of the benchmark.
tools/dotnet/test
