//! The functions that the module exports. Names are attributes that Rust calls unsafe, since two functions must not have the same; that
//! is all of it in this crate.
#![allow(unsafe_code)]

use crate::state::{Misuse, State, TRAPPED};
use stanchion_wire::{Answer, CONTRACT_VERSION, Output, Status};

/// A status as the host has it.
#[inline]
fn number(status: Result<Result<Status, Misuse>, Misuse>) -> u32 {
    match status {
        Ok(Ok(status)) => status as u32,
        Ok(Err(Misuse)) | Err(Misuse) => misuse(),
    }
}

/// A handle, or a status if there is none.
fn handle(made: Result<Result<u32, Misuse>, Misuse>) -> u32 {
    match made {
        Ok(Ok(handle)) => handle,
        Ok(Err(Misuse)) | Err(Misuse) => misuse(),
    }
}

/// A call that cannot be made has no answer, not even that of the call before.
#[cold]
fn misuse() -> u32 {
    // If an earlier call has trapped there is nothing to clear.
    let _ = State::enter(State::clear);
    Status::Misuse as u32
}

/// The version of the contract and of this interface.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_abi_version() -> u32 {
    CONTRACT_VERSION
}

/// Gives the seeds of hash tables, before the first schema: any 256 random bits.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_seed(a: u64, b: u64, c: u64, d: u64) -> u32 {
    let status = if stanchion_wire::seed([a, b, c, d]) { Status::Valid } else { Status::Misuse };
    status as u32
}

/// Tells how many bytes of memory the host allows in all, if that is less than 1 GiB.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_memory_limit(bytes: usize) -> u32 {
    crate::room::limit(bytes);
    Status::Valid as u32
}

/// Where the host writes texts: at least so many bytes, or null.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_input(len: usize) -> *mut u8 {
    State::enter(|state| state.input(len)).unwrap_or(std::ptr::null_mut())
}

/// Where the answer of the last call is.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_answer() -> *const u8 {
    State::enter(|state| state.answer().as_ptr()).unwrap_or(TRAPPED.as_ptr())
}

/// How many bytes the answer of the last call has.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_answer_len() -> usize {
    State::enter(|state| state.answer().len()).unwrap_or(TRAPPED.len())
}

/// Makes a validator of a schema and options. Returns a handle, or a status, which is below 8.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_validator_new(schema_len: usize, options_len: usize) -> u32 {
    handle(State::enter(|state| state.validator_new(schema_len, options_len)))
}

/// Frees a validator.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_validator_free(validator: u32) -> u32 {
    number(State::enter(|state| state.validator_free(validator)))
}

/// The verdict on an instance.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_check(validator: u32, len: usize) -> u32 {
    number(State::enter(|state| state.check(validator, len)))
}

/// The verdict on an encoded instance: so many bytes of words at the start of the input, and texts at another place in it.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_check_encoded(
    validator: u32,
    words_len: usize,
    text_at: usize,
    text_len: usize,
) -> u32 {
    number(State::enter(|state| state.check_encoded(validator, words_len, text_at, text_len)))
}

/// Keeps a name for encoded instances, which is so many bytes at a place in the input. Returns its number, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_keep_name(at: usize, len: usize) -> i32 {
    let number = State::enter(|state| state.keep_name(at, len)).ok().flatten();
    number.map_or(-1, u32::cast_signed)
}

/// Forgets the names that were kept for encoded instances.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_forget_names() {
    stanchion_wire::forget_names();
}

/// The verdict on an instance; the answer is how many steps it took, in digits.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_measure(validator: u32, len: usize) -> u32 {
    let measure = |validator: &stanchion_wire::Validator, text: &[u8]| {
        let (status, steps) = validator.measure(text);
        Answer { status, text: steps.to_string().into_bytes() }
    };
    number(State::enter(|state| state.ask(validator, len, measure)))
}

/// All errors.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_explain(validator: u32, len: usize) -> u32 {
    number(State::enter(|state| state.ask(validator, len, |validator, text| validator.explain(text))))
}

/// The most helpful error.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_explain_first(validator: u32, len: usize) -> u32 {
    number(State::enter(|state| state.ask(validator, len, |validator, text| validator.explain_first(text))))
}

/// All errors, with all their paths and the branches of unions.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_explain_in_full(validator: u32, len: usize) -> u32 {
    number(State::enter(|state| state.ask(validator, len, |validator, text| validator.explain_in_full(text))))
}

/// A text for a language model, of at most so many characters.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_for_model(validator: u32, len: usize, max_chars: usize) -> u32 {
    number(State::enter(|state| {
        state.ask(validator, len, |validator, text| validator.for_model(text, max_chars))
    }))
}

/// An output format of the specification.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_output(validator: u32, len: usize, format: u32) -> u32 {
    let output = |state: &mut State| {
        let format = Output::from_number(format).ok_or(Misuse)?;
        state.ask(validator, len, |validator, text| validator.output(text, format))
    };
    number(State::enter(output))
}

/// What the keywords that held say about an instance.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_annotations(validator: u32, len: usize) -> u32 {
    number(State::enter(|state| state.ask(validator, len, |validator, text| validator.annotations(text))))
}

/// A bound on what verdicts cost.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_cost(validator: u32, nodes: u64, bytes: u64) -> u32 {
    number(State::enter(|state| state.ask(validator, 0, |validator, _| validator.cost(nodes, bytes))))
}

/// How large the schema is.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_size(validator: u32) -> u32 {
    number(State::enter(|state| state.ask(validator, 0, |validator, _| validator.size())))
}

/// What the schema was compiled to.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_program(validator: u32) -> u32 {
    number(State::enter(|state| state.ask(validator, 0, |validator, _| validator.program())))
}

/// All that is wrong with a schema, and what it probably did not mean.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_diagnose(schema_len: usize, options_len: usize) -> u32 {
    number(State::enter(|state| state.diagnose(schema_len, options_len)))
}

/// Makes a toolbox of a list of tools and a profile. Returns a handle, or a status, which is below 8.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_new(list_len: usize, profile_len: usize) -> u32 {
    handle(State::enter(|state| state.toolbox_new(list_len, profile_len)))
}

/// Frees a toolbox.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_free(toolbox: u32) -> u32 {
    number(State::enter(|state| state.toolbox_free(toolbox)))
}

/// Takes another list of tools.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_replace(toolbox: u32, list_len: usize) -> u32 {
    number(State::enter(|state| {
        state.ask_toolbox(toolbox, [list_len], |toolbox, [list]| toolbox.replace(list))
    }))
}

/// Takes the next page of a list of tools.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_extend(toolbox: u32, list_len: usize) -> u32 {
    number(State::enter(|state| {
        state.ask_toolbox(toolbox, [list_len], |toolbox, [list]| toolbox.extend(list))
    }))
}

/// The result of `tools/list` for a client.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_list(toolbox: u32, version_len: usize) -> u32 {
    number(State::enter(|state| {
        state.ask_toolbox(toolbox, [version_len], |toolbox, [version]| toolbox.list(version))
    }))
}

/// The definition of a tool for a client.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_definition(toolbox: u32, name_len: usize, version_len: usize) -> u32 {
    number(State::enter(|state| {
        state.ask_toolbox(toolbox, [name_len, version_len], |toolbox, [name, version]| {
            toolbox.definition(name, version)
        })
    }))
}

/// Whether a call may reach its tool.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_check_call(toolbox: u32, params_len: usize, version_len: usize) -> u32 {
    number(State::enter(|state| {
        state.ask_toolbox(toolbox, [params_len, version_len], |toolbox, [params, version]| {
            toolbox.check_call(params, version)
        })
    }))
}

/// The arguments of a call, with defaults.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_fill_call(toolbox: u32, params_len: usize, version_len: usize) -> u32 {
    number(State::enter(|state| {
        state.ask_toolbox(toolbox, [params_len, version_len], |toolbox, [params, version]| {
            toolbox.fill_call(params, version)
        })
    }))
}

/// A result as a client takes it.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_check_result(
    toolbox: u32,
    name_len: usize,
    version_len: usize,
    result_len: usize,
) -> u32 {
    number(State::enter(|state| {
        state.ask_toolbox(toolbox, [name_len, version_len, result_len], |toolbox, [name, version, result]| {
            toolbox.check_result(name, version, result)
        })
    }))
}

/// A result as a server sends it.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_send_result(
    toolbox: u32,
    name_len: usize,
    version_len: usize,
    result_len: usize,
) -> u32 {
    number(State::enter(|state| {
        state.ask_toolbox(toolbox, [name_len, version_len, result_len], |toolbox, [name, version, result]| {
            toolbox.send_result(name, version, result)
        })
    }))
}

/// All choices of a toolbox's profile.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_toolbox_profile(toolbox: u32) -> u32 {
    number(State::enter(|state| state.ask_toolbox(toolbox, [], |toolbox, []| toolbox.profile())))
}

/// How many validators the cache holds.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_cache_len() -> usize {
    stanchion_wire::cached()
}

/// Empties the cache of compiled schemas. Validators that are in use stay as they are.
#[unsafe(no_mangle)]
pub extern "C" fn stanchion_cache_clear() {
    stanchion_wire::clear_cache();
}
