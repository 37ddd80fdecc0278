//! How the work on one file grows with its length, for texts that are made to be slow: `cargo run -p vib-map --example growth [KB]`.
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::time::Instant;

#[path = "../tests/hostile/mod.rs"]
mod hostile;

fn main() {
    let kilobytes: usize = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(50);
    println!("{:44}{:>10}{:>10}{:>10}  unread", "one file", "x1 ms", "x2 ms", "x4 ms");
    let only = std::env::args().nth(2).unwrap_or_default();
    for (name, language, make) in hostile::SHAPES.iter().filter(|(name, ..)| name.contains(only.as_str())) {
        let mut last = None;
        let times = [1, 2, 4].map(|factor| {
            let text = make((factor * kilobytes) << 10);
            let started = Instant::now();
            last = map::outline(*language, text.as_bytes()).unread;
            started.elapsed().as_millis()
        });
        println!("{name:44}{:10}{:10}{:10}  {last:?}", times[0], times[1], times[2]);
    }
}
