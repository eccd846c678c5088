using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Stanchion.ModelContextProtocol;

namespace Stanchion.Tests
{
    /// <summary>The filter for the SDK, on a stand-in for the SDK's types.</summary>
    internal static class FilterTests
    {
        private const string Input = "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"]}";
        private const string Numbers = "{\"type\":\"array\",\"items\":{\"type\":\"number\"}}";

        private static readonly string[] Older = { null, "2025-06-18", "2025-11-25" };
        private static readonly string[] Versions = { null, "2025-06-18", "2025-11-25", "2026-07-28", "2027-01-01" };

        [Test]
        private static void ArgumentsAreChecked()
        {
            foreach (string version in Versions)
            {
                var server = new Server(version, Input, null);
                Assert.Equal("done", server.Call("city", "\"Turin\"", null));
                Assert.Equal(1, server.Calls);
                string refused = server.Call("city", "1", null);
                Assert.Contains("/city", refused);
                Assert.Contains("error: ", refused);
                Assert.Contains("city", server.Call(null, null, null));
                Assert.Equal(1, server.Calls, "a call that does not conform reaches no tool");
            }
        }

        [Test]
        private static void ResultsAreCheckedInTheFormThatTheClientWasShown()
        {
            foreach (string version in Versions)
            {
                var server = new Server(version, Input, Numbers);
                bool isOld = Older.Contains(version);
                Assert.Equal("done", server.Call("city", "\"x\"", isOld ? "{\"result\":[1,2.5]}" : "[1,2.5]"), "wire form, " + version);
                Assert.Equal("done", server.Call("city", "\"x\"", "[1]"), "declared form, " + version);
                Assert.Contains("error: ", server.Call("city", "\"x\"", isOld ? "{\"result\":[\"x\"]}" : "[\"x\"]"));
                Assert.Contains("error: ", server.Call("city", "\"x\"", isOld ? "{\"other\":[1]}" : "{\"result\":[1]}"));
                Assert.Contains("error: ", server.Call("city", "\"x\"", null));
            }
        }

        [Test]
        private static void NullOfANullableType()
        {
            foreach (string version in Versions)
            {
                var server = new Server(version, Input, "{\"type\":[\"object\",\"null\"],\"required\":[\"a\"]}");
                Assert.Equal("done", server.Call("city", "\"x\"", null), "null, " + version);
                Assert.Equal("done", server.Call("city", "\"x\"", "{\"a\":1}"), "an object, " + version);
                Assert.Contains("error: ", server.Call("city", "\"x\"", "{}"));
            }
        }

        [Test]
        private static void ErrorsOfTheToolAndUnknownToolsPass()
        {
            var server = new Server("2026-07-28", Input, Numbers) { IsError = true };
            Assert.Equal("error: done", server.Call("city", "\"x\"", null));
            var unknown = new Server("2026-07-28", Input, Numbers) { IsKnown = false };
            Assert.Equal("done", unknown.Call("city", "1", null));
        }

        [Test]
        private static void Choices()
        {
            Assert.Equal("done", new Server("2026-07-28", Input, Numbers, new ToolValidation { Arguments = false }).Call("city", "1", "[1]"));
            Assert.Equal("done", new Server("2026-07-28", Input, Numbers, new ToolValidation { Results = false }).Call("city", "\"x\"", "[\"x\"]"));
        }

        [Test]
        private static void RefusedSchemas()
        {
            const string outside = "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"https://example.com/a\"}}}";
            Assert.Contains("https://example.com/a", new Server("2026-07-28", outside, null).Call("city", "1", null));
            var told = new List<string>();
            var server = new Server("2026-07-28", outside, null, new ToolValidation { OnRefused = (tool, why) => told.Add(tool.Name + ": " + why) });
            Assert.Equal("done", server.Call("city", "1", null));
            Assert.Equal("done", server.Call("city", "1", null));
            Assert.Equal(1, told.Count, "told once");
            Assert.Contains("https://example.com/a", told[0]);
        }

        /// <summary>A server with one tool, behind the filter.</summary>
        private sealed class Server : McpServer
        {
            private readonly string version;
            private readonly ServerTool tool;
            private readonly McpRequestFilter<CallToolRequestParams, CallToolResult> filter;

            internal Server(string version, string input, string output, ToolValidation validation = null)
            {
                this.version = version;
                tool = new ServerTool(new Tool { Name = "weather \"é\"", InputSchema = Json(input), OutputSchema = output == null ? (JsonElement?)null : Json(output) });
                var filters = new Filters();
                if (validation == null)
                {
                    filters.AddToolValidation();
                }
                else
                {
                    filters.AddToolValidation(validation);
                }
                filter = filters.CallTool[0];
            }

            internal int Calls { get; private set; }

            internal bool IsError { get; set; }

            internal bool IsKnown { get; set; } = true;

            public override string NegotiatedProtocolVersion
            {
                get { return version; }
            }

            /// <summary>Calls the tool with one argument. Returns the text of the result.</summary>
            internal string Call(string name, string argument, string structured)
            {
                var parameters = new CallToolRequestParams { Name = tool.ProtocolTool.Name };
                if (name != null)
                {
                    parameters.Arguments = new Dictionary<string, JsonElement> { { name, Json(argument) } };
                }
                McpRequestHandler<CallToolRequestParams, CallToolResult> handler = filter((request, cancellation) =>
                {
                    Calls++;
                    var given = new CallToolResult { IsError = IsError, StructuredContent = structured == null ? (JsonElement?)null : Json(structured) };
                    given.Content.Add(new TextContentBlock { Text = "done" });
                    return new ValueTask<CallToolResult>(given);
                });
                var context = new RequestContext<CallToolRequestParams>(this, parameters) { MatchedPrimitive = IsKnown ? tool : null };
                CallToolResult result = handler(context, CancellationToken.None).AsTask().Result;
                return (result.IsError == true ? "error: " : "") + ((TextContentBlock)result.Content[0]).Text;
            }

            private static JsonElement Json(string text)
            {
#if NETCOREAPP
                return JsonDocument.Parse(text).RootElement;
#else
                return JsonElement.Of(text);
#endif
            }
        }

        private sealed class ServerTool : McpServerTool
        {
            private readonly Tool tool;

            internal ServerTool(Tool tool)
            {
                this.tool = tool;
            }

            public override Tool ProtocolTool
            {
                get { return tool; }
            }
        }
    }
}
