//! Arrow's C data and C stream interfaces, in the capsules that Python libraries exchange. Beside `objects`, the one file with `unsafe` code.
//!
//! # Why this is sound
//!
//! - **What comes in.** A capsule of the right name holds a structure as the interfaces describe it: the name is the only promise that there is, and
//!   every consumer relies on it. The structure is moved out, which leaves the capsule an empty one, while the GIL is held and
//!   the capsule is alive. From then on arrow releases it, once.
//! - **What goes out.** Structures are those of arrow. The stream is our own, since arrow's has no nulls at the top: its private data is a
//!   box of [`Outgoing`], made in [`stream_out`], which alone makes such streams, and freed in `release`, which a consumer calls once.
//!   A consumer calls one function of a stream at a time.
#![allow(unsafe_code)]

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The code that says that a call of a stream failed (EIO).
const FAILED: c_int = 5;

fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<NonNull<T>> {
    let Ok(capsule) = capsule.cast::<PyCapsule>() else {
        return Err(PyTypeError::new_err(format!("expected a capsule of {name:?}")));
    };
    Ok(capsule.pointer_checked(Some(name))?.cast())
}

fn refused(error: &ArrowError) -> PyErr {
    PyValueError::new_err(format!("the column was not understood: {error}"))
}

/// Takes a column out of what `__arrow_c_array__` returns.
pub(crate) fn array_in(schema: &Bound<'_, PyAny>, array: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let (schema, array) = (pointer(schema, SCHEMA)?, pointer(array, ARRAY)?);
    // SAFETY: capsules of these names hold these structures.
    let (schema, array) =
        unsafe { (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr())) };
    if schema.release.is_none() || array.is_released() {
        return Err(PyValueError::new_err("the capsule is empty: somebody has taken the column already"));
    }
    let kind = DataType::try_from(&schema).map_err(|error| refused(&error))?;
    // SAFETY: the array is of the type that came with it.
    let data = unsafe { from_ffi_and_data_type(array, kind) };
    Ok(make_array(data.map_err(|error| refused(&error))?))
}

/// A stream of columns that comes in.
pub(crate) struct Incoming {
    stream: FFI_ArrowArrayStream,
    kind: DataType,
}

impl Incoming {
    /// Takes the stream out of what `__arrow_c_stream__` returns.
    pub(crate) fn take(capsule: &Bound<'_, PyAny>) -> PyResult<Incoming> {
        let stream = pointer(capsule, STREAM)?;
        // SAFETY: a capsule of this name holds this structure.
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        let (Some(get_schema), Some(_)) = (stream.get_schema, stream.release) else {
            return Err(PyValueError::new_err("the capsule is empty: somebody has taken the stream already"));
        };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the function belongs to the stream, and writes to an empty structure.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return Err(PyValueError::new_err(last_error(&mut stream, code)));
        }
        let kind = DataType::try_from(&schema).map_err(|error| refused(&error))?;
        Ok(Incoming { stream, kind })
    }
}

/// Chunks. The one who makes them gets the GIL for himself if he needs it.
impl Iterator for Incoming {
    type Item = Result<ArrayRef, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let get_next = self.stream.get_next?;
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the function belongs to the stream, and writes to an empty structure.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            return Some(Err(last_error(&mut self.stream, code)));
        }
        if array.is_released() {
            return None;
        }
        // SAFETY: all arrays of a stream are of its type.
        let data = unsafe { from_ffi_and_data_type(array, self.kind.clone()) };
        Some(data.map(make_array).map_err(|error| error.to_string()))
    }
}

fn last_error(stream: &mut FFI_ArrowArrayStream, code: c_int) -> String {
    let Some(get_last_error) = stream.get_last_error else {
        return format!("the stream failed with code {code}");
    };
    // SAFETY: the function belongs to the stream. Its text lives until the next call.
    unsafe {
        let text = get_last_error(&raw mut *stream);
        if text.is_null() {
            return format!("the stream failed with code {code}");
        }
        CStr::from_ptr(text).to_string_lossy().into_owned()
    }
}

/// A type as what `__arrow_c_schema__` returns.
pub(crate) fn schema_out<'py>(py: Python<'py>, kind: &DataType) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(kind).map_err(|error| refused(&error))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// A column as the second half of what `__arrow_c_array__` returns.
pub(crate) fn array_out<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)
}

/// Chunks that go out.
pub(crate) type Chunks = Box<dyn Iterator<Item = Result<ArrayRef, String>> + Send>;

struct Outgoing {
    kind: DataType,
    chunks: Chunks,
    last_error: CString,
}

/// Chunks of a type as what `__arrow_c_stream__` returns.
pub(crate) fn stream_out<'py>(
    py: Python<'py>,
    kind: DataType,
    chunks: Chunks,
) -> PyResult<Bound<'py, PyCapsule>> {
    let outgoing = Box::new(Outgoing { kind, chunks, last_error: CString::default() });
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(outgoing).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// Runs a call of a stream. Gives its code.
///
/// # Safety
///
/// The stream was made by [`stream_out`] and is not released.
unsafe fn answer(
    stream: *mut FFI_ArrowArrayStream,
    call: impl FnOnce(&mut Outgoing) -> Result<(), String>,
) -> c_int {
    // SAFETY: by the contract of this function the private data is such a box.
    let outgoing = unsafe { &mut *(*stream).private_data.cast::<Outgoing>() };
    let answer = catch_unwind(AssertUnwindSafe(|| call(outgoing)));
    let error = match answer {
        Ok(Ok(())) => return 0,
        Ok(Err(error)) => error,
        Err(_) => "a bug: the validator panicked".to_owned(),
    };
    outgoing.last_error = CString::new(error.replace('\0', "\\0")).unwrap_or_default();
    FAILED
}

unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: a consumer calls this with a stream that it has not released, and a place to write to.
    unsafe {
        answer(stream, |outgoing| {
            let schema = FFI_ArrowSchema::try_from(&outgoing.kind).map_err(|error| error.to_string())?;
            out.write(schema);
            Ok(())
        })
    }
}

unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: as above. An array that is released says that the stream has ended.
    unsafe {
        answer(stream, |outgoing| {
            let array = match outgoing.chunks.next() {
                None => FFI_ArrowArray::empty(),
                Some(chunk) => FFI_ArrowArray::new(&chunk?.to_data()),
            };
            out.write(array);
            Ok(())
        })
    }
}

unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: as above. The text lives until the next call.
    unsafe { (*(*stream).private_data.cast::<Outgoing>()).last_error.as_ptr() }
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: as above. The box is freed once, since a stream without `release` counts as released.
    unsafe {
        let stream = &mut *stream;
        drop(Box::from_raw(stream.private_data.cast::<Outgoing>()));
        (stream.get_schema, stream.get_next, stream.get_last_error, stream.release) =
            (None, None, None, None);
        stream.private_data = std::ptr::null_mut();
    }
}
