using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Stanchion
{
    /// <summary>The kinds of JSON values.</summary>
    public enum JsonKind
    {
        /// <summary><c>null</c>.</summary>
        Null,

        /// <summary><c>true</c> or <c>false</c>.</summary>
        Boolean,

        /// <summary>A number.</summary>
        Number,

        /// <summary>A string.</summary>
        String,

        /// <summary>An array.</summary>
        Array,

        /// <summary>An object.</summary>
        Object,
    }

    /// <summary>
    /// A JSON value that remembers its text: numbers keep all digits, and objects the order of their members. Immutable.
    /// </summary>
    /// <remarks>It is for the answers of Stanchion, which are small. Instances and schemas go to the engine as text.</remarks>
    public sealed class JsonValue
    {
        internal static readonly JsonValue[] NoItems = new JsonValue[0];
        internal static readonly string[] NoNames = new string[0];

        private readonly string source;
        private readonly int start;
        private readonly int length;
        private readonly string value;
        private readonly IReadOnlyList<string> names;
        private readonly IReadOnlyList<JsonValue> items;

        internal JsonValue(
            JsonKind kind, string source, int start, int length, string value, IReadOnlyList<string> names, IReadOnlyList<JsonValue> items)
        {
            Kind = kind;
            this.source = source;
            this.start = start;
            this.length = length;
            this.value = value;
            this.names = names;
            this.items = items;
        }

        /// <summary>Reads a JSON text.</summary>
        /// <exception cref="NotJsonException">The text is not JSON, or is nested more than 1,000 levels deep.</exception>
        public static JsonValue Parse(string text)
        {
            if (text == null)
            {
                throw new ArgumentNullException("text");
            }
            return new JsonReader(text).ReadDocument();
        }

        /// <summary>Writes a string as JSON, with its quotation marks.</summary>
        public static string Quote(string text)
        {
            if (text == null)
            {
                throw new ArgumentNullException("text");
            }
            var quoted = new StringBuilder(text.Length + 2).Append('"');
            foreach (char unit in text)
            {
                if (unit == '"' || unit == '\\')
                {
                    quoted.Append('\\').Append(unit);
                }
                else if (unit < ' ')
                {
                    quoted.Append("\\u").Append(((int)unit).ToString("x4", CultureInfo.InvariantCulture));
                }
                else
                {
                    quoted.Append(unit);
                }
            }
            return quoted.Append('"').ToString();
        }

        /// <summary>The kind of the value.</summary>
        public JsonKind Kind { get; private set; }

        /// <summary>The JSON text of the value, as it was read.</summary>
        public string Text
        {
            get { return start == 0 && length == source.Length ? source : source.Substring(start, length); }
        }

        /// <summary>How many items an array has, or members an object. 0 for other values.</summary>
        public int Count
        {
            get { return items.Count; }
        }

        /// <summary>The items of an array, or the values of an object's members in their order. Empty for other values.</summary>
        public IReadOnlyList<JsonValue> Items
        {
            get { return items; }
        }

        /// <summary>The names of an object's members, in their order. Empty for other values.</summary>
        public IReadOnlyList<string> Names
        {
            get { return names; }
        }

        /// <summary>The member of an object with that name, or null. Of two with one name the last counts.</summary>
        [MaybeNull]
        public JsonValue this[string name]
        {
            get
            {
                for (int at = names.Count - 1; at >= 0; at--)
                {
                    if (names[at] == name)
                    {
                        return items[at];
                    }
                }
                return null;
            }
        }

        /// <summary>The item of an array, or the value of an object's member, at that place.</summary>
        public JsonValue this[int index]
        {
            get { return items[index]; }
        }

        /// <summary>The text of a string, without quotation marks and escapes.</summary>
        /// <exception cref="InvalidOperationException">It is not a string.</exception>
        public string AsString()
        {
            Expect(JsonKind.String);
            return value;
        }

        /// <summary>The value of a boolean.</summary>
        /// <exception cref="InvalidOperationException">It is not a boolean.</exception>
        public bool AsBoolean()
        {
            Expect(JsonKind.Boolean);
            return source[start] == 't';
        }

        /// <summary>The value of an integer.</summary>
        /// <exception cref="InvalidOperationException">It is not a number.</exception>
        /// <exception cref="FormatException">It is not written as an integer.</exception>
        /// <exception cref="OverflowException">It has more than 64 bits.</exception>
        public long AsInt64()
        {
            Expect(JsonKind.Number);
            return long.Parse(Text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
        }

        /// <summary>The value of a number, rounded to a double. <see cref="Text"/> has all its digits.</summary>
        /// <exception cref="InvalidOperationException">It is not a number.</exception>
        public double AsDouble()
        {
            Expect(JsonKind.Number);
            return double.Parse(Text, NumberStyles.Float, CultureInfo.InvariantCulture);
        }

        /// <summary>Returns <see cref="Text"/>.</summary>
        public override string ToString()
        {
            return Text;
        }

        /// <summary>The text of a member that is a string, or null.</summary>
        [return: MaybeNull]
        internal string StringOf(string name)
        {
            JsonValue member = this[name];
            return member != null && member.Kind == JsonKind.String ? member.AsString() : null;
        }

        private void Expect(JsonKind kind)
        {
            if (Kind != kind)
            {
                throw new InvalidOperationException("expected a JSON " + kind + ", found " + Kind);
            }
        }
    }
}
