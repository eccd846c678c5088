using System;

namespace Stanchion
{
    /// <summary>
    /// The output schema of a tool by the rules of the C# SDK 2.2 and SEP-2106: which schemas are accepted, and what clients of each protocol version see of
    /// schema and values.
    /// </summary>
    /// <remarks>
    /// Clients from before <c>2026-07-28</c> know objects alone. For them a schema that is not for an object is wrapped, and so are its values:
    /// <code>
    /// {"type": "integer"}               {"type": "object", "properties": {"result": {"type": "integer"}}, "required": ["result"]}
    /// 72                                {"result": 72}
    /// {"type": ["object", "null"]}      {"type": "object"}, and values as they are
    /// </code>
    /// The rules themselves are those of <c>tools/mcp</c>, profile <c>csharp</c>. Any number of threads may use it.
    /// </remarks>
    public sealed class ToolSchema : IDisposable
    {
        /// <summary>The first protocol version whose clients accept any output schema.</summary>
        public const string FirstNaturalVersion = "2026-07-28";

        private const string Name = "tool";
        private readonly Validator validator;
        private readonly Toolbox toolbox;

        /// <summary>Whether a tool may have this output schema: it is an object or a boolean. Its keywords are not looked at.</summary>
        /// <param name="schema">JSON text.</param>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        public static bool IsOutputSchema(string schema)
        {
            JsonKind kind = JsonValue.Parse(schema).Kind;
            return kind == JsonKind.Object || kind == JsonKind.Boolean;
        }

        /// <summary>Whether a tool may have this input schema: it is an object with <c>"type": "object"</c>. Its other keywords are not looked at.</summary>
        /// <param name="schema">JSON text.</param>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        public static bool IsInputSchema(string schema)
        {
            return JsonValue.Parse(schema).StringOf("type") == "object";
        }

        /// <summary>Compiles the output schema of a tool.</summary>
        /// <param name="outputSchema">JSON text of an object or a boolean.</param>
        /// <exception cref="ArgumentException">The schema is null, a number, a string or an array.</exception>
        /// <exception cref="SchemaException">The schema was refused: a keyword is wrong, a reference leads outside, or it is too large.</exception>
        /// <exception cref="NotJsonException">The text is not JSON.</exception>
        public ToolSchema(string outputSchema)
        {
            JsonValue schema = JsonValue.Parse(outputSchema);
            if (schema.Kind != JsonKind.Object && schema.Kind != JsonKind.Boolean)
            {
                throw new ArgumentException(
                    "expected an output schema that is a JSON object or boolean, found " + schema.Kind.ToString().ToLowerInvariant(), "outputSchema");
            }
            validator = new Validator(outputSchema, new ValidatorOptions { Preset = "csharp" });
            string tool = "[{\"name\":\"" + Name + "\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":" + schema.Text + "}]";
            // The SDK has no mirror, so `ResultFor` asks for the one that SEP-2106 recommends.
            toolbox = new Toolbox(tool, "{\"preset\":\"csharp\",\"mirror\":\"non-objects\"}");
            if (toolbox.Loaded.Tools == 0)
            {
                string message = toolbox.Loaded.Refused[0].Message;
                Dispose();
                throw new ArgumentException(message, "outputSchema");
            }
        }

        /// <summary>The validator of the schema, for other uses. It is disposed of with this object.</summary>
        public Validator Validator
        {
            get { return validator; }
        }

        /// <summary>
        /// Returns the schema that <c>tools/list</c> shows to a client with that protocol version. A boolean is shown as an object that says the same, which
        /// is all that other SDKs read.
        /// </summary>
        /// <param name="version">A protocol version, or empty if it is not known.</param>
        /// <exception cref="ArgumentException">The schema cannot be wrapped for older clients; the message says why.</exception>
        public string SchemaFor(string version)
        {
            ToolOutcome outcome = toolbox.Definition(Name, version);
            if (!outcome.Ok)
            {
                throw new ArgumentException(outcome.Failure.Message, "version");
            }
            return JsonValue.Parse(outcome.Value)["outputSchema"].Text;
        }

        /// <summary>Returns the <c>structuredContent</c> that <c>tools/call</c> sends to a client with that protocol version.</summary>
        /// <param name="version">A protocol version, or empty if it is not known.</param>
        /// <param name="value">What the tool returned, as JSON text.</param>
        /// <exception cref="ValidationException">The value does not conform to the schema.</exception>
        /// <exception cref="UndecidedException">The run reached a limit before it had a verdict.</exception>
        public string ValueFor(string version, string value)
        {
            return Structured(ResultFor(version, value));
        }

        /// <summary>
        /// Returns the result that <c>tools/call</c> sends to a client with that protocol version: <see cref="ValueFor"/>, with a text in <c>content</c> that
        /// repeats a value that is not an object. SEP-2106 recommends this mirror; the SDK leaves it to the tool.
        /// </summary>
        /// <param name="version">A protocol version, or empty if it is not known.</param>
        /// <param name="value">What the tool returned, as JSON text.</param>
        /// <exception cref="ValidationException">The value does not conform to the schema.</exception>
        /// <exception cref="UndecidedException">The run reached a limit before it had a verdict.</exception>
        public string ResultFor(string version, string value)
        {
            return Checked(toolbox.SendResult(Name, version, ResultOf(value)), value);
        }

        /// <summary>
        /// For a client: returns the value in the <c>structuredContent</c> that a server sent, given that this is the schema that the server showed. If the schema
        /// is an envelope, the value is taken out of it.
        /// </summary>
        /// <param name="version">The protocol version that client and server agreed on.</param>
        /// <param name="structuredContent">What the server sent, as JSON text.</param>
        /// <exception cref="ValidationException">The value does not conform to the schema.</exception>
        /// <exception cref="UndecidedException">The run reached a limit before it had a verdict.</exception>
        public string Unwrap(string version, string structuredContent)
        {
            return Structured(Checked(toolbox.CheckResult(Name, version, ResultOf(structuredContent)), structuredContent));
        }

        /// <summary>Returns the text that repeats a value for clients that read text alone: the value as compact JSON, with all its digits.</summary>
        /// <param name="value">What the tool returned, as JSON text.</param>
        public static string TextMirror(string value)
        {
            using (var any = new Toolbox(
                "[{\"name\":\"" + Name + "\",\"inputSchema\":{\"type\":\"object\"}}]", "{\"preset\":\"csharp\",\"mirror\":\"all\"}"))
            {
                ToolOutcome outcome = any.SendResult(Name, FirstNaturalVersion, ResultOf(value));
                return JsonValue.Parse(outcome.Value)["content"][0].StringOf("text");
            }
        }

        /// <summary>Frees the compiled schema. A second call does nothing.</summary>
        public void Dispose()
        {
            validator.Dispose();
            toolbox.Dispose();
        }

        private static string ResultOf(string value)
        {
            // A text that is not JSON must not become part of the result.
            return "{\"structuredContent\":" + JsonValue.Parse(value).Text + "}";
        }

        private static string Structured(string result)
        {
            return JsonValue.Parse(result)["structuredContent"].Text;
        }

        private string Checked(ToolOutcome outcome, string value)
        {
            if (outcome.Ok)
            {
                return outcome.Value;
            }
            // The exception is that of the validator, with pointer and keyword.
            validator.Validate(value);
            throw new ArgumentException(outcome.Failure.Message, "value");
        }
    }
}
