using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Stanchion
{
    /// <summary>
    /// The tools of an MCP server: checks calls and results, and says how a client of a protocol version sees a tool. Any number of threads may use it.
    /// </summary>
    /// <remarks>
    /// Protocol versions are dates such as <c>2025-11-25</c>. An empty one is not known, and counts as old. JSON that goes through keeps its digits and the
    /// order of its members.
    /// </remarks>
    public sealed class Toolbox : IDisposable
    {
        private static readonly byte[] Nothing = new byte[0];

        private readonly ToolboxHandle handle;

        /// <summary>Makes a toolbox with the ways of the C# SDK.</summary>
        /// <param name="list">A JSON array of tools, or the result of <c>tools/list</c>.</param>
        /// <exception cref="NotJsonException">The text is not JSON, or not a list of tools.</exception>
        public Toolbox(string list) : this(list, "{\"preset\":\"csharp\"}")
        {
        }

        /// <summary>Makes a toolbox.</summary>
        /// <param name="list">A JSON array of tools, or the result of <c>tools/list</c>.</param>
        /// <param name="profile">
        /// A JSON object that may have a <c>preset</c> and every choice of <c>tools/mcp</c>, such as <c>{"preset": "csharp", "mirror": "all"}</c>. <c>{}</c> stands for
        /// the ways of the specification.
        /// </param>
        /// <exception cref="NotJsonException">A text is not JSON, or not a list of tools.</exception>
        /// <exception cref="ArgumentException">The profile is wrong.</exception>
        public Toolbox(string list, string profile)
        {
            Answer answer = Native.NewToolbox(Bytes(list, "list"), Bytes(profile, "profile"), out handle);
            if (answer.Status != Status.Valid)
            {
                handle.Dispose();
                throw Problem.Exception(answer);
            }
            Loaded = new ToolboxLoad(answer.Text);
        }

        internal ToolboxHandle Handle
        {
            get { return handle; }
        }

        /// <summary>What became of the list that came last.</summary>
        public ToolboxLoad Loaded { get; private set; }

        /// <summary>Takes another list in place of what is there. Tools that did not change are not compiled again.</summary>
        public ToolboxLoad Replace(string list)
        {
            return Loaded = new ToolboxLoad(Demand(ToolboxCall.Replace, Bytes(list, "list"), Nothing));
        }

        /// <summary>Takes the next page of a list, beside what is there.</summary>
        public ToolboxLoad Extend(string list)
        {
            return Loaded = new ToolboxLoad(Demand(ToolboxCall.Extend, Bytes(list, "list"), Nothing));
        }

        /// <summary>Returns the result of <c>tools/list</c> for a client with that protocol version, as JSON text.</summary>
        public string List(string version)
        {
            return Demand(ToolboxCall.List, Bytes(version, "version"), Nothing);
        }

        /// <summary>Returns the definition of a tool for a client with that protocol version.</summary>
        /// <exception cref="ArgumentException">There is no such tool, or it was refused; the message says why.</exception>
        public ToolOutcome Definition(string name, string version)
        {
            return Outcome(ToolboxCall.Definition, Bytes(name, "name"), Bytes(version, "version"), Nothing);
        }

        /// <summary>Checks the params of <c>tools/call</c>. The value is <c>{"name": …}</c>.</summary>
        public ToolOutcome CheckCall(string parameters, string version)
        {
            return Outcome(ToolboxCall.CheckCall, Bytes(parameters, "parameters"), Bytes(version, "version"), Nothing);
        }

        /// <summary>Checks the params of <c>tools/call</c>. The value is the arguments, with defaults of the schema filled in.</summary>
        public ToolOutcome FillCall(string parameters, string version)
        {
            return Outcome(ToolboxCall.FillCall, Bytes(parameters, "parameters"), Bytes(version, "version"), Nothing);
        }

        /// <summary>For a client: checks the result of a tool. The value is the result, out of the envelope that an older server may have used.</summary>
        /// <exception cref="ArgumentException">There is no such tool, or it was refused; the message says why.</exception>
        public ToolOutcome CheckResult(string name, string version, string result)
        {
            return Outcome(ToolboxCall.CheckResult, Bytes(name, "name"), Bytes(version, "version"), Bytes(result, "result"));
        }

        /// <summary>
        /// For a server: checks the result of a tool. The value is the result to send: in an envelope for older clients, and with a text mirror if the profile
        /// asks for one.
        /// </summary>
        /// <exception cref="ArgumentException">There is no such tool, or it was refused; the message says why.</exception>
        public ToolOutcome SendResult(string name, string version, string result)
        {
            return Outcome(ToolboxCall.SendResult, Bytes(name, "name"), Bytes(version, "version"), Bytes(result, "result"));
        }

        /// <summary>Returns all choices of the profile, as JSON text.</summary>
        public string Profile()
        {
            return Demand(ToolboxCall.Profile, Nothing, Nothing);
        }

        /// <summary>Frees the tools. A second call does nothing.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        private string Demand(ToolboxCall call, byte[] first, byte[] second)
        {
            Answer answer = Native.Call(call, handle, first, second, Nothing);
            if (answer.Status != Status.Valid)
            {
                throw Problem.Exception(answer);
            }
            return answer.Text;
        }

        private ToolOutcome Outcome(ToolboxCall call, byte[] first, byte[] second, byte[] third)
        {
            Answer answer = Native.Call(call, handle, first, second, third);
            if (answer.Status == Status.Misuse)
            {
                throw Problem.Exception(answer);
            }
            return answer.Status == Status.Valid ? new ToolOutcome(answer.Text) : new ToolOutcome(new ToolFailure(answer.Text));
        }

        private static byte[] Bytes(string text, string parameter)
        {
            if (text == null)
            {
                throw new ArgumentNullException(parameter);
            }
            return Native.Encode(text);
        }
    }

    /// <summary>What became of a list of tools.</summary>
    public sealed class ToolboxLoad
    {
        internal ToolboxLoad(string json)
        {
            Json = JsonValue.Parse(json);
            var refused = new List<RefusedTool>();
            JsonValue given = Json["refused"];
            if (given != null)
            {
                foreach (JsonValue tool in given.Items)
                {
                    refused.Add(new RefusedTool(tool));
                }
            }
            Refused = refused.AsReadOnly();
        }

        /// <summary>How many tools can be used.</summary>
        public int Tools
        {
            get { return Count("tools"); }
        }

        /// <summary>How many of them are as they were before.</summary>
        public int Unchanged
        {
            get { return Count("unchanged"); }
        }

        /// <summary>Tools that cannot be used, and why. They do not fail the others.</summary>
        public IReadOnlyList<RefusedTool> Refused { get; private set; }

        /// <summary>The whole answer, which also has <c>isChanged</c> and <c>warnings</c>.</summary>
        public JsonValue Json { get; private set; }

        private int Count(string name)
        {
            JsonValue count = Json[name];
            return count == null ? 0 : (int)count.AsInt64();
        }
    }

    /// <summary>A tool that was refused.</summary>
    public sealed class RefusedTool
    {
        internal RefusedTool(JsonValue json)
        {
            Name = json.StringOf("name") ?? "";
            Part = json.StringOf("part") ?? "";
            Pointer = json.StringOf("path") ?? "";
            Message = json.StringOf("message") ?? "";
        }

        /// <summary>The name of the tool, or empty if it has none.</summary>
        public string Name { get; private set; }

        /// <summary>The schema that was refused, <c>inputSchema</c> or <c>outputSchema</c>, or empty.</summary>
        public string Part { get; private set; }

        /// <summary>The place in that schema, a JSON Pointer.</summary>
        public string Pointer { get; private set; }

        /// <summary>One line for its author.</summary>
        public string Message { get; private set; }
    }

    /// <summary>What goes through, or why not.</summary>
    public sealed class ToolOutcome
    {
        private readonly string value;
        private readonly ToolFailure failure;

        internal ToolOutcome(string value)
        {
            this.value = value;
        }

        internal ToolOutcome(ToolFailure failure)
        {
            this.failure = failure;
        }

        /// <summary>Whether it goes through.</summary>
        public bool Ok
        {
            get { return failure == null; }
        }

        /// <summary>What goes through, as JSON text.</summary>
        /// <exception cref="InvalidOperationException">It does not go through; the message says why.</exception>
        public string Value
        {
            get { return value ?? throw new InvalidOperationException(failure.Message); }
        }

        /// <summary>Why it does not go through, or null.</summary>
        [MaybeNull]
        public ToolFailure Failure
        {
            get { return failure; }
        }
    }

    /// <summary>Why a call or a result does not go through.</summary>
    public sealed class ToolFailure
    {
        internal ToolFailure(string json)
        {
            Json = JsonValue.Parse(json);
            Kind = Json.StringOf("kind") ?? "";
            Message = Json.StringOf("message") ?? "";
            JsonValue errors = Json["errors"];
            Errors = errors == null ? new ValidationError[0] : ValidationError.ListOf(errors);
        }

        /// <summary><c>arguments</c>, <c>result</c>, <c>malformed</c>, <c>tool</c> or <c>json</c>.</summary>
        public string Kind { get; private set; }

        /// <summary>A sentence.</summary>
        public string Message { get; private set; }

        /// <summary>Where a value broke its schema.</summary>
        public IReadOnlyList<ValidationError> Errors { get; private set; }

        /// <summary>Whether the run reached a limit before it had a verdict.</summary>
        public bool IsUndecided
        {
            get { return Json["undecided"] != null; }
        }

        /// <summary>The result to answer with, which has <c>isError</c> and a text for the model; or null.</summary>
        [MaybeNull]
        public JsonValue Result
        {
            get { return Json["result"]; }
        }

        /// <summary>The JSON-RPC error to answer with, or null.</summary>
        [MaybeNull]
        public JsonValue Error
        {
            get { return Json["error"]; }
        }

        /// <summary>The whole failure, as every binding of Stanchion gives it.</summary>
        public JsonValue Json { get; private set; }
    }
}
