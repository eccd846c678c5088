//! Time for a verdict: `run/<set>/value` on a parsed value, `run/<set>/tape` on a tape,
//! `run/<set>/errors` with the errors.
//!
//! Each iteration validates all instances of the set. Verdicts are checked before they are timed.

use criterion::{Criterion, criterion_group, criterion_main};
use stanchion::{References, TapeNode, Validator, Verdict};
use stanchion_benches::{Set, sets};

fn run(criterion: &mut Criterion) {
    for set in sets() {
        let validator = Validator::builder().references(References::Bundled).build(&set.schema).unwrap();
        check(&set, &validator);

        let mut group = criterion.benchmark_group(format!("run/{}", set.name));
        group.bench_function("value", |bencher| {
            bencher
                .iter(|| set.instances.iter().filter(|(instance, _)| validator.is_valid(instance)).count());
        });
        let mut bytes: Vec<Vec<u8>> =
            set.instances.iter().map(|(instance, _)| serde_json::to_vec(instance).unwrap()).collect();
        let tapes: Vec<_> = bytes.iter_mut().map(|bytes| simd_json::to_tape(bytes).unwrap()).collect();
        group.bench_function("tape", |bencher| {
            bencher.iter(|| tapes.iter().filter(|tape| validator.is_valid(TapeNode::from(*tape))).count());
        });
        group.bench_function("errors", |bencher| {
            bencher.iter(|| -> usize {
                set.instances.iter().map(|(instance, _)| validator.iter_errors(instance).count()).sum()
            });
        });
        group.finish();
    }
}

/// Checks that the verdicts are right.
fn check(set: &Set, validator: &Validator) {
    for (instance, valid) in &set.instances {
        let want = if *valid { Verdict::Valid } else { Verdict::Invalid };
        assert_eq!(validator.verdict(instance), want, "{}", set.name);
    }
}

criterion_group!(benches, run);
criterion_main!(benches);
