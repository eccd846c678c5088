using System;
using System.Collections.Generic;

namespace Stanchion
{
    /// <summary>The answer to whether an instance conforms to a schema.</summary>
    public enum Verdict
    {
        /// <summary>The instance conforms.</summary>
        Valid = 0,

        /// <summary>The instance does not conform.</summary>
        Invalid = 1,

        /// <summary>The run reached a limit before it had an answer. The instance is neither valid nor invalid.</summary>
        Undecided = 3,
    }

    /// <summary>The output formats of the JSON Schema specification.</summary>
    public enum OutputFormat
    {
        /// <summary>Whether the instance is valid, and nothing else.</summary>
        Flag = 0,

        /// <summary>A flat list.</summary>
        Basic = 1,

        /// <summary>A condensed tree.</summary>
        Detailed = 2,

        /// <summary>A full tree.</summary>
        Verbose = 3,

        /// <summary>The flat list of newer drafts of the specification.</summary>
        List = 4,

        /// <summary>The tree of newer drafts of the specification.</summary>
        Hierarchical = 5,
    }

    /// <summary>
    /// A compiled JSON Schema. Compile once, validate often: it is immutable, and any number of threads may use it at once, without a lock.
    /// </summary>
    /// <example>
    /// <code>
    /// using (var validator = new Validator("{\"type\": \"integer\", \"minimum\": 1}"))
    /// {
    ///     validator.IsValid("3");      // true
    ///     validator.Validate("0");     // throws ValidationException: 0 is less than the minimum 1
    /// }
    /// </code>
    /// </example>
    /// <remarks>
    /// Nothing is fetched, and every call ends within the limits of the options, whoever wrote schema and instance. A call needs 512 KiB of stack.
    /// <para>After <see cref="Dispose"/>, every method throws <see cref="ObjectDisposedException"/>. Calls of other threads that have begun before end
    /// undisturbed. A validator that is not disposed of is freed by its finalizer.</para>
    /// </remarks>
    public sealed class Validator : IDisposable
    {
        private static readonly byte[] Nothing = new byte[0];

        private readonly ValidatorHandle handle;

        /// <summary>Compiles a schema, with default options.</summary>
        /// <param name="schema">JSON text.</param>
        /// <exception cref="SchemaException">The schema was refused.</exception>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        public Validator(string schema) : this(schema, new ValidatorOptions())
        {
        }

        /// <summary>Compiles a schema.</summary>
        /// <param name="schema">JSON text.</param>
        /// <param name="options">Options.</param>
        /// <exception cref="SchemaException">The schema was refused.</exception>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        /// <exception cref="ArgumentException">An option has a value that it cannot have.</exception>
        public Validator(string schema, ValidatorOptions options)
            : this(Encoded(schema, "schema"), Encoded(options))
        {
        }

        /// <summary>Compiles a schema given as UTF-8.</summary>
        /// <param name="utf8Schema">JSON text.</param>
        /// <param name="options">Options.</param>
        /// <exception cref="SchemaException">The schema was refused.</exception>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        /// <exception cref="ArgumentException">An option has a value that it cannot have.</exception>
        public Validator(byte[] utf8Schema, ValidatorOptions options)
            : this(NotNull(utf8Schema, "utf8Schema"), Encoded(options))
        {
        }

        internal Validator(byte[] schema, byte[] options)
        {
            Answer answer = Native.New(schema, options, out handle);
            if (answer.Status != Status.Valid)
            {
                handle.Dispose();
                throw Problem.Exception(answer);
            }
        }

        /// <summary>The version of the native library.</summary>
        public static string LibraryVersion
        {
            get { return Native.Version; }
        }

        internal ValidatorHandle Handle
        {
            get { return handle; }
        }

        /// <summary>
        /// Whether an instance conforms. It is false for a text that is not JSON, and for a run that reached a limit: <see cref="Validator.Verdict(string)"/> tells
        /// these apart.
        /// </summary>
        /// <param name="json">JSON text.</param>
        public bool IsValid(string json)
        {
            NotNull(json, "json");
            try
            {
                return Check(json) == Status.Valid;
            }
            catch (NotJsonException)
            {
                return false;
            }
        }

        /// <summary>Whether an instance conforms, given as UTF-8. See <see cref="IsValid(string)"/>.</summary>
        /// <param name="utf8Json">JSON text. It is read in place, and not copied.</param>
        public bool IsValid(byte[] utf8Json)
        {
            NotNull(utf8Json, "utf8Json");
            return Native.Check(handle, utf8Json, 0, utf8Json.Length) == Status.Valid;
        }

        /// <summary>Whether an instance conforms, given as UTF-8 in a part of an array. See <see cref="IsValid(string)"/>.</summary>
        /// <param name="buffer">An array that has the JSON text.</param>
        /// <param name="offset">Where the text begins.</param>
        /// <param name="count">How many bytes it has.</param>
        public bool IsValid(byte[] buffer, int offset, int count)
        {
            NotNull(buffer, "buffer");
            if (offset < 0 || offset > buffer.Length)
            {
                throw new ArgumentOutOfRangeException("offset");
            }
            if (count < 0 || count > buffer.Length - offset)
            {
                throw new ArgumentOutOfRangeException("count");
            }
            return Native.Check(handle, buffer, offset, count) == Status.Valid;
        }

#if STANCHION_SPAN
        /// <summary>Whether an instance conforms, given as UTF-8. See <see cref="IsValid(string)"/>.</summary>
        /// <param name="utf8Json">JSON text. It is read in place, and not copied.</param>
        public bool IsValid(ReadOnlySpan<byte> utf8Json)
        {
            return Native.Check(handle, utf8Json) == Status.Valid;
        }
#endif

        /// <summary>Tells valid, invalid and undecided apart.</summary>
        /// <param name="json">JSON text.</param>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        public Verdict Verdict(string json)
        {
            return VerdictOf(Check(NotNull(json, "json")), json);
        }

        /// <summary>Tells valid, invalid and undecided apart, for an instance given as UTF-8.</summary>
        /// <param name="utf8Json">JSON text.</param>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        public Verdict Verdict(byte[] utf8Json)
        {
            NotNull(utf8Json, "utf8Json");
            Status status = Native.Check(handle, utf8Json, 0, utf8Json.Length);
            if (status == Status.NotJson)
            {
                throw NotValid(Native.Report(Question.ExplainFirst, handle, utf8Json, utf8Json.Length, 0));
            }
            return (Verdict)status;
        }

        /// <summary>Throws the most helpful error if an instance does not conform.</summary>
        /// <param name="json">JSON text.</param>
        /// <exception cref="ValidationException">The instance does not conform.</exception>
        /// <exception cref="UndecidedException">The run reached a limit before it had a verdict.</exception>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        public void Validate(string json)
        {
            if (Check(NotNull(json, "json")) != Status.Valid)
            {
                throw NotValid(Report(Question.ExplainFirst, json, 0));
            }
        }

        /// <summary>Returns all errors of an instance, the most helpful first. The list is empty if the instance conforms.</summary>
        /// <remarks>If the run reached a limit, the last entry says which: its <see cref="ValidationError.Exhausted"/> is not null.</remarks>
        /// <param name="json">JSON text.</param>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        public IReadOnlyList<ValidationError> Errors(string json)
        {
            return ErrorsOf(Report(Question.Explain, NotNull(json, "json"), 0));
        }

        /// <summary>Returns all errors, also with the paths through references and with what the other branches of a union said.</summary>
        /// <param name="json">JSON text.</param>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        public IReadOnlyList<ValidationError> ErrorsInFull(string json)
        {
            return ErrorsOf(Report(Question.ExplainInFull, NotNull(json, "json"), 0));
        }

        /// <summary>Says in plain text for a language model what is wrong, and what would be right. Empty if the instance conforms.</summary>
        /// <param name="json">JSON text.</param>
        /// <param name="maxCharacters">How long the text may be.</param>
        public string ForModel(string json, int maxCharacters = 2000)
        {
            if (maxCharacters < 0)
            {
                throw new ArgumentOutOfRangeException("maxCharacters");
            }
            return Report(Question.ForModel, NotNull(json, "json"), (ulong)maxCharacters).Text;
        }

        /// <summary>Returns an output format of the specification, as JSON text.</summary>
        /// <param name="json">JSON text.</param>
        /// <param name="format">The format.</param>
        public string Output(string json, OutputFormat format)
        {
            return Done(Report(Question.Output, NotNull(json, "json"), (ulong)format));
        }

        /// <summary>Returns what the keywords that held say about an instance: a JSON array.</summary>
        /// <param name="json">JSON text.</param>
        public string Annotations(string json)
        {
            return Done(Report(Question.Annotations, NotNull(json, "json"), 0));
        }

        /// <summary>Returns how many steps a verdict takes. They are the same on every machine.</summary>
        /// <param name="json">JSON text.</param>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        public long Measure(string json)
        {
            int length;
            byte[] text = Native.EncodeForOneCall(NotNull(json, "json"), out length);
            ulong steps;
            VerdictOf(Native.Measure(handle, text, length, out steps), json);
            return (long)steps;
        }

        /// <summary>Returns a bound on the steps of a verdict on any instance of so many values in so many bytes of text: a JSON object.</summary>
        /// <param name="nodes">How many values an instance may have.</param>
        /// <param name="bytes">How many bytes of text it may have.</param>
        public string Cost(long nodes, long bytes)
        {
            if (nodes < 0)
            {
                throw new ArgumentOutOfRangeException("nodes");
            }
            if (bytes < 0)
            {
                throw new ArgumentOutOfRangeException("bytes");
            }
            return Done(Native.Cost(handle, (ulong)nodes, (ulong)bytes));
        }

        /// <summary>Returns how large the schema is: a JSON object.</summary>
        public string Size()
        {
            return Done(Native.Size(handle));
        }

        /// <summary>Returns the listing of the compiled schema, for people.</summary>
        public string Program()
        {
            return Done(Native.Program(handle));
        }

        /// <summary>Lists all that is wrong with a schema, and what it probably did not mean: a JSON object with <c>errors</c> and <c>warnings</c>.</summary>
        /// <param name="schema">JSON text.</param>
        /// <param name="options">Options.</param>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        /// <exception cref="ArgumentException">An option has a value that it cannot have.</exception>
        public static string Diagnose(string schema, ValidatorOptions options)
        {
            Answer answer = Native.Diagnose(Encoded(schema, "schema"), Encoded(options));
            // A schema that is refused has a diagnosis like any other.
            return answer.Status == Status.Refused ? answer.Text : Done(answer);
        }

        /// <summary>Empties the cache of compiled schemas. Validators that are in use stay as they are.</summary>
        public static void ClearCache()
        {
            Native.stanchion_cache_clear();
        }

        /// <summary>How many compiled schemas the cache holds.</summary>
        public static int CacheCount
        {
            get { return (int)Native.stanchion_cache_len(); }
        }

        /// <summary>Frees the compiled schema. A second call does nothing.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        private Status Check(string json)
        {
            int length;
            byte[] text = Native.EncodeForOneCall(json, out length);
            return Native.Check(handle, text, 0, length);
        }

        internal Answer Report(Question question, string json, ulong number)
        {
            int length;
            byte[] text = Native.EncodeForOneCall(json, out length);
            return Native.Report(question, handle, text, length, number);
        }

        private Verdict VerdictOf(Status status, string json)
        {
            if (status == Status.NotJson)
            {
                throw NotValid(Report(Question.ExplainFirst, json, 0));
            }
            return (Verdict)status;
        }

        private static IReadOnlyList<ValidationError> ErrorsOf(Answer answer)
        {
            if (answer.Status == Status.NotJson)
            {
                throw NotValid(answer);
            }
            return ValidationError.ListOf(JsonValue.Parse(answer.Text));
        }

        /// <summary>The exception for the first of a list of errors.</summary>
        private static Exception NotValid(Answer answer)
        {
            JsonValue errors = JsonValue.Parse(answer.Text);
            return Problem.Exception(new ValidationError(errors[0]));
        }

        private static string Done(Answer answer)
        {
            // A report on an instance is one whatever the verdict.
            if (answer.Status == Status.Misuse || answer.Status == Status.NotJson)
            {
                throw Problem.Exception(answer);
            }
            return answer.Text;
        }

        private static byte[] Encoded(string text, string parameter)
        {
            return Native.Encode(NotNull(text, parameter));
        }

        private static byte[] Encoded(ValidatorOptions options)
        {
            string json = NotNull(options, "options").ToJson();
            return json == "{}" ? Nothing : Native.Encode(json);
        }

        private static T NotNull<T>(T value, string parameter) where T : class
        {
            if (value == null)
            {
                throw new ArgumentNullException(parameter);
            }
            return value;
        }
    }
}
