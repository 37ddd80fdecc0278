//! The command line that stands in a client's settings, and how to know it again.
//!
//! `test -x '/path/vib' && exec '/path/vib' hook CLIENT || true`: with vib gone, it does nothing and succeeds (Gemini
//! and Copilot would otherwise refuse every step); with vib there, the shell becomes vib, so there is one process only.
//! The same words mean the same in sh, bash, zsh and fish; Codex runs its hooks with the person's own shell.

use std::path::{Path, PathBuf};

use crate::Client;

/// One of our command lines, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCommand {
    /// The program it runs.
    pub program: PathBuf,
    /// The client it speaks for.
    pub client: Client,
    /// The event, where the client's payload does not say it.
    pub event: Option<String>,
}

/// The command line for a hook.
pub fn line(program: &Path, client: Client, event: Option<&str>) -> String {
    let program = quoted(&program.to_string_lossy());
    let event = event.map(|event| format!(" {event}")).unwrap_or_default();
    format!("test -x {program} && exec {program} hook {client}{event} || true")
}

/// Takes a command line apart if it is one that a vib wrote, whatever its version and wherever it was installed.
pub fn parse(line: &str) -> Option<OwnCommand> {
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
    let (client, event) = match rest {
        [client] => (client.trim_end_matches(';'), None),
        [client, event] => (*client, Some(event.trim_end_matches(';').to_owned())),
        _ => return None,
    };
    Some(OwnCommand { program: PathBuf::from(program), client: client.parse().ok()?, event })
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
            for event in [None, Some("preToolUse")] {
                let own = parse(&line(Path::new(path), Client::Copilot, event)).unwrap();
                assert_eq!(own.program, Path::new(path));
                assert_eq!((own.client, own.event.as_deref()), (Client::Copilot, event));
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
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_shell_runs_it_and_does_nothing_when_vib_is_gone() {
        let tmp = tempfile::tempdir().unwrap();
        let program = tmp.path().join("it's a vib");
        let run = |shell: &str| {
            let text = line(&program, Client::Codex, Some("Stop"));
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
