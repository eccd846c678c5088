//! Runs scripts of calls (`suite/src/wire.rs` says what is in one) through the wasm module by wasmi: `stanchion-wasmi-test MODULE SCRIPT…`.
//!
//! It is a host that shares nothing with JavaScript, and an interpreter that shares nothing with V8: what both agree on is in the module.

use std::error::Error;
use std::{env, fs};
use wasmi::{Engine, Instance, Linker, Memory, Module, Store, StoreLimits, StoreLimitsBuilder, Val};

type Failure = Box<dyn Error>;

/// An instance of the module.
struct Stanchion {
    store: Store<StoreLimits>,
    instance: Instance,
    memory: Memory,
    input: usize,
    capacity: usize,
    validator: i32,
    toolbox: i32,
}

impl Stanchion {
    /// Makes an instance in a host that allows so much memory.
    fn new(bytes: &[u8], memory: usize) -> Result<Stanchion, Failure> {
        let engine = Engine::default();
        let module = Module::new(&engine, bytes)?;
        assert_eq!(module.imports().count(), 0, "nothing is imported");
        let mut store = Store::new(&engine, StoreLimitsBuilder::new().memory_size(memory).build());
        store.limiter(|limits| limits);
        let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module)?;
        let memory = instance.get_memory(&store, "memory").ok_or("no memory")?;
        let mut stanchion =
            Stanchion { store, instance, memory, input: 0, capacity: 0, validator: 0, toolbox: 0 };
        let seeds = [1_i64, 2, 3, 4].map(Val::I64);
        assert_eq!(stanchion.call("stanchion_seed", &seeds)?, 0);
        Ok(stanchion)
    }

    fn call(&mut self, name: &str, arguments: &[Val]) -> Result<i32, Failure> {
        let function =
            self.instance.get_func(&self.store, name).ok_or_else(|| format!("no function {name}"))?;
        let mut results = [Val::I32(0)];
        function.call(&mut self.store, arguments, &mut results)?;
        match results {
            [Val::I32(number)] => Ok(number),
            [_] => Err(format!("{name} returns no i32").into()),
        }
    }

    /// Writes texts into the input, one behind the other. Returns their lengths.
    fn write(&mut self, texts: &[&[u8]]) -> Result<Vec<Val>, Failure> {
        let all = texts.concat();
        if all.len() > self.capacity {
            self.input = self.call("stanchion_input", &[Val::I32(all.len() as i32)])? as u32 as usize;
            self.capacity = all.len();
            assert_ne!(self.input, 0, "there is memory for {} bytes", all.len());
        }
        self.memory.write(&mut self.store, self.input, &all)?;
        Ok(texts.iter().map(|text| Val::I32(text.len() as i32)).collect())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Failure> {
        let address = self.call("stanchion_answer", &[])? as u32 as usize;
        let length = self.call("stanchion_answer_len", &[])? as u32 as usize;
        let mut text = vec![0; length];
        self.memory.read(&self.store, address, &mut text)?;
        Ok(text)
    }

    /// Calls a function with a handle, the lengths of texts, and more.
    fn ask(&mut self, name: &str, handle: i32, texts: &[&[u8]], more: &[Val]) -> Result<i32, Failure> {
        let mut arguments = vec![Val::I32(handle)];
        arguments.extend(self.write(texts)?);
        arguments.extend(more.iter().cloned());
        self.call(&format!("stanchion_{name}"), &arguments)
    }

    /// Makes a call of a script. Returns its status.
    fn run(&mut self, code: u8, [a, b, c]: [&[u8]; 3], [x, y]: [u64; 2]) -> Result<i32, Failure> {
        let (validator, toolbox) = (self.validator, self.toolbox);
        let made = |handle: i32| if handle < 8 { handle } else { 0 };
        match code {
            0 => {
                self.call("stanchion_validator_free", &[Val::I32(validator)])?;
                let lengths = self.write(&[a, b])?;
                self.validator = self.call("stanchion_validator_new", &lengths)?;
                Ok(made(self.validator))
            }
            1 => self.ask("check", validator, &[a], &[]),
            2 => self.ask("measure", validator, &[a], &[]),
            3 => self.ask("explain", validator, &[a], &[]),
            4 => self.ask("explain_first", validator, &[a], &[]),
            5 => self.ask("explain_in_full", validator, &[a], &[]),
            6 => self.ask("for_model", validator, &[a], &[Val::I32(x as i32)]),
            7 => self.ask("output", validator, &[a], &[Val::I32(x as i32)]),
            8 => self.ask("annotations", validator, &[a], &[]),
            9 => self.ask("cost", validator, &[], &[Val::I64(x as i64), Val::I64(y as i64)]),
            10 => self.ask("size", validator, &[], &[]),
            11 => self.ask("program", validator, &[], &[]),
            12 => {
                let lengths = self.write(&[a, b])?;
                self.call("stanchion_diagnose", &lengths)
            }
            13 => {
                self.call("stanchion_toolbox_free", &[Val::I32(toolbox)])?;
                let lengths = self.write(&[a, b])?;
                self.toolbox = self.call("stanchion_toolbox_new", &lengths)?;
                Ok(made(self.toolbox))
            }
            14 => self.ask("toolbox_replace", toolbox, &[a], &[]),
            15 => self.ask("toolbox_extend", toolbox, &[a], &[]),
            16 => self.ask("toolbox_list", toolbox, &[a], &[]),
            17 => self.ask("toolbox_definition", toolbox, &[a, b], &[]),
            18 => self.ask("toolbox_check_call", toolbox, &[a, b], &[]),
            19 => self.ask("toolbox_fill_call", toolbox, &[a, b], &[]),
            20 => self.ask("toolbox_check_result", toolbox, &[a, b, c], &[]),
            21 => self.ask("toolbox_send_result", toolbox, &[a, b, c], &[]),
            22 => self.ask("toolbox_profile", toolbox, &[], &[]),
            _ => Err(format!("function {code} is not known").into()),
        }
    }
}

/// What is left of a script.
struct Script<'s>(&'s [u8]);

impl<'s> Script<'s> {
    fn bytes(&mut self, count: usize) -> Result<&'s [u8], Failure> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or("the script ends too early")?;
        self.0 = rest;
        Ok(bytes)
    }

    fn number(&mut self, bytes: usize) -> Result<u64, Failure> {
        Ok(self.bytes(bytes)?.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn text(&mut self) -> Result<&'s [u8], Failure> {
        let length = self.number(4)?;
        self.bytes(length as usize)
    }
}

/// As much memory as the module ever asks for.
const ALL_MEMORY: usize = 1 << 30;

/// A host with little memory: the module that knows of it answers that there is not enough, and goes on. One that does not know traps, the host
/// gets an error, and every later call is misuse and says why.
fn run_out_of_memory(module: &[u8]) -> Result<(), Failure> {
    const LITTLE: usize = 160 << 20;
    const UNDECIDED: i32 = 3;
    const MISUSE: i32 = 5;
    let large = format!("{{\"const\": \"{}\"}}", "x".repeat(1 << 18)).into_bytes();
    for is_told in [true, false] {
        let mut stanchion = Stanchion::new(module, LITTLE)?;
        if is_told {
            stanchion.call("stanchion_memory_limit", &[Val::I32(LITTLE as i32)])?;
        }
        // A text for which there is no memory has no place in the input, and nothing else happens.
        assert_eq!(stanchion.call("stanchion_input", &[Val::I32(2 * LITTLE as i32)])?, 0);
        let mut held = Vec::new();
        let last = loop {
            let lengths = stanchion.write(&[&large, br#"{"cache": false}"#])?;
            match stanchion.call("stanchion_validator_new", &lengths) {
                Ok(validator @ 8..) if held.len() * large.len() < LITTLE => held.push(validator),
                last => break last,
            }
        };
        match (is_told, last) {
            (true, Ok(UNDECIDED)) => {
                assert!(String::from_utf8(stanchion.answer()?)?.contains("there is no memory left"));
                assert!(held.len() > 10);
                for validator in held {
                    assert_eq!(stanchion.call("stanchion_validator_free", &[Val::I32(validator)])?, 0);
                }
                let lengths = stanchion.write(&[b"{}", b""])?;
                let small = stanchion.call("stanchion_validator_new", &lengths)?;
                assert_eq!(stanchion.ask("check", small, &[b"1"], &[])?, 0);
            }
            (false, Err(_)) => {
                assert_eq!(stanchion.call("stanchion_check", &[Val::I32(8), Val::I32(1)])?, MISUSE);
                assert!(String::from_utf8(stanchion.answer()?)?.contains("take a new instance"));
            }
            (_, last) => return Err(format!("told {is_told}: {last:?}").into()),
        }
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let mut arguments = env::args().skip(1);
    let module = fs::read(arguments.next().ok_or("usage: stanchion-wasmi-test MODULE SCRIPT…")?)?;
    run_out_of_memory(&module)?;
    let mut failed = 0;
    for file in arguments {
        let content = fs::read(&file)?;
        let mut script = Script(&content);
        let mut stanchion = Stanchion::new(&module, ALL_MEMORY)?;
        let calls = script.number(4)?;
        for _ in 0..calls {
            let code = script.number(1)? as u8;
            let (statuses, is_pinned) = (script.number(1)?, script.number(1)? == 1);
            let numbers = [script.number(8)?, script.number(8)?];
            let name = String::from_utf8_lossy(script.text()?);
            let texts = [script.text()?, script.text()?, script.text()?];
            let expected = script.text()?;
            let status = stanchion
                .run(code, texts, numbers)
                .map_err(|error| format!("{name}: function {code}: {error}"))?;
            let is_right = statuses >> status & 1 == 1 && (!is_pinned || stanchion.answer()? == expected);
            if !is_right {
                failed += 1;
                let answer = stanchion.answer()?;
                println!("{name}: function {code}: status {status}, {}", String::from_utf8_lossy(&answer));
            }
        }
        println!("{file}: {calls} calls");
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} calls failed").into()) }
}
