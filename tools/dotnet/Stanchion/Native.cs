using System;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Stanchion
{
    /// <summary>The outcome of a call of the C library; <c>tools/wire/README.md</c> says what each means.</summary>
    internal enum Status
    {
        Valid = 0,
        Invalid = 1,
        Refused = 2,
        Undecided = 3,
        NotJson = 4,
        Misuse = 5,
    }

    /// <summary>The status of a call and the text that came with it, which is empty where there is nothing to say.</summary>
    internal struct Answer
    {
        internal readonly Status Status;
        internal readonly string Text;

        internal Answer(Status status, string text)
        {
            Status = status;
            Text = text;
        }
    }

    /// <summary>A validator of the C library. The runtime frees it once nobody uses it, at the latest in a finalizer.</summary>
    internal sealed class ValidatorHandle : SafeHandleZeroOrMinusOneIsInvalid
    {
        public ValidatorHandle() : base(true)
        {
        }

        protected override bool ReleaseHandle()
        {
            return Native.stanchion_validator_free(handle) == Status.Valid;
        }
    }

    /// <summary>A toolbox of the C library.</summary>
    internal sealed class ToolboxHandle : SafeHandleZeroOrMinusOneIsInvalid
    {
        public ToolboxHandle() : base(true)
        {
        }

        protected override bool ReleaseHandle()
        {
            return Native.stanchion_toolbox_free(handle) == Status.Valid;
        }
    }

    /// <summary>
    /// The functions of <c>stanchion.h</c>, each behind one that is safe to call. All <c>unsafe</c> code of this assembly is in this file.
    /// </summary>
    /// <remarks>
    /// Arrays are pinned while a call lasts. A <see cref="SafeHandle"/> that is an argument stays open until the call ends, whoever disposes of it
    /// meanwhile; one that is closed already is an <see cref="ObjectDisposedException"/>.
    /// </remarks>
    internal static unsafe class Native
    {
        private const string Library = "stanchion";

        /// <summary>The version of <c>stanchion.h</c> that this file was written for.</summary>
        private const uint AbiVersion = 1;

        /// <summary>Invalid UTF-16 is an exception, not a replacement character.</summary>
        private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false, true);

        /// <summary>Larger buffers are not kept.</summary>
        private const int KeptBytes = 1 << 20;

        /// <summary>The UTF-8 form of the last text of this thread.</summary>
        [ThreadStatic]
        private static byte[] buffer;

        static Native()
        {
            uint found = stanchion_abi_version();
            if (found != AbiVersion)
            {
                throw new DllNotFoundException(
                    "the library " + Library + " has version " + found + " of its interface, expected " + AbiVersion
                    + "; install the native library that came with this assembly");
            }
        }

        [StructLayout(LayoutKind.Sequential)]
        private struct OwnedText
        {
            internal byte* Data;
            internal UIntPtr Length;
        }

        /// <summary>Returns the version of the C library.</summary>
        internal static string Version
        {
            get { return Marshal.PtrToStringAnsi(stanchion_version()) ?? ""; }
        }

        /// <summary>Converts a text to UTF-8, in an array that is the caller's.</summary>
        internal static byte[] Encode(string text)
        {
            try
            {
                return Utf8.GetBytes(text);
            }
            catch (EncoderFallbackException error)
            {
                throw Unpaired(error);
            }
        }

        /// <summary>Converts a text to UTF-8, in a buffer that this thread uses again for its next text.</summary>
        internal static byte[] EncodeForOneCall(string text, out int length)
        {
            // UTF-8 has at most three bytes for each UTF-16 unit.
            long most = (long)text.Length * 3;
            if (most > KeptBytes)
            {
                byte[] own = Encode(text);
                length = own.Length;
                return own;
            }
            byte[] kept = buffer;
            if (kept == null || kept.Length < most)
            {
                kept = new byte[Math.Min(KeptBytes, Math.Max(1024, (int)most * 2))];
                buffer = kept;
            }
            try
            {
                length = Utf8.GetBytes(text, 0, text.Length, kept, 0);
            }
            catch (EncoderFallbackException error)
            {
                throw Unpaired(error);
            }
            return kept;
        }

        private static NotJsonException Unpaired(EncoderFallbackException error)
        {
            return new NotJsonException("the text has half of a surrogate pair at index " + error.Index + ", which UTF-8 cannot express", 0, 0);
        }

        internal static Answer New(byte[] schema, byte[] options, out ValidatorHandle validator)
        {
            fixed (byte* s = schema, o = options)
            {
                OwnedText text;
                Status status = stanchion_validator_new(s, Length(schema), o, Length(options), out validator, out text);
                return Take(status, ref text);
            }
        }

        internal static Answer Diagnose(byte[] schema, byte[] options)
        {
            fixed (byte* s = schema, o = options)
            {
                OwnedText text;
                Status status = stanchion_diagnose(s, Length(schema), o, Length(options), out text);
                return Take(status, ref text);
            }
        }

        internal static Status Check(ValidatorHandle validator, byte[] json, int offset, int length)
        {
            fixed (byte* start = json)
            {
                return stanchion_check(validator, start + offset, (UIntPtr)length);
            }
        }

#if STANCHION_SPAN
        internal static Status Check(ValidatorHandle validator, ReadOnlySpan<byte> json)
        {
            fixed (byte* start = &MemoryMarshal.GetReference(json))
            {
                return stanchion_check(validator, start, (UIntPtr)json.Length);
            }
        }
#endif

        internal static Status Measure(ValidatorHandle validator, byte[] json, int length, out ulong steps)
        {
            fixed (byte* start = json)
            {
                return stanchion_measure(validator, start, (UIntPtr)length, out steps);
            }
        }

        /// <summary>Asks for a report on an instance.</summary>
        internal static Answer Report(Question question, ValidatorHandle validator, byte[] json, int length, ulong number)
        {
            fixed (byte* start = json)
            {
                OwnedText text;
                UIntPtr bytes = (UIntPtr)length;
                Status status;
                switch (question)
                {
                    case Question.Explain:
                        status = stanchion_explain(validator, start, bytes, out text);
                        break;
                    case Question.ExplainFirst:
                        status = stanchion_explain_first(validator, start, bytes, out text);
                        break;
                    case Question.ExplainInFull:
                        status = stanchion_explain_in_full(validator, start, bytes, out text);
                        break;
                    case Question.ForModel:
                        status = stanchion_for_model(validator, start, bytes, (UIntPtr)number, out text);
                        break;
                    case Question.Output:
                        status = stanchion_output(validator, start, bytes, (int)number, out text);
                        break;
                    case Question.Annotations:
                        status = stanchion_annotations(validator, start, bytes, out text);
                        break;
                    default:
                        throw new ArgumentOutOfRangeException("question");
                }
                return Take(status, ref text);
            }
        }

        internal static Answer Cost(ValidatorHandle validator, ulong nodes, ulong bytes)
        {
            OwnedText text;
            Status status = stanchion_cost(validator, nodes, bytes, out text);
            return Take(status, ref text);
        }

        internal static Answer Size(ValidatorHandle validator)
        {
            OwnedText text;
            Status status = stanchion_size(validator, out text);
            return Take(status, ref text);
        }

        internal static Answer Program(ValidatorHandle validator)
        {
            OwnedText text;
            Status status = stanchion_program(validator, out text);
            return Take(status, ref text);
        }

        internal static Answer NewToolbox(byte[] list, byte[] profile, out ToolboxHandle toolbox)
        {
            fixed (byte* l = list, p = profile)
            {
                OwnedText text;
                Status status = stanchion_toolbox_new(l, Length(list), p, Length(profile), out toolbox, out text);
                return Take(status, ref text);
            }
        }

        /// <summary>Makes a call of a toolbox with its texts, in the order of <c>stanchion.h</c>; those that it does not take are empty.</summary>
        internal static Answer Call(ToolboxCall call, ToolboxHandle toolbox, byte[] first, byte[] second, byte[] third)
        {
            fixed (byte* a = first, b = second, c = third)
            {
                OwnedText text;
                UIntPtr aLength = Length(first), bLength = Length(second), cLength = Length(third);
                Status status;
                switch (call)
                {
                    case ToolboxCall.Replace:
                        status = stanchion_toolbox_replace(toolbox, a, aLength, out text);
                        break;
                    case ToolboxCall.Extend:
                        status = stanchion_toolbox_extend(toolbox, a, aLength, out text);
                        break;
                    case ToolboxCall.List:
                        status = stanchion_toolbox_list(toolbox, a, aLength, out text);
                        break;
                    case ToolboxCall.Definition:
                        status = stanchion_toolbox_definition(toolbox, a, aLength, b, bLength, out text);
                        break;
                    case ToolboxCall.CheckCall:
                        status = stanchion_toolbox_check_call(toolbox, a, aLength, b, bLength, out text);
                        break;
                    case ToolboxCall.FillCall:
                        status = stanchion_toolbox_fill_call(toolbox, a, aLength, b, bLength, out text);
                        break;
                    case ToolboxCall.CheckResult:
                        status = stanchion_toolbox_check_result(toolbox, a, aLength, b, bLength, c, cLength, out text);
                        break;
                    case ToolboxCall.SendResult:
                        status = stanchion_toolbox_send_result(toolbox, a, aLength, b, bLength, c, cLength, out text);
                        break;
                    case ToolboxCall.Profile:
                        status = stanchion_toolbox_profile(toolbox, out text);
                        break;
                    default:
                        throw new ArgumentOutOfRangeException("call");
                }
                return Take(status, ref text);
            }
        }

        private static UIntPtr Length(byte[] text)
        {
            return (UIntPtr)text.Length;
        }

        /// <summary>Copies an answer, and frees the original.</summary>
        private static Answer Take(Status status, ref OwnedText text)
        {
            try
            {
                string copy = text.Data == null ? "" : Encoding.UTF8.GetString(text.Data, checked((int)text.Length));
                return new Answer(status, copy);
            }
            finally
            {
                stanchion_text_free(ref text);
            }
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern uint stanchion_abi_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern IntPtr stanchion_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_validator_new(
            byte* schema, UIntPtr schemaLength, byte* options, UIntPtr optionsLength, out ValidatorHandle validator, out OwnedText problem);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern Status stanchion_validator_free(IntPtr validator);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_check(ValidatorHandle validator, byte* json, UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_measure(ValidatorHandle validator, byte* json, UIntPtr length, out ulong steps);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_explain(ValidatorHandle validator, byte* json, UIntPtr length, out OwnedText errors);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_explain_first(ValidatorHandle validator, byte* json, UIntPtr length, out OwnedText errors);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_explain_in_full(ValidatorHandle validator, byte* json, UIntPtr length, out OwnedText errors);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_for_model(ValidatorHandle validator, byte* json, UIntPtr length, UIntPtr characters, out OwnedText text);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_output(ValidatorHandle validator, byte* json, UIntPtr length, int format, out OwnedText text);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_annotations(ValidatorHandle validator, byte* json, UIntPtr length, out OwnedText annotations);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_cost(ValidatorHandle validator, ulong nodes, ulong bytes, out OwnedText cost);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_size(ValidatorHandle validator, out OwnedText size);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_program(ValidatorHandle validator, out OwnedText listing);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_diagnose(
            byte* schema, UIntPtr schemaLength, byte* options, UIntPtr optionsLength, out OwnedText diagnosis);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_toolbox_new(
            byte* list, UIntPtr listLength, byte* profile, UIntPtr profileLength, out ToolboxHandle toolbox, out OwnedText answer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern Status stanchion_toolbox_free(IntPtr toolbox);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_toolbox_replace(ToolboxHandle toolbox, byte* list, UIntPtr listLength, out OwnedText answer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_toolbox_extend(ToolboxHandle toolbox, byte* list, UIntPtr listLength, out OwnedText answer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_toolbox_list(ToolboxHandle toolbox, byte* version, UIntPtr versionLength, out OwnedText answer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_toolbox_definition(
            ToolboxHandle toolbox, byte* name, UIntPtr nameLength, byte* version, UIntPtr versionLength, out OwnedText answer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_toolbox_check_call(
            ToolboxHandle toolbox, byte* parameters, UIntPtr parametersLength, byte* version, UIntPtr versionLength, out OwnedText answer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_toolbox_fill_call(
            ToolboxHandle toolbox, byte* parameters, UIntPtr parametersLength, byte* version, UIntPtr versionLength, out OwnedText answer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_toolbox_check_result(
            ToolboxHandle toolbox, byte* name, UIntPtr nameLength, byte* version, UIntPtr versionLength, byte* result, UIntPtr resultLength,
            out OwnedText answer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_toolbox_send_result(
            ToolboxHandle toolbox, byte* name, UIntPtr nameLength, byte* version, UIntPtr versionLength, byte* result, UIntPtr resultLength,
            out OwnedText answer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_toolbox_profile(ToolboxHandle toolbox, out OwnedText answer);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        private static extern Status stanchion_text_free(ref OwnedText text);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern UIntPtr stanchion_cache_len();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)]
        internal static extern void stanchion_cache_clear();
    }

    /// <summary>The reports that a validator gives on an instance.</summary>
    internal enum Question
    {
        Explain,
        ExplainFirst,
        ExplainInFull,
        ForModel,
        Output,
        Annotations,
    }

    /// <summary>The calls of a toolbox.</summary>
    internal enum ToolboxCall
    {
        Replace,
        Extend,
        List,
        Definition,
        CheckCall,
        FillCall,
        CheckResult,
        SendResult,
        Profile,
    }
}
