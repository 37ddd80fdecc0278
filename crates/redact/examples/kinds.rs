//! Draws every template of a file (parted by `---`) five times and prints those with a finding, or with `--missed` those without.
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use vib_redact::Scanner;
use vib_redact::template::expand;

fn main() -> std::io::Result<()> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let missed = args.iter().any(|arg| arg == "--missed");
    args.retain(|arg| arg != "--missed");
    for file in args {
        let text = std::fs::read_to_string(&file)?;
        let (mut all, mut shown) = (0, 0);
        for template in text.split("\n---\n") {
            for seed in 0..5 {
                let sample = expand(template.trim_end_matches('\n'), seed);
                let found = Scanner::shared().scan(&sample, None);
                all += 1;
                if found.is_empty() == missed {
                    shown += 1;
                    println!("{:?} {sample}", found.iter().map(|finding| finding.rule).collect::<Vec<_>>());
                }
            }
        }
        println!("{file}: {shown} of {all}");
    }
    Ok(())
}
