//! Time to compile a schema: `compile/<set>`.

use criterion::{Criterion, criterion_group, criterion_main};
use stanchion::{References, Validator};
use stanchion_benches::sets;

fn compile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("compile");
    let builder = Validator::builder().references(References::Bundled);
    for set in sets() {
        group.bench_function(set.name, |bencher| bencher.iter(|| builder.build(&set.schema).unwrap()));
    }
    group.finish();
}

criterion_group!(benches, compile);
criterion_main!(benches);
