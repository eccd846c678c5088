using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Stanchion.Tests")]
[assembly: InternalsVisibleTo("Stanchion.Bench")]
