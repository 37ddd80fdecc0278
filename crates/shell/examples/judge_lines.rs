//! Judges JSON lines `{"command": ...}` in one process and prints decision and first reason: for looking at a corpus.
//!
//! Arguments: project root, `ask` or `allow` for covered losses, `there` to look at the files that are really there.

use serde_json::{Value, json};
use shell::{Covered, FileView, JudgeContext, NoFiles, Policy, StdFiles, judge};
use std::io::{BufRead, Write};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let root = args.get(1).map_or("/home/bench/project", String::as_str);
    let files: &dyn FileView =
        if args.get(3).is_some_and(|mode| mode == "there") { &StdFiles } else { &NoFiles };
    let mut context = JudgeContext::new(root, "/home/bench", files);
    if args.get(2).is_some_and(|mode| mode == "ask") {
        context.covered = Covered::Ask;
    }
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let record: Value = serde_json::from_str(&line).unwrap_or_default();
        let start = std::time::Instant::now();
        let verdict = judge(record["command"].as_str().unwrap_or_default(), &context, &Policy::default());
        let micros = start.elapsed().as_micros() as u64;
        let reasons: Vec<_> =
            verdict.reasons.iter().take(4).map(|r| json!([r.code, r.decision, r.about])).collect();
        let answer = json!({"id": record["id"], "decision": verdict.decision, "reasons": reasons, "can_write": verdict.can_write, "micros": micros});
        let _ = writeln!(out, "{answer}");
    }
}
