using System;
using System.Collections.Generic;
using System.Linq;

namespace Stanchion.Tests
{
    /// <summary>The rules of the C# SDK's pull request 1568, row by row, and what goes over the wire for each protocol version.</summary>
    internal static class ToolSchemaTests
    {
        private const string Person = "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"age\":{\"type\":\"integer\"}}}";
        private const string NullablePerson = "{\"type\":[\"object\",\"null\"],\"properties\":{\"name\":{\"type\":\"string\"},\"age\":{\"type\":\"integer\"}}}";

        private static readonly string[] Older = { "", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-27" };
        private static readonly string[] Newer = { "2026-07-28", "2026-07-29", "2026-12-01", "2027-03-01" };

        /// <summary>The table of accepted and rejected output schemas.</summary>
        [Test]
        private static void WhichOutputSchemasAreAccepted()
        {
            foreach (string accepted in new[]
            {
                "{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\"}}}",
                "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}",
                "{\"type\": \"string\"}", "{\"type\": \"integer\"}", "{\"type\": \"number\"}", "{\"type\": \"boolean\"}", "{\"type\": \"null\"}",
                "{\"type\": [\"object\", \"null\"], \"properties\": {}}",
                "{}",
                "{\"oneOf\": [{\"type\": \"string\"}, {\"type\": \"integer\"}]}",
                "true",
                "false",
            })
            {
                Assert.True(ToolSchema.IsOutputSchema(accepted), accepted);
                new ToolSchema(accepted).Dispose();
            }
            foreach (string rejected in new[] { "null", "42", "-1.5", "\"object\"", "[]", "[{\"type\": \"object\"}]" })
            {
                Assert.True(!ToolSchema.IsOutputSchema(rejected), rejected);
                ArgumentException error = Assert.Throws<ArgumentException>(() => new ToolSchema(rejected), rejected);
                Assert.Contains("JSON object or boolean", error.Message);
            }
            Assert.Throws<ArgumentNullException>(() => new ToolSchema(null));
            Assert.Throws<NotJsonException>(() => new ToolSchema("{"));
            // The SDK looks no further; a schema that cannot be compiled is refused here, with pointer and keyword.
            SchemaException refused = Assert.Throws<SchemaException>(() => new ToolSchema("{\"type\": \"intger\"}"));
            Assert.Equal("/type type", refused.Pointer + " " + refused.Keyword);
            Assert.Throws<SchemaException>(() => new ToolSchema("{\"$ref\": \"https://example.com/a\"}"));
        }

        /// <summary>Input schemas stay as strict as they were.</summary>
        [Test]
        private static void WhichInputSchemasAreAccepted()
        {
            Assert.True(ToolSchema.IsInputSchema("{\"type\": \"object\"}") && ToolSchema.IsInputSchema("{\"properties\": {}, \"type\": \"object\"}"), "objects");
            foreach (string rejected in new[] { "{}", "{\"type\": \"array\"}", "{\"type\": [\"object\", \"null\"]}", "true", "null", "[]", "1", "\"object\"" })
            {
                Assert.True(!ToolSchema.IsInputSchema(rejected), rejected);
            }
        }

        /// <summary>The table of return types: schema and value, before and after.</summary>
        [Test]
        private static void WhatGoesOverTheWire()
        {
            Shapes("{\"type\":\"integer\"}", "72", Envelope("{\"type\":\"integer\"}"), "{\"result\":72}");
            Shapes("{\"type\":\"string\"}", "\"Paris\"", Envelope("{\"type\":\"string\"}"), "{\"result\":\"Paris\"}");
            Shapes("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "[\"a\",\"b\"]", Envelope("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"), "{\"result\":[\"a\",\"b\"]}");
            Shapes(Person, "{\"name\":\"Ada\",\"age\":36}", Person, "{\"name\":\"Ada\",\"age\":36}");
            // The SDK keeps the value null of a nullable object as it is, since its schema is not wrapped.
            Shapes(NullablePerson, "{\"name\":\"Ada\",\"age\":36}", Person, "{\"name\":\"Ada\",\"age\":36}");
            Shapes(NullablePerson, "null", Person, "null");
            Shapes("{\"type\":[\"null\",\"object\"]}", "{}", "{\"type\":\"object\"}", "{}");
            // A person or null that is written as a union is not such an object, and null goes in the envelope.
            Shapes("{\"anyOf\":[{\"type\":\"object\"},{\"type\":\"null\"}]}", "null", Envelope("{\"anyOf\":[{\"type\":\"object\"},{\"type\":\"null\"}]}"), "{\"result\":null}");
            Shapes("{\"type\":[\"string\",\"null\"]}", "null", Envelope("{\"type\":[\"string\",\"null\"]}"), "{\"result\":null}");
            Shapes("{\"type\":[\"object\",\"null\",\"string\"]}", "\"x\"", Envelope("{\"type\":[\"object\",\"null\",\"string\"]}"), "{\"result\":\"x\"}");
            Shapes("{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}", "1", Envelope("{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"integer\"}]}"), "{\"result\":1}");
            Shapes("{}", "{\"a\":1}", Envelope("{}"), "{\"result\":{\"a\":1}}");
            // All digits, and the order of members.
            Shapes("{\"type\":\"number\"}", "1.50E+2", Envelope("{\"type\":\"number\"}"), "{\"result\":1.50E+2}");
        }

        [Test]
        private static void BooleanSchemas()
        {
            using (var any = new ToolSchema("true"))
            {
                Assert.Equal("{}", any.SchemaFor("2026-07-28"));
                Assert.Equal(Envelope("{}"), any.SchemaFor("2025-11-25"));
                Assert.Equal("{\"result\":1}", any.ValueFor("2025-11-25", "1"));
                Assert.Equal("1", any.ValueFor("2026-07-28", "1"));
            }
            using (var none = new ToolSchema("false"))
            {
                Assert.Equal("{\"not\":{}}", none.SchemaFor("2026-07-28"));
                Assert.Throws<ValidationException>(() => none.ValueFor("2026-07-28", "1"));
            }
        }

        /// <summary>References move with the schema, as the SDK moves them.</summary>
        [Test]
        private static void ReferencesInTheEnvelope()
        {
            const string tree = "{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}";
            const string list = "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/n\"},\"$defs\":{\"n\":{\"type\":\"number\"}}}";
            using (var output = new ToolSchema(tree))
            {
                Assert.Contains("\"$ref\":\"#/properties/result\"", output.SchemaFor("2025-11-25"));
                Conforms(output.SchemaFor("2025-11-25"), output.ValueFor("2025-11-25", "[[],[[]]]"));
            }
            using (var output = new ToolSchema(list))
            {
                Assert.Contains("\"$ref\":\"#/properties/result/$defs/n\"", output.SchemaFor("2025-11-25"));
                Conforms(output.SchemaFor("2025-11-25"), output.ValueFor("2025-11-25", "[1,2.5]"));
            }
        }

        [Test]
        private static void ValuesThatDoNotConform()
        {
            using (var numbers = new ToolSchema("{\"type\":\"array\",\"items\":{\"type\":\"number\"}}"))
            {
                foreach (string version in Older.Concat(Newer))
                {
                    ValidationException error = Assert.Throws<ValidationException>(() => numbers.ValueFor(version, "[1,\"x\"]"), version);
                    Assert.Equal("/1 type", error.Pointer + " " + error.Keyword);
                    Assert.Throws<NotJsonException>(() => numbers.ValueFor(version, "[1"), version);
                }
                Assert.True(numbers.Validator.IsValid("[1]") && !numbers.Validator.IsValid("{}"), "the validator");
            }
        }

        [Test]
        private static void ClientsUnwrap()
        {
            using (var received = new ToolSchema(Envelope("{\"type\":\"integer\"}")))
            {
                Assert.Equal("72", received.Unwrap("2025-11-25", "{\"result\":72}"));
                Assert.Throws<ValidationException>(() => received.Unwrap("2025-11-25", "{\"result\":\"x\"}"));
                // A current server means what it shows.
                Assert.Equal("{\"result\":72}", received.Unwrap("2026-07-28", "{\"result\":72}"));
            }
            using (var received = new ToolSchema(Person))
            {
                Assert.Equal("{\"name\":\"Ada\"}", received.Unwrap("2025-11-25", "{\"name\":\"Ada\"}"));
            }
            using (var received = new ToolSchema("{\"type\":\"object\",\"properties\":{\"result\":{\"type\":\"object\"}},\"required\":[\"result\"]}"))
            {
                // An object needs no envelope: this tool has a property of that name.
                Assert.Equal("{\"result\":{}}", received.Unwrap("2025-11-25", "{\"result\":{}}"));
            }
        }

        [Test]
        private static void TheTextMirror()
        {
            Assert.Equal("72", ToolSchema.TextMirror("72"));
            Assert.Equal("\"Paris\"", ToolSchema.TextMirror("\"Paris\""));
            Assert.Equal("[1.0,{\"a\":1E2}]", ToolSchema.TextMirror(" [ 1.0, {\"a\" : 1E2} ]"));
            Assert.Throws<NotJsonException>(() => ToolSchema.TextMirror("["));
            using (var numbers = new ToolSchema("{\"type\":\"array\"}"))
            {
                foreach (string version in Older.Concat(Newer))
                {
                    JsonValue content = JsonValue.Parse(numbers.ResultFor(version, "[1, 2]"))["content"];
                    Assert.Equal("text [1,2]", content[0].StringOf("type") + " " + content[0].StringOf("text"), version);
                }
            }
            using (var integer = new ToolSchema("{\"type\": \"integer\"}"))
            {
                Assert.Equal("{\"structuredContent\":{\"result\":72},\"content\":[{\"type\":\"text\",\"text\":\"72\"}]}", integer.ResultFor("2025-11-25", "72"));
            }
            using (var person = new ToolSchema(Person))
            {
                JsonValue content = JsonValue.Parse(person.ResultFor("2026-07-28", "{}"))["content"];
                Assert.True(content == null || content.Count == 0, "an object has no mirror");
            }
        }

        /// <summary>A server's toolbox: tools/list and tools/call for one set of tools and all versions.</summary>
        [Test]
        private static void ListsAndCallsOverAllVersions()
        {
            string tools = "[" + string.Join(",", new[]
            {
                Tool("count", "{\"type\":\"integer\"}"), Tool("city", "{\"type\":\"string\"}"), Tool("names", "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}"),
                Tool("person", Person), Tool("maybe", NullablePerson), Tool("plain", null),
            }) + "]";
            var values = new Dictionary<string, string> { { "count", "72" }, { "city", "\"Paris\"" }, { "names", "[\"a\"]" }, { "person", "{\"name\":\"Ada\"}" }, { "maybe", "{}" } };
            var wrapped = new HashSet<string> { "count", "city", "names" };
            using (var toolbox = new Toolbox(tools))
            {
                Assert.Equal(6, toolbox.Loaded.Tools);
                foreach (string version in Older.Concat(Newer))
                {
                    bool isOld = Older.Contains(version);
                    JsonValue list = JsonValue.Parse(toolbox.List(version))["tools"];
                    Assert.Equal(6, list.Count, version);
                    foreach (JsonValue tool in list.Items)
                    {
                        string name = tool.StringOf("name");
                        JsonValue schema = tool["outputSchema"];
                        Assert.Equal(name == "plain", schema == null, name);
                        if (schema == null)
                        {
                            continue;
                        }
                        Assert.Equal(!isOld || wrapped.Contains(name) || name == "person", schema.Text == ExpectedSchema(name, isOld, wrapped), version + " " + name);
                        ToolOutcome sent = toolbox.SendResult(name, version, "{\"content\":[],\"structuredContent\":" + values[name] + "}");
                        JsonValue result = JsonValue.Parse(sent.Value);
                        string expected = isOld && wrapped.Contains(name) ? "{\"result\":" + values[name] + "}" : values[name];
                        Assert.Equal(expected, result["structuredContent"].Text, version + " " + name);
                        // The SDK adds no mirror.
                        Assert.Equal(0, result["content"].Count, version + " " + name);
                        Conforms(schema.Text, result["structuredContent"].Text);
                        Assert.True(!toolbox.SendResult(name, version, "{\"content\":[],\"structuredContent\":1.5}").Ok, version + " " + name);
                    }
                }
            }
        }

        private static string ExpectedSchema(string name, bool isOld, HashSet<string> wrapped)
        {
            string natural = name == "count" ? "{\"type\":\"integer\"}" : name == "city" ? "{\"type\":\"string\"}"
                : name == "names" ? "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}" : name == "person" ? Person : NullablePerson;
            return isOld && wrapped.Contains(name) ? Envelope(natural) : natural;
        }

        private static string Tool(string name, string outputSchema)
        {
            return "{\"name\":\"" + name + "\",\"inputSchema\":{\"type\":\"object\"}" + (outputSchema == null ? "" : ",\"outputSchema\":" + outputSchema) + "}";
        }

        private static string Envelope(string schema)
        {
            return "{\"type\":\"object\",\"properties\":{\"result\":" + schema + "},\"required\":[\"result\"]}";
        }

        private static void Conforms(string schema, string value)
        {
            using (var validator = new Validator(schema))
            {
                validator.Validate(value);
            }
        }

        private static void Shapes(string schema, string value, string olderSchema, string olderValue)
        {
            using (var output = new ToolSchema(schema))
            {
                foreach (string version in Older)
                {
                    Assert.Equal(olderSchema, output.SchemaFor(version), version);
                    Assert.Equal(olderValue, output.ValueFor(version, value), version);
                }
                foreach (string version in Newer)
                {
                    Assert.Equal(schema, output.SchemaFor(version), version);
                    Assert.Equal(value, output.ValueFor(version, value), version);
                }
            }
        }
    }

    internal static class ToolboxTests
    {
        private const string Weather =
            "{\"tools\":[{\"name\":\"weather\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"},\"days\":{\"type\":\"integer\",\"default\":3}},\"required\":[\"city\"]}},{\"name\":\"bad\",\"inputSchema\":{\"type\":\"objetc\"}}]}";

        [Test]
        private static void OneBadToolDoesNotFailTheOthers()
        {
            using (var toolbox = new Toolbox(Weather))
            {
                Assert.Equal(1, toolbox.Loaded.Tools);
                RefusedTool bad = toolbox.Loaded.Refused[0];
                Assert.Equal("bad", bad.Name);
                Assert.Equal("/type", bad.Pointer);
                Assert.Contains("objetc", bad.Message);
                Assert.Contains("objetc", Assert.Throws<ArgumentException>(() => toolbox.Definition("bad", "")).Message);
            }
        }

        [Test]
        private static void CallsAndResults()
        {
            using (var toolbox = new Toolbox(Weather))
            {
                Assert.Equal("{\"name\":\"weather\"}", toolbox.CheckCall("{\"name\":\"weather\",\"arguments\":{\"city\":\"Turin\"}}", "2026-07-28").Value);
                Assert.Equal("{\"city\":\"Turin\",\"days\":3}", toolbox.FillCall("{\"name\":\"weather\",\"arguments\":{\"city\":\"Turin\"}}", "").Value);
                ToolOutcome refused = toolbox.CheckCall("{\"name\":\"weather\",\"arguments\":{\"city\":1}}", "2026-07-28");
                Assert.True(!refused.Ok, "not ok");
                Assert.Equal("arguments", refused.Failure.Kind);
                Assert.Equal("/city", refused.Failure.Errors[0].Pointer);
                Assert.True(refused.Failure.Result["isError"].AsBoolean(), "isError");
                Assert.Throws<InvalidOperationException>(() => refused.Value.ToString());
                ToolOutcome unknown = toolbox.CheckCall("{\"name\":\"gone\"}", "2026-07-28");
                Assert.Equal("malformed", unknown.Failure.Kind);
                Assert.True(unknown.Failure.Error != null, "an error for JSON-RPC");
                Assert.Equal("json", toolbox.CheckCall("{", "").Failure.Kind);
                Assert.True(toolbox.CheckResult("weather", "2026-07-28", "{\"content\":[]}").Ok, "a result");
                Assert.Throws<ArgumentException>(() => toolbox.SendResult("gone", "", "{}"));
            }
        }

        [Test]
        private static void ListsChange()
        {
            using (var toolbox = new Toolbox("[]"))
            {
                Assert.Equal(0, toolbox.Loaded.Tools);
                Assert.Equal(1, toolbox.Replace(Weather).Tools);
                Assert.Equal(2, toolbox.Extend("[{\"name\":\"more\",\"inputSchema\":{\"type\":\"object\"}}]").Tools);
                Assert.Equal(1, toolbox.Replace("[{\"name\":\"more\",\"inputSchema\":{\"type\":\"object\"}}]").Unchanged);
                Assert.Throws<NotJsonException>(() => toolbox.Replace("[{"));
                Assert.Equal(1, toolbox.Loaded.Tools);
                Assert.Contains("\"wrapping\":\"csharp\"", toolbox.Profile());
            }
            Assert.Throws<ArgumentException>(() => new Toolbox("[]", "{\"preset\":\"perl\"}"));
            Assert.Throws<NotJsonException>(() => new Toolbox("{"));
        }
    }
}
