//! Reads Python objects in place. This is the one file with `unsafe` code.
//!
//! A walk goes through an object once and hands what it finds to an [`InstanceSink`]: the engine's tape, or a schema. Objects of the
//! exact types that the `json` module makes are read by the C interface of Python, without a call of Python code. All others go by the
//! rules of [`Walk::other`], in safe code.
//!
//! # Why this is sound
//!
//! - **References.** Python hands out the members of a `dict` and the items of a `list` without a reference of our own. They live as long
//!   as the container holds them, and it does while no Python code runs. So what may run Python code ([`Walk::other`]) gets a
//!   reference of its own first, and every container that is walked is held by a reference as well. A container that
//!   was changed by such code is still asked for one item at a time, by functions that look at its present size.
//! - **Text.** The UTF-8 of a `str` belongs to that immutable object, and is copied before anything else happens.
//! - **Threads.** With a GIL, the walk holds it throughout. Without one, another thread may change a container at any time. There
//!   a copy of it is walked, which the walk alone has: Python makes such copies atomically.
#![allow(unsafe_code)]

use crate::other;
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use stanchion::{BuildError, InstanceSink};
use std::ffi::c_int;
use std::ptr::addr_of_mut;

/// Why an object was not read, and where.
pub(crate) struct Stop(Box<Stopped>);

pub(crate) struct Stopped {
    pub(crate) reason: Reason,
    /// The way to the place, from the inside out.
    pub(crate) steps: Vec<Step>,
    /// The containers around the place, from the inside out. Only compared.
    pub(crate) around: Vec<usize>,
}

pub(crate) enum Reason {
    /// The sink refused something.
    Build(BuildError),
    /// An object is none that JSON has: what it is, and what to do.
    NotJson(String),
    /// Code of the object raised an exception.
    Raised(PyErr),
}

/// A step on the way to a value.
pub(crate) enum Step {
    Name(String),
    Index(usize),
}

impl Stop {
    #[cold]
    pub(crate) fn new(reason: Reason) -> Stop {
        Stop(Box::new(Stopped { reason, steps: Vec::new(), around: Vec::new() }))
    }

    #[cold]
    pub(crate) fn not_json(message: String) -> Stop {
        Stop::new(Reason::NotJson(message))
    }

    #[cold]
    pub(crate) fn within(mut self, step: Step) -> Stop {
        self.0.steps.push(step);
        self
    }

    #[cold]
    fn around(mut self, container: *mut ffi::PyObject) -> Stop {
        self.0.around.push(container.addr());
        self
    }

    pub(crate) fn into_stopped(self) -> Stopped {
        *self.0
    }
}

impl From<BuildError> for Stop {
    #[cold]
    fn from(error: BuildError) -> Stop {
        Stop::new(Reason::Build(error))
    }
}

impl From<PyErr> for Stop {
    #[cold]
    fn from(error: PyErr) -> Stop {
        Stop::new(Reason::Raised(error))
    }
}

/// Reads an object into a sink.
#[inline]
pub(crate) fn read<S: InstanceSink>(object: &Bound<'_, PyAny>, sink: &mut S) -> Result<(), Stop> {
    let mut walk = Walk { py: object.py(), sink, has_run_code: false };
    // SAFETY: the object is held by who calls.
    unsafe { walk.value(object.as_ptr()) }
}

/// A walk through an object.
pub(crate) struct Walk<'w, 'py, S> {
    pub(crate) py: Python<'py>,
    pub(crate) sink: &'w mut S,
    /// Whether Python code has run, so that containers may have changed.
    pub(crate) has_run_code: bool,
}

/// A container that is held while it is walked.
struct Held(*mut ffi::PyObject);

impl Held {
    /// # Safety
    ///
    /// The object is alive.
    #[inline(always)]
    unsafe fn new(object: *mut ffi::PyObject) -> Held {
        // SAFETY: by the contract of this function.
        unsafe { ffi::Py_INCREF(object) };
        Held(object)
    }
}

impl Drop for Held {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the reference is our own.
        unsafe { ffi::Py_DECREF(self.0) };
    }
}

impl<S: InstanceSink> Walk<'_, '_, S> {
    /// Reads a value.
    ///
    /// # Safety
    ///
    /// The object is alive, and stays so until Python code runs.
    unsafe fn value(&mut self, object: *mut ffi::PyObject) -> Result<(), Stop> {
        // SAFETY: all below is by the contract of this function; exact types are what their functions want.
        unsafe {
            let kind = ffi::Py_TYPE(object);
            if kind == addr_of_mut!(ffi::PyUnicode_Type) {
                let text = self.text(object)?;
                self.sink.string(text)?;
                return Ok(());
            }
            if kind == addr_of_mut!(ffi::PyDict_Type) {
                return self.dict(object);
            }
            if kind == addr_of_mut!(ffi::PyLong_Type) {
                return self.int(object);
            }
            if kind == addr_of_mut!(ffi::PyList_Type) {
                return self.list(object);
            }
            if kind == addr_of_mut!(ffi::PyFloat_Type) {
                return Ok(self.sink.float(ffi::PyFloat_AsDouble(object))?);
            }
            if kind == addr_of_mut!(ffi::PyBool_Type) {
                return Ok(self.sink.bool(object == ffi::Py_True())?);
            }
            if object == ffi::Py_None() {
                return Ok(self.sink.null()?);
            }
            let flags = ffi::PyType_GetFlags(kind);
            if flags & ffi::Py_TPFLAGS_TUPLE_SUBCLASS != 0 {
                return self.tuple(object);
            }
            // What an object of a subclass holds counts, and no method of the subclass is asked.
            if flags & ffi::Py_TPFLAGS_UNICODE_SUBCLASS != 0 {
                let text = self.text(object)?;
                return Ok(self.sink.string(text)?);
            }
            if flags & ffi::Py_TPFLAGS_DICT_SUBCLASS != 0 {
                return self.dict(object);
            }
            if flags & ffi::Py_TPFLAGS_LIST_SUBCLASS != 0 {
                return self.list(object);
            }
            if flags & ffi::Py_TPFLAGS_LONG_SUBCLASS != 0 {
                return self.int(object);
            }
            if ffi::PyFloat_Check(object) != 0 {
                return Ok(self.sink.float(ffi::PyFloat_AsDouble(object))?);
            }
            // From here on Python code may run.
            self.has_run_code = true;
            let owned = Bound::from_borrowed_ptr(self.py, object);
            other::read(self, &owned)
        }
    }

    /// Reads an object of which a reference is held, inside of another.
    pub(crate) fn inner(&mut self, object: &Bound<'_, PyAny>) -> Result<(), Stop> {
        // SAFETY: the object is held by who calls.
        unsafe { self.value(object.as_ptr()) }
    }

    /// The text of a `str`, to be copied at once.
    ///
    /// # Safety
    ///
    /// The object is a `str` or of a subclass, and lives as long as the text is used.
    #[inline(always)]
    unsafe fn text<'t>(&self, object: *mut ffi::PyObject) -> Result<&'t str, Stop> {
        let mut length = 0;
        // SAFETY: by the contract of this function. What Python gives as UTF-8 is UTF-8.
        unsafe {
            let start = ffi::PyUnicode_AsUTF8AndSize(object, &mut length);
            if start.is_null() {
                return Err(self.no_text());
            }
            let bytes = std::slice::from_raw_parts(start.cast::<u8>(), length as usize);
            Ok(std::str::from_utf8_unchecked(bytes))
        }
    }

    #[cold]
    #[inline(never)]
    fn no_text(&self) -> Stop {
        match PyErr::take(self.py) {
            Some(error) if !error.is_instance_of::<pyo3::exceptions::PyUnicodeError>(self.py) => error.into(),
            _ => Stop::not_json("a string with a lone surrogate is no Unicode text".to_owned()),
        }
    }

    /// # Safety
    ///
    /// The object is an `int` or of a subclass, and alive.
    #[inline(always)]
    unsafe fn int(&mut self, object: *mut ffi::PyObject) -> Result<(), Stop> {
        let mut overflow: c_int = 0;
        // SAFETY: by the contract of this function.
        let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object, &mut overflow) };
        if overflow == 0 {
            return Ok(self.sink.signed(value)?);
        }
        // SAFETY: the object is alive.
        let object = unsafe { Bound::from_borrowed_ptr(self.py, object) };
        self.large_int(&object)
    }

    #[cold]
    #[inline(never)]
    fn large_int(&mut self, object: &Bound<'_, PyAny>) -> Result<(), Stop> {
        if let Ok(value) = object.extract::<u64>() {
            return Ok(self.sink.unsigned(value)?);
        }
        // A subclass may have a text of its own.
        let digits = other::digits(object)?;
        Ok(self.sink.number(digits.to_str()?)?)
    }

    /// # Safety
    ///
    /// The object is a `dict` or of a subclass, and alive.
    unsafe fn dict(&mut self, object: *mut ffi::PyObject) -> Result<(), Stop> {
        // SAFETY: by the contract of this function. The copy is our own.
        unsafe {
            #[cfg(Py_GIL_DISABLED)]
            let copy = Bound::from_owned_ptr_or_err(self.py, ffi::PyDict_Copy(object))?;
            #[cfg(Py_GIL_DISABLED)]
            let walked = copy.as_ptr();
            #[cfg(not(Py_GIL_DISABLED))]
            let walked = object;
            let held = Held::new(walked);
            self.sink.begin_object().map_err(|error| Stop::from(error).around(object))?;
            let size = ffi::PyDict_Size(held.0);
            let (mut at, mut name, mut value) = (0, std::ptr::null_mut(), std::ptr::null_mut());
            while ffi::PyDict_Next(held.0, &mut at, &mut name, &mut value) != 0 {
                let name = Held::new(name);
                self.name(name.0).map_err(|stop| stop.around(object))?;
                if let Err(stop) = self.value(value) {
                    let name = self.text(name.0).unwrap_or_default().to_owned();
                    return Err(stop.within(Step::Name(name)).around(object));
                }
                if self.has_run_code && ffi::PyDict_Size(held.0) != size {
                    return Err(changed("dictionary").around(object));
                }
            }
        }
        Ok(self.sink.end()?)
    }

    /// # Safety
    ///
    /// The object is alive.
    #[inline(always)]
    unsafe fn name(&mut self, name: *mut ffi::PyObject) -> Result<(), Stop> {
        // SAFETY: by the contract of this function, and the object is a `str` or of a subclass.
        unsafe {
            let kind = ffi::Py_TYPE(name);
            let is_text = kind == addr_of_mut!(ffi::PyUnicode_Type)
                || ffi::PyType_GetFlags(kind) & ffi::Py_TPFLAGS_UNICODE_SUBCLASS != 0;
            if !is_text {
                return Err(other::no_name(&Bound::from_borrowed_ptr(self.py, name)));
            }
            let text = self.text(name)?;
            Ok(self.sink.name(text)?)
        }
    }

    /// # Safety
    ///
    /// The object is a `list` or of a subclass, and alive.
    unsafe fn list(&mut self, object: *mut ffi::PyObject) -> Result<(), Stop> {
        // SAFETY: by the contract of this function. An index is asked for while it is within the present length.
        unsafe {
            #[cfg(Py_GIL_DISABLED)]
            {
                let copy = Bound::from_owned_ptr_or_err(self.py, ffi::PyList_AsTuple(object))?;
                return self.tuple(copy.as_ptr());
            }
            #[cfg(not(Py_GIL_DISABLED))]
            {
                let held = Held::new(object);
                self.sink.begin_array().map_err(|error| Stop::from(error).around(object))?;
                let size = ffi::PyList_Size(held.0);
                for index in 0..size {
                    if self.has_run_code && ffi::PyList_Size(held.0) != size {
                        return Err(changed("list").around(object));
                    }
                    let item = ffi::PyList_GetItem(held.0, index);
                    if let Err(stop) = self.value(item) {
                        return Err(stop.within(Step::Index(index as usize)).around(object));
                    }
                }
                Ok(self.sink.end()?)
            }
        }
    }

    /// # Safety
    ///
    /// The object is a `tuple` or of a subclass, and alive.
    unsafe fn tuple(&mut self, object: *mut ffi::PyObject) -> Result<(), Stop> {
        // SAFETY: by the contract of this function. Tuples do not change.
        unsafe {
            let held = Held::new(object);
            self.sink.begin_array().map_err(|error| Stop::from(error).around(object))?;
            for index in 0..ffi::PyTuple_Size(held.0) {
                let item = ffi::PyTuple_GetItem(held.0, index);
                if let Err(stop) = self.value(item) {
                    return Err(stop.within(Step::Index(index as usize)).around(object));
                }
            }
        }
        Ok(self.sink.end()?)
    }
}

#[cold]
#[inline(never)]
fn changed(what: &str) -> Stop {
    PyRuntimeError::new_err(format!("the {what} changed its size while it was read")).into()
}
