using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Stanchion
{
    /// <summary>Options of a <see cref="Validator"/>. One that is null has the default of <c>tools/wire/README.md</c>, or of its preset.</summary>
    public sealed class ValidatorOptions
    {
        /// <summary>The dialect of schemas that declare none: <c>2020-12</c> (default), <c>2019-09</c>, <c>draft-07</c>, <c>draft-06</c> or <c>draft-04</c>.</summary>
        [AllowNull, MaybeNull]
        public string Dialect { get; set; }

        /// <summary>The dialect to take where <c>$schema</c> names one that is not known. Without it, such a schema is refused.</summary>
        [AllowNull, MaybeNull]
        public string UnknownDialect { get; set; }

        /// <summary>
        /// <c>local</c> (default): references start with <c>#</c>. <c>bundled</c>: also to <c>$id</c>s in the schema, and to <see cref="Resources"/>. Nothing is
        /// ever fetched.
        /// </summary>
        [AllowNull, MaybeNull]
        public string References { get; set; }

        /// <summary>Schemas as JSON text by URI, for references to find. They need <see cref="References"/> to be <c>bundled</c>.</summary>
        [AllowNull, MaybeNull]
        public IReadOnlyDictionary<string, string> Resources { get; set; }

        /// <summary>
        /// The SDK whose ways are taken: <c>csharp</c>, <c>typescript</c>, <c>python</c>, <c>ruby</c>, <c>java</c>, <c>go</c>; or <c>default</c>, <c>lenient</c>.
        /// </summary>
        [AllowNull, MaybeNull]
        public string Preset { get; set; }

        /// <summary>Whether <c>format</c> is an assertion. Default: no.</summary>
        public bool? AssertFormats { get; set; }

        /// <summary>Formats that are not asserted all the same.</summary>
        [AllowNull, MaybeNull]
        public IReadOnlyList<string> IgnoreFormats { get; set; }

        /// <summary>Whether <c>items</c> may be an array in schemas that declare no dialect. Default: no.</summary>
        public bool? ArrayItems { get; set; }

        /// <summary>Bounds on schemas, runs and errors.</summary>
        [AllowNull, MaybeNull]
        public Limits Limits { get; set; }

        /// <summary>How many bytes an instance may have. Default: 1 GiB.</summary>
        public long? TextBytes { get; set; }

        /// <summary>Whether messages show no values of the instance. Default: they do.</summary>
        public bool? MaskValues { get; set; }

        /// <summary>How many characters of a value messages show. Default: 100.</summary>
        public int? ValueLength { get; set; }

        /// <summary>Whether the compiled schema may come from the cache, and be kept there. Default: yes.</summary>
        public bool? Cache { get; set; }

        /// <summary>Writes the options as the contract of all bindings has them.</summary>
        public string ToJson()
        {
            var json = new Members();
            json.Add("dialect", Dialect);
            json.Add("unknownDialect", UnknownDialect);
            json.Add("references", References);
            if (Resources != null)
            {
                var resources = new Members();
                foreach (KeyValuePair<string, string> resource in Resources)
                {
                    // A text that is not JSON must not become part of the options.
                    resources.AddJson(resource.Key, JsonValue.Parse(resource.Value).Text);
                }
                json.AddJson("resources", resources.ToString());
            }
            json.Add("preset", Preset);
            json.Add("assertFormats", AssertFormats);
            if (IgnoreFormats != null)
            {
                var names = new List<string>();
                foreach (string name in IgnoreFormats)
                {
                    names.Add(JsonValue.Quote(name));
                }
                json.AddJson("ignoreFormats", "[" + string.Join(",", names) + "]");
            }
            json.Add("arrayItems", ArrayItems);
            if (Limits != null)
            {
                json.AddJson("limits", Limits.ToJson());
            }
            json.Add("textBytes", TextBytes);
            if (MaskValues != null || ValueLength != null)
            {
                var messages = new Members();
                messages.Add("maskValues", MaskValues);
                messages.Add("valueLength", ValueLength);
                json.AddJson("messages", messages.ToString());
            }
            json.Add("cache", Cache);
            return json.ToString();
        }
    }

    /// <summary>Bounds. One that is null has its default.</summary>
    public sealed class Limits
    {
        /// <summary>Nesting of subschemas in the schema. Default: 64.</summary>
        public long? Depth { get; set; }

        /// <summary>Subschemas of the schema, and of all it refers to. Default: 10,000.</summary>
        public long? Subschemas { get; set; }

        /// <summary>Bytes of the schema as compact JSON text. Default: 4 MiB.</summary>
        public long? DocumentBytes { get; set; }

        /// <summary>States of all its patterns together. Default: 80,000.</summary>
        public long? PatternSize { get; set; }

        /// <summary>Work of a run. Default: 2,000,000.</summary>
        public long? Steps { get; set; }

        /// <summary>Nesting of blocks in a run. Default: 256.</summary>
        public long? InstanceDepth { get; set; }

        /// <summary>Bytes that a run may hold. Default: 16 MiB.</summary>
        public long? Memory { get; set; }

        /// <summary>Errors that a run collects. Default: 100.</summary>
        public long? Errors { get; set; }

        internal string ToJson()
        {
            var json = new Members();
            json.Add("depth", Depth);
            json.Add("subschemas", Subschemas);
            json.Add("documentBytes", DocumentBytes);
            json.Add("patternSize", PatternSize);
            json.Add("steps", Steps);
            json.Add("instanceDepth", InstanceDepth);
            json.Add("memory", Memory);
            json.Add("errors", Errors);
            return json.ToString();
        }
    }

    /// <summary>The members of a JSON object that is being written. Values that are null are left out.</summary>
    internal sealed class Members
    {
        private readonly StringBuilder text = new StringBuilder("{");

        internal void AddJson(string name, string json)
        {
            text.Append(text.Length == 1 ? "" : ",").Append(JsonValue.Quote(name)).Append(':').Append(json);
        }

        internal void Add(string name, [AllowNull] string value)
        {
            if (value != null)
            {
                AddJson(name, JsonValue.Quote(value));
            }
        }

        internal void Add(string name, bool? value)
        {
            if (value != null)
            {
                AddJson(name, value.Value ? "true" : "false");
            }
        }

        internal void Add(string name, long? value)
        {
            if (value != null)
            {
                AddJson(name, value.Value.ToString(CultureInfo.InvariantCulture));
            }
        }

        public override string ToString()
        {
            return text + "}";
        }
    }
}
