//! Time that an SDK waits. `mcp/load/…` is a whole list of tools, `mcp/median/…` the tool whose
//! schema is of median size.
//!
//! The tools come from a file of JSON lines, `{"server", "tool", "inputSchema", "outputSchema"?}`,
//! that `STANCHION_TOOLS` names or that is beside the workspace; without one, they are copies of a
//! tool of our own. Times are CPU times. Calls have a value for every property, and are checked
//! before they are timed.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use serde_json::{Map, Value, json};
use stanchion_benches::clock::cpu_time;
use stanchion_benches::sets;
use stanchion_mcp::{Compiler, InputSchema, Profile, Tool, Toolbox};
use std::env;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn tools_file() -> Option<PathBuf> {
    let beside = || {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
        Some(workspace.parent()?.join("shared").join("corpus").join("mcp-tools.jsonl"))
    };
    env::var_os("STANCHION_TOOLS").map(PathBuf::from).or_else(beside).filter(|path| path.exists())
}

/// Returns definitions as in `tools/list`, with unique names.
fn definitions() -> Vec<Value> {
    let Some(path) = tools_file() else {
        let set = sets().into_iter().find(|set| set.name == "mcp").expect("a set of tool calls");
        return (0..100)
            .map(|index| json!({"name": format!("tool-{index}"), "inputSchema": set.schema}))
            .collect();
    };
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let definition = |(index, line): (usize, &str)| {
        let mut tool: Map<String, Value> = serde_json::from_str(line).expect("a tool");
        tool.remove("server");
        let name = tool.remove("tool").unwrap_or_default();
        tool.insert("name".to_owned(), format!("{index} {name}").into());
        Value::Object(tool)
    };
    text.lines().enumerate().map(definition).collect()
}

fn load(criterion: &mut Criterion<CpuTime>) {
    let definitions = definitions();
    let mut group = criterion.benchmark_group(format!("mcp/load {} tools", definitions.len()));
    group.sample_size(20);
    let shared = Compiler::new(Profile::lenient());
    // The rest of a list is dropped after the clock has stopped.
    let whole = |toolbox: Toolbox, definitions: Vec<Value>| {
        let loaded = toolbox.replace(definitions);
        assert!(loaded.refused.is_empty(), "{:?}", loaded.refused);
        (toolbox, loaded)
    };
    let (again, _) = whole(Toolbox::sharing(&shared), definitions.clone());

    let clone = || definitions.clone();
    group.bench_function("cold", |bencher| {
        let load = |list| whole(Toolbox::new(Profile::lenient()), list);
        bencher.iter_batched(clone, load, BatchSize::PerIteration);
    });
    group.bench_function("from the cache", |bencher| {
        bencher.iter_batched(clone, |list| whole(Toolbox::sharing(&shared), list), BatchSize::PerIteration);
    });
    group.bench_function("unchanged", |bencher| {
        bencher.iter_batched(clone, |list| again.replace(list).unchanged, BatchSize::PerIteration);
    });
    group.finish();
}

fn median(criterion: &mut Criterion<CpuTime>) {
    let toolbox = Toolbox::new(Profile::lenient());
    toolbox.replace(definitions());
    let mut calls: Vec<(Tool, Value)> = toolbox
        .tools()
        .into_iter()
        .map(|tool| (tool.clone(), sample(tool.input().schema(), tool.input().schema(), 0)))
        .filter(|(tool, call)| tool.check_call(Some(call)).is_ok())
        .collect();
    calls.sort_by_key(|(tool, _)| tool.input().text().len());
    let (tool, call) = &calls[calls.len() / 2];
    println!(
        "{} of {} tools have a call; the median is {}: schema of {} bytes, call {call}",
        calls.len(),
        toolbox.len(),
        tool.name(),
        tool.input().text().len(),
    );
    let mut group = criterion.benchmark_group("mcp/median");
    group.bench_function("check_call", |bencher| {
        bencher.iter(|| tool.check_call(Some(black_box(call))).is_ok())
    });
    group.bench_function("check_call by name", |bencher| {
        bencher.iter(|| toolbox.check_call(black_box(tool.name()), Some(black_box(call))).is_ok());
    });
    let wrong = broken(call);
    assert!(tool.check_call(Some(&wrong)).is_err(), "{wrong}");
    group.bench_function("check_call refused, with its text", |bencher| {
        bencher.iter(|| tool.check_call(Some(black_box(&wrong))).map_err(|error| error.to_string()));
    });
    let profile = Profile::lenient();
    let schema = tool.input().schema();
    group.bench_function("compile", |bencher| {
        bencher.iter_batched(
            || schema.clone(),
            |schema| InputSchema::with(&profile, schema),
            BatchSize::SmallInput,
        );
    });
    let compiler = Compiler::new(Profile::lenient());
    group.bench_function("compile from the cache", |bencher| {
        bencher.iter_batched(|| schema.clone(), |schema| compiler.input(schema), BatchSize::SmallInput);
    });
    group.finish();

    let mut group = criterion.benchmark_group(format!("mcp/all {} calls", calls.len()));
    group.bench_function("check_call", |bencher| {
        bencher.iter(|| calls.iter().filter(|(tool, call)| tool.check_call(Some(call)).is_ok()).count());
    });
    group.finish();
}

/// Returns a call whose first value has another type.
fn broken(call: &Value) -> Value {
    let mut call = call.clone();
    if let Some(first) = call.as_object_mut().and_then(|members| members.values_mut().next()) {
        *first = if first.is_array() { json!({}) } else { json!([[]]) };
    }
    call
}

/// Returns a value that mostly conforms: the first allowed choice, and every property.
fn sample(schema: &Value, root: &Value, depth: usize) -> Value {
    let inside = |schema: &Value| if depth < 8 { sample(schema, root, depth + 1) } else { Value::Null };
    let count = |keyword: &str| schema[keyword].as_u64().map(|count| usize::try_from(count).unwrap_or(0));
    if let Some(value) =
        schema.get("const").or_else(|| schema["enum"].get(0)).or_else(|| schema.get("default"))
    {
        return value.clone();
    }
    let target = schema["$ref"].as_str().and_then(|target| root.pointer(target.strip_prefix('#')?));
    let branch = ["anyOf", "oneOf", "allOf"].iter().find_map(|keyword| schema[*keyword].get(0));
    if let Some(schema) = target.or(branch.filter(|_| schema.get("properties").is_none())) {
        return inside(schema);
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    match kind {
        Some("string") => "a".repeat(count("minLength").unwrap_or(0).clamp(8, 1000)).into(),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        Some("boolean") => json!(true),
        Some("array") => vec![inside(&schema["items"]); count("minItems").unwrap_or(0).clamp(1, 20)].into(),
        Some("null") => Value::Null,
        Some(_) | None => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            properties.map(|(name, schema)| (name.clone(), inside(schema))).collect()
        }
    }
}

/// A criterion measurement of this thread's CPU time, for a machine that may have other work.
struct CpuTime;

impl Measurement for CpuTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        cpu_time()
    }

    fn end(&self, start: Duration) -> Duration {
        cpu_time() - start
    }

    fn add(&self, one: &Duration, other: &Duration) -> Duration {
        *one + *other
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime);
    targets = load, median
}
criterion_main!(benches);
