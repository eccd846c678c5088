//! `Stanchion::Toolbox`: the tools of a server, by texts of the contract that all bindings share.

use std::sync::{Mutex, PoisonError};

use magnus::value::ReprValue;
use magnus::{Error, IntoValue, RModule, RString, Ruby, Value, function, method, prelude::*};
use stanchion_wire::Answer;

use crate::raw::Toolbox;

/// A toolbox, with what became of the list that came last.
#[derive(Debug)]
pub(crate) struct Tools {
    tools: stanchion_wire::Toolbox,
    loaded: Mutex<Vec<u8>>,
}

/// The name of a status, and the answer.
type Outcome = (Value, Value);

impl Toolbox {
    /// A toolbox, or the JSON of why there is none. The list is JSON text or an object.
    fn compile(ruby: &Ruby, list: Value, profile: Value) -> Result<Value, Error> {
        let list = crate::text_of(ruby, list)?;
        Ok(match stanchion_wire::Toolbox::new(&list, &crate::json(ruby, profile)?) {
            Ok((tools, answer)) => {
                let toolbox = Toolbox(Tools { tools, loaded: Mutex::new(answer.text) }).into_value_with(ruby);
                toolbox.freeze();
                toolbox
            }
            Err(problem) => crate::string(ruby, &problem.into_json()),
        })
    }

    fn loaded(ruby: &Ruby, this: &Toolbox) -> Value {
        crate::string(ruby, &this.0.loaded.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn load(
        ruby: &Ruby,
        this: &Toolbox,
        list: Value,
        run: impl FnOnce(&stanchion_wire::Toolbox, &[u8]) -> Answer,
    ) -> Result<Outcome, Error> {
        let answer = run(&this.0.tools, &crate::text_of(ruby, list)?);
        if answer.status == stanchion_wire::Status::Valid {
            *this.0.loaded.lock().unwrap_or_else(PoisonError::into_inner) = answer.text.clone();
        }
        Ok(outcome(ruby, &answer))
    }

    fn replace(ruby: &Ruby, this: &Toolbox, list: Value) -> Result<Outcome, Error> {
        Self::load(ruby, this, list, stanchion_wire::Toolbox::replace)
    }

    fn add(ruby: &Ruby, this: &Toolbox, list: Value) -> Result<Outcome, Error> {
        Self::load(ruby, this, list, stanchion_wire::Toolbox::extend)
    }

    fn list(ruby: &Ruby, this: &Toolbox, version: RString) -> Outcome {
        outcome(ruby, &this.0.tools.list(&crate::bytes(version)))
    }

    fn definition(ruby: &Ruby, this: &Toolbox, name: RString, version: RString) -> Outcome {
        outcome(ruby, &this.0.tools.definition(&crate::bytes(name), &crate::bytes(version)))
    }

    fn check_call(ruby: &Ruby, this: &Toolbox, params: Value, version: RString) -> Result<Outcome, Error> {
        let params = crate::text_of(ruby, params)?;
        Ok(outcome(ruby, &this.0.tools.check_call(&params, &crate::bytes(version))))
    }

    fn fill_call(ruby: &Ruby, this: &Toolbox, params: Value, version: RString) -> Result<Outcome, Error> {
        let params = crate::text_of(ruby, params)?;
        Ok(outcome(ruby, &this.0.tools.fill_call(&params, &crate::bytes(version))))
    }

    fn check_result(
        ruby: &Ruby,
        this: &Toolbox,
        name: RString,
        version: RString,
        result: Value,
    ) -> Result<Outcome, Error> {
        let result = crate::text_of(ruby, result)?;
        Ok(outcome(ruby, &this.0.tools.check_result(&crate::bytes(name), &crate::bytes(version), &result)))
    }

    fn send_result(
        ruby: &Ruby,
        this: &Toolbox,
        name: RString,
        version: RString,
        result: Value,
    ) -> Result<Outcome, Error> {
        let result = crate::text_of(ruby, result)?;
        Ok(outcome(ruby, &this.0.tools.send_result(&crate::bytes(name), &crate::bytes(version), &result)))
    }

    fn profile(ruby: &Ruby, this: &Toolbox) -> Outcome {
        outcome(ruby, &this.0.tools.profile())
    }
}

fn outcome(ruby: &Ruby, answer: &Answer) -> Outcome {
    (ruby.to_symbol(answer.status.name()).as_value(), crate::string(ruby, &answer.text))
}

pub(crate) fn init(ruby: &Ruby, stanchion: RModule) -> Result<(), Error> {
    let class = stanchion.define_class("Toolbox", ruby.class_object())?;
    class.undef_default_alloc_func();
    class.define_singleton_method("compile", function!(Toolbox::compile, 2))?;
    class.define_method("loaded_json", method!(Toolbox::loaded, 0))?;
    class.define_method("replace_json", method!(Toolbox::replace, 1))?;
    class.define_method("add_json", method!(Toolbox::add, 1))?;
    class.define_method("list_json", method!(Toolbox::list, 1))?;
    class.define_method("definition_json", method!(Toolbox::definition, 2))?;
    class.define_method("check_call_json", method!(Toolbox::check_call, 2))?;
    class.define_method("fill_call_json", method!(Toolbox::fill_call, 2))?;
    class.define_method("check_result_json", method!(Toolbox::check_result, 3))?;
    class.define_method("send_result_json", method!(Toolbox::send_result, 3))?;
    class.define_method("profile_json", method!(Toolbox::profile, 0))
}
