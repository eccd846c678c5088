//! Hits of a cache in a second, on one thread and on two.
//!
//! ```sh
//! cargo bench -p stanchion-benches --bench cache
//! ```
//!
//! Each thread asks for one of sixteen schemas after the other, all of which are there: small ones, and
//! tool definitions of our own. Rounds on one and on two threads alternate, and the best of each
//! counts. «CPU» divides by the CPU time of a thread, which does not grow when other programs run;
//! «clock» by the time that passed.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stanchion::Cache;
use stanchion_benches::clock::cpu_time;
use stanchion_benches::sets;

/// Schemas that a thread asks for in turn.
const SCHEMAS: usize = 16;

/// Rounds of each number of threads.
const ROUNDS: usize = 15;

/// Hits of a thread in a round.
const HITS: u32 = 200_000;

/// Hits in a second.
#[derive(Clone, Copy, Default)]
struct Rate {
    cpu: f64,
    clock: f64,
}

fn small(index: usize) -> Value {
    json!({"type": "object", "properties": {"a": {"type": "string", "minLength": index}}, "required": ["a"]})
}

fn tool(index: usize) -> Value {
    let mut schema = sets::by_name("mcp").expect("a set of tool calls").schema;
    schema["title"] = index.to_string().into();
    schema
}

/// Asks the cache on so many threads at once.
fn round(cache: &Cache, schemas: &[Value], threads: u32) -> Rate {
    let ask = || {
        let start = cpu_time();
        for hit in 0..HITS as usize {
            black_box(cache.get_or_build(&schemas[hit % SCHEMAS]).expect("a schema that is there"));
        }
        cpu_time() - start
    };
    let start = Instant::now();
    let spent: Duration = thread::scope(|scope| {
        let asking: Vec<_> = (0..threads).map(|_| scope.spawn(ask)).collect();
        asking.into_iter().map(|thread| thread.join().expect("a thread")).sum()
    });
    let hits = f64::from(HITS * threads);
    // Threads on cores of their own have their CPU time at the same time.
    Rate {
        cpu: hits / (spent.as_secs_f64() / f64::from(threads)),
        clock: hits / start.elapsed().as_secs_f64(),
    }
}

fn main() {
    println!("{:24} {:>10} {:>14} {:>14}", "million hits a second", "threads", "CPU", "clock");
    for (name, schema) in [("small schemas", small as fn(usize) -> Value), ("tool schemas", tool)] {
        let cache = Cache::default();
        let schemas: Vec<Value> = (0..SCHEMAS).map(schema).collect();
        for schema in &schemas {
            cache.get_or_build(schema).expect("a schema");
        }
        let mut best = [Rate::default(); 2];
        for _ in 0..ROUNDS {
            for (best, threads) in best.iter_mut().zip(1..) {
                let rate = round(&cache, &schemas, threads);
                *best = Rate { cpu: best.cpu.max(rate.cpu), clock: best.clock.max(rate.clock) };
            }
        }
        for (best, threads) in best.iter().zip(1..) {
            println!("{name:24} {threads:>10} {:>14.2} {:>14.2}", best.cpu / 1e6, best.clock / 1e6);
        }
        assert_eq!(cache.len(), SCHEMAS);
    }
}
