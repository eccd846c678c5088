using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Stanchion
{
    /// <summary>One reason why an instance does not conform.</summary>
    public sealed class ValidationError
    {
        internal ValidationError(JsonValue json)
        {
            Json = json;
            Pointer = json.StringOf("instancePath") ?? "";
            SchemaPointer = Problem.Fragment(json.StringOf("schemaPath") ?? "");
            Keyword = json.StringOf("keyword") ?? "";
            Message = json.StringOf("message") ?? "";
            Params = json["params"] ?? JsonValue.Parse("{}");
        }

        /// <summary>The place in the instance, a JSON Pointer. The empty one is the whole instance.</summary>
        public string Pointer { get; private set; }

        /// <summary>The keyword that refused it. Empty if the whole schema is <c>false</c>, and for an entry that says which limit ended the list: see <see cref="Exhausted"/>.</summary>
        public string Keyword { get; private set; }

        /// <summary>The place of the keyword in its schema, a JSON Pointer.</summary>
        public string SchemaPointer { get; private set; }

        /// <summary>A sentence that says what is wrong, without the place.</summary>
        public string Message { get; private set; }

        /// <summary>Facts by keyword, such as <c>limit</c> or <c>missingProperty</c>; <c>tools/wire/README.md</c> lists them.</summary>
        public JsonValue Params { get; private set; }

        /// <summary>The whole error, as every binding of Stanchion gives it.</summary>
        public JsonValue Json { get; private set; }

        /// <summary>
        /// The limit that ended the list: <c>steps</c>, <c>depth</c>, <c>memory</c> or <c>number</c> if the run has no verdict, <c>errors</c> if there are
        /// more errors than are listed. Null for an error of the instance.
        /// </summary>
        [MaybeNull]
        public string Exhausted
        {
            get { return Params.StringOf("exhausted"); }
        }

        /// <summary>Returns the place and the message.</summary>
        public override string ToString()
        {
            return Pointer.Length == 0 ? Message : Pointer + ": " + Message;
        }

        internal static IReadOnlyList<ValidationError> ListOf(JsonValue errors)
        {
            var list = new List<ValidationError>(errors.Count);
            foreach (JsonValue error in errors.Items)
            {
                list.Add(new ValidationError(error));
            }
            return list.AsReadOnly();
        }
    }

    /// <summary>One reason why a schema was refused.</summary>
    public sealed class SchemaError
    {
        internal SchemaError(JsonValue json)
        {
            Json = json;
            Pointer = Problem.Fragment(json.StringOf("schemaPath") ?? "");
            Keyword = json.StringOf("keyword") ?? "";
            Kind = json.StringOf("kind") ?? "";
            Message = json.StringOf("message") ?? "";
            Params = json["params"] ?? JsonValue.Parse("{}");
        }

        /// <summary>The place in the schema, a JSON Pointer.</summary>
        public string Pointer { get; private set; }

        /// <summary>The keyword that it is about, or empty.</summary>
        public string Keyword { get; private set; }

        /// <summary>The kind of error, such as <c>expected</c>, <c>outside</c>, <c>pattern</c> or <c>limit</c>.</summary>
        public string Kind { get; private set; }

        /// <summary>A sentence that says what is wrong.</summary>
        public string Message { get; private set; }

        /// <summary>Facts by kind; <c>tools/wire/README.md</c> lists them.</summary>
        public JsonValue Params { get; private set; }

        /// <summary>The whole error, as every binding of Stanchion gives it.</summary>
        public JsonValue Json { get; private set; }

        /// <summary>Returns the place and the message.</summary>
        public override string ToString()
        {
            return Pointer.Length == 0 ? Message : Pointer + ": " + Message;
        }
    }
}
