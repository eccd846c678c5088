using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading;

namespace Stanchion.Tests
{
    /// <summary>Disposal, finalizers, threads and memory.</summary>
    internal static class RobustTests
    {
        [Test]
        private static void DisposeTwiceAndUseAfterDispose()
        {
            var validator = new Validator("{\"type\": \"integer\"}");
            validator.Dispose();
            validator.Dispose();
            Assert.Throws<ObjectDisposedException>(() => validator.IsValid("1"));
            Assert.Throws<ObjectDisposedException>(() => validator.IsValid(new byte[] { 49 }));
            Assert.Throws<ObjectDisposedException>(() => validator.Verdict("1"));
            Assert.Throws<ObjectDisposedException>(() => validator.Validate("1"));
            Assert.Throws<ObjectDisposedException>(() => validator.Errors("1"));
            Assert.Throws<ObjectDisposedException>(() => validator.ForModel("1"));
            Assert.Throws<ObjectDisposedException>(() => validator.Size());
            // Whatever got the number of the old handle is not disturbed.
            using (var other = new Validator("{\"type\": \"string\"}"))
            {
                validator.Dispose();
                Assert.True(other.IsValid("\"x\""), "another validator");
            }
            var toolbox = new Toolbox("[]");
            toolbox.Dispose();
            toolbox.Dispose();
            Assert.Throws<ObjectDisposedException>(() => toolbox.List(""));
            var schema = new ToolSchema("{}");
            schema.Dispose();
            schema.Dispose();
            Assert.Throws<ObjectDisposedException>(() => schema.SchemaFor(""));
        }

        [Test]
        private static void ThreadsShareAValidator()
        {
            using (var validator = new Validator("{\"type\": \"array\", \"items\": {\"type\": \"integer\"}}"))
            {
                int wrong = 0;
                InThreads(8, number =>
                {
                    byte[] good = Encoding.UTF8.GetBytes("[" + number + ", 2]");
                    for (int at = 0; at < 5000; at++)
                    {
                        bool isRight = validator.IsValid(good) && validator.IsValid("[" + at + "]") && !validator.IsValid("[\"x\"]");
                        if (!isRight || (at % 100 == 0 && validator.Errors("[1, \"" + number + "\"]")[0].Pointer != "/1"))
                        {
                            Interlocked.Increment(ref wrong);
                        }
                    }
                });
                Assert.Equal(0, wrong, "wrong answers");
            }
        }

        [Test]
        private static void ThreadsCompileAndDisposeAtOnce()
        {
            int wrong = 0;
            for (int round = 0; round < 200; round++)
            {
                var validator = new Validator("{\"type\": \"integer\"}", new ValidatorOptions { Cache = round % 2 == 0 });
                InThreads(4, number =>
                {
                    try
                    {
                        for (int at = 0; at < 50; at++)
                        {
                            if (!validator.IsValid("1") || validator.IsValid("\"x\""))
                            {
                                Interlocked.Increment(ref wrong);
                            }
                            if (number == 0 && at == 10)
                            {
                                validator.Dispose();
                            }
                        }
                    }
                    catch (ObjectDisposedException)
                    {
                        // It was disposed of in the middle: that is what must happen, and nothing else.
                    }
                });
            }
            Assert.Equal(0, wrong, "wrong answers");
        }

        [Test]
        private static void TheDeepestInstanceOnASmallThread()
        {
            using (var tree = new Validator("{\"$ref\": \"#/$defs/t\", \"$defs\": {\"t\": {\"type\": \"array\", \"items\": {\"allOf\": [{\"$ref\": \"#/$defs/t\"}]}}}}"))
            {
                string deep = new string('[', 120) + new string(']', 120);
                string tooDeep = new string('[', 200) + new string(']', 200);
                Verdict verdict = Verdict.Undecided;
                bool isRefused = false;
                var thread = new Thread(
                    () =>
                    {
                        verdict = tree.Verdict(deep);
                        try
                        {
                            tree.Verdict(tooDeep);
                        }
                        catch (NotJsonException)
                        {
                            isRefused = true;
                        }
                    },
                    1 << 20);
                thread.Start();
                thread.Join();
                Assert.Equal(Verdict.Valid, verdict);
                Assert.True(isRefused, "200 levels");
            }
        }

        [Test]
        private static void FinalizersFreeWhatNobodyDisposesOf()
        {
            Leave(500);
            Collect();
            long before = Resident();
            for (int round = 0; round < 10; round++)
            {
                Leave(500);
                Collect();
            }
            // One of them holds more than 60 KiB, so that 5,000 would be 300 MiB.
            long grown = Resident() - before;
            Assert.True(grown < 64 << 20, grown + " bytes are left of 5,000 validators");
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static void Leave(int count)
        {
            for (int at = 0; at < count; at++)
            {
                int number = at;
                string properties = string.Join(",", Enumerable.Range(0, 200).Select(name => "\"p" + number + "_" + name + "\":{\"type\":\"string\",\"pattern\":\"^a+b{" + (name % 9) + "}$\"}"));
                var left = new Validator("{\"properties\":{" + properties + "}}", new ValidatorOptions { Cache = false, Limits = new Limits { PatternSize = 1000000 } });
                Assert.True(left.IsValid("{}"), "valid");
            }
        }

        [Test]
        private static void MemoryIsSteadyOver200000CompilesAndAMillionCalls()
        {
            var options = new ValidatorOptions { Cache = false };
            byte[] json = Encoding.UTF8.GetBytes("{\"p\": \"aaa\", \"q\": [1, 2, 3]}");
            const string text = "{\"p\": \"aaa\", \"q\": [1, 2, \"x\"]}";
            long before = 0;
            for (int at = 0; at < 200000; at++)
            {
                if (at == 40000)
                {
                    Collect();
                    before = Resident();
                }
                using (var validator = new Validator("{\"properties\": {\"p\": {\"maxLength\": " + (at + 3) + "}, \"q\": {\"items\": {\"type\": \"integer\"}}}}", options))
                {
                    bool isRight = validator.IsValid(json) && validator.IsValid(json) && validator.IsValid(json) && !validator.IsValid(text) && !validator.IsValid(text);
                    Assert.True(isRight, "verdicts");
                    if (at % 20 == 0)
                    {
                        Assert.Equal(1, validator.Errors(text).Count);
                        Assert.Throws<SchemaException>(() => new Validator("{\"type\": \"strin\"}", options));
                    }
                }
            }
            Collect();
            long grown = Resident() - before;
            Assert.True(grown < 24 << 20, grown + " bytes more after 160,000 compiles and 800,000 calls");
        }

        private static void Collect()
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            GC.Collect();
        }

        /// <summary>The memory of this process in bytes, as the kernel counts it; 0 where it does not say.</summary>
        private static long Resident()
        {
            const string file = "/proc/self/statm";
            return File.Exists(file) ? long.Parse(File.ReadAllText(file).Split(' ')[1]) * 4096 : 0;
        }

        private static void InThreads(int count, Action<int> work)
        {
            var failures = new List<Exception>();
            var threads = new List<Thread>();
            for (int number = 0; number < count; number++)
            {
                int own = number;
                threads.Add(new Thread(() =>
                {
                    try
                    {
                        work(own);
                    }
                    catch (Exception error)
                    {
                        lock (failures)
                        {
                            failures.Add(error);
                        }
                    }
                }));
            }
            threads.ForEach(thread => thread.Start());
            threads.ForEach(thread => thread.Join());
            Assert.True(failures.Count == 0, string.Join("\n", failures));
        }
    }
}
