//! Recall and false alarms on kinds of text that the rules were not written for: `data/secrets.txt` holds credentials in the files
//! and languages where people leave them, `data/lookalikes.txt` what only looks like one. Both are templates, drawn anew five times.

use vib_redact::Scanner;
use vib_redact::template::expand;

const DRAWS: u64 = 5;

/// The share of samples with a finding, and the samples for which that is wrong.
fn flagged(samples: &str, wanted: bool) -> (f64, Vec<String>) {
    let mut wrong = Vec::new();
    let (mut found, mut all) = (0, 0);
    for template in samples.split("\n---\n") {
        let template = template.trim_end_matches('\n');
        for seed in 0..DRAWS {
            let text = expand(template, seed);
            let rules: Vec<&str> =
                Scanner::shared().scan(&text, None).iter().map(|finding| finding.rule).collect();
            all += 1;
            found += usize::from(!rules.is_empty());
            if rules.is_empty() == wanted {
                wrong.push(format!("{rules:?} {text}"));
            }
        }
    }
    (found as f64 / f64::from(all), wrong)
}

#[test]
fn credentials_are_found_where_people_leave_them() {
    let (share, missed) = flagged(include_str!("data/secrets.txt"), true);
    assert!(share >= 0.95, "{:.1} % found; missed:\n{}", share * 100.0, missed.join("\n"));
}

#[test]
fn what_only_looks_like_a_secret_is_left_alone() {
    let (share, wrong) = flagged(include_str!("data/lookalikes.txt"), false);
    assert!(share <= 0.03, "{:.1} % flagged:\n{}", share * 100.0, wrong.join("\n"));
}
