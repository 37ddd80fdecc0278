//! How long does a merge of long files take? `cargo run --release -p vib-change --example speed`
#![expect(clippy::print_stdout, reason = "a measurement for people")]

use std::time::Instant;

use change::merge::merge;

/// So many lines out of so many different ones, always the same.
fn lines(count: u64, kinds: u64, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut out = String::new();
    for _ in 0..count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        out.push_str(&format!("    let value_{} = 0;\n", (state >> 33) % kinds));
    }
    out.into_bytes()
}

fn main() {
    for count in [10_000, 40_000, 160_000] {
        let same = lines(count, 1 << 30, 1);
        let other = [&same[..same.len() / 2], b"one more\n", &same[same.len() / 2..]].concat();
        for (what, base, ours, theirs) in [
            ("one edit each", same.clone(), [&same[..], b"end\n"].concat(), other),
            ("nothing in common", same.clone(), lines(count, 1 << 30, 2), lines(count, 1 << 30, 3)),
            ("few kinds of lines", lines(count, 50, 1), lines(count, 50, 2), lines(count, 50, 3)),
            ("two kinds of lines", lines(count, 2, 1), lines(count, 2, 2), lines(count, 2, 3)),
            ("shuffled", lines(count, count / 2, 1), lines(count, count / 2, 2), lines(count, count / 2, 3)),
        ] {
            let started = Instant::now();
            let merged = merge(&base, &ours, &theirs);
            println!(
                "{count:>8} lines {:>9} bytes  {what:<20} {:>10.1?}  {} pieces",
                base.len(),
                started.elapsed(),
                merged.pieces().len()
            );
        }
    }
}
