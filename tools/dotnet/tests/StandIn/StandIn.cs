// The types of ModelContextProtocol 2.2 that Stanchion.ModelContextProtocol uses, and no more: the packages of the SDK are not to be had where these tests
// run. Names, members and nullability are those of the SDK, so that a change there shows here once somebody carries it over.
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using ModelContextProtocol.Protocol;

#if !NETCOREAPP
namespace System.Text.Json
{
    public struct JsonElement
    {
        private readonly string text;

        private JsonElement(string text)
        {
            this.text = text;
        }

        public string GetRawText()
        {
            return text;
        }

        internal static JsonElement Of(string text)
        {
            return new JsonElement(text);
        }
    }
}
#endif

namespace ModelContextProtocol.Protocol
{
    using System.Text.Json;

    public sealed class Tool
    {
        public string Name { get; set; }

        public JsonElement InputSchema { get; set; }

        public JsonElement? OutputSchema { get; set; }
    }

    public sealed class CallToolRequestParams
    {
        public string Name { get; set; }

        public IDictionary<string, JsonElement> Arguments { get; set; }
    }

    public abstract class ContentBlock
    {
    }

    public sealed class TextContentBlock : ContentBlock
    {
        public string Text { get; set; }
    }

    public sealed class CallToolResult
    {
        public IList<ContentBlock> Content { get; set; } = new List<ContentBlock>();

        public JsonElement? StructuredContent { get; set; }

        public bool? IsError { get; set; }
    }
}

namespace ModelContextProtocol.Server
{
    public interface IMcpServerPrimitive
    {
        string Id { get; }
    }

    public abstract class McpServerTool : IMcpServerPrimitive
    {
        public abstract Tool ProtocolTool { get; }

        string IMcpServerPrimitive.Id
        {
            get { return ProtocolTool.Name; }
        }
    }

    public abstract class McpServer
    {
        public abstract string NegotiatedProtocolVersion { get; }
    }

    public sealed class RequestContext<TParams>
    {
        public RequestContext(McpServer server, TParams parameters)
        {
            Server = server;
            Params = parameters;
        }

        public McpServer Server { get; set; }

        public TParams Params { get; set; }

        public IMcpServerPrimitive MatchedPrimitive { get; set; }
    }

    public delegate ValueTask<TResult> McpRequestHandler<TParams, TResult>(RequestContext<TParams> request, CancellationToken cancellationToken);

    public delegate McpRequestHandler<TParams, TResult> McpRequestFilter<TParams, TResult>(McpRequestHandler<TParams, TResult> next);
}

namespace Microsoft.Extensions.DependencyInjection
{
    using ModelContextProtocol.Server;

    public interface IMcpRequestFilterBuilder
    {
    }

    public static class McpRequestFilterBuilderExtensions
    {
        public static IMcpRequestFilterBuilder AddCallToolFilter(
            this IMcpRequestFilterBuilder builder, McpRequestFilter<CallToolRequestParams, CallToolResult> filter)
        {
            ((Filters)builder).CallTool.Add(filter);
            return builder;
        }
    }

    internal sealed class Filters : IMcpRequestFilterBuilder
    {
        internal readonly List<McpRequestFilter<CallToolRequestParams, CallToolResult>> CallTool =
            new List<McpRequestFilter<CallToolRequestParams, CallToolResult>>();
    }
}
