//! The command line that stands in a client's settings, and how to know it again.
//!
//! In settings that are only this person's: `test -x '/path/vib' && exec '/path/vib' hook CLIENT || true`: with vib gone, it does nothing and succeeds (Gemini
//! and Copilot would otherwise refuse every step); with vib there, the shell becomes vib, so there is one process only.
//! The same words mean the same in sh, bash, zsh and fish; Codex runs its hooks with the person's own shell.
//! The path is absolute there, so that a `PATH` which a repository changes does not decide which program it is. What a
//! repository shares names no path of one machine: see [`crate::portable`].

use std::path::{Path, PathBuf};

use crate::{Client, Scope, portable};

/// One of our command lines, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCommand {
    /// The program it runs; only a name where it is looked for when the hook is called.
    pub program: PathBuf,
    /// The client it speaks for.
    pub client: Client,
    /// The event, where the client's payload does not say it.
    pub event: Option<String>,
    /// The settings that it says it stands in. Lines of earlier versions say nothing, wherever they stand.
    pub mark: Option<Scope>,
}

/// Which hook a command line is for.
#[derive(Debug, Clone, Copy)]
pub struct Hook<'a> {
    /// The client.
    pub client: Client,
    /// The event, where the client's payload does not say it.
    pub event: Option<&'a str>,
    /// Whose settings it stands in.
    pub scope: Scope,
    /// It is the first event of a session: the one time to say that vib is missing.
    pub is_first: bool,
}

impl Hook<'_> {
    /// What comes after the program.
    fn arguments(&self) -> String {
        let words = [self.event, self.scope.mark()].into_iter().flatten();
        words.fold(format!("hook {}", self.client), |line, word| format!("{line} {word}"))
    }
}

/// The command line for a hook.
pub fn line(program: &Path, hook: &Hook<'_>) -> String {
    let arguments = hook.arguments();
    if hook.scope == Scope::Team {
        return portable::line(&arguments, hook.is_first);
    }
    let program = quoted(&program.to_string_lossy());
    format!("test -x {program} && exec {program} {arguments} || true")
}

/// Takes a command line apart if it is one that a vib wrote, whatever its version and wherever it was installed.
pub fn parse(line: &str) -> Option<OwnCommand> {
    if let Some(arguments) = portable::arguments(line) {
        let words: Vec<&str> = arguments.split(' ').collect();
        return match words.as_slice() {
            ["hook", rest @ ..] => own(Path::new(portable::NAME), rest),
            _ => None,
        };
    }
    let words = words(line)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (program, rest) = match words.as_slice() {
        ["test", "-x", tested, "&&", "exec", program, "hook", rest @ .., "||", "true"]
        | ["if", "[", "-x", tested, "];", "then", "exec", program, "hook", rest @ .., "fi"]
        | ["[", "-x", tested, "]", "&&", "exec", program, "hook", rest @ .., "||", "true"]
            if tested == program =>
        {
            (*program, rest)
        }
        ["exec", program, "hook", rest @ ..] | [program, "hook", rest @ ..] if is_named_vib(program) => {
            (*program, rest)
        }
        _ => return None,
    };
    own(Path::new(program), rest)
}

/// `CLIENT [EVENT] [MARK]`
fn own(program: &Path, rest: &[&str]) -> Option<OwnCommand> {
    let words: Vec<&str> = rest.iter().map(|word| word.trim_end_matches(';')).collect();
    let (mark, words) = match words.split_last() {
        Some((last, before)) if last.starts_with("--") => (Some(Scope::of_mark(last)?), before),
        _ => (None, words.as_slice()),
    };
    let (client, event) = match words {
        [client] => (client, None),
        [client, event] => (client, Some((*event).to_owned())),
        _ => return None,
    };
    Some(OwnCommand { program: program.to_path_buf(), client: client.parse().ok()?, event, mark })
}

fn is_named_vib(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name == "vib" || name == "vib.exe"
}

/// In single quotes, where the shell leaves everything alone.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Words as a shell splits them, as far as our own lines need it; `None` if there is anything else in them.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        inner => word.push(inner),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '$' | '`' => return None,
                        '\\' => word.push(characters.next()?),
                        inner => word.push(inner),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            '$' | '`' | '(' | ')' | '<' | '>' | '*' | '?' | '\n' | '#' => return None,
            plain => word.get_or_insert_default().push(plain),
        }
    }
    words.extend(word);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_known_again_whatever_the_path() {
        for path in ["/usr/bin/vib", "/home/anna's/bin dir/vib", "/opt/vib-2/프로그램", "/a\"b\\c/vib"] {
            for scope in Scope::ALL {
                for (event, is_first) in [(None, true), (None, false), (Some("preToolUse"), false)] {
                    let hook = Hook { client: Client::Copilot, event, scope, is_first };
                    let own = parse(&line(Path::new(path), &hook)).unwrap();
                    let expected = if scope == Scope::Team { portable::NAME } else { path };
                    assert_eq!(own.program, Path::new(expected));
                    assert_eq!((own.client, own.event.as_deref()), (Client::Copilot, event));
                    assert_eq!(own.mark, (scope != Scope::User).then_some(scope));
                }
            }
        }
    }

    #[test]
    fn older_and_plainer_forms_are_known_too() {
        for text in [
            "/usr/bin/vib hook codex",
            "vib hook codex",
            "exec '/usr/bin/vib' hook codex",
            "if [ -x '/usr/bin/vib' ]; then exec '/usr/bin/vib' hook codex; fi",
            "[ -x /usr/bin/vib ] && exec /usr/bin/vib hook codex || true",
        ] {
            assert_eq!(parse(text).map(|own| own.client), Some(Client::Codex), "{text}");
        }
    }

    #[test]
    fn what_other_people_wrote_is_not_ours() {
        for text in [
            "",
            "echo vib hook codex",
            "vib hook nobody",
            "vib hook",
            "vib hook codex && notify-send done",
            "mylog; vib hook codex",
            "$HOME/bin/vib hook codex",
            "other hook codex",
            "test -x '/a/vib' && exec '/b/vib' hook codex || true",
            "vib hook codex > log",
            "vib undo --yes",
            "vib hook codex --everybody",
            "command -v vib >/dev/null 2>&1 && exec vib hook codex --team || true; notify-send done",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_shell_runs_it_and_does_nothing_when_vib_is_gone() {
        let tmp = tempfile::tempdir().unwrap();
        let program = tmp.path().join("it's a vib");
        let run = |shell: &str| {
            let hook =
                Hook { client: Client::Codex, event: Some("Stop"), scope: Scope::User, is_first: false };
            let text = line(&program, &hook);
            std::process::Command::new(shell).arg("-c").arg(text).output().unwrap()
        };
        let gone = run("sh");
        assert!(gone.status.success() && gone.stdout.is_empty() && gone.stderr.is_empty(), "{gone:?}");
        std::os::unix::fs::symlink("/bin/echo", &program).unwrap();
        for shell in ["sh", "bash"] {
            let there = run(shell);
            assert_eq!(String::from_utf8_lossy(&there.stdout), "hook codex Stop\n");
            assert!(there.status.success());
        }
    }
}
