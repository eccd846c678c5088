using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace Stanchion.Tests
{
    /// <summary>
    /// The calls that every binding makes: the cases of <c>suite/data/wire</c>, the official suite in all dialects, every hostile schema. Statuses and answers must
    /// be those of the engine, to the byte, and the public methods must agree with them.
    /// </summary>
    internal static class ScriptTests
    {
        [Test]
        private static void Vectors()
        {
            RunScript("vectors", 150);
        }

        [Test]
        private static void Official()
        {
            RunScript("official", 5000);
        }

        [Test]
        private static void Hostile()
        {
            RunScript("hostile", 500);
        }

        /// <summary>Runs a script; <c>suite/src/wire.rs</c> says what is in one.</summary>
        private static void RunScript(string name, int least)
        {
            using (var reader = new BinaryReader(File.OpenRead(Path.Combine(Run.Scripts, name))))
            using (var door = new Door())
            {
                uint calls = reader.ReadUInt32();
                Assert.True(calls >= least, name + " has only " + calls + " calls");
                var wrong = new List<string>();
                for (uint call = 0; call < calls; call++)
                {
                    int function = reader.ReadByte();
                    int statuses = reader.ReadByte();
                    bool isPinned = reader.ReadByte() == 1;
                    ulong x = reader.ReadUInt64(), y = reader.ReadUInt64();
                    string title = Encoding.UTF8.GetString(Bytes(reader));
                    byte[] a = Bytes(reader), b = Bytes(reader), c = Bytes(reader), expected = Bytes(reader);
                    string where = title + ": function " + function + ": ";
                    try
                    {
                        Answer answer = door.Call(function, a, b, c, x, y);
                        if ((statuses >> (int)answer.Status & 1) == 0)
                        {
                            wrong.Add(where + "status " + answer.Status + ", " + answer.Text);
                        }
                        else if (isPinned && answer.Text != Encoding.UTF8.GetString(expected))
                        {
                            wrong.Add(where + answer.Text + ", expected " + Encoding.UTF8.GetString(expected));
                        }
                    }
                    catch (FailedException error)
                    {
                        wrong.Add(where + error.Message);
                    }
                }
                Console.WriteLine(name + ": " + calls + " calls");
                Assert.True(wrong.Count == 0, wrong.Count + " wrong:\n" + string.Join("\n", wrong.GetRange(0, Math.Min(20, wrong.Count))));
            }
        }

        private static byte[] Bytes(BinaryReader reader)
        {
            return reader.ReadBytes((int)reader.ReadUInt32());
        }

        /// <summary>Makes calls, with the validator and the toolbox that were made last.</summary>
        private sealed class Door : IDisposable
        {
            private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

            private Validator validator;
            private Toolbox toolbox;

            internal Answer Call(int function, byte[] a, byte[] b, byte[] c, ulong x, ulong y)
            {
                switch (function)
                {
                    case 0:
                        return New(a, b);
                    case 12:
                        return Native.Diagnose(a, b);
                    case 13:
                        return NewToolbox(a, b);
                }
                if (function >= 14)
                {
                    return CallToolbox((ToolboxCall)(function - 14), a, b, c);
                }
                if (validator == null)
                {
                    // Where there is no validator, there is nothing to call.
                    return new Answer(Status.Misuse, "");
                }
                switch (function)
                {
                    case 1:
                        return Check(a);
                    case 2:
                        ulong steps;
                        Status status = Native.Measure(validator.Handle, a, a.Length, out steps);
                        return new Answer(status, steps.ToString());
                    case 3:
                        return Explain(a);
                    case 9:
                        return Native.Cost(validator.Handle, x, y);
                    case 10:
                        return Native.Size(validator.Handle);
                    case 11:
                        return Native.Program(validator.Handle);
                    default:
                        // From `explain_first`, 4, to `annotations`, 8.
                        Question question = Question.ExplainFirst + (function - 4);
                        return Native.Report(question, validator.Handle, a, a.Length, x);
                }
            }

            private Answer New(byte[] schema, byte[] options)
            {
                Dispose();
                ValidatorHandle handle;
                Answer answer = Native.New(schema, options, out handle);
                handle.Dispose();
                Action compile = () => validator = new Validator(schema, options);
                switch (answer.Status)
                {
                    case Status.Valid:
                        compile();
                        break;
                    case Status.Refused:
                        SchemaException refused = Assert.Throws<SchemaException>(compile, "new");
                        Assert.True(refused.Errors.Count > 0 && refused.Message.Length > 0, "no errors in " + answer.Text);
                        Assert.Equal(JsonValue.Parse(answer.Text)["errors"].Count, refused.Errors.Count, "errors");
                        break;
                    case Status.NotJson:
                        Assert.Throws<NotJsonException>(compile, "new");
                        break;
                    default:
                        Assert.Throws<ArgumentException>(compile, "new");
                        break;
                }
                return answer;
            }

            private Answer Check(byte[] json)
            {
                Status status = Native.Check(validator.Handle, json, 0, json.Length);
                bool isValid = status == Status.Valid;
                Assert.Equal(isValid, validator.IsValid(json), "IsValid of bytes");
#if STANCHION_SPAN
                Assert.Equal(isValid, validator.IsValid(new ReadOnlySpan<byte>(json)), "IsValid of a span");
#endif
                string text = TextOf(json);
                if (text != null)
                {
                    Assert.Equal(isValid, validator.IsValid(text), "IsValid of a string");
                    if (status == Status.NotJson)
                    {
                        Assert.Throws<NotJsonException>(() => validator.Verdict(text), "Verdict");
                    }
                    else
                    {
                        Assert.Equal((Verdict)status, validator.Verdict(text), "Verdict");
                    }
                }
                return new Answer(status, "");
            }

            private Answer Explain(byte[] json)
            {
                Answer answer = Native.Report(Question.Explain, validator.Handle, json, json.Length, 0);
                string text = TextOf(json);
                if (text == null)
                {
                    return answer;
                }
                if (answer.Status == Status.NotJson)
                {
                    Assert.Throws<NotJsonException>(() => validator.Errors(text), "Errors");
                    return answer;
                }
                IReadOnlyList<ValidationError> errors = validator.Errors(text);
                JsonValue given = JsonValue.Parse(answer.Text);
                Assert.Equal(given.Count, errors.Count, "Errors");
                for (int at = 0; at < errors.Count; at++)
                {
                    Assert.Equal(given[at].StringOf("instancePath"), errors[at].Pointer, "Pointer");
                    Assert.Equal(given[at].StringOf("keyword"), errors[at].Keyword, "Keyword");
                    Assert.Equal(given[at].StringOf("message"), errors[at].Message, "Message");
                    Assert.Equal(given[at].StringOf("schemaPath").EndsWith("#" + errors[at].SchemaPointer), true, "SchemaPointer");
                }
                return answer;
            }

            private Answer NewToolbox(byte[] list, byte[] profile)
            {
                Dispose();
                ToolboxHandle handle;
                Answer answer = Native.NewToolbox(list, profile, out handle);
                handle.Dispose();
                if (answer.Status == Status.Valid)
                {
                    string choices = profile.Length == 0 ? "{}" : Encoding.UTF8.GetString(profile);
                    toolbox = new Toolbox(Encoding.UTF8.GetString(list), choices);
                    Assert.Equal(JsonValue.Parse(answer.Text)["refused"].Count, toolbox.Loaded.Refused.Count, "refused");
                }
                return answer;
            }

            private Answer CallToolbox(ToolboxCall call, byte[] a, byte[] b, byte[] c)
            {
                if (toolbox == null)
                {
                    return new Answer(Status.Misuse, "");
                }
                return Native.Call(call, toolbox.Handle, a, b, c);
            }

            /// <summary>The text of bytes that are UTF-8, or null.</summary>
            private static string TextOf(byte[] bytes)
            {
                try
                {
                    return Strict.GetString(bytes);
                }
                catch (DecoderFallbackException)
                {
                    return null;
                }
            }

            public void Dispose()
            {
                validator?.Dispose();
                toolbox?.Dispose();
                validator = null;
                toolbox = null;
            }
        }
    }
}
