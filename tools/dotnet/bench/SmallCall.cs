using System;
using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Stanchion.Bench
{
    /// <summary>Measures a small tool call, and what crossing into the C library adds to it.</summary>
    internal static class SmallCall
    {
        private const string Schema =
            "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\",\"minLength\":1},\"days\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":14},\"units\":{\"enum\":[\"metric\",\"imperial\"]}},\"required\":[\"city\"],\"additionalProperties\":false}";

        private const string Good = "{\"city\":\"Turin\",\"days\":3,\"units\":\"metric\"}";
        private const string Bad = "{\"city\":\"Turin\",\"days\":0,\"units\":\"metric\"}";

        /// <summary>Rounds of which the fastest counts. They are short, so that one of them has the processor for itself also on a busy machine.</summary>
        private const int Rounds = 200;

        private static void Main()
        {
            byte[] bytes = Encoding.UTF8.GetBytes(Good);
            using (var validator = new Validator(Schema))
            using (var trivial = new Validator("true"))
            {
                byte[] one = Encoding.UTF8.GetBytes("1");
                var uncached = new ValidatorOptions { Cache = false };
                if (!validator.IsValid(bytes) || validator.IsValid(Bad) || !trivial.IsValid(one))
                {
                    throw new InvalidOperationException("the verdicts are wrong");
                }
                Console.WriteLine("| {0} bytes | µs |\n|---|---|", bytes.Length);
                double loop = Print("an empty delegate, which is in each of the others", 20000, () => { });
                double crossing = Print("P/Invoke without arguments", 10000, () => Native.stanchion_abi_version());
                double least = Print("IsValid of one byte against `true`", 5000, () => trivial.IsValid(one));
                double call = Print("IsValid, bytes", 3000, () => validator.IsValid(bytes));
#if STANCHION_SPAN
                Print("IsValid, a span", 3000, () => validator.IsValid(new ReadOnlySpan<byte>(bytes)));
#endif
                Print("IsValid, a string", 3000, () => validator.IsValid(Good));
                Print("all errors of a wrong call", 200, () => validator.Errors(Bad));
                Print("text for a model", 200, () => validator.ForModel(Bad));
                Print("compile, without the cache", 100, () => new Validator(Schema, uncached).Dispose());
                Print("compile, from the cache", 500, () => new Validator(Schema).Dispose());
                Console.WriteLine(string.Format(
                    CultureInfo.InvariantCulture,
                    "P/Invoke overhead: {0:0} ns to cross, {1:0} ns with handle and pinned array; a call of {2:0} ns",
                    1000 * (crossing - loop), 1000 * (least - loop), 1000 * (call - loop)));
            }
        }

        private static double Print(string what, int times, Action action)
        {
            double fastest = double.MaxValue;
            for (int round = 0; round < Rounds; round++)
            {
                Stopwatch watch = Stopwatch.StartNew();
                for (int at = 0; at < times; at++)
                {
                    action();
                }
                fastest = Math.Min(fastest, watch.Elapsed.TotalMilliseconds * 1000 / times);
            }
            Console.WriteLine(string.Format(CultureInfo.InvariantCulture, "| {0} | {1:0.000} |", what, fastest));
            return fastest;
        }
    }
}
