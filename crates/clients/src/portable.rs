//! The launcher line of what goes into a repository: it names no path of one machine, so that everybody's file is the same
//! byte for byte.
//!
//! vib is looked for on `PATH`, then at one place below the home folder, where `vib init` leaves a link to itself. With
//! neither, nothing happens and the client goes on; at the start of a session one line says what is missing. Simple commands
//! joined by `&&` and `||` only: these mean the same in sh, dash, bash, zsh and fish.

/// The name on `PATH`.
pub const NAME: &str = "vib";
/// Where `vib init` leaves a link to itself, below the home folder, whatever the state folder is: a shared line cannot know
/// anybody's variables.
pub const RECORDED: &str = ".local/state/vibelign/bin/vib";

const HEAD: &str = "command -v vib >/dev/null 2>&1 && exec vib ";
const THEN: &str =
    " || test -x \"$HOME/.local/state/vibelign/bin/vib\" && exec \"$HOME/.local/state/vibelign/bin/vib\" ";
const QUIET: &str = " || true";
const SAID: (&str, &str) = (" || echo '", "' >&2");
const MISSING: &str = "vib is not installed here: this project asks for it (undo and guard rails for agents), and goes on without";

/// The line that runs vib with these arguments, or does nothing; `says_so`: with a word on standard error then.
pub fn line(arguments: &str, says_so: bool) -> String {
    let end = if says_so { [SAID.0, MISSING, SAID.1].concat() } else { QUIET.to_owned() };
    [HEAD, arguments, THEN, arguments, &end].concat()
}

/// The arguments in a line that a vib wrote; `None` if it is anything else.
pub fn arguments(line: &str) -> Option<&str> {
    let (arguments, rest) = line.strip_prefix(HEAD)?.split_once(THEN)?;
    let end = rest.strip_prefix(arguments)?;
    let says_so = |end: &str| {
        let text = end.strip_prefix(SAID.0)?.strip_suffix(SAID.1)?;
        Some(!text.contains('\''))
    };
    let plain = arguments.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" -.".contains(&byte));
    (plain && (end == QUIET || says_so(end) == Some(true))).then_some(arguments)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::{Command, Output};

    use super::*;

    #[test]
    fn the_place_in_the_line_is_the_recorded_one() {
        assert!(THEN.contains(&format!("\"$HOME/{RECORDED}\"")), "{THEN}");
    }

    #[test]
    fn a_line_is_known_again_and_an_extended_one_is_not() {
        for says_so in [true, false] {
            let text = line("hook codex --team", says_so);
            assert_eq!(arguments(&text), Some("hook codex --team"), "{text}");
            for other in [format!("{text}; date"), format!("{text} && date"), format!("date; {text}")] {
                assert_eq!(arguments(&other), None, "{other}");
            }
        }
        assert_eq!(arguments(&line("hook codex --team", false).replacen("codex", "gemini", 1)), None);
        assert_eq!(arguments(&line("hook codex; date", false)), None);
    }

    /// As a client does it: `SHELL -c LINE`, with this home and nothing but `bin` on `PATH`.
    fn run(shell: &Path, text: &str, home: &Path, bin: &Path) -> Output {
        let mut command = Command::new(shell);
        command.arg("-c").arg(text).env_clear().env("HOME", home).env("PATH", bin);
        command.output().unwrap()
    }

    #[test]
    fn it_means_the_same_in_every_shell_t15() {
        let tmp = tempfile::tempdir().unwrap();
        let bin = tmp.path().join("a bin");
        let home = tmp.path().join("it's a \"home\"");
        let recorded = home.join(RECORDED);
        std::fs::create_dir_all(recorded.parent().unwrap()).unwrap();
        std::fs::create_dir(&bin).unwrap();
        let text = line("hook codex --team", true);
        let said = |output: &Output| {
            assert!(output.status.success(), "{output:?}");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        let shells = ["sh", "dash", "bash", "zsh", "fish", "ksh", "mksh", "busybox"].map(|name| {
            let folders = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file())
        });
        let mut tried = 0;
        for shell in shells.into_iter().flatten().filter(|shell| !shell.ends_with("busybox")) {
            tried += 1;
            let _ = std::fs::remove_file(bin.join("vib"));
            let _ = std::fs::remove_file(&recorded);
            let nowhere = run(&shell, &text, &home, &bin);
            assert_eq!(said(&nowhere), "", "{}", shell.display());
            assert_eq!(
                String::from_utf8_lossy(&nowhere.stderr),
                format!("{MISSING}\n"),
                "{}",
                shell.display()
            );
            let quiet = run(&shell, &line("hook codex --team", false), &home, &bin);
            assert!(quiet.status.success() && quiet.stderr.is_empty(), "{}: {quiet:?}", shell.display());

            std::os::unix::fs::symlink("/bin/echo", &recorded).unwrap();
            assert_eq!(said(&run(&shell, &text, &home, &bin)), "hook codex --team\n", "{}", shell.display());

            std::fs::remove_file(&recorded).unwrap();
            std::os::unix::fs::symlink("/bin/false", &recorded).unwrap();
            std::os::unix::fs::symlink("/bin/echo", bin.join("vib")).unwrap();
            let both = run(&shell, &text, &home, &bin);
            assert_eq!(said(&both), "hook codex --team\n", "{}: PATH first", shell.display());
        }
        assert!(tried >= 2, "sh and bash are everywhere");
    }
}
