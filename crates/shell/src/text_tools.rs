//! Text tools that can write files or run commands from inside their own little languages.

use crate::findings::Weight;
use crate::options::Options;
use crate::value::{Arg, Data};
use crate::walk::Walk;

/// What a sed script does beyond editing text.
#[derive(Debug, Default, PartialEq, Eq)]
struct SedEffects {
    runs: Vec<String>,
    runs_pattern_space: bool,
    writes: Vec<String>,
    not_understood: bool,
}

impl Walk<'_> {
    /// `sed`: in-place editing, `w` files, and the `e` that runs commands.
    pub(crate) fn sed(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let mut args = argv[1..].to_vec();
        // `-i` takes its suffix attached (GNU) or as the next word (BSD: usually empty).
        let in_place = args.iter().any(|arg| {
            let name = arg.text.split('=').next().unwrap_or_default();
            name.len() > 3 && "--in-place".starts_with(name)
                || (arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains('i'))
        });
        args.retain(|arg| !arg.text.is_empty());
        let options = Options::of(&args, &["-e", "-f", "--expression", "--file", "-l", "--line-length"]);
        let mut files = options.words.clone();
        let mut scripts: Vec<Arg> = options.values(&["-e", "--expression"]).cloned().collect();
        let from_file = options.has(&["-f", "--file"]);
        if scripts.is_empty() && !from_file && !files.is_empty() {
            scripts.push(files.remove(0));
        }
        for file in options.values(&["-f", "--file"]).cloned().collect::<Vec<_>>() {
            match self.script_text(&file, stdin) {
                Some(text) => scripts.push(file.with_text(text)),
                None => self.found.unknown(
                    if is_stdin(&file.text) { Weight::Ask } else { Weight::Covered },
                    "runs_unknown_code",
                    "a sed script that is not visible here",
                    about,
                ),
            }
        }
        for script in &scripts {
            let effects = sed_effects(&script.text);
            for command in &effects.runs {
                self.probe_script(command, "sed");
            }
            if effects.runs_pattern_space || !effects.runs.is_empty() {
                self.found.unknown(Weight::Ask, "runs_unknown_code", "sed runs text as a command", about);
            }
            for file in &effects.writes {
                self.writes(&Arg::new(file.clone()), "sed w");
            }
            if effects.not_understood {
                self.found.unknown(
                    Weight::Checkpoint,
                    "script_unclear",
                    "a sed script that could not be read to its end",
                    about,
                );
            }
        }
        let exact = options.flags.iter().all(|(flag, value)| sed_flag_is_plain(flag, value.as_ref()))
            && args.iter().all(|arg| !names_a_copy(&arg.text));
        let mut taint = stdin.taint;
        for file in &files {
            taint.secret |= self.reads_secret(file);
            if in_place {
                self.exactly(exact, |walk| walk.writes(file, "edited in place"));
            }
        }
        Data::unknown(taint)
    }

    /// `awk`: `system()`, pipes and output files inside the program text.
    pub(crate) fn awk(&mut self, argv: &[Arg], stdin: &Data, about: &str) -> Data {
        let options = Options::of(
            &argv[1..],
            &["-F", "-v", "-f", "--file", "-i", "--include", "-o", "-e", "--source", "-E"],
        );
        let mut files = options.words.clone();
        let mut programs: Vec<Arg> = options.values(&["-e", "--source"]).cloned().collect();
        let from_file = options.has(&["-f", "--file", "-E"]);
        for file in options.values(&["-f", "--file", "-E"]).cloned().collect::<Vec<_>>() {
            match self.script_text(&file, stdin) {
                Some(text) => programs.push(file.with_text(text)),
                None => self.found.unknown(
                    if is_stdin(&file.text) { Weight::Ask } else { Weight::Covered },
                    "runs_unknown_code",
                    "an awk program that is not visible here",
                    about,
                ),
            }
        }
        if from_file {
        } else if programs.is_empty() && !files.is_empty() {
            programs.push(files.remove(0));
        }
        for program in &programs {
            self.awk_program(&program.text, about);
        }
        let mut taint = stdin.taint;
        for file in &files {
            taint.secret |= self.reads_secret(file);
            if options.values(&["-i"]).any(|value| value.text == "inplace") {
                self.writes(file, "edited in place");
            }
        }
        Data::unknown(taint)
    }

    /// The text of a script in a file, or on standard input.
    fn script_text(&mut self, file: &Arg, stdin: &Data) -> Option<String> {
        if is_stdin(&file.text) { stdin.text.clone() } else { self.read_file(file).text }
    }

    /// Programs with commands of their own, some of which run a shell: `dc`, `m4`, clients of databases.
    pub(crate) fn escapes_to_shell(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) {
        let mut texts: Vec<String> = argv[1..].iter().map(|arg| arg.text.clone()).collect();
        texts.extend(stdin.text.clone());
        if matches!(name, "m4" | "dc") {
            for file in Options::of(&argv[1..], &["-e", "-f", "-D", "-I"]).words {
                texts.extend(self.read_file(&file).text);
            }
        }
        // Statements in a file that a client is told to read.
        let read: Vec<String> = texts
            .iter()
            .flat_map(|text| text.lines().take(50))
            .filter_map(|line| {
                [".read ", "\\i ", "\\ir ", "source "].iter().find_map(|mark| line.trim().strip_prefix(mark))
            })
            .take(4)
            .map(|file| file.trim().trim_matches(['\'', '"', ';']).to_owned())
            .collect();
        for file in read.iter().filter(|_| !matches!(name, "m4" | "dc")) {
            texts.extend(self.script_file(&Arg::new(file)));
        }
        for text in texts {
            if name == "m4" {
                for call in ["syscmd", "esyscmd"].iter().flat_map(|call| crate::code_text::calls(&text, call))
                {
                    self.probe_script(call.trim_matches(['`', '\'', ' ']), "m4");
                }
                continue;
            }
            for line in text.lines().take(500) {
                let line = line.trim();
                let command = match name {
                    "dc" => line
                        .split_once('!')
                        .map(|(_, command)| command)
                        .filter(|c| !c.starts_with(['<', '>', '='])),
                    "ftp" | "sftp" | "lftp" => line.strip_prefix('!'),
                    _ => [".shell ", ".system ", ".sh ", "\\! ", "\\!", "system ", "!! "]
                        .iter()
                        .find_map(|mark| line.strip_prefix(mark)),
                };
                if let Some(command) = command {
                    self.probe_script(command, name);
                }
                let upper = line.to_uppercase();
                if let Some(at) = upper.find("PROGRAM '").filter(|_| upper.contains("COPY")) {
                    let rest = line.get(at + 9..).unwrap_or_default();
                    self.probe_script(rest.split('\'').next().unwrap_or_default(), name);
                }
                for mark in [".output ", ".once ", ".backup ", ".save ", ".log "] {
                    if let Some(file) = line.strip_prefix(mark).filter(|_| name == "sqlite3") {
                        let file = file.trim().trim_matches(['"', '\'']);
                        match file.strip_prefix('|') {
                            Some(command) => self.probe_script(command, name),
                            None => self.writes(&Arg::new(file), "output file"),
                        }
                    }
                }
            }
        }
        if name == "dc" && stdin.present && stdin.text.is_none() {
            self.found.unknown(
                Weight::Ask,
                "runs_unknown_code",
                "runs commands that are not visible here",
                about,
            );
        }
    }

    fn awk_program(&mut self, program: &str, about: &str) {
        let calls = crate::code_text::calls(program, "system");
        for call in &calls {
            match crate::code_text::first_string(call) {
                Some(text) if crate::code_text::is_one_string(call) => self.probe_script(&text, "awk"),
                _ => self.found.unknown(
                    Weight::Ask,
                    "runs_unknown_code",
                    "awk runs a command that it puts together",
                    about,
                ),
            }
        }
        let bytes = program.as_bytes();
        let mut in_string = false;
        let mut in_regex = false;
        for at in 0..bytes.len() {
            match bytes[at] {
                b'\\' => continue,
                b'"' if !in_regex && (at == 0 || bytes[at - 1] != b'\\') => in_string = !in_string,
                b'/' if !in_string
                    && (in_regex
                        || program[..at].trim_end().ends_with(['(', '~', '!', '&', '|', '{', ';', ','])
                        || program[..at].trim().is_empty()) =>
                {
                    in_regex = !in_regex;
                }
                b'|' if !in_string
                    && !in_regex
                    && bytes.get(at + 1) != Some(&b'|')
                    && (at == 0 || bytes[at - 1] != b'|') =>
                {
                    let after = program[at + 1..].trim_start_matches('&').trim_start();
                    let command = if after.starts_with("getline") {
                        last_string(&program[..at])
                    } else {
                        leading_string(after)
                    };
                    let shell = command.as_deref().is_some_and(|text| {
                        let name = text.split_whitespace().next().unwrap_or_default().rsplit('/').next();
                        matches!(name, Some("sh" | "bash" | "zsh" | "dash" | "ksh")) && !text.contains(" -c")
                    });
                    match command {
                        // What it prints is what the shell runs.
                        Some(_) if shell => match last_string(&program[..at]) {
                            Some(text) => self.probe_script(&text, "awk"),
                            None => self.found.unknown(
                                Weight::Ask,
                                "runs_unknown_code",
                                "awk gives a shell what it puts together",
                                about,
                            ),
                        },
                        Some(text) => {
                            self.probe_script(&text, "awk");
                        }
                        None => self.found.unknown(
                            Weight::Ask,
                            "runs_unknown_code",
                            "awk runs a command that it puts together",
                            about,
                        ),
                    }
                }
                b'>' if !in_string && !in_regex => {
                    let after = program[at + 1..].trim_start_matches('>').trim_start();
                    if let Some(file) = leading_string(after)
                        && program[..at].contains("print")
                    {
                        self.writes(&Arg::new(file), "awk");
                    }
                }
                _ => {}
            }
        }
    }
}

fn is_stdin(path: &str) -> bool {
    matches!(path, "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

/// Whether an option of sed makes no further file.
fn sed_flag_is_plain(flag: &str, value: Option<&Arg>) -> bool {
    match flag.strip_prefix("--") {
        Some("in-place") => value.is_none(),
        Some(long) => matches!(long, "expression" | "quiet" | "silent" | "regexp-extended" | "null-data"),
        None => flag.len() > 2 || matches!(flag, "-i" | "-e" | "-E" | "-r" | "-n" | "-z" | "-s"),
    }
}

/// `-i.bak`, `-ie`: what follows the `i` is the ending of a copy.
fn names_a_copy(arg: &str) -> bool {
    let cluster = arg.starts_with('-') && !arg.starts_with("--");
    cluster && arg.find('i').is_some_and(|at| at + 1 < arg.len())
}

fn leading_string(text: &str) -> Option<String> {
    let rest = text.strip_prefix('"')?;
    Some(rest[..rest.find('"')?].to_owned())
}

fn last_string(text: &str) -> Option<String> {
    let rest = text.trim_end().strip_suffix('"')?;
    Some(rest[rest.rfind('"')? + 1..].to_owned())
}

/// Reads a sed script command by command.
fn sed_effects(script: &str) -> SedEffects {
    let chars: Vec<char> = script.chars().collect();
    let mut effects = SedEffects::default();
    let mut at = 0;
    while at < chars.len() {
        while at < chars.len() && (chars[at].is_whitespace() || matches!(chars[at], ';' | '{' | '}')) {
            at += 1;
        }
        at = skip_address(&chars, at);
        let Some(&command) = chars.get(at) else { break };
        at += 1;
        match command {
            's' => {
                let Some((parts, end)) = delimited(&chars, at, 2) else {
                    effects.not_understood = true;
                    break;
                };
                at = end;
                let mut flags = String::new();
                while at < chars.len() && !matches!(chars[at], ';' | '\n' | '}' | 'w') {
                    flags.push(chars[at]);
                    at += 1;
                }
                if chars.get(at) == Some(&'w') {
                    let (file, end) = to_line_end(&chars, at + 1);
                    effects.writes.push(file);
                    at = end;
                }
                if flags.contains('e') {
                    effects.runs.push(parts[1].replace("\\/", "/"));
                    effects.runs_pattern_space = true;
                }
            }
            'y' => match delimited(&chars, at, 2) {
                Some((_, end)) => at = end,
                None => break,
            },
            'e' => {
                let (text, end) = to_line_end(&chars, at);
                if text.is_empty() {
                    effects.runs_pattern_space = true;
                } else {
                    effects.runs.push(text);
                }
                at = end;
            }
            'w' | 'W' => {
                let (file, end) = to_line_end(&chars, at);
                effects.writes.push(file);
                at = end;
            }
            'a' | 'i' | 'c' => {
                // Text up to a line end that no backslash escapes.
                while at < chars.len() && (chars[at] != '\n' || chars[at - 1] == '\\') {
                    at += 1;
                }
            }
            'r' | 'R' | '#' | ':' => at = to_line_end(&chars, at).1,
            'b' | 't' | 'T' => {
                while at < chars.len() && !matches!(chars[at], ';' | '\n' | '}') {
                    at += 1;
                }
            }
            'q' | 'Q' | 'l' | 'L' => {
                while at < chars.len() && (chars[at].is_ascii_digit() || chars[at] == ' ') {
                    at += 1;
                }
            }
            'p' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'P' | 'x' | '=' | 'z' | 'F' | '{' | '}'
            | '!' => {}
            _ => {
                effects.not_understood = true;
                break;
            }
        }
    }
    effects
}

fn skip_address(chars: &[char], mut at: usize) -> usize {
    loop {
        match chars.get(at) {
            Some('/') => at = delimited(chars, at, 1).map_or(chars.len(), |(_, end)| end),
            Some('\\') => at = delimited(chars, at + 1, 1).map_or(chars.len(), |(_, end)| end),
            Some(c) if c.is_ascii_digit() || matches!(c, '$' | ',' | '~' | '+' | '!' | ' ' | 'I' | 'M') => {
                at += 1;
            }
            _ => return at,
        }
    }
}

/// Parts between copies of the delimiter at `at`; a backslash protects it, and in the first part, the pattern, so do
/// square brackets.
fn delimited(chars: &[char], at: usize, parts: usize) -> Option<(Vec<String>, usize)> {
    let mark = *chars.get(at)?;
    let (mut at, mut found, mut part) = (at + 1, Vec::new(), String::new());
    while at < chars.len() {
        let c = chars[at];
        if c == '\\' && at + 1 < chars.len() {
            part.extend([c, chars[at + 1]]);
            at += 2;
            continue;
        }
        if c == '[' && found.is_empty() && mark != '[' {
            let first = at + 1 + usize::from(chars.get(at + 1) == Some(&'^'));
            let end = (first + 1..chars.len()).find(|n| chars[*n] == ']' || chars[*n] == '\n');
            if let Some(end) = end.filter(|end| chars[*end] == ']') {
                part.extend(&chars[at..=end]);
                at = end + 1;
                continue;
            }
        }
        at += 1;
        if c == mark {
            found.push(std::mem::take(&mut part));
            if found.len() == parts {
                return Some((found, at));
            }
        } else {
            part.push(c);
        }
    }
    None
}

fn to_line_end(chars: &[char], at: usize) -> (String, usize) {
    let end = chars[at..].iter().position(|c| *c == '\n').map_or(chars.len(), |n| at + n);
    (chars[at..end].iter().collect::<String>().trim().to_owned(), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sed_scripts() {
        for harmless in [
            "s/a/b/g",
            "1,5p",
            "/x/d",
            "s#a#b#;s|c|d|",
            "$!N",
            "/a/,/b/{s/x/y/;p}",
            "408a\\   print(e)",
            "3i w file",
            "10q",
            "y/ab/cd/",
        ] {
            let effects = sed_effects(harmless);
            assert!(
                effects.runs.is_empty() && effects.writes.is_empty() && !effects.runs_pattern_space,
                "{harmless}: {effects:?}"
            );
        }
        assert!(sed_effects("s/[/]w/e/").writes.is_empty());
        assert_eq!(sed_effects("s/x/rm -rf ~/e").runs, ["rm -rf ~"]);
        assert_eq!(sed_effects("1e touch x").runs, ["touch x"]);
        assert_eq!(sed_effects("w /home/u/.bashrc").writes, ["/home/u/.bashrc"]);
    }
}
