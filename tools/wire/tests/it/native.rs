//! The crate itself as a binding.

use stanchion_suite::wire::{Binding, Request};
use stanchion_wire::{Answer, Output, Status, Toolbox, Validator};

/// Calls the crate.
#[derive(Default)]
pub(crate) struct Native {
    validator: Option<Validator>,
    toolbox: Option<Toolbox>,
}

impl Binding for Native {
    fn call(&mut self, request: &Request) -> (usize, Vec<u8>) {
        let Request { function, texts: [first, second, third], numbers: [x, y] } = request;
        if function.starts_with("toolbox_") {
            let answer = self.toolbox_call(function, [first, second, third]);
            return (answer.status as usize, answer.text);
        }
        let answer = match (*function, &self.validator) {
            ("new", _) => match Validator::new(first, second) {
                Ok(validator) => {
                    self.validator = Some(validator);
                    Answer { status: Status::Valid, text: Vec::new() }
                }
                Err(problem) => {
                    self.validator = None;
                    problem.into()
                }
            },
            ("diagnose", _) => Validator::diagnose(first, second),
            (_, None) => Answer { status: Status::Misuse, text: Vec::new() },
            ("check", Some(validator)) => Answer { status: validator.check(first), text: Vec::new() },
            ("measure", Some(validator)) => {
                let (status, steps) = validator.measure(first);
                Answer { status, text: steps.to_string().into_bytes() }
            }
            ("explain", Some(validator)) => validator.explain(first),
            ("explain_first", Some(validator)) => validator.explain_first(first),
            ("explain_in_full", Some(validator)) => validator.explain_in_full(first),
            ("for_model", Some(validator)) => validator.for_model(first, *x as usize),
            ("output", Some(validator)) => {
                validator.output(first, Output::from_number(*x as u32).expect("a format"))
            }
            ("annotations", Some(validator)) => validator.annotations(first),
            ("cost", Some(validator)) => validator.cost(*x, *y),
            ("size", Some(validator)) => validator.size(),
            ("program", Some(validator)) => validator.program(),
            (unknown, Some(_)) => panic!("{unknown} is no function"),
        };
        (answer.status as usize, answer.text)
    }
}

impl Native {
    fn toolbox_call(&mut self, function: &str, [first, second, third]: [&[u8]; 3]) -> Answer {
        if function == "toolbox_new" {
            return match Toolbox::new(first, second) {
                Ok((toolbox, loaded)) => {
                    self.toolbox = Some(toolbox);
                    loaded
                }
                Err(problem) => {
                    self.toolbox = None;
                    problem.into()
                }
            };
        }
        let Some(toolbox) = &self.toolbox else {
            return Answer { status: Status::Misuse, text: Vec::new() };
        };
        match function {
            "toolbox_replace" => toolbox.replace(first),
            "toolbox_extend" => toolbox.extend(first),
            "toolbox_list" => toolbox.list(first),
            "toolbox_definition" => toolbox.definition(first, second),
            "toolbox_check_call" => toolbox.check_call(first, second),
            "toolbox_fill_call" => toolbox.fill_call(first, second),
            "toolbox_check_result" => toolbox.check_result(first, second, third),
            "toolbox_send_result" => toolbox.send_result(first, second, third),
            "toolbox_profile" => toolbox.profile(),
            unknown => panic!("{unknown} is no function"),
        }
    }
}
