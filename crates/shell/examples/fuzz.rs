//! Throws mutated commands at the judge: it must answer each one, in time, without a panic.
//!
//! `cargo run --release -p vib-shell --example fuzz -- SECONDS [SEED] [FILE.jsonl...]`
//!
//! Starts from the commands in the tests' data (and in the given files: one JSON object with `command` per line). The
//! input at work is always in `vib-fuzz-input` in the folder for temporary files, so that it is there after a crash that
//! nothing can catch. Ends with exit code 1 and the inputs when one was slow or made the judge fail.

use shell::{Covered, Decision, JudgeContext, NoFiles, Policy, judge};
use std::io::{Seek, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Far above what the judge allows itself, far below what a person would wait for.
const TOO_SLOW: Duration = Duration::from_secs(4);

const PIECES: &[&str] = &[
    "$(",
    ")",
    "`",
    "\"",
    "'",
    "{",
    "}",
    "((",
    "))",
    "[[",
    "]]",
    ";",
    "|",
    "&",
    "&&",
    "||",
    "<<EOF\n",
    "<<-'E'\n",
    "EOF\n",
    "<(",
    ">(",
    ">",
    ">>",
    "<",
    "<<<",
    "2>&1",
    "$",
    "${",
    "${x:-",
    "${!x}",
    "${x//a/b}",
    "$((",
    "$[",
    "x=1",
    "eval ",
    "sh -c ",
    "xargs ",
    "find . -exec ",
    "\\;",
    "git ",
    "if ",
    "then ",
    "elif ",
    "else ",
    "fi",
    "for i in ",
    "while ",
    "until ",
    "do ",
    "done",
    "case x in ",
    "esac",
    ";;",
    "f(){ ",
    "function f ",
    "coproc ",
    "time ",
    "select ",
    "python -c ",
    "\n",
    " ",
    "\t",
    "\\",
    "*",
    "?",
    "[",
    "é",
    "\u{F8FF}",
    "\u{202E}",
    "~",
    "/",
    "..",
    "-",
    "--",
    "=",
    "#",
    "!",
    "base64 -d",
    "echo ",
    "printf '%s' ",
    "$'\\x72'",
    "{a,b}",
    "{1..9}",
    "@(",
    "awk ",
    "sed ",
    "s/a/b/e",
    "-c ",
    "env -S ",
    "source ",
    "trap ",
    "alias a=",
    "export ",
    "local ",
    "declare -a ",
    "\r",
];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn mutate(text: &str, other: &str, random: &mut Random) -> String {
    let (a, b) = (boundary(text, random.below(text.len() + 1)), boundary(text, random.below(text.len() + 1)));
    let (from, to) = (a.min(b), a.max(b));
    let piece = PIECES[random.below(PIECES.len())];
    let quoted = |text: &str| text.replace('\'', r"'\''");
    match random.below(14) {
        0 => format!("{}{}", &text[..from], &text[to..]),
        1 => format!("{}{}{}", &text[..to], &text[from..to], &text[to..]),
        2..=4 => format!("{}{piece}{}", &text[..from], &text[from..]),
        5 => format!("{}{}{}", &text[..from], piece.repeat(random.below(60)), &text[to..]),
        6 => format!("{}{other}", &text[..from]),
        7 => format!("{}{}{}", &text[..from], boundary_slice(other, random), &text[to..]),
        8 => format!("bash -c '{}'", quoted(text)),
        9 => format!("echo \"$({text})\""),
        10 => format!("{text} | {other}"),
        11 => format!("cat <<X\n{text}\nX\n{other}"),
        12 => format!("f() {{ {text}; }}; f; eval '{}'", quoted(other)),
        _ => {
            let code = char::from_u32(random.next() as u32 % 0x2100).unwrap_or('x');
            format!("{}{code}{}", &text[..from], &text[from..])
        }
    }
}

fn boundary_slice<'t>(text: &'t str, random: &mut Random) -> &'t str {
    let (a, b) = (boundary(text, random.below(text.len() + 1)), boundary(text, random.below(text.len() + 1)));
    &text[a.min(b)..a.max(b)]
}

fn seeds(files: &[String]) -> Vec<String> {
    let mut texts = vec![include_str!("../tests/data/commands-sample.jsonl").to_owned()];
    texts.extend(files.iter().filter_map(|file| std::fs::read_to_string(file).ok()));
    let lines = texts.iter().flat_map(|text| text.lines());
    let commands = lines.filter_map(|line| {
        let record: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(record["command"].as_str()?.to_owned())
    });
    commands.chain(PIECES.iter().map(|piece| (*piece).to_owned())).collect()
}

fn main() -> std::process::ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let seconds = args.first().and_then(|text| text.parse().ok()).unwrap_or(10);
    let mut random = Random(args.get(1).and_then(|text| text.parse().ok()).unwrap_or(0x9E37_79B9_7F4A_7C15));
    let seeds = seeds(args.get(2..).unwrap_or_default());
    let mut context = JudgeContext::new("/home/u/app", "/home/u", &NoFiles);
    context.covered = Covered::Ask;
    let kept = std::env::temp_dir().join("vib-fuzz-input");
    let Ok(mut file) = std::fs::File::create(&kept) else {
        return std::process::ExitCode::FAILURE;
    };
    let (current, over) = (Mutex::new((String::new(), Instant::now())), AtomicBool::new(false));
    let start = Instant::now();
    let (mut count, mut failed, mut slowest, mut asked) = (0u64, Vec::new(), Duration::ZERO, 0u64);
    let hung = std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(200));
                if let Ok(now) = current.lock()
                    && now.1.elapsed() > TOO_SLOW
                {
                    let _ = writeln!(std::io::stdout(), "still at it after {TOO_SLOW:?}: {:?}", now.0);
                    return true;
                }
            }
            false
        });
        while start.elapsed() < Duration::from_secs(seconds) && !watch.is_finished() {
            let mut text = seeds[random.below(seeds.len())].clone();
            for _ in 0..=random.below(6) {
                text = mutate(&text, &seeds[random.below(seeds.len())], &mut random);
            }
            if let Ok(mut now) = current.lock() {
                *now = (text.clone(), Instant::now());
            }
            let _ =
                file.rewind().and_then(|()| file.set_len(0)).and_then(|()| file.write_all(text.as_bytes()));
            let begin = Instant::now();
            let verdict = judge(&text, &context, &Policy::default());
            let took = begin.elapsed();
            slowest = slowest.max(took);
            count += 1;
            asked += u64::from(verdict.decision >= Decision::Ask);
            if verdict.reasons.iter().any(|reason| reason.code == "judge_failed") || took > TOO_SLOW {
                failed.push(text);
            }
        }
        over.store(true, Ordering::Relaxed);
        watch.join().unwrap_or(true)
    });
    let mut out = std::io::stdout();
    for text in failed.iter().take(20) {
        let _ = writeln!(out, "failed: {text:?}");
    }
    let _ = writeln!(
        out,
        "{count} inputs in {:?}, {asked} asked or denied, slowest {slowest:?}, failed {}, hung {hung}",
        start.elapsed(),
        failed.len()
    );
    let _ = std::fs::remove_file(kept);
    if failed.is_empty() && !hung { std::process::ExitCode::SUCCESS } else { std::process::ExitCode::FAILURE }
}
