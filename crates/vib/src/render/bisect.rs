//! `vib bisect`: the step that broke it, and how to take exactly that back.

use engine::bisect::{BisectReport, Culprit, Outcome};
use engine::diff::FileStatus;
use store::Actor;

use super::private_copy::{names, touched};
use super::words::{count, harmless, line, notices};
use crate::theme::{Theme, paint};

/// Files of a step that are listed; the others are counted.
const FILES: usize = 12;
/// Lines of what the check said.
const SAID: usize = 8;

/// The whole of it.
pub(crate) fn bisect(report: &BisectReport, theme: &Theme) -> String {
    let mut out = notices(&report.notices, theme);
    let check = paint(theme.strong, harmless(&report.check));
    out.push_str(&match report.outcome {
        Outcome::Found => format!("{check} fails after this step, and passes before it:\n"),
        Outcome::OneOf => format!("{check} was broken by one of these {} steps:\n", report.culprits.len()),
        Outcome::AlreadyFailing => format!(
            "{check} fails already in the state that was taken to be good. Name a step after which it passed: `vib bisect --good STEP -- …`\n"
        ),
        Outcome::PassesNow => format!("{check} passes in the state that was taken to be bad, so there is no step to find.\n"),
        Outcome::NothingBetween => "Nothing was changed between the two states, so there is no step to find.\n".to_owned(),
        Outcome::NeverPassed if report.check_not_there => format!(
            "{check} was never seen to pass; it, or a file that it names, is not there in the older states. So no step can be blamed.\n"
        ),
        Outcome::NeverPassed => format!(
            "{check} was never seen to pass; the older states cannot be built. So no step can be blamed.\n"
        ),
        Outcome::NothingBuilt if report.check_not_there => {
            format!("{check} is in none of the saved states that were tried, so nothing can be told.\n")
        }
        Outcome::NothingBuilt => format!(
            "No state could be judged: {check} ended with exit code 125 (cannot be built) every time, so nothing can be told.\n"
        ),
        Outcome::Undecided => format!(
            "{check} answers now so, now so on the same state, and repeating it did not help: no step can be named honestly.\n"
        ),
    });
    for culprit in &report.culprits {
        out.push_str(&one(culprit, theme));
    }
    for test in &report.weak_tests {
        let (by, back) = (paint(theme.id, test.by), paint(theme.id, test.back_by));
        let path = harmless(&test.path);
        let did = if test.emptied {
            format!("{path} was emptied or removed")
        } else if test.decides {
            format!("{path}, which decides what is checked, was another")
        } else {
            format!("{path} was weakened")
        };
        out.push_str(&format!(
            "{} it passes after {by}, too, but there {did}, until {back} brought it back: such a pass says nothing and was not counted.\n",
            paint(theme.warning, "note:")
        ));
    }
    out.push_str(&mended(report, theme));
    let not_built = report.skipped.saturating_sub(report.passed_weakly);
    if report.outcome == Outcome::OneOf && not_built > 0 {
        out.push_str("The states between them cannot be built, so the check cannot tell them apart.\n");
    }
    if report.outcome == Outcome::OneOf && report.not_kept > 0 {
        out.push_str(&format!(
            "{} between them {} not kept any more (an old state goes in the clean-up), so the check cannot tell them apart.\n",
            count(report.not_kept as u64, "state"),
            if report.not_kept == 1 { "is" } else { "are" }
        ));
    }
    for typed in &report.ends_not_kept {
        out.push_str(&format!(
            "{} the state after {} is not kept any more; the nearest one that is kept was taken.\n",
            paint(theme.warning, "note:"),
            harmless(typed)
        ));
    }
    if let Some(said) = &report.said {
        out.push_str("It said:\n");
        let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
        for text in &lines[lines.len().saturating_sub(SAID)..] {
            out.push_str(&format!("  {}\n", paint(theme.dim, line(&harmless(text), theme, 2))));
        }
    }
    if report.states > 0 {
        let skipped = match not_built {
            0 => String::new(),
            some => format!(", {} passed over (cannot be built)", count(some as u64, "state")),
        };
        out.push_str(&format!(
            "{} among {}{skipped}.{}\n",
            count(report.answered as u64, "run"),
            count(report.states as u64, "step"),
            if report.touched.is_empty() { " Your folder was not touched." } else { "" }
        ));
    }
    out.push_str(&touched(&report.touched, report.closed, "the check", theme));
    if !report.leads_back.is_empty() {
        out.push_str(&format!(
            "{} this answer cannot be trusted: {} may lead the check into your folder, so that it saw today's code and not the saved states.\n",
            paint(theme.warning, "note:"),
            names(&report.leads_back)
        ));
    }
    if !report.missing.is_empty() {
        out.push_str(&format!(
            "{} not in the copy, because it is not saved: {}. If the check needs it, that is why it fails.\n",
            paint(theme.warning, "note:"),
            names(&report.missing)
        ));
    }
    if report.closed && report.said.as_deref().is_some_and(looks_refused) {
        out.push_str(&format!(
            "{} the check runs with your folder closed for writing, and it was refused something. `vib config set guard.fence off` takes the fence away.\n",
            paint(theme.warning, "note:")
        ));
    }
    if report.flaky {
        out.push_str(&format!(
            "{} the check is flaky: on the same state it passed and failed. States were run several times.\n",
            paint(theme.warning, "note:")
        ));
    } else if !report.held_against_chance && matches!(report.outcome, Outcome::Found | Outcome::OneOf) {
        out.push_str(&paint(
            theme.dim,
            "The states around it answered alike each time. If the check sometimes fails by chance, `--repeat 2` makes sure.\n",
        ));
    }
    if report.runs.iter().any(|run| run.timed_out) {
        out.push_str(&format!(
            "{} a run that took too long counts as failed (`--timeout`).\n",
            paint(theme.warning, "note:")
        ));
    }
    if !report.carried.is_empty() {
        let names: Vec<String> = report.carried.iter().map(|name| harmless(name)).collect();
        out.push_str(&paint(theme.dim, format!("In the copy as they are now: {}\n", names.join(", "))));
    }
    match report.passes_now {
        Some(true) => {
            out.push_str(&format!("\n{check} passes now: what broke it was taken back or mended since.\n"));
        }
        Some(false) => out.push_str(&format!("\n{check} fails now, too.\n")),
        None => {}
    }
    if let [culprit] = report.culprits.as_slice()
        && report.passes_now != Some(true)
    {
        out.push_str(&way_back(culprit, theme));
    }
    out
}

/// It was broken before, and mended in between.
fn mended(report: &BisectReport, theme: &Theme) -> String {
    if report.earlier.is_empty() {
        return String::new();
    }
    let steps: Vec<String> = report.earlier.iter().map(|step| paint(theme.id, step)).collect();
    let mut out = format!(
        "{} it failed before, too, after {}, and was mended in between. What is named here came later.\n",
        paint(theme.warning, "note:"),
        steps.join(", ")
    );
    if let Some(step) = report.go_on_from {
        let line = format!("vib bisect --good {step} -- {}", harmless(&report.check));
        out.push_str(&format!("{}  goes on from where it was mended\n", paint(theme.strong, line)));
    }
    out
}

fn way_back(culprit: &Culprit, theme: &Theme) -> String {
    let Some(undo) = &culprit.undo else {
        return "\nThere is nothing left of this step that could be taken back.\n".to_owned();
    };
    let undo = paint(theme.strong, undo);
    if culprit.conflicts.is_empty() {
        return format!("\n{undo}  takes back exactly this step\n");
    }
    format!(
        "\n{undo}  tells what of this step can still be taken back; these files were changed since at the same places: {}\n",
        names(&culprit.conflicts)
    )
}

/// What a program says that was not let write.
fn looks_refused(said: &str) -> bool {
    ["Permission denied", "EACCES", "Operation not permitted"].iter().any(|word| said.contains(word))
}

fn one(culprit: &Culprit, theme: &Theme) -> String {
    let step = &culprit.step;
    let who = match step.actor {
        Actor::Agent => step.client.as_deref().unwrap_or("an agent").to_owned(),
        Actor::ByHand => "by hand, or by another program".to_owned(),
        Actor::Vib => "vib".to_owned(),
    };
    let mut out = format!("  {}  {}\n", paint(theme.id, step.number), harmless(&who));
    if let Some(request) = &culprit.asked {
        let words = request.prompt.as_deref().unwrap_or("(no words were heard)");
        out.push_str(&format!("    asked for: {} “{}”\n", request.number, line(&harmless(words), theme, 24)));
    }
    if let Some(what) = &step.what {
        let tool = step.tool.as_deref().unwrap_or("did");
        out.push_str(&format!("    {}: {}\n", harmless(tool), line(&harmless(what), theme, 12)));
    }
    for file in culprit.changes.iter().take(FILES) {
        let mark = match file.status {
            FileStatus::Added => "new  ",
            FileStatus::Removed => "gone ",
            _ => "     ",
        };
        let lines = match (file.added, file.removed) {
            (Some(added), Some(removed)) => format!("  +{added} -{removed}"),
            _ => String::new(),
        };
        out.push_str(&format!("    {mark}{}{}\n", harmless(&file.path), paint(theme.dim, lines)));
    }
    if culprit.changes.len() > FILES {
        out.push_str(&format!("    and {} more\n", culprit.changes.len() - FILES));
    }
    out
}
