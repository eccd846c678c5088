using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Stanchion.Tests
{
    internal static class ValidatorTests
    {
        private const string Trip =
            "{\"type\": \"object\", \"properties\": {\"city\": {\"type\": \"string\", \"minLength\": 1}, \"days\": {\"type\": \"integer\", \"minimum\": 1}}, \"required\": [\"city\"]}";

        [Test]
        private static void VerdictsFromStringsBytesAndSpans()
        {
            using (var trip = new Validator(Trip))
            {
                const string good = "{\"city\": \"Zürich 🚆\", \"days\": 3}";
                const string bad = "{\"city\": \"\"}";
                Assert.True(trip.IsValid(good) && !trip.IsValid(bad), "strings");
                Assert.True(trip.IsValid(Encoding.UTF8.GetBytes(good)) && !trip.IsValid(Encoding.UTF8.GetBytes(bad)), "bytes");
                byte[] padded = Encoding.UTF8.GetBytes("xx" + good + "yy");
                Assert.True(trip.IsValid(padded, 2, padded.Length - 4) && !trip.IsValid(padded, 1, padded.Length - 4), "a part of an array");
#if STANCHION_SPAN
                Assert.True(trip.IsValid(new ReadOnlySpan<byte>(padded, 2, padded.Length - 4)), "a span");
                Assert.True(!trip.IsValid(ReadOnlySpan<byte>.Empty), "an empty span");
#endif
                Assert.Equal(Verdict.Valid, trip.Verdict(good));
                Assert.Equal(Verdict.Invalid, trip.Verdict(Encoding.UTF8.GetBytes(bad)));
            }
        }

        [Test]
        private static void TextsThatAreNotJson()
        {
            using (var any = new Validator("true"))
            {
                foreach (string text in new[] { "", "{", "nul", "[1,]", "\ud800", "\"\ud800\"" })
                {
                    Assert.True(!any.IsValid(text), text);
                    Assert.Throws<NotJsonException>(() => any.Verdict(text), text);
                    Assert.Throws<NotJsonException>(() => any.Validate(text), text);
                    Assert.Throws<NotJsonException>(() => any.Errors(text), text);
                }
                NotJsonException error = Assert.Throws<NotJsonException>(() => any.Validate("{\n  \"a\": x}"));
                Assert.Equal(2, error.Line);
                Assert.Equal(8, error.Column);
                Assert.True(!any.IsValid(new byte[] { 0xff }), "bytes that are not UTF-8");
                Assert.Throws<NotJsonException>(() => any.Verdict(new byte[] { (byte)'"', 0xff, (byte)'"' }));
                NotJsonException schema = Assert.Throws<NotJsonException>(() => new Validator("{\"type\": }"));
                Assert.Equal(1, schema.Line);
            }
        }

        [Test]
        private static void ErrorsHavePointerKeywordAndFacts()
        {
            using (var trip = new Validator(Trip))
            {
                trip.Validate("{\"city\": \"Turin\"}");
                ValidationException error = Assert.Throws<ValidationException>(() => trip.Validate("{\"city\": \"Turin\", \"days\": 0}"));
                Assert.Equal("/days", error.Pointer);
                Assert.Equal("minimum", error.Keyword);
                Assert.Equal("/days: 0 is less than the minimum 1", error.Message);
                Assert.Equal("/properties/days/minimum", error.Error.SchemaPointer);
                Assert.Equal(1L, error.Error.Params["limit"].AsInt64());

                IReadOnlyList<ValidationError> errors = trip.Errors("{\"city\": \"\", \"days\": 0}");
                Assert.Equal("/city /days", string.Join(" ", errors.Select(found => found.Pointer)));
                Assert.Equal(0, trip.Errors("{\"city\": \"x\"}").Count);
                Assert.Contains("/days", trip.ForModel("{\"city\": \"x\", \"days\": 0}"));
                Assert.Equal("", trip.ForModel("{\"city\": \"x\"}"));
                Assert.True(trip.ForModel("{\"city\": \"x\", \"days\": 0}", 10).Length <= 10, "ten characters");
                Assert.Throws<ArgumentOutOfRangeException>(() => trip.ForModel("1", -1));
            }
            using (var union = new Validator("{\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/$defs/n\"}], \"$defs\": {\"n\": {\"minimum\": 5}}}"))
            {
                Assert.True(union.ErrorsInFull("1")[0].Json["evaluationPath"] != null, "no evaluationPath");
            }
        }

        [Test]
        private static void RefusedSchemasHavePointerAndKeyword()
        {
            SchemaException error = Assert.Throws<SchemaException>(() => new Validator("{\"properties\": {\"a\": {\"type\": \"objetc\"}}, \"minimum\": \"x\"}"));
            Assert.Equal(2, error.Errors.Count);
            Assert.True(error.Errors.Any(one => one.Pointer == "/properties/a/type" && one.Keyword == "type"), error.Message);
            Assert.Equal(error.Errors[0].Pointer, error.Pointer);
            Assert.Equal(error.Errors[0].Keyword, error.Keyword);
            SchemaException outside = Assert.Throws<SchemaException>(() => new Validator("{\"$ref\": \"https://example.com/a\"}"));
            Assert.Equal("outside", outside.Errors[0].Kind);
        }

        [Test]
        private static void RunsThatReachALimitAreUndecided()
        {
            string ladder = "{\"$ref\": \"#/$defs/d0\", \"$defs\": {" + string.Join(",", Enumerable.Range(0, 40).Select(
                at => "\"d" + at + "\": {\"oneOf\": [{\"$ref\": \"#/$defs/d" + (at + 1) + "\"}, {\"not\": {\"$ref\": \"#/$defs/d" + (at + 1) + "\"}}]}")) + ", \"d40\": {\"type\": \"string\"}}}";
            using (var hard = new Validator(ladder, new ValidatorOptions { Limits = new Limits { Steps = 10 } }))
            {
                Assert.Equal(Verdict.Undecided, hard.Verdict("1"));
                Assert.True(!hard.IsValid("1"), "undecided is not valid");
                UndecidedException error = Assert.Throws<UndecidedException>(() => hard.Validate("1"));
                Assert.Equal("steps", error.Limit);
                Assert.Equal("steps", hard.Errors("1").Last().Exhausted);
            }
        }

        [Test]
        private static void OptionsArriveAndWrongOnesAreNamed()
        {
            var options = new ValidatorOptions
            {
                Dialect = "draft-07",
                UnknownDialect = "draft-07",
                References = "bundled",
                Resources = new Dictionary<string, string> { { "https://example.com/n", "{\"type\": \"number\"}" } },
                AssertFormats = true,
                IgnoreFormats = new[] { "uuid" },
                ArrayItems = true,
                Limits = new Limits { Depth = 10, Subschemas = 100, DocumentBytes = 1000, PatternSize = 1000, Steps = 1000, InstanceDepth = 50, Memory = 1000000, Errors = 1 },
                TextBytes = 200,
                MaskValues = true,
                ValueLength = 5,
                Cache = false,
            };
            using (var validator = new Validator(
                "{\"properties\": {\"n\": {\"$ref\": \"https://example.com/n\"}, \"d\": {\"format\": \"date\"}, \"u\": {\"format\": \"uuid\"}, \"i\": {\"items\": [{\"type\": \"null\"}]}}}", options))
            {
                Assert.True(validator.IsValid("{\"n\": 1, \"d\": \"2026-07-28\", \"u\": \"x\", \"i\": [null, 1]}"), "valid");
                Assert.True(!validator.IsValid("{\"n\": \"x\"}"), "resources");
                Assert.True(!validator.IsValid("{\"d\": \"soon\"}"), "formats");
                Assert.True(!validator.IsValid("{\"i\": [1]}"), "items");
                Assert.True(!validator.Errors("{\"d\": \"secret\"}")[0].Message.Contains("secret"), "masked");
                Assert.Equal("errors", validator.Errors("{\"d\": \"x\", \"n\": \"x\"}").Last().Exhausted, "one error");
                Assert.Throws<NotJsonException>(() => validator.Verdict("\"" + new string('x', 300) + "\""), "textBytes");
            }
            Assert.Contains("dialect", Assert.Throws<ArgumentException>(() => new Validator("{}", new ValidatorOptions { Dialect = "draft-99" })).Message);
            Assert.Contains("preset", Assert.Throws<ArgumentException>(() => new Validator("{}", new ValidatorOptions { Preset = "perl" })).Message);
            Assert.Throws<ArgumentException>(() => new Validator("{}", new ValidatorOptions { Limits = new Limits { Steps = -1 } }));
            Assert.Throws<NotJsonException>(() => new ValidatorOptions { Resources = new Dictionary<string, string> { { "a", "}," } } }.ToJson());
            Assert.Equal("{}", new ValidatorOptions().ToJson());
            using (var sdk = new Validator("{\"format\": \"date\"}", new ValidatorOptions { Preset = "typescript" }))
            {
                Assert.True(!sdk.IsValid("\"soon\""), "that SDK asserts formats");
            }
        }

        [Test]
        private static void Reports()
        {
            using (var validator = new Validator("{\"title\": \"n\", \"minimum\": 1}"))
            {
                Assert.Equal("{\"valid\":true}", validator.Output("1", OutputFormat.Flag));
                Assert.Equal("{\"valid\":false}", validator.Output("0", OutputFormat.Flag));
                foreach (OutputFormat format in Enum.GetValues(typeof(OutputFormat)))
                {
                    Assert.Equal(JsonKind.Object, JsonValue.Parse(validator.Output("0", format)).Kind, format.ToString());
                }
                Assert.Contains("\"title\"", validator.Annotations("1"));
                Assert.True(validator.Measure("1") > 0, "steps");
                Assert.Throws<NotJsonException>(() => validator.Measure("x"));
                Assert.Contains("\"steps\"", validator.Cost(10, 100));
                Assert.Throws<ArgumentOutOfRangeException>(() => validator.Cost(-1, 0));
                Assert.Contains("\"subschemas\":1", validator.Size());
                Assert.Contains("minimum", validator.Program());
            }
            Assert.Contains("\"typ\"", Validator.Diagnose("{\"typ\": \"string\"}", new ValidatorOptions()));
            Assert.Contains("\"errors\":[{", Validator.Diagnose("{\"type\": 1}", new ValidatorOptions()));
            Assert.Throws<NotJsonException>(() => Validator.Diagnose("{", new ValidatorOptions()));
            Assert.True(Validator.LibraryVersion.Split('.').Length == 3, Validator.LibraryVersion);
        }

        [Test]
        private static void TheCache()
        {
            Validator.ClearCache();
            Assert.Equal(0, Validator.CacheCount);
            new Validator("{\"const\": \"cached\"}").Dispose();
            Assert.Equal(1, Validator.CacheCount);
            new Validator("{\"const\": \"not cached\"}", new ValidatorOptions { Cache = false }).Dispose();
            Assert.Equal(1, Validator.CacheCount);
        }

        [Test]
        private static void NumbersKeepEveryDigit()
        {
            using (var precise = new Validator("{\"multipleOf\": 0.0001}"))
            {
                Assert.True(precise.IsValid("0.0075") && precise.IsValid("12345678901234567890123.0001") && !precise.IsValid("12345678901234567890123.00011"), "digits");
            }
        }

        [Test]
        private static void NullsAreArgumentErrors()
        {
            string none = null;
            byte[] nothing = null;
            using (var any = new Validator("true"))
            {
                Assert.Throws<ArgumentNullException>(() => new Validator(none));
                Assert.Throws<ArgumentNullException>(() => new Validator("{}", null));
                Assert.Throws<ArgumentNullException>(() => any.IsValid(none));
                Assert.Throws<ArgumentNullException>(() => any.IsValid(nothing));
                Assert.Throws<ArgumentNullException>(() => any.Verdict(none));
                Assert.Throws<ArgumentNullException>(() => any.Validate(none));
                Assert.Throws<ArgumentNullException>(() => any.Errors(none));
                Assert.Throws<ArgumentNullException>(() => any.ForModel(none));
                Assert.Throws<ArgumentOutOfRangeException>(() => any.IsValid(new byte[1], 0, 2));
                Assert.Throws<ArgumentOutOfRangeException>(() => any.IsValid(new byte[1], -1, 1));
                Assert.Throws<ArgumentOutOfRangeException>(() => any.IsValid(new byte[1], 1, int.MaxValue));
            }
        }
    }

    internal static class JsonTests
    {
        [Test]
        private static void ReadsWhatJsonIs()
        {
            JsonValue value = JsonValue.Parse(" {\"a\" : [1.50, -2E+3, true,null , \"x\\u0041\\n\\\"\\ud83d\\ude86\"], \"\": {}, \"b\": false, \"a\": 12345678901234567890} ");
            Assert.Equal("a,,b,a", string.Join(",", value.Names));
            Assert.Equal("12345678901234567890", value["a"].Text);
            Assert.Equal("[1.50, -2E+3, true,null , \"x\\u0041\\n\\\"\\ud83d\\ude86\"]", value[0].Text);
            Assert.Equal("1.50", value[0][0].Text);
            Assert.Equal(-2000.0, value[0][1].AsDouble());
            Assert.Equal("xA\n\"🚆", value[0][4].AsString());
            Assert.True(value[0][2].AsBoolean() && !value["b"].AsBoolean(), "booleans");
            Assert.True(value["c"] == null, "a member that is not there");
            Assert.Throws<InvalidOperationException>(() => value.AsString());
            Assert.Equal(5L, JsonValue.Parse("5").AsInt64());
            string tricky = "a\"\\\u0001\u2028é🚆";
            Assert.Equal(tricky, JsonValue.Parse(JsonValue.Quote(tricky)).AsString());
        }

        [Test]
        private static void RefusesWhatJsonIsNot()
        {
            foreach (string text in new[]
            {
                "", " ", "[", "[1", "[1,", "[1,]", "{", "{\"a\"", "{\"a\":", "{\"a\":1,}", "{a:1}", "01", "1.", ".5", "-", "+1", "1e", "1e+", "tru", "nulls", "\"", "\"\\x\"", "\"\\u12g4\"",
                "\"\n\"", "1 2", "'a'", "NaN", "\u00a01", new string('[', 2000) + new string(']', 2000),
            })
            {
                Assert.Throws<NotJsonException>(() => JsonValue.Parse(text), text);
            }
            NotJsonException error = Assert.Throws<NotJsonException>(() => JsonValue.Parse("{\n\"a\": }"));
            Assert.Equal("2 6", error.Line + " " + error.Column);
        }
    }
}
