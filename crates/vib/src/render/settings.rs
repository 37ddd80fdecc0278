//! Settings.

use engine::config::{Changed, Setting};
use project::config::Source;

use crate::theme::{Theme, paint};

fn origin(source: Source) -> &'static str {
    match source {
        Source::Default => "built in",
        Source::User => "your settings",
        Source::Team => "the team's file",
        Source::Project => "this project",
    }
}

/// `vib config list`
pub(crate) fn settings(settings: &Vec<Setting>, theme: &Theme) -> String {
    let mut out = String::new();
    for setting in settings {
        out.push_str(&format!(
            "{} = {}  {}\n",
            paint(theme.strong, setting.name),
            setting.value,
            paint(theme.dim, format!("({})", origin(setting.source)))
        ));
    }
    out
}

/// `vib config get`
pub(crate) fn setting(setting: &Setting, _theme: &Theme) -> String {
    format!("{}\n", setting.value)
}

/// `vib config set`
pub(crate) fn setting_changed(changed: &Changed, theme: &Theme) -> String {
    let mut out =
        format!("{} = {} (in `{}`)\n", paint(theme.strong, &changed.name), changed.value, changed.file);
    for warning in &changed.warnings {
        out.push_str(&format!("{} {warning}\n", paint(theme.warning, "warning:")));
    }
    if changed.in_force != changed.value {
        out.push_str(&format!("In force: {}\n", changed.in_force));
    }
    out
}
