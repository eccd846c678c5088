#if !NETCOREAPP && !NETSTANDARD2_1
// The attributes by which compilers that check for null know where it may be. Shared code uses them in place of `string?`, which older compilers do not
// read. Frameworks before .NET Core 3.0 do not have them, and compilers accept those of an assembly's own.
namespace System.Diagnostics.CodeAnalysis
{
    [AttributeUsage(AttributeTargets.Field | AttributeTargets.Parameter | AttributeTargets.Property)]
    internal sealed class AllowNullAttribute : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Field | AttributeTargets.Parameter | AttributeTargets.Property | AttributeTargets.ReturnValue)]
    internal sealed class MaybeNullAttribute : Attribute
    {
    }
}
#endif
