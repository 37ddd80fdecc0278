//! Mutates the golden cases for a while and looks for panics, broken promises and slow answers.
//!
//! `cargo run -p vib-patch --example fuzz -- [SECONDS] [SEED]`: ten minutes if nothing is said. A finding is written to
//! `fuzz-SEED-NUMBER.{patch,original}` in the current folder, and the exit code is 1.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a tool for people")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// An answer that takes longer than this is a finding.
const SLOW: Duration = Duration::from_secs(5);

const TOKENS: [&str; 30] = [
    "--- a/x\n",
    "+++ b/x\n",
    "@@ -1,3 +1,4 @@\n",
    "@@\n",
    "@@ ... @@\n",
    "@@ -0,0 +1 @@\n",
    "diff --git a/x b/x\n",
    "rename from x\n",
    "rename to y\n",
    "Binary files a/x and b/x differ\n",
    "GIT binary patch\n",
    "new file mode 100644\n",
    "\\ No newline at end of file\n",
    "```diff\n",
    "```\n",
    "*** Begin Patch\n",
    "*** Update File: x\n",
    "*** End of File\n",
    "*** End Patch\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    " ...\n",
    "// ... existing code ...\n",
    "\t",
    "\r",
    "“",
    "\u{feff}",
    "// VIBE-KEEP START a\n",
    "# VIBE-KEEP END a\n",
];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.next() % limit as u64) as usize }
    }
}

fn cases() -> Vec<(Vec<u8>, Vec<u8>)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let section = |case: &str, name: &str| -> Option<Vec<u8>> {
        let head = format!("=== {name}\n");
        let rest = &case[case.find(&head)? + head.len()..];
        let text = &rest[..rest.find("\n=== ").map_or(rest.len(), |at| at + 1)];
        let text = text.replace('␍', "\r").replace('⇥', "\t").replace('␠', " ").replace("¬\n", "");
        Some(text.into_bytes())
    };
    std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            let case = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            Some((section(&case, "original")?, section(&case, "patch")?))
        })
        .collect()
}

fn mutate(random: &mut Random, text: &mut Vec<u8>, other: &[u8]) {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let at = random.below(lines.len());
    match random.below(10) {
        0 if !lines.is_empty() => drop(lines.remove(at)),
        1 if !lines.is_empty() => lines.insert(at, lines[at].clone()),
        2 if !lines.is_empty() => {
            let to = random.below(lines.len());
            lines.swap(at, to);
        }
        3 => lines.insert(at, TOKENS[random.below(TOKENS.len())].as_bytes().to_vec()),
        4 if !lines.is_empty() => {
            let column = random.below(lines[at].len());
            let byte = [b' ', b'+', b'-', b'\t', b'@', b'\n', 0xff, b'0', b'9', b'.'][random.below(10)];
            lines[at].insert(column, byte);
        }
        5 if !lines.is_empty() && !lines[at].is_empty() => {
            let column = random.below(lines[at].len());
            lines[at].remove(column);
        }
        6 if !lines.is_empty() && !lines[at].is_empty() => {
            let column = random.below(lines[at].len());
            lines[at][column] = random.next() as u8;
        }
        7 => {
            let from = random.below(other.len());
            let length = random.below(other.len() - from);
            lines.insert(at, other[from..from + length].to_vec());
        }
        8 => lines.truncate(at),
        _ if !lines.is_empty() => {
            let times = random.below(40);
            let line = lines[at].clone();
            lines.splice(at..at, std::iter::repeat_n(line, times));
        }
        _ => {}
    }
    *text = lines.concat();
}

/// One run; an error names a broken promise.
fn check(original: &[u8], text: &[u8]) -> Result<(), String> {
    let Ok(parsed) = patch::parse(text) else { return Ok(()) };
    for parsed in [&parsed, &patch::reverse(&parsed)] {
        for file in &parsed.files {
            let result = patch::apply(file, original, &patch::Options::default());
            if result.decisions.len() != file.hunks.len() {
                return Err("a hunk without a decision".to_owned());
            }
            if result.content.is_none() != result.refusals().next().is_some() {
                return Err("content in spite of a refusal, or neither".to_owned());
            }
            serde_json::to_string(&result.decisions).map_err(|error| error.to_string())?;
            if let Some(content) = result.content {
                // What no hunk removes is still there, in order.
                let removed: usize = file
                    .hunks
                    .iter()
                    .flat_map(|hunk| &hunk.lines)
                    .filter(|line| line.kind == patch::model::Kind::Remove)
                    .count();
                let lines = |text: &[u8]| text.iter().filter(|&&byte| byte == b'\n').count();
                if lines(&content) + removed + 1 < lines(original) {
                    return Err("more lines are gone than the patch removes".to_owned());
                }
            }
        }
    }
    Ok(())
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>().unwrap());
    let seconds = arguments.next().unwrap_or(600);
    let seed = arguments.next().unwrap_or(0x5eed);
    let cases = cases();
    let mut random = Random(seed.max(1));
    let until = Instant::now() + Duration::from_secs(seconds);
    let (mut runs, mut findings, mut slowest) = (0_u64, 0, Duration::ZERO);
    std::panic::set_hook(Box::new(|_| {}));
    while Instant::now() < until {
        let (mut original, mut text) = cases[random.below(cases.len())].clone();
        let other = &cases[random.below(cases.len())];
        for _ in 0..=random.below(6) {
            if random.below(4) == 0 {
                mutate(&mut random, &mut original, &other.0);
            } else {
                mutate(&mut random, &mut text, &other.1);
            }
        }
        let started = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| check(&original, &text)));
        let took = started.elapsed();
        slowest = slowest.max(took);
        runs += 1;
        let problem = match outcome {
            Err(_) => Some("panic".to_owned()),
            Ok(Err(problem)) => Some(problem),
            Ok(Ok(())) if took > SLOW => Some(format!("took {took:?}")),
            Ok(Ok(())) => None,
        };
        if let Some(problem) = problem {
            findings += 1;
            println!("finding {findings}: {problem}");
            std::fs::write(format!("fuzz-{seed}-{findings}.patch"), &text).unwrap();
            std::fs::write(format!("fuzz-{seed}-{findings}.original"), &original).unwrap();
            if findings == 20 {
                break;
            }
        }
    }
    println!("{runs} runs, {findings} findings, slowest {slowest:?}");
    if findings > 0 {
        std::process::exit(1);
    }
}
