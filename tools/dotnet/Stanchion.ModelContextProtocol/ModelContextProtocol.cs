using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace Stanchion.ModelContextProtocol
{
    /// <summary>Adds validation by Stanchion to a server.</summary>
    public static class ToolValidationExtensions
    {
        /// <summary>
        /// Checks arguments of tools against their input schemas, and results against their output schemas:
        /// <c>services.AddMcpServer().WithRequestFilters(filters =&gt; filters.AddToolValidation())</c>.
        /// </summary>
        public static IMcpRequestFilterBuilder AddToolValidation(this IMcpRequestFilterBuilder builder)
        {
            return builder.AddToolValidation(new ToolValidation());
        }

        /// <summary>Checks arguments and results as the choices say.</summary>
        public static IMcpRequestFilterBuilder AddToolValidation(this IMcpRequestFilterBuilder builder, ToolValidation validation)
        {
            return builder.AddCallToolFilter(validation.Filter);
        }
    }

    /// <summary>
    /// A filter for <c>tools/call</c>. A call that does not conform is answered by a result with <c>isError</c> and a text that a model can act on, and never
    /// reaches its tool; a result that does not conform never reaches the client.
    /// </summary>
    /// <remarks>
    /// Schemas are compiled once for each <see cref="Tool"/>, at its first call. A result conforms if it has the form that this client was shown, or the one that
    /// the tool declares: the SDK wraps results of methods for clients from before 2026-07-28, and leaves those of other tools as they are.
    /// </remarks>
    public sealed class ToolValidation
    {
        private readonly ConditionalWeakTable<Tool, ToolChecks> compiled = new ConditionalWeakTable<Tool, ToolChecks>();

        /// <summary>Whether arguments are checked. Default: yes.</summary>
        public bool Arguments { get; set; } = true;

        /// <summary>Whether results are checked. Default: yes.</summary>
        public bool Results { get; set; } = true;

        /// <summary>
        /// Called with a tool whose schemas were refused, and why; its calls then go through unchecked. Without it, they are answered with that reason.
        /// </summary>
        [AllowNull, MaybeNull]
        public Action<Tool, string> OnRefused { get; set; }

        /// <summary>The filter itself, for <c>AddCallToolFilter</c>.</summary>
        public McpRequestHandler<CallToolRequestParams, CallToolResult> Filter(McpRequestHandler<CallToolRequestParams, CallToolResult> next)
        {
            return (request, cancellation) => new ValueTask<CallToolResult>(Call(next, request, cancellation));
        }

        private async Task<CallToolResult> Call(
            McpRequestHandler<CallToolRequestParams, CallToolResult> next, RequestContext<CallToolRequestParams> request, CancellationToken cancellation)
        {
            var tool = request.MatchedPrimitive as McpServerTool;
            if (tool == null)
            {
                return await next(request, cancellation).ConfigureAwait(false);
            }
            ToolChecks checks = compiled.GetValue(tool.ProtocolTool, Compile);
            if (checks.Refused != null)
            {
                return OnRefused == null ? Error(checks.Refused) : await next(request, cancellation).ConfigureAwait(false);
            }
            string version = request.Server.NegotiatedProtocolVersion ?? "";
            string wrong = Arguments ? checks.WrongArguments(request.Params, version) : null;
            if (wrong != null)
            {
                return Error(wrong);
            }
            CallToolResult result = await next(request, cancellation).ConfigureAwait(false);
            wrong = Results && result.IsError != true ? checks.WrongResult(result.StructuredContent, version) : null;
            return wrong == null ? result : Error(wrong);
        }

        private ToolChecks Compile(Tool tool)
        {
            var checks = new ToolChecks(tool);
            if (checks.Refused != null && OnRefused != null)
            {
                OnRefused(tool, checks.Refused);
            }
            return checks;
        }

        private static CallToolResult Error(string text)
        {
            return new CallToolResult { IsError = true, Content = new List<ContentBlock> { new TextContentBlock { Text = text } } };
        }
    }

    /// <summary>The compiled schemas of a tool.</summary>
    internal sealed class ToolChecks
    {
        private readonly string name;
        private readonly bool hasOutput;
        private readonly Toolbox declared;
        private readonly Lazy<Toolbox> older;

        internal ToolChecks(Tool tool)
        {
            name = tool.Name;
            hasOutput = tool.OutputSchema != null;
            string output = hasOutput ? ",\"outputSchema\":" + tool.OutputSchema.Value.GetRawText() : "";
            declared = new Toolbox("[{\"name\":" + JsonValue.Quote(name) + ",\"inputSchema\":" + tool.InputSchema.GetRawText() + output + "}]");
            // What clients from before 2026-07-28 are shown. All of them see the same.
            older = new Lazy<Toolbox>(() => new Toolbox("[" + declared.Definition(name, "").Value + "]"));
            if (declared.Loaded.Tools == 0)
            {
                Refused = declared.Loaded.Refused[0].Message;
            }
        }

        /// <summary>Why the tool was refused, or null.</summary>
        [MaybeNull]
        internal string Refused { get; private set; }

        /// <summary>What is wrong with the arguments of a call, as a text for a model, or null.</summary>
        [return: MaybeNull]
        internal string WrongArguments(CallToolRequestParams call, string version)
        {
            var arguments = new List<string>();
            if (call.Arguments != null)
            {
                foreach (KeyValuePair<string, JsonElement> argument in call.Arguments)
                {
                    arguments.Add(JsonValue.Quote(argument.Key) + ":" + argument.Value.GetRawText());
                }
            }
            string parameters = "{\"name\":" + JsonValue.Quote(name) + ",\"arguments\":{" + string.Join(",", arguments) + "}}";
            ToolFailure failure = declared.CheckCall(parameters, version).Failure;
            return failure == null ? null : failure.Result?["content"]?[0]["text"]?.AsString() ?? failure.Message;
        }

        /// <summary>What is wrong with a result, as a text for a model, or null.</summary>
        [return: MaybeNull]
        internal string WrongResult(JsonElement? structured, string version)
        {
            if (!hasOutput)
            {
                return null;
            }
            // The SDK leaves out the structured content of a method that returned null.
            string given = "{\"content\":[],\"structuredContent\":" + (structured == null ? "null" : structured.Value.GetRawText()) + "}";
            ToolOutcome outcome = declared.CheckResult(name, ToolSchema.FirstNaturalVersion, given);
            if (outcome.Ok)
            {
                return null;
            }
            if (structured == null)
            {
                outcome = declared.CheckResult(name, version, "{\"content\":[]}");
            }
            else if (string.CompareOrdinal(version, ToolSchema.FirstNaturalVersion) < 0)
            {
                outcome = older.Value.CheckResult(name, version, given);
            }
            return outcome.Failure?.Message;
        }
    }
}
