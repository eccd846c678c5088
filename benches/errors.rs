//! Time to report errors, on the invalid instances of each set: `errors/<set>/verdict` is the
//! verdict alone, `errors/<set>/first` the first error, `errors/<set>/all` all errors,
//! `errors/<set>/text` all errors formatted, and `errors/<set>/model` the text for a model.
//!
//! The target: `first` takes at most five times `verdict`, plus the time to build the error.

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::Value;
use stanchion::{References, Validator, Verdict};
use stanchion_benches::sets;

fn errors(criterion: &mut Criterion) {
    for set in sets() {
        let validator = Validator::builder().references(References::Bundled).build(&set.schema).unwrap();
        let wrong: Vec<&Value> =
            set.instances.iter().filter(|(_, valid)| !valid).map(|(instance, _)| instance).collect();
        for instance in &wrong {
            assert_eq!(validator.verdict(*instance), Verdict::Invalid, "{}", set.name);
        }
        let mut group = criterion.benchmark_group(format!("errors/{}", set.name));
        group.bench_function("verdict", |bencher| {
            bencher.iter(|| wrong.iter().filter(|instance| validator.is_valid(**instance)).count());
        });
        group.bench_function("first", |bencher| {
            bencher.iter(|| wrong.iter().filter(|instance| validator.validate(**instance).is_err()).count());
        });
        group.bench_function("all", |bencher| {
            bencher.iter(|| {
                wrong.iter().map(|instance| validator.iter_errors(*instance).count()).sum::<usize>()
            });
        });
        group.bench_function("text", |bencher| {
            bencher.iter(|| -> usize {
                wrong.iter().map(|instance| validator.iter_errors(*instance).to_string().len()).sum()
            });
        });
        group.bench_function("model", |bencher| {
            bencher.iter(|| -> usize {
                wrong.iter().map(|instance| validator.iter_errors(*instance).for_model(1000).len()).sum()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, errors);
criterion_main!(benches);
