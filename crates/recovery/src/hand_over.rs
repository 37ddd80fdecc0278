//! What an agent needs to mend something: the facts, and nothing else. (R7)

use std::fmt::Write;

use crate::diagnose::Diagnosis;
use crate::parts::Form;
use crate::recommend::Mend;
use crate::signals::Signals;
use crate::signs::Sign;

/// A request that can be given to an agent as it is.
pub(crate) fn prompt(signals: &Signals, diagnosis: &Diagnosis, mends: &[Mend]) -> String {
    let mut out = String::from("Please mend the following, and change nothing else.\n");
    for mend in mends {
        let _ = write!(out, "\n- `{}`: {}", mend.path, what(&mend.sign));
        let alike = || diagnosis.findings.iter().filter(|finding| finding.sign == mend.sign);
        // What has to be mended elsewhere than where it happened is in no list of paths.
        let about = alike().find(|finding| finding.paths.contains(&mend.path)).or_else(|| alike().next());
        if let Some(finding) = about {
            if !finding.used_by.is_empty() {
                let users: Vec<String> =
                    finding.used_by.iter().take(5).map(|path| format!("`{path}`")).collect();
                let _ = write!(out, " Still used by {}.", users.join(", "));
            }
            if let Some(prompt) = &finding.prompt {
                let _ = write!(out, " It happened while this was worked on: “{}”.", one_line(prompt));
            }
        }
        if mend.withheld {
            out.push_str("\n  The lines that were there hold private details and are not repeated here: do not make them up, ask the person for them.");
        }
        if let Some(missing) = &mend.missing {
            let _ = write!(out, "\n  These lines were there before:\n```\n{}\n```", missing.trim_end());
        }
    }
    if let Some(check) = signals.checks.last() {
        let _ = write!(out, "\n\nThen run `{}`.", one_line(&check.command));
    }
    out.push('\n');
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(160).collect()
}

fn what(sign: &Sign) -> String {
    let list = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match sign {
        Sign::NamesLost { names } => format!("{} is gone from it and still needed. Put it back beside what is new.", list(names)),
        Sign::SettingsLost { names } => format!("{} is gone from these settings, and nobody asked for that. Put it back beside what is new.", list(names)),
        Sign::PartLost { .. } => "parts of it were lost while the rest was rewritten, and nobody asked for that. Put them back where they were, keep the rest.".to_owned(),
        Sign::FormLost { form: Form::Tabs { .. } } => "the tabs at the beginning of its lines became spaces. Write tabs again.".to_owned(),
        Sign::FormLost { form: Form::Separator { old, new } } => format!("its columns were separated by `{old}` and are separated by `{new}` now. Write `{old}` again, and keep the rows that are new."),
        Sign::FormLost { form: Form::Values { names } } => format!("the values of {} are only held a place for now. A person has to put them back.", list(names)),
        Sign::LineEndsToo => "the ends of its lines are others than before. Write them as they were.".to_owned(),
        Sign::HalfRenamed { old, new } => format!("`{old}` is called `{new}` now; use the new name here too."),
        Sign::StillUsed { names } if names.is_empty() => "it still uses a file that was removed on purpose. Do without it.".to_owned(),
        Sign::StillUsed { names } => format!("it still uses {}, which was removed on purpose. Do without it.", list(names)),
        Sign::Broken => "it can no longer be parsed. Find what is missing (often a bracket or a quote) and close it.".to_owned(),
        Sign::Markers => "it has conflict markers. Resolve them.".to_owned(),
        Sign::Secret => "a secret stands in it. Read it from the environment instead, and say that the key has to be revoked.".to_owned(),
        Sign::TestsWeaker => "this test checks less than before. Put the checks back.".to_owned(),
        Sign::TypingLost => "what a person had typed here is gone. Put it back beside what is new.".to_owned(),
        Sign::CheckFails { command } => format!("`{}` passed before this was changed, and fails now.", one_line(command)),
        Sign::Protected => "a part that has to stay as it is was changed. Put it back.".to_owned(),
        Sign::Wanted => "what is to be taken back here was changed again since. Take back only the older change.".to_owned(),
        _ => "part of it was lost, and good work lies on top. Bring back what was lost, keep the rest.".to_owned(),
    }
}
