//! Long answers on a terminal go through a pager.
//!
//! Only where a person can press keys; never for an answer that fits the screen. A pager that is not there, or dies, costs nothing: the
//! answer is then printed as if there were none.

use std::io::{IsTerminal, Write};
use std::process::{Command, ExitStatus, Stdio};

use unicode_width::UnicodeWidthStr;

/// Shows the answer in a pager. False if it has to be printed instead.
pub(crate) fn show(text: &[u8]) -> bool {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() || fits(text) {
        return false;
    }
    let get = |name: &str| std::env::var(name).ok();
    wanted(get).is_some_and(|line| run(&line, text))
}

/// The pager's command line; none if the person wants none.
fn wanted(get: impl Fn(&str) -> Option<String>) -> Option<String> {
    if get("TERM").as_deref() == Some("dumb") {
        return None;
    }
    let line = get("VIB_PAGER").or_else(|| get("PAGER")).unwrap_or_else(|| "less -FRX".to_owned());
    let line = line.trim();
    (!line.is_empty() && line != "cat").then(|| line.to_owned())
}

/// The whole answer and the next prompt are on one screen.
fn fits(text: &[u8]) -> bool {
    let Some((width, height)) = terminal_size::terminal_size() else { return true };
    let plain = anstream::adapter::strip_bytes(text).into_vec();
    rows(&String::from_utf8_lossy(&plain), usize::from(width.0)) < usize::from(height.0)
}

/// Lines on a screen of this width.
fn rows(text: &str, width: usize) -> usize {
    text.lines().map(|line| line.replace('\t', "        ").width().div_ceil(width.max(1)).max(1)).sum()
}

/// True if the pager ended well: the person has seen what they wanted to see.
fn run(line: &str, text: &[u8]) -> bool {
    let _deaf = deaf_to_interrupts();
    let mut command = command(line);
    command.stdin(Stdio::piped());
    // Colours, no second screen, no waiting where nothing is to be scrolled; and vib writes UTF-8 everywhere.
    for (name, value) in [("LESS", "FRX"), ("LV", "-c"), ("LESSCHARSET", "utf-8")] {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        // A pager that was left in the middle closes the pipe; how it ended says whether that was meant.
        let _ = stdin.write_all(text);
    }
    child.wait().is_ok_and(ended_well)
}

/// With a shell where the line needs one.
fn command(line: &str) -> Command {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,\\ ".contains(c);
    let mut words = line.split_whitespace();
    let needs_shell = cfg!(unix) && (!line.chars().all(plain) || line.contains('\\'));
    match words.next() {
        Some(program) if !needs_shell && !program.contains('=') => {
            let mut command = Command::new(program);
            command.args(words);
            command
        }
        _ => {
            let mut command = Command::new("sh");
            command.arg("-c").arg(line);
            command
        }
    }
}

/// Interrupted by the person counts as well: they do not want to see the rest.
fn ended_well(status: ExitStatus) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        let interrupt = signal_hook::consts::SIGINT;
        if status.signal() == Some(interrupt) || status.code() == Some(128 + interrupt) {
            return true;
        }
    }
    status.success()
}

/// Ctrl-C is for the pager. If it ended vib, the shell and the pager would read the same keys.
#[cfg(unix)]
fn deaf_to_interrupts() -> impl Drop {
    struct Deaf(Option<signal_hook::SigId>);
    impl Drop for Deaf {
        fn drop(&mut self) {
            if let Some(id) = self.0.take() {
                signal_hook::low_level::unregister(id);
            }
        }
    }
    Deaf(signal_hook::flag::register(signal_hook::consts::SIGINT, std::sync::Arc::default()).ok())
}

#[cfg(not(unix))]
fn deaf_to_interrupts() {}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(environment: &[(&str, &str)]) -> Option<String> {
        wanted(|name| environment.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn h9_which_pager() {
        assert_eq!(line(&[]).as_deref(), Some("less -FRX"));
        assert_eq!(line(&[("PAGER", "more")]).as_deref(), Some("more"));
        assert_eq!(
            line(&[("PAGER", "more"), ("VIB_PAGER", "delta --side-by-side")]).as_deref(),
            Some("delta --side-by-side")
        );
        assert_eq!(line(&[("PAGER", "more"), ("VIB_PAGER", "cat")]), None);
        assert_eq!(line(&[("PAGER", " ")]), None);
        assert_eq!(line(&[("TERM", "dumb")]), None);
    }

    #[test]
    fn a_shell_only_where_the_line_needs_one() {
        let program = |line: &str| command(line).get_program().to_str().unwrap_or_default().to_owned();
        assert_eq!(program("less -FRX"), "less");
        assert_eq!(program("sed 's/a/b/' | less"), "sh");
        assert_eq!(program("LESS=R less"), "sh");
        assert_eq!(program("$HOME/bin/pager"), "sh");
    }

    #[test]
    fn long_lines_take_several_rows() {
        assert_eq!(rows("", 10), 0);
        assert_eq!(rows("a\n\nb\n", 10), 3);
        assert_eq!(rows("12345678901", 10), 2);
        assert_eq!(rows("망가졌어망가졌어", 10), 2);
    }
}
