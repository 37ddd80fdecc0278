//! Files that rest.

use engine::agent::SpiralReport;

use crate::theme::{Theme, paint};

/// `vib spiral`
pub(crate) fn spiral(report: &SpiralReport, theme: &Theme) -> String {
    if report.resting.is_empty() {
        return "No file rests: no agent runs in circles here.\n".to_owned();
    }
    let mut out = String::new();
    for resting in &report.resting {
        let what = resting.path.as_deref().unwrap_or("every file");
        out.push_str(&format!(
            "{}  {}\n    {}\n",
            paint(theme.strong, what),
            paint(theme.dim, format!("({}, session {})", resting.client, resting.session)),
            resting.what_happened
        ));
    }
    out.push_str(if report.released {
        "The agent may edit again. If it goes on in circles, it is stopped again.\n"
    } else {
        "Next: `vib undo` to go back, or `vib spiral resume` to let the agent try again.\n"
    });
    out
}
