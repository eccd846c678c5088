using System.Collections.Generic;
using System.Text;

namespace Stanchion
{
    /// <summary>
    /// Reads JSON as RFC 8259 has it, and nothing else.
    /// </summary>
    /// <remarks>
    /// The framework has no reader that <c>netstandard2.0</c> and mono share and that keeps a number's digits: System.Text.Json is a package there, and
    /// DataContractJsonSerializer turns numbers into doubles. This one needs no package.
    /// </remarks>
    internal sealed class JsonReader
    {
        private const int MaxDepth = 1000;

        private readonly string text;
        private int at;

        internal JsonReader(string text)
        {
            this.text = text;
        }

        internal JsonValue ReadDocument()
        {
            SkipSpace();
            JsonValue value = ReadValue(0);
            SkipSpace();
            if (at < text.Length)
            {
                throw Unexpected("the end of the text");
            }
            return value;
        }

        private JsonValue ReadValue(int depth)
        {
            int start = at;
            switch (Peek())
            {
                case '{':
                    return ReadObject(depth + 1);
                case '[':
                    return ReadArray(depth + 1);
                case '"':
                    string value = ReadString();
                    return new JsonValue(JsonKind.String, text, start, at - start, value, JsonValue.NoNames, JsonValue.NoItems);
                case 't':
                    return ReadWord("true", JsonKind.Boolean);
                case 'f':
                    return ReadWord("false", JsonKind.Boolean);
                case 'n':
                    return ReadWord("null", JsonKind.Null);
                default:
                    ReadNumber();
                    return Plain(JsonKind.Number, start);
            }
        }

        private JsonValue Plain(JsonKind kind, int start)
        {
            return new JsonValue(kind, text, start, at - start, "", JsonValue.NoNames, JsonValue.NoItems);
        }

        private JsonValue ReadWord(string word, JsonKind kind)
        {
            int start = at;
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0)
            {
                throw Unexpected("a value");
            }
            at += word.Length;
            return Plain(kind, start);
        }

        private JsonValue ReadArray(int depth)
        {
            int start = at;
            var items = new List<JsonValue>();
            Enter(depth);
            if (Peek() == ']')
            {
                at++;
            }
            else
            {
                do
                {
                    SkipSpace();
                    items.Add(ReadValue(depth));
                }
                while (HasNext(']'));
            }
            return new JsonValue(JsonKind.Array, text, start, at - start, "", JsonValue.NoNames, items);
        }

        private JsonValue ReadObject(int depth)
        {
            int start = at;
            var names = new List<string>();
            var items = new List<JsonValue>();
            Enter(depth);
            if (Peek() == '}')
            {
                at++;
            }
            else
            {
                do
                {
                    SkipSpace();
                    names.Add(ReadString());
                    SkipSpace();
                    Take(':');
                    SkipSpace();
                    items.Add(ReadValue(depth));
                }
                while (HasNext('}'));
            }
            return new JsonValue(JsonKind.Object, text, start, at - start, "", names, items);
        }

        /// <summary>Steps over the bracket that opens an array or object.</summary>
        private void Enter(int depth)
        {
            if (depth > MaxDepth)
            {
                throw Unexpected("at most " + MaxDepth + " levels of arrays and objects");
            }
            at++;
            SkipSpace();
        }

        /// <summary>Steps over a comma, or over the bracket that ends an array or object.</summary>
        private bool HasNext(char end)
        {
            SkipSpace();
            if (Peek() == end)
            {
                at++;
                return false;
            }
            Take(',');
            return true;
        }

        private string ReadString()
        {
            Take('"');
            int start = at;
            StringBuilder unescaped = new StringBuilder(0);
            while (true)
            {
                char unit = Peek();
                if (unit == '"')
                {
                    string rest = text.Substring(start, at - start);
                    at++;
                    return unescaped.Length == 0 ? rest : unescaped.Append(rest).ToString();
                }
                if (unit < ' ')
                {
                    throw Unexpected("a character of a string");
                }
                if (unit == '\\')
                {
                    unescaped.Append(text, start, at - start);
                    at++;
                    unescaped.Append(ReadEscape());
                    start = at;
                }
                else
                {
                    at++;
                }
            }
        }

        private char ReadEscape()
        {
            char unit = Peek();
            int place = "\"\\/bfnrt".IndexOf(unit);
            if (place >= 0)
            {
                at++;
                return "\"\\/\b\f\n\r\t"[place];
            }
            Take('u');
            int code = 0;
            for (int digit = 0; digit < 4; digit++)
            {
                int value = "0123456789abcdef".IndexOf(char.ToLowerInvariant(Peek()));
                if (value < 0)
                {
                    throw Unexpected("four hexadecimal digits");
                }
                code = code * 16 + value;
                at++;
            }
            return (char)code;
        }

        private void ReadNumber()
        {
            if (Peek() == '-')
            {
                at++;
            }
            if (Peek() == '0')
            {
                at++;
            }
            else
            {
                ReadDigits();
            }
            if (Peek() == '.')
            {
                at++;
                ReadDigits();
            }
            if (Peek() == 'e' || Peek() == 'E')
            {
                at++;
                if (Peek() == '+' || Peek() == '-')
                {
                    at++;
                }
                ReadDigits();
            }
        }

        private void ReadDigits()
        {
            int start = at;
            while (Peek() >= '0' && Peek() <= '9')
            {
                at++;
            }
            if (at == start)
            {
                throw Unexpected(at == 0 || "-.eE+0123456789".IndexOf(text[at - 1]) < 0 ? "a value" : "a digit");
            }
        }

        private void Take(char expected)
        {
            if (Peek() != expected)
            {
                throw Unexpected("'" + expected + "'");
            }
            at++;
        }

        /// <summary>The next character, or NUL, which is no part of JSON, at the end.</summary>
        private char Peek()
        {
            return at < text.Length ? text[at] : '\0';
        }

        private void SkipSpace()
        {
            while (at < text.Length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t'))
            {
                at++;
            }
        }

        private NotJsonException Unexpected(string expected)
        {
            int line = 1, lineStart = 0;
            for (int index = 0; index < at && index < text.Length; index++)
            {
                if (text[index] == '\n')
                {
                    line++;
                    lineStart = index + 1;
                }
            }
            string found = at < text.Length ? "U+" + ((int)text[at]).ToString("X4") : "the end of the text";
            int column = at - lineStart + 1;
            return new NotJsonException(
                "line " + line + ", column " + column + ": expected " + expected + ", found " + found, line, column);
        }
    }
}
