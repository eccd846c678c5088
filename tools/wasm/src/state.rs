//! What the module keeps between calls: the input, the answer, and what handles stand for.

use crate::handles::Handles;
use crate::room;
use stanchion_wire::{Answer, Status, Toolbox, Validator};
use std::cell::RefCell;

/// The input is at least so long, once there is one.
const LEAST_INPUT: usize = 1 << 16;

thread_local! {
    static STATE: RefCell<State> = const { RefCell::new(State::new()) };
}

/// All that is kept.
pub(crate) struct State {
    /// Where the host writes the texts of a call, one behind the other.
    input: Vec<u8>,
    /// What the last call that gives a text gave.
    answer: Vec<u8>,
    validators: Handles<Validator>,
    toolboxes: Handles<Toolbox>,
}

/// A call with arguments that it cannot have.
pub(crate) struct Misuse;

/// What a call gives if there is no memory for it: in a list of errors, and otherwise.
const NO_ROOM: &str =
    "there is no memory left for this; free validators that are not needed, or take a new instance";

/// The answer of all calls after one that trapped.
pub(crate) const TRAPPED: &str = concat!(
    r#"{"status":"misuse","message":"an earlier call of this instance trapped: "#,
    r#"there was no memory for it, or too little stack; take a new instance","errors":[]}"#
);

impl State {
    const fn new() -> State {
        State {
            input: Vec::new(),
            answer: Vec::new(),
            validators: Handles::new(1),
            toolboxes: Handles::new(2),
        }
    }

    /// Does something with what is kept. If an earlier call has trapped, all of it is in use for good, and every call is misuse.
    #[inline]
    pub(crate) fn enter<T>(run: impl FnOnce(&mut State) -> T) -> Result<T, Misuse> {
        STATE.with(|state| state.try_borrow_mut().map(|mut state| run(&mut state)).map_err(|_| Misuse))
    }

    /// Makes the input at least so long. What was in it is gone if it was shorter. Returns null if there is no memory, or if 0 bytes are wanted.
    pub(crate) fn input(&mut self, bytes: usize) -> *mut u8 {
        if bytes == 0 {
            self.input = Vec::new();
        } else if bytes > self.input.len() {
            self.input = Vec::new();
            let length = bytes.max(LEAST_INPUT);
            if self.input.try_reserve_exact(length).is_ok() {
                self.input.resize(length, 0);
            }
        }
        if self.input.is_empty() { std::ptr::null_mut() } else { self.input.as_mut_ptr() }
    }

    pub(crate) fn answer(&self) -> &[u8] {
        &self.answer
    }

    /// Forgets the answer.
    pub(crate) fn clear(&mut self) {
        self.answer = Vec::new();
    }

    /// Keeps the text of an answer.
    pub(crate) fn keep(&mut self, answer: Answer) -> Status {
        self.answer = answer.text;
        answer.status
    }

    /// The texts of the input, given their lengths.
    fn texts<const N: usize>(&self, lengths: [usize; N]) -> Result<[&[u8]; N], Misuse> {
        let mut rest = &*self.input;
        let mut texts: [&[u8]; N] = [&[]; N];
        for (text, length) in texts.iter_mut().zip(lengths) {
            (*text, rest) = rest.split_at_checked(length).ok_or(Misuse)?;
        }
        Ok(texts)
    }

    /// Makes a validator of a schema and options. Returns its handle, or the status if there is none.
    pub(crate) fn validator_new(&mut self, schema: usize, options: usize) -> Result<u32, Misuse> {
        let [schema, options] = self.texts([schema, options])?;
        let made = match room::for_schema(schema.len() + options.len()) {
            true => Validator::new(schema, options),
            false => return Ok(self.keep(no_room("problem")) as u32),
        };
        match made {
            Ok(validator) => {
                self.answer.clear();
                self.validators.insert(validator).ok_or(Misuse)
            }
            Err(problem) => Ok(self.keep(problem.into()) as u32),
        }
    }

    pub(crate) fn validator_free(&mut self, handle: u32) -> Result<Status, Misuse> {
        self.validators.remove(handle).map(|_| Status::Valid).ok_or(Misuse)
    }

    /// All that is wrong with a schema.
    pub(crate) fn diagnose(&mut self, schema: usize, options: usize) -> Result<Status, Misuse> {
        let [schema, options] = self.texts([schema, options])?;
        let answer = match room::for_schema(schema.len() + options.len()) {
            true => Validator::diagnose(schema, options),
            false => no_room("problem"),
        };
        Ok(self.keep(answer))
    }

    /// The verdict on the text in the input.
    #[inline]
    pub(crate) fn check(&self, handle: u32, len: usize) -> Result<Status, Misuse> {
        let validator = self.validators.get(handle).ok_or(Misuse)?;
        let text = self.input.get(..len).ok_or(Misuse)?;
        Ok(if room::for_instance(len) { validator.check(text) } else { Status::Undecided })
    }

    /// The verdict on an encoded instance: words at the start of the input, and texts at some other place in it.
    #[inline]
    pub(crate) fn check_encoded(
        &self,
        handle: u32,
        words: usize,
        text_at: usize,
        text: usize,
    ) -> Result<Status, Misuse> {
        let validator = self.validators.get(handle).ok_or(Misuse)?;
        let words = self.input.get(..words).ok_or(Misuse)?;
        let text = self.part(text_at, text).ok_or(Misuse)?;
        // A word is an entry and perhaps a name, and buffers grow by half of what they hold.
        let has_room = room::for_instance(words.len().saturating_mul(2).saturating_add(text.len()));
        Ok(if has_room { validator.check_encoded(words, text) } else { Status::Undecided })
    }

    /// Keeps a name that is somewhere in the input. Returns its number, if there is a place for it.
    pub(crate) fn keep_name(&self, at: usize, len: usize) -> Option<u32> {
        stanchion_wire::keep_name(self.part(at, len)?)
    }

    /// Some bytes of the input.
    fn part(&self, at: usize, len: usize) -> Option<&[u8]> {
        self.input.get(at..)?.get(..len)
    }

    /// Asks a validator something about the text in the input.
    pub(crate) fn ask(
        &mut self,
        handle: u32,
        len: usize,
        ask: impl FnOnce(&Validator, &[u8]) -> Answer,
    ) -> Result<Status, Misuse> {
        let validator = self.validators.get(handle).ok_or(Misuse)?;
        let text = self.input.get(..len).ok_or(Misuse)?;
        let answer = if room::for_instance(len) { ask(validator, text) } else { no_room("errors") };
        Ok(self.keep(answer))
    }
}

impl State {
    /// Makes a toolbox of a list and a profile. Returns its handle, or the status if there is none.
    pub(crate) fn toolbox_new(&mut self, list: usize, profile: usize) -> Result<u32, Misuse> {
        let [list, profile] = self.texts([list, profile])?;
        if !room::for_schema(list.len() + profile.len()) {
            return Ok(self.keep(no_room("problem")) as u32);
        }
        match Toolbox::new(list, profile) {
            Ok((toolbox, loaded)) => {
                self.keep(loaded);
                self.toolboxes.insert(toolbox).ok_or(Misuse)
            }
            Err(problem) => Ok(self.keep(problem.into()) as u32),
        }
    }

    pub(crate) fn toolbox_free(&mut self, handle: u32) -> Result<Status, Misuse> {
        self.toolboxes.remove(handle).map(|_| Status::Valid).ok_or(Misuse)
    }

    /// Asks a toolbox something about the texts in the input.
    pub(crate) fn ask_toolbox<const N: usize>(
        &mut self,
        handle: u32,
        lengths: [usize; N],
        ask: impl FnOnce(&Toolbox, [&[u8]; N]) -> Answer,
    ) -> Result<Status, Misuse> {
        let toolbox = self.toolboxes.get(handle).ok_or(Misuse)?;
        let texts = self.texts(lengths)?;
        // Lists are compiled, and values that are sent on are read and written again.
        let answer = match room::for_schema(lengths.iter().sum()) {
            true => ask(toolbox, texts),
            false => no_room("problem"),
        };
        Ok(self.keep(answer))
    }
}

/// The answer of a call that was not begun.
#[cold]
fn no_room(kind: &str) -> Answer {
    let text = match kind {
        "errors" => format!(
            r##"[{{"instancePath":"","schemaPath":"#","keyword":"","params":{{"exhausted":"memory"}},"message":"{NO_ROOM}"}}]"##
        ),
        _ => format!(r#"{{"status":"undecided","message":"{NO_ROOM}","errors":[]}}"#),
    };
    Answer { status: Status::Undecided, text: text.into_bytes() }
}
