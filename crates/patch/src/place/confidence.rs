//! How sure a placement is, from 0 to 1.

use super::{Candidate, Placement, Wanted};
use crate::decision::Refusal;
use crate::model::Kind;
use crate::normal::{Level, is_telling};
use crate::target::Target;

/// Turns the chosen candidate into a placement with its confidence.
pub(super) fn judge(
    wanted: &Wanted<'_, '_>,
    target: &Target<'_>,
    chosen: &Candidate,
    gaps: bool,
) -> Result<Placement, Refusal> {
    let context = wanted.lines.iter().filter(|line| line.kind == Kind::Context).count();
    let base = match chosen.level {
        Level::Exact => 1.0,
        Level::TrailingSpace => 0.99,
        Level::MissingSpace => 0.97,
        Level::Indentation => 0.93,
        Level::Punctuation => 0.9,
        Level::Repaired => {
            0.85 * (context - chosen.substituted) as f64 / (context + chosen.skipped).max(1) as f64
        }
    };
    let telling = wanted.normals.iter().filter(|line| is_telling(line)).count();
    let evidence = match telling {
        0 => 0.75,
        1 => 0.9,
        2 => 0.97,
        _ => 1.0,
    };
    let claimed = wanted.hunk.claim.old_start;
    let start = super::span(chosen).0;
    let number = match claimed {
        Some(line) if line == start as u64 + 1 => 1.0,
        Some(_) => 0.95,
        None => 0.97,
    };
    let mut repairs = Vec::new();
    match chosen.level {
        Level::Exact | Level::Repaired => {}
        Level::TrailingSpace => repairs.push("whitespace at the end of lines differs".to_owned()),
        Level::MissingSpace => repairs.push("context lines lack their leading space".to_owned()),
        Level::Indentation => repairs.push("indentation differs".to_owned()),
        Level::Punctuation => repairs.push("punctuation or inner spacing differs".to_owned()),
    }
    if chosen.substituted > 0 {
        let wrong = (0..wanted.old.len())
            .filter_map(|number| Some((number, chosen.at[number]?)))
            .find(|&(number, line)| !target.is(line, &wanted.normals[number]));
        if let Some((number, line)) = wrong {
            repairs.push(format!(
                "line {} of the file is `{}`, not `{}`",
                line + 1,
                super::shown(target.line(line)),
                super::shown(wanted.line(number).text)
            ));
        }
    }
    if chosen.skipped > 0 {
        repairs.push(format!("the context leaves out {} of the file's lines", chosen.skipped));
    }
    if gaps {
        repairs.push("context is shortened by `...`".to_owned());
    }
    if wanted.lines.len() < wanted.hunk.lines.len() {
        repairs.push("words after the diff were set aside".to_owned());
    }
    let gap_factor = if gaps { 0.97 } else { 1.0 };
    Ok(Placement {
        at: wanted.place(chosen),
        insert_at: None,
        attach_down: chosen.attach_down,
        start,
        level: chosen.level,
        confidence: (base * evidence * number * gap_factor * 1000.0_f64).round() / 1000.0,
        repairs,
    })
}
