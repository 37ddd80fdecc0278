//! The fence in words.

use fence::allowed::HowLong;
use fence::kernel::Kernel;
use fence::probe::Outcome;

use super::words::harmless;
use crate::commands::fence::{AllowReport, ListReport, ProbeReport};
use crate::theme::{Theme, paint};

/// `vib fence list`
pub(crate) fn fence_list(report: &ListReport, theme: &Theme) -> String {
    let mut out = kernel(&report.kernel);
    let mode = match report.mode.as_str() {
        "off" => "switched off (`guard.fence = off`)",
        "all" => "around every command of an agent that may change something (`guard.fence = all`)",
        _ => "around commands of agents that vib cannot see through (`guard.fence = unknown`)",
    };
    out.push_str(&format!("It is {mode}.\n\nA fenced command may write in:\n"));
    for place in report.open.iter().filter(|place| place.why != "device") {
        let path = harmless(&place.path.display().to_string());
        let once = if report.once.contains(&place.path) { ", once" } else { "" };
        out.push_str(&format!("  {path}  {}\n", paint(theme.dim, format!("({}{once})", place.why))));
    }
    for path in &report.hidden {
        out.push_str(&format!("It may not read {}\n", harmless(&path.display().to_string())));
    }
    for path in &report.exposed {
        let path = harmless(&path.display().to_string());
        let text = format!("{path} is vib's own and lies in an open place: the fence does not keep it.\n");
        out.push_str(&paint(theme.warning, text).to_string());
    }
    out.push_str("\nWhat the fence does not keep; commands are judged for it as without:\n");
    for open in report.left_open.iter().chain(&report.kernel.lacks) {
        out.push_str(&format!("  - {open}\n"));
    }
    out.push_str("\nClients:\n");
    for client in &report.clients {
        out.push_str(&format!("  {}: {}\n", client.title, client.words));
        if let Some(how) = &client.how {
            out.push_str(&format!("    {}\n", paint(theme.dim, how)));
        }
    }
    out.push_str("\n`vib fence allow PATH` opens a place for the next fenced command, with `--always` until you close it.\n");
    out
}

fn kernel(kernel: &Kernel) -> String {
    if kernel.is_there() {
        format!("The fence here is {}.\n", kernel.words())
    } else {
        format!("There is no fence here: {}. Commands are judged by their text alone.\n", kernel.words())
    }
}

/// `vib fence allow`
pub(crate) fn fence_allowed(report: &AllowReport, _theme: &Theme) -> String {
    let path = harmless(&report.path.display().to_string());
    match report.how_long {
        Some(HowLong::Once) => {
            format!(
                "The next fenced command of this project may write `{path}`; after it, it is closed again.\n"
            )
        }
        Some(HowLong::Always) => format!(
            "Fenced commands of this project may write `{path}`. `vib fence allow --remove {path}` closes it again.\n"
        ),
        None if report.was_open => format!("`{path}` is closed again for fenced commands of this project.\n"),
        None => format!("`{path}` was not on the list of this project; nothing was changed.\n"),
    }
}

/// `vib fence probe`
pub(crate) fn fence_probe(report: &ProbeReport, theme: &Theme) -> String {
    let mut out = kernel(&report.trial.kernel);
    let (word, style) = match report.trial.outcome {
        Outcome::Holds => ("holds", theme.added),
        Outcome::None => ("none", theme.warning),
        Outcome::Exposed => ("not tried", theme.warning),
        Outcome::Open | Outcome::Broken => ("does not hold", theme.error),
    };
    out.push_str(&format!(
        "{}: {}, tried with `{}`.\n",
        paint(style, word),
        report.trial.detail,
        report.shell
    ));
    out.push_str("What it does not keep; commands are judged for it as without:\n");
    for open in report.left_open.iter().chain(&report.trial.kernel.lacks) {
        out.push_str(&format!("  - {open}\n"));
    }
    out
}
