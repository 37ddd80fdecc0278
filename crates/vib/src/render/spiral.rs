//! Files that rest.

use engine::agent::SpiralReport;

use crate::theme::{Theme, paint};

/// `vib spiral`
pub(crate) fn spiral(report: &SpiralReport, theme: &Theme) -> String {
    if report.resting.is_empty() {
        return "Nothing is held back: no agent runs in circles here.\n".to_owned();
    }
    let mut out = String::new();
    for resting in &report.resting {
        let what = resting.path.as_deref().or(resting.call.as_deref()).unwrap_or("a call");
        out.push_str(&format!(
            "{}  {}\n    {}\n",
            paint(theme.strong, what),
            paint(theme.dim, format!("({}, session {})", resting.client, resting.session)),
            resting.what_happened
        ));
    }
    out.push_str(if report.released {
        "The agent may go on. If it runs in circles again, it is stopped again.\n"
    } else {
        "Next: `vib undo` to go back, or `vib spiral resume` (or \"go on\" in the chat) to let the agent try again.\n"
    });
    out
}
