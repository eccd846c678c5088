using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Reflection;

namespace Stanchion.Tests
{
    /// <summary>Marks a test: a static method without arguments.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class TestAttribute : Attribute
    {
    }

    /// <summary>A test found something other than it expected.</summary>
    internal sealed class FailedException : Exception
    {
        internal FailedException(string message) : base(message)
        {
        }
    }

    internal static class Assert
    {
        internal static void True(bool condition, string what)
        {
            if (!condition)
            {
                throw new FailedException(what);
            }
        }

        internal static void Equal<T>(T expected, T found, string what = "")
        {
            if (!EqualityComparer<T>.Default.Equals(expected, found))
            {
                throw new FailedException(what + ": expected " + expected + ", found " + found);
            }
        }

        internal static void Contains(string part, string whole)
        {
            True(whole.Contains(part), "expected " + part + " in " + whole);
        }

        internal static T Throws<T>(Action action, string what = "") where T : Exception
        {
            try
            {
                action();
            }
            catch (T error)
            {
                return error;
            }
            catch (Exception error)
            {
                throw new FailedException(what + ": expected " + typeof(T).Name + ", found " + error);
            }
            throw new FailedException(what + ": expected " + typeof(T).Name + ", found nothing");
        }
    }

    /// <summary>Runs all tests, or those with a word in their names: <c>Stanchion.Tests.exe SCRIPTS [WORD]</c>.</summary>
    internal static class Run
    {
        /// <summary>The folder that has the calls of the suite, which <c>tools/dotnet/test</c> writes.</summary>
        internal static string Scripts = "";

        private static int Main(string[] arguments)
        {
            if (arguments.Length == 0 || !Directory.Exists(arguments[0]))
            {
                Console.Error.WriteLine("usage: Stanchion.Tests.exe SCRIPTS [WORD]; tools/dotnet/test makes the folder of scripts");
                return 2;
            }
            Scripts = arguments[0];
            string word = arguments.Length > 1 ? arguments[1] : "";
            int passed = 0, failed = 0;
            foreach (Type type in typeof(Run).Assembly.GetTypes())
            {
                foreach (MethodInfo method in type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public))
                {
                    string name = type.Name + "." + method.Name;
                    if (!method.IsDefined(typeof(TestAttribute), false) || !name.Contains(word))
                    {
                        continue;
                    }
                    Stopwatch watch = Stopwatch.StartNew();
                    try
                    {
                        method.Invoke(null, null);
                        passed++;
                    }
                    catch (TargetInvocationException error)
                    {
                        failed++;
                        Console.WriteLine("failed: " + name + ": " + error.InnerException);
                    }
                    if (watch.ElapsedMilliseconds > 1000)
                    {
                        Console.WriteLine(name + ": " + watch.ElapsedMilliseconds + " ms");
                    }
                }
            }
            Console.WriteLine(passed + " passed, " + failed + " failed");
            return failed == 0 && passed > 0 ? 0 : 1;
        }
    }
}
