using System;
using System.Collections.Generic;

namespace Stanchion
{
    /// <summary>The base of all exceptions of Stanchion. Wrong options are an <see cref="ArgumentException"/> instead.</summary>
    public abstract class StanchionException : Exception
    {
        internal StanchionException(string message) : base(message)
        {
        }
    }

    /// <summary>An instance does not conform to its schema.</summary>
    public sealed class ValidationException : StanchionException
    {
        internal ValidationException(ValidationError error) : base(error.ToString())
        {
            Error = error;
        }

        /// <summary>The error, with all its facts.</summary>
        public ValidationError Error { get; private set; }

        /// <summary>The place in the instance, a JSON Pointer. The empty one is the whole instance.</summary>
        public string Pointer
        {
            get { return Error.Pointer; }
        }

        /// <summary>The keyword that refused it.</summary>
        public string Keyword
        {
            get { return Error.Keyword; }
        }
    }

    /// <summary>A schema was refused: it is malformed, refers to something outside, or is larger than the limits allow.</summary>
    public sealed class SchemaException : StanchionException
    {
        internal SchemaException(string message, IReadOnlyList<SchemaError> errors) : base(message)
        {
            Errors = errors;
        }

        /// <summary>All errors of the schema.</summary>
        public IReadOnlyList<SchemaError> Errors { get; private set; }

        /// <summary>The place of the first error in the schema, a JSON Pointer.</summary>
        public string Pointer
        {
            get { return Errors.Count == 0 ? "" : Errors[0].Pointer; }
        }

        /// <summary>The keyword of the first error, or empty.</summary>
        public string Keyword
        {
            get { return Errors.Count == 0 ? "" : Errors[0].Keyword; }
        }
    }

    /// <summary>A run reached a limit before it had a verdict: the instance is neither valid nor invalid.</summary>
    public sealed class UndecidedException : StanchionException
    {
        internal UndecidedException(string message, string limit) : base(message)
        {
            Limit = limit;
        }

        /// <summary>The limit: <c>steps</c>, <c>depth</c>, <c>memory</c> or <c>number</c>.</summary>
        public string Limit { get; private set; }
    }

    /// <summary>A text is not JSON, is nested too deep, or is too long.</summary>
    public sealed class NotJsonException : StanchionException
    {
        internal NotJsonException(string message, int line, int column) : base(message)
        {
            Line = line;
            Column = column;
        }

        /// <summary>The line, from 1, or 0 if it is not about a place.</summary>
        public int Line { get; private set; }

        /// <summary>The column, from 1, or 0 if it is not about a place.</summary>
        public int Column { get; private set; }
    }

    /// <summary>Turns answers of the C library into exceptions.</summary>
    internal static class Problem
    {
        /// <summary>The exception for a problem: <c>{"status", "message", "errors"}</c>, or a failure of a toolbox.</summary>
        internal static Exception Exception(Answer answer)
        {
            JsonValue problem = answer.Text.Length == 0 ? JsonValue.Parse("{}") : JsonValue.Parse(answer.Text);
            string message = problem.StringOf("message") ?? "the C library gave no reason";
            switch (answer.Status)
            {
                case Status.NotJson:
                    return new NotJsonException(message, IntegerOf(problem, "line"), IntegerOf(problem, "column"));
                case Status.Misuse:
                    return new ArgumentException(message);
                default:
                    var errors = new List<SchemaError>();
                    JsonValue given = problem["errors"];
                    if (given != null)
                    {
                        foreach (JsonValue error in given.Items)
                        {
                            errors.Add(new SchemaError(error));
                        }
                    }
                    return new SchemaException(message, errors.AsReadOnly());
            }
        }

        /// <summary>The exception for an error, which by its facts may be about the run or the text instead of the instance.</summary>
        internal static Exception Exception(ValidationError error)
        {
            string limit = error.Exhausted;
            if (limit != null)
            {
                return new UndecidedException(error.Message, limit);
            }
            if (error.Params["line"] != null)
            {
                return new NotJsonException(error.Message, IntegerOf(error.Params, "line"), IntegerOf(error.Params, "column"));
            }
            return new ValidationException(error);
        }

        /// <summary>The JSON Pointer behind the <c>#</c> of a path.</summary>
        internal static string Fragment(string path)
        {
            return path.Substring(path.IndexOf('#') + 1);
        }

        private static int IntegerOf(JsonValue json, string name)
        {
            JsonValue member = json[name];
            return member != null && member.Kind == JsonKind.Number ? (int)member.AsInt64() : 0;
        }
    }
}
