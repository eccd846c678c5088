//! Time from JSON text to a verdict: `text/<set>`.
//!
//! Each iteration validates all instances of the set, with one reader. Verdicts are checked before
//! they are timed.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stanchion::{Reader, References, Validator, Verdict};
use stanchion_benches::sets;
use std::hint::black_box;

fn text(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("text");
    for set in sets() {
        let validator = Validator::builder().references(References::Bundled).build(&set.schema).unwrap();
        let texts: Vec<Vec<u8>> =
            set.instances.iter().map(|(instance, _)| serde_json::to_vec(instance).unwrap()).collect();
        let mut reader = Reader::new();
        for ((_, valid), text) in set.instances.iter().zip(&texts) {
            let want = if *valid { Verdict::Valid } else { Verdict::Invalid };
            assert_eq!(validator.verdict_json_with(&mut reader, text).unwrap(), want, "{}", set.name);
        }
        group.throughput(Throughput::Bytes(texts.iter().map(|text| text.len() as u64).sum()));
        group.bench_function(set.name, |bencher| {
            bencher.iter(|| {
                for text in &texts {
                    black_box(validator.verdict_json_with(&mut reader, text).unwrap());
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, text);
criterion_main!(benches);
