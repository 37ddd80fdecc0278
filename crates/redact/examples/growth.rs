//! How the gate's and the scanner's work grows with the length of a text: ×1, ×2, ×4 of texts that are full of secrets.
//!
//! `cargo run --release -p vib-redact --example growth [KB]`

use std::io::Write;
use std::time::Duration;

use vib_redact::{Gate, PrivacyContext, Scanner};

#[path = "../tests/dense/mod.rs"]
mod dense;

fn main() -> std::io::Result<()> {
    let kilobytes = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(256_usize);
    let only = std::env::args().nth(2);
    let mut out = std::io::stdout();
    writeln!(
        out,
        "{:34}{:>12}{:>12}{:>12}{:>9}{:>12}{:>12}",
        "gate", "x1 ms", "x2 ms", "x4 ms", "x4/x1", "MB/s", "report MB/s"
    )?;
    for (name, make) in dense::SHAPES {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let mut times = Vec::new();
        let mut report = 0.0;
        for factor in [1, 2, 4] {
            let text = dense::text(*make, factor * (kilobytes << 10));
            let context = PrivacyContext {
                home: Some("/home/ana".to_owned()),
                user: Some("ana".to_owned()),
                ..PrivacyContext::default()
            };
            let started = on_the_processor();
            let clean = Gate::new(context).clean(&text);
            times.push((on_the_processor() - started).as_secs_f64() * 1000.0);
            std::hint::black_box(clean);
            let started = on_the_processor();
            std::hint::black_box(Scanner::shared().scan(&text, None));
            report = text.len() as f64 / 1e6 / (on_the_processor() - started).as_secs_f64();
        }
        let speed = 4.0 * kilobytes as f64 * 1024.0 / 1e6 / (times[2] / 1000.0);
        writeln!(
            out,
            "{name:34}{:12.0}{:12.0}{:12.0}{:9.1}{speed:12.2}{report:12.2}",
            times[0],
            times[1],
            times[2],
            times[2] / times[0]
        )?;
    }
    Ok(())
}

/// The time that this thread worked: other work on the machine does not count.
fn on_the_processor() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = told.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default();
    Duration::from_nanos(nanos)
}
