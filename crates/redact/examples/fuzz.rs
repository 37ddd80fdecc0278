//! Throws mutated texts at the gate and the scanner: `fuzz SECONDS [SEED]`. Looks for panics, for a gate that lets out what it would
//! find itself, and for texts that take too long. Prints what it did.
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::time::{Duration, Instant};

use vib_redact::template::expand;
use vib_redact::{Gate, PrivacyContext, Scanner};

#[path = "../tests/cases/mod.rs"]
mod cases;
#[path = "../tests/dense/mod.rs"]
mod dense;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }
}

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|arg| arg.parse::<u64>().ok());
    let (seconds, seed) = (args.next().unwrap_or(60), args.next().unwrap_or(1));
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut seeds: Vec<String> = cases::cases(include_str!("../tests/data/classes-open.txt"), 2)
        .into_iter()
        .map(|case| case.text)
        .collect();
    for (number, (_, shape)) in dense::SHAPES.iter().enumerate() {
        seeds.push(dense::text(*shape, 200 + number));
    }
    for rule in Scanner::shared().rules() {
        seeds.extend(rule.examples.iter().map(|example| expand(example, 1)));
    }
    let signs = [
        "\n",
        "\"",
        "'",
        "`",
        "\\",
        "%",
        "&#",
        "&quot;",
        ";",
        "=",
        ":",
        " ",
        "\0",
        "+",
        "-----END RSA PRIVATE KEY-----",
        "：",
        "「",
        "密码",
        "[redacted:x#1]",
        "{",
        "}",
        "\u{1b}[31m",
        "password",
        "key",
        "=\"",
        "0000: 4141 4242",
    ];
    let (started, until) = (Instant::now(), Duration::from_secs(seconds));
    let (mut tried, mut bytes, mut withheld, mut slowest) = (0_u64, 0_u64, 0_u64, (Duration::ZERO, 0));
    while started.elapsed() < until {
        let mut text = String::new();
        for _ in 0..1 + dice.roll(6) {
            let seed = &seeds[dice.roll(seeds.len())];
            let at = floor(seed, dice.roll(seed.len() + 1));
            text.push_str(if dice.roll(3) == 0 { &seed[at..] } else { seed });
            for _ in 0..dice.roll(5) {
                let place = floor(&text, dice.roll(text.len() + 1));
                match dice.roll(3) {
                    0 => text.insert_str(place, signs[dice.roll(signs.len())]),
                    1 => text.insert(place, char::from(32 + dice.roll(95) as u8)),
                    _ => {
                        if let Some(letter) = text[place..].chars().next() {
                            text.replace_range(place..place + letter.len_utf8(), "");
                        }
                    }
                }
            }
        }
        let begun = Instant::now();
        let clean = Gate::new(PrivacyContext { home: Some("/home/ana".into()), ..PrivacyContext::default() })
            .clean(&text);
        let found = Scanner::shared().scan(&text, Some("src/a.rs"));
        for finding in &found {
            assert!(finding.start < finding.end && finding.end <= text.len(), "{text:?}");
        }
        let took = begun.elapsed();
        let again = Gate::new(PrivacyContext::default()).clean(clean.as_str());
        assert_eq!(again.counts().secrets, 0, "{text:?} -> {clean} -> {again}");
        tried += 1;
        bytes += text.len() as u64;
        withheld += u64::from(clean.counts().withheld);
        if took > slowest.0 {
            slowest = (took, text.len());
        }
    }
    println!(
        "{tried} texts, {bytes} bytes, {withheld} withheld, slowest {:?} for {} bytes",
        slowest.0, slowest.1
    );
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
