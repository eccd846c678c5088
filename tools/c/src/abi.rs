//! The functions of `stanchion.h`, and all `unsafe` of this library.
//!
//! What is unsafe is little: to read the texts that a caller points to ([`bytes`]), and to write to where a caller wants a result
//! ([`put`], [`put_text`]). Both demand of the caller what every C function does: that a pointer which is not null points to as many
//! bytes as the length says, or to room for a result, for as long as the call takes. Handles are never followed: they are looked up
//! ([`crate::handles`]).
//!
//! No panic crosses the border ([`guarded`]): it becomes [`MISUSE`], and says so in the result if there is room for one.
#![allow(non_camel_case_types)]

use crate::handles::Handles;
use crate::texts;
use stanchion_wire::{Answer, CONTRACT_VERSION, Output, Status, Toolbox, Validator};
use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

/// A status as C has it: one of the numbers of [`Status`].
type stanchion_status = c_int;

/// The call itself is wrong.
const MISUSE: stanchion_status = Status::Misuse as stanchion_status;

/// What a handle of a validator points to: nothing that anybody may look at.
#[repr(C)]
pub struct stanchion_validator {
    _private: [u8; 0],
}

/// What a handle of a toolbox points to: nothing that anybody may look at.
#[repr(C)]
pub struct stanchion_toolbox {
    _private: [u8; 0],
}

/// A text that the caller owns.
#[repr(C)]
pub struct stanchion_text {
    data: *mut c_char,
    len: usize,
}

static VALIDATORS: Handles<Validator> = Handles::new(1);
static TOOLBOXES: Handles<Toolbox> = Handles::new(2);

/// The text that a caller points to. Null stands for no text, if the length is 0.
///
/// # Safety
///
/// `data` is null, or points to `len` bytes that nobody changes while the result is used.
#[inline]
unsafe fn bytes<'t>(data: *const c_char, len: usize) -> Option<&'t [u8]> {
    // No object is larger than this.
    if len > isize::MAX as usize {
        return None;
    }
    if data.is_null() {
        return (len == 0).then_some(&[]);
    }
    // SAFETY: the pointer is not null, the length is one that a slice may have, and the caller answers for the rest.
    Some(unsafe { slice::from_raw_parts(data.cast(), len) })
}

/// Writes to where the caller wants it, if it wants it.
///
/// # Safety
///
/// `place` is null, or points to room for a `T` that nobody else uses.
unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the pointer is not null, and the caller answers for the rest. What was there is not dropped: it may be anything.
        unsafe { ptr::write(place, value) };
    }
}

/// Writes a text to where the caller wants it, if it wants it. From then on the caller owns it.
///
/// # Safety
///
/// As for [`put`].
unsafe fn put_text(place: *mut stanchion_text, text: Vec<u8>) {
    if !place.is_null() {
        let (data, len) = texts::give(text);
        // SAFETY: the caller answers for it.
        unsafe { put(place, stanchion_text { data, len }) };
    }
}

/// Writes no text to where the caller wants one, so that what is there may be freed whatever happens.
///
/// # Safety
///
/// As for [`put`].
unsafe fn put_no_text(place: *mut stanchion_text) {
    // SAFETY: the caller answers for it.
    unsafe { put(place, stanchion_text { data: ptr::null_mut(), len: 0 }) };
}

/// Runs what a function does. A panic ends here.
#[inline]
fn guarded(run: impl FnOnce() -> Result<Status, Misuse>) -> stanchion_status {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(status)) => status as stanchion_status,
        Ok(Err(Misuse)) | Err(_) => MISUSE,
    }
}

/// An argument that is not what it has to be.
struct Misuse;

/// Runs what a function does that gives a text.
///
/// # Safety
///
/// As for [`put`].
unsafe fn answered(
    place: *mut stanchion_text,
    run: impl FnOnce() -> Result<Answer, Misuse>,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { put_no_text(place) };
    guarded(|| {
        let answer = run()?;
        // SAFETY: the caller answers for it.
        unsafe { put_text(place, answer.text) };
        Ok(answer.status)
    })
}

/// Does something with a validator and an instance.
///
/// # Safety
///
/// As for [`bytes`].
#[inline]
unsafe fn with<T>(
    validator: *const stanchion_validator,
    json: *const c_char,
    len: usize,
    run: impl FnOnce(&Validator, &[u8]) -> T,
) -> Result<T, Misuse> {
    // SAFETY: the caller answers for it.
    let text = unsafe { bytes(json, len) }.ok_or(Misuse)?;
    with_validator(validator, |validator| run(validator, text))
}

/// Does something with a validator.
#[inline]
fn with_validator<T>(
    validator: *const stanchion_validator,
    run: impl FnOnce(&Validator) -> T,
) -> Result<T, Misuse> {
    let held = VALIDATORS.get(validator.addr()).ok_or(Misuse)?;
    let entry = held.as_ref().ok_or(Misuse)?;
    Ok(run(&entry.value))
}

/// Asks a toolbox something about texts, each given as a pointer and a length.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, the place for the result as [`put`] does.
unsafe fn ask_toolbox<const N: usize>(
    toolbox: *const stanchion_toolbox,
    texts: [(*const c_char, usize); N],
    answer: *mut stanchion_text,
    ask: impl FnOnce(&Toolbox, [&[u8]; N]) -> Answer,
) -> stanchion_status {
    let run = || {
        let mut read: [&[u8]; N] = [&[]; N];
        for (text, (data, len)) in read.iter_mut().zip(texts) {
            // SAFETY: the caller answers for it.
            *text = unsafe { bytes(data, len) }.ok_or(Misuse)?;
        }
        let held = TOOLBOXES.get(toolbox.addr()).ok_or(Misuse)?;
        let entry = held.as_ref().ok_or(Misuse)?;
        Ok(ask(&entry.value, read))
    };
    // SAFETY: the caller answers for it.
    unsafe { answered(answer, run) }
}

/// The version of this interface. It grows when a program that was compiled against an older one may break.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_abi_version() -> u32 {
    CONTRACT_VERSION
}

/// The version of the library, as text with a NUL behind it.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Compiles a schema.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, places for results as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_validator_new(
    schema: *const c_char,
    schema_len: usize,
    options: *const c_char,
    options_len: usize,
    validator: *mut *mut stanchion_validator,
    problem: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        put(validator, ptr::null_mut());
        put_no_text(problem);
    }
    guarded(|| {
        // SAFETY: the caller answers for it.
        let schema = unsafe { bytes(schema, schema_len) }.ok_or(Misuse)?;
        // SAFETY: the caller answers for it.
        let options = unsafe { bytes(options, options_len) }.ok_or(Misuse)?;
        if validator.is_null() {
            return Err(Misuse);
        }
        match Validator::new(schema, options) {
            Ok(made) => {
                let handle = VALIDATORS.insert(made).ok_or(Misuse)?;
                // SAFETY: the caller answers for it.
                unsafe { put(validator, ptr::without_provenance_mut(handle)) };
                Ok(Status::Valid)
            }
            Err(refused) => {
                let status = refused.status();
                // SAFETY: the caller answers for it.
                unsafe { put_text(problem, refused.into_json()) };
                Ok(status)
            }
        }
    })
}

/// Frees a validator. One that was freed before, or is none, is misuse and changes nothing; null is nothing to free.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_validator_free(validator: *mut stanchion_validator) -> stanchion_status {
    guarded(|| match validator.is_null() || VALIDATORS.remove(validator.addr()) {
        true => Ok(Status::Valid),
        false => Err(Misuse),
    })
}

/// The verdict on an instance.
///
/// # Safety
///
/// The text is as [`bytes`] wants it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_check(
    validator: *const stanchion_validator,
    json: *const c_char,
    len: usize,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    guarded(|| unsafe { with(validator, json, len, Validator::check) })
}

/// The verdict on an instance, and the steps that it took.
///
/// # Safety
///
/// The text is as [`bytes`] wants it, the place for the steps as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_measure(
    validator: *const stanchion_validator,
    json: *const c_char,
    len: usize,
    steps: *mut u64,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { put(steps, 0) };
    guarded(|| {
        // SAFETY: the caller answers for it.
        let (status, taken) = unsafe { with(validator, json, len, Validator::measure) }?;
        // SAFETY: the caller answers for it.
        unsafe { put(steps, taken) };
        Ok(status)
    })
}

/// All errors.
///
/// # Safety
///
/// The text is as [`bytes`] wants it, the place for the result as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_explain(
    validator: *const stanchion_validator,
    json: *const c_char,
    len: usize,
    errors: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { answered(errors, || with(validator, json, len, Validator::explain)) }
}

/// The most helpful error.
///
/// # Safety
///
/// As for [`stanchion_explain`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_explain_first(
    validator: *const stanchion_validator,
    json: *const c_char,
    len: usize,
    errors: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { answered(errors, || with(validator, json, len, Validator::explain_first)) }
}

/// All errors, with all their paths and the branches of unions.
///
/// # Safety
///
/// As for [`stanchion_explain`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_explain_in_full(
    validator: *const stanchion_validator,
    json: *const c_char,
    len: usize,
    errors: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { answered(errors, || with(validator, json, len, Validator::explain_in_full)) }
}

/// A text for a language model.
///
/// # Safety
///
/// As for [`stanchion_explain`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_for_model(
    validator: *const stanchion_validator,
    json: *const c_char,
    len: usize,
    max_chars: usize,
    text: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        answered(text, || with(validator, json, len, |validator, json| validator.for_model(json, max_chars)))
    }
}

/// An output format of the specification.
///
/// # Safety
///
/// As for [`stanchion_explain`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_output(
    validator: *const stanchion_validator,
    json: *const c_char,
    len: usize,
    format: c_int,
    text: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        answered(text, || {
            let number = u32::try_from(format).map_err(|_| Misuse)?;
            let output = Output::from_number(number).ok_or(Misuse)?;
            with(validator, json, len, |validator, json| validator.output(json, output))
        })
    }
}

/// What the keywords that held say about an instance.
///
/// # Safety
///
/// As for [`stanchion_explain`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_annotations(
    validator: *const stanchion_validator,
    json: *const c_char,
    len: usize,
    annotations: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { answered(annotations, || with(validator, json, len, Validator::annotations)) }
}

/// A bound on what verdicts cost.
///
/// # Safety
///
/// The place for the result is as [`put`] wants it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_cost(
    validator: *const stanchion_validator,
    nodes: u64,
    bytes: u64,
    cost: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { answered(cost, || with_validator(validator, |validator| validator.cost(nodes, bytes))) }
}

/// How large the schema is.
///
/// # Safety
///
/// As for [`stanchion_cost`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_size(
    validator: *const stanchion_validator,
    size: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { answered(size, || with_validator(validator, Validator::size)) }
}

/// What the schema was compiled to.
///
/// # Safety
///
/// As for [`stanchion_cost`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_program(
    validator: *const stanchion_validator,
    listing: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { answered(listing, || with_validator(validator, Validator::program)) }
}

/// All that is wrong with a schema, and what it probably did not mean.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, the place for the result as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_diagnose(
    schema: *const c_char,
    schema_len: usize,
    options: *const c_char,
    options_len: usize,
    diagnosis: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        answered(diagnosis, || {
            let schema = bytes(schema, schema_len).ok_or(Misuse)?;
            let options = bytes(options, options_len).ok_or(Misuse)?;
            Ok(Validator::diagnose(schema, options))
        })
    }
}

/// Makes a toolbox of a list of tools and a profile.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, places for results as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_toolbox_new(
    list: *const c_char,
    list_len: usize,
    profile: *const c_char,
    profile_len: usize,
    toolbox: *mut *mut stanchion_toolbox,
    answer: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        put(toolbox, ptr::null_mut());
        answered(answer, || {
            let list = bytes(list, list_len).ok_or(Misuse)?;
            let profile = bytes(profile, profile_len).ok_or(Misuse)?;
            if toolbox.is_null() {
                return Err(Misuse);
            }
            match Toolbox::new(list, profile) {
                Ok((made, loaded)) => {
                    let handle = TOOLBOXES.insert(made).ok_or(Misuse)?;
                    put(toolbox, ptr::without_provenance_mut(handle));
                    Ok(loaded)
                }
                Err(problem) => Ok(problem.into()),
            }
        })
    }
}

/// Frees a toolbox. One that was freed before, or is none, is misuse and changes nothing; null is nothing to free.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_free(toolbox: *mut stanchion_toolbox) -> stanchion_status {
    guarded(|| match toolbox.is_null() || TOOLBOXES.remove(toolbox.addr()) {
        true => Ok(Status::Valid),
        false => Err(Misuse),
    })
}

/// Takes another list of tools.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, the place for the result as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_toolbox_replace(
    toolbox: *const stanchion_toolbox,
    list: *const c_char,
    list_len: usize,
    answer: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { ask_toolbox(toolbox, [(list, list_len)], answer, |toolbox, [list]| toolbox.replace(list)) }
}

/// Takes the next page of a list of tools.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, the place for the result as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_toolbox_extend(
    toolbox: *const stanchion_toolbox,
    list: *const c_char,
    list_len: usize,
    answer: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { ask_toolbox(toolbox, [(list, list_len)], answer, |toolbox, [list]| toolbox.extend(list)) }
}

/// The result of `tools/list` for a client.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, the place for the result as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_toolbox_list(
    toolbox: *const stanchion_toolbox,
    version: *const c_char,
    version_len: usize,
    answer: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        ask_toolbox(toolbox, [(version, version_len)], answer, |toolbox, [version]| toolbox.list(version))
    }
}

/// The definition of a tool for a client.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, the place for the result as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_toolbox_definition(
    toolbox: *const stanchion_toolbox,
    name: *const c_char,
    name_len: usize,
    version: *const c_char,
    version_len: usize,
    answer: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        ask_toolbox(
            toolbox,
            [(name, name_len), (version, version_len)],
            answer,
            |toolbox, [name, version]| toolbox.definition(name, version),
        )
    }
}

/// Whether a call may reach its tool.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, the place for the result as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_toolbox_check_call(
    toolbox: *const stanchion_toolbox,
    params: *const c_char,
    params_len: usize,
    version: *const c_char,
    version_len: usize,
    answer: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        ask_toolbox(
            toolbox,
            [(params, params_len), (version, version_len)],
            answer,
            |toolbox, [params, version]| toolbox.check_call(params, version),
        )
    }
}

/// The arguments of a call, with defaults.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, the place for the result as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_toolbox_fill_call(
    toolbox: *const stanchion_toolbox,
    params: *const c_char,
    params_len: usize,
    version: *const c_char,
    version_len: usize,
    answer: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        ask_toolbox(
            toolbox,
            [(params, params_len), (version, version_len)],
            answer,
            |toolbox, [params, version]| toolbox.fill_call(params, version),
        )
    }
}

/// A result as a client takes it.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, the place for the result as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_toolbox_check_result(
    toolbox: *const stanchion_toolbox,
    name: *const c_char,
    name_len: usize,
    version: *const c_char,
    version_len: usize,
    result: *const c_char,
    result_len: usize,
    answer: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        ask_toolbox(
            toolbox,
            [(name, name_len), (version, version_len), (result, result_len)],
            answer,
            |toolbox, [name, version, result]| toolbox.check_result(name, version, result),
        )
    }
}

/// A result as a server sends it.
///
/// # Safety
///
/// Texts are as [`bytes`] wants them, the place for the result as [`put`] does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_toolbox_send_result(
    toolbox: *const stanchion_toolbox,
    name: *const c_char,
    name_len: usize,
    version: *const c_char,
    version_len: usize,
    result: *const c_char,
    result_len: usize,
    answer: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe {
        ask_toolbox(
            toolbox,
            [(name, name_len), (version, version_len), (result, result_len)],
            answer,
            |toolbox, [name, version, result]| toolbox.send_result(name, version, result),
        )
    }
}

/// All choices of a toolbox's profile.
///
/// # Safety
///
/// The place for the result is as [`put`] wants it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_toolbox_profile(
    toolbox: *const stanchion_toolbox,
    answer: *mut stanchion_text,
) -> stanchion_status {
    // SAFETY: the caller answers for it.
    unsafe { ask_toolbox(toolbox, [], answer, |toolbox, []| toolbox.profile()) }
}

/// Frees a text, and leaves none behind. One that was freed before, or is none of ours, is misuse and changes nothing.
///
/// # Safety
///
/// `text` is null, or points to a text that nobody else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stanchion_text_free(text: *mut stanchion_text) -> stanchion_status {
    guarded(|| {
        if text.is_null() {
            return Ok(Status::Valid);
        }
        // SAFETY: the pointer is not null, and the caller answers for the rest.
        let data = unsafe { ptr::read(text) }.data;
        // SAFETY: as before.
        unsafe { put_no_text(text) };
        if data.is_null() || texts::take_back(data) { Ok(Status::Valid) } else { Err(Misuse) }
    })
}

/// How many validators the cache holds.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_cache_len() -> usize {
    catch_unwind(stanchion_wire::cached).unwrap_or(0)
}

/// Empties the cache of compiled schemas. Validators that are in use stay as they are.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_cache_clear() {
    // It has nothing that could panic; and if it did, the cache would be as full as before.
    let _ = catch_unwind(stanchion_wire::clear_cache);
}
