//! Prompts: what is typed into a program that runs already, and programs that wait for it. (S2)

use super::deeds::is_in;

/// A key, a number, yes or no: an answer to a question, and no code.
pub(super) fn is_an_answer(text: &str) -> bool {
    let keys_taken = without_keys(text);
    let bare = keys_taken.trim_matches(|letter: char| letter.is_whitespace() || letter.is_control());
    bare.is_empty()
        || bare.bytes().all(|byte| byte.is_ascii_digit())
        || is_in("y n yes no q quit exit a all skip ok", &bare.to_ascii_lowercase())
}

/// Without the names of keys (`{enter}`) and the codes of the arrow keys.
fn without_keys(text: &str) -> String {
    let mut rest = text.to_owned();
    for key in ["up", "down", "left", "right", "enter", "backspace", "tab", "escape", "esc", "space"] {
        rest = rest.replace(&format!("{{{key}}}"), "");
    }
    for arrow in ["\u{1b}[A", "\u{1b}[B", "\u{1b}[C", "\u{1b}[D"] {
        rest = rest.replace(arrow, "");
    }
    rest
}

/// Programs that ask for what to do next where nothing tells them, and how they are told.
const PROMPTS: &str = "sh bash zsh dash ksh fish ash python python2 python3 ipython node nodejs deno bun irb ruby perl php lua R julia \
    ghci scala jshell erl iex psql mysql mariadb sqlite3 redis-cli mongo mongosh gdb lldb pdb bc ed ex vi vim nvim emacs nano ftp \
    sftp telnet nc ncat socat tclsh guile racket sbcl ocaml utop swift powershell pwsh script screen tmux su";
/// Programs that stand before another one.
const WRAPPERS: &str =
    "env sudo doas exec nohup nice ionice stdbuf rlwrap setsid time command unbuffer winpty busybox";

/// What `tmux` does without opening anything.
const TMUX_LOOKS: &str =
    "ls list-sessions list-windows lsw list-panes lsp capture-pane capturep display-message has-session has";

/// True if a command of this line opens a prompt that waits for what is typed: a shell or an interpreter without anything to run.
pub(super) fn opens_a_prompt(line: &str) -> bool {
    // What is quoted cannot begin a command of this line; it may be a program of its own, which the judge reads.
    let mut before = "";
    for part in line.split_inclusive(['\n', ';', '|', '&']) {
        let (command, end) = part.split_at(part.len() - part.chars().next_back().map_or(0, char::len_utf8));
        let (command, end) = if [";", "|", "&", "\n"].contains(&end) { (command, end) } else { (part, "") };
        let is_fed = before == "|" || command.contains('<') || command.contains("$(");
        if !is_fed && is_a_prompt(command) {
            return true;
        }
        before = end;
    }
    false
}

fn is_a_prompt(command: &str) -> bool {
    let mut words = command.split_ascii_whitespace().peekable();
    let is_setting = |word: &str| word.split_once('=').is_some_and(|(name, _)| !name.contains(['/', '-']));
    while let Some(word) = words.peek() {
        let name = word.rsplit('/').next().unwrap_or(word);
        if is_setting(word) || is_in(WRAPPERS, name) || (name.starts_with('-') && name.len() < 3) {
            words.next();
        } else {
            break;
        }
    }
    let Some(program) = words.next() else { return false };
    let program = program.rsplit('/').next().unwrap_or(program).trim_matches(['(', ')', '{', '}', '\'', '"']);
    if !is_in(PROMPTS, program) && !program.starts_with("python3.") {
        return false;
    }
    let rest: Vec<&str> = words.filter(|word| !word.starts_with('>') && !word.starts_with("2>")).collect();
    let is_option = |word: &&str| word.starts_with('-');
    let asks_itself = |word: &&str| matches!(*word, "-i" | "--interactive" | "-it");
    let tells = |word: &str| matches!(word, "--version" | "-V" | "-v" | "--help" | "-h" | "-c" | "-e" | "-m");
    if is_in(
        "psql mysql mariadb sqlite3 redis-cli mongo mongosh ftp sftp telnet nc ncat socat screen tmux su script gdb lldb",
        program,
    ) {
        // Their arguments say where, not what.
        let says_what = |word: &&str| {
            matches!(
                *word,
                "-c" | "-e"
                    | "-f"
                    | "--command"
                    | "--execute"
                    | "--file"
                    | "--eval"
                    | "--version"
                    | "--help"
                    | "-V"
                    | "--batch"
                    | "-batch"
                    | "-x"
                    | "-ex"
                    | "-z"
                    | "ls"
                    | "-l"
            ) || word.starts_with("--command=")
                || word.starts_with("--execute=")
                || word.starts_with("--file=")
                || word.starts_with("--eval=")
                || word.starts_with("-e")
        };
        let is_a_word =
            |word: &&str| !word.starts_with('-') && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let says_it = match program {
            "sqlite3" => rest.len() > 1,
            "redis-cli" => rest.iter().any(is_a_word),
            // It prints what stands in a pane, or names of sessions; nothing is typed there.
            "tmux" => rest.iter().any(|word| is_in(TMUX_LOOKS, word)),
            _ => false,
        };
        return !says_it && !rest.iter().any(says_what);
    }
    if is_in("vi vim nvim emacs nano ed ex bc", program) {
        return !rest.iter().any(|word| tells(word) || word.starts_with('+') || word.starts_with("-c"));
    }
    rest.iter().any(asks_itself) && !rest.contains(&"-c")
        || rest.iter().all(is_option)
            && !rest.iter().any(|word| tells(word) || word.ends_with('c') || word.starts_with("-c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_known_from_a_program_with_something_to_do_s2() {
        for line in [
            "bash",
            "bash -i",
            "sh",
            "python3",
            "python3 -i",
            "python3 -q",
            "cd src && node",
            "env A=1 bash",
            "exec bash -l",
            "/usr/bin/python3.12",
            "python3 -i setup.py",
            "psql mydb",
            "sqlite3 app.db",
            "vim a.txt",
            "sudo su",
            "script /dev/null",
            "make; bash",
            "zsh --login",
            "ssh-add; irb",
        ] {
            assert!(opens_a_prompt(line), "{line}");
        }
        for line in [
            "bash -c 'ls'",
            "bash run.sh",
            "bash -lc ls",
            "python3 t.py",
            "python3 -m pytest",
            "python3 -c 'print(1)'",
            "node a.js",
            "node -e 1",
            "echo 1 | python3",
            "python3 < a.py",
            "bash <<EOF\nls\nEOF",
            "node --version",
            "python3 -V",
            "psql -c 'select 1'",
            "sqlite3 app.db .tables",
            "ls bash",
            "npm test",
            "git commit -m bash",
            "which python3",
            "vim --version",
            "sqlite3 app.db 'select 1'",
            "perl -pi -e s/a/b/ f",
            "mysql -e 'select 1'",
            "redis-cli ping",
            "tmux ls",
            "tmux capture-pane -p -t work",
        ] {
            assert!(!opens_a_prompt(line), "{line}");
        }
    }
}
