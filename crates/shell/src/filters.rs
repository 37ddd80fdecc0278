//! Programs whose output can be worked out without running them: what people hide commands in.

use crate::options::Options;
use crate::quoting::ansi_c;
use crate::value::{Arg, Data, HOLE, Taint};
use crate::walk::{Walk, join};

impl Walk<'_> {
    /// A program that prints something knowable; `None` when it is not one of them.
    pub(crate) fn filter(&mut self, name: &str, argv: &[Arg], stdin: &Data) -> Option<Data> {
        let args = &argv[1..];
        let taint = args.iter().fold(Taint::default(), |taint, arg| taint.and(arg.taint));
        Some(match name {
            "echo" => echo(args).tainted(taint),
            // Where a program of the system is: its name is what matters.
            "which" | "whereis" | "where" => self.where_programs_are(args).tainted(taint),
            "printenv" if self.prints_known(args) => self.printed_variables(args).tainted(taint),
            "pwd" if !self.remote => match &self.cwd {
                Some(folder) => Data::text(format!("{folder}\n")),
                None => Data::unknown(taint),
            },
            "readlink" | "realpath" | "grealpath" | "greadlink" if !self.remote => {
                self.resolved_names(args).tainted(taint)
            }
            "seq" => sequence(args).unwrap_or_else(|| Data::unknown(taint)),
            "printf" => self.printf(args).tainted(taint),
            "cat" | "tac" | "head" | "tail" | "tee" | "less" | "more" | "bat" => self.cat(name, args, stdin),
            // Lines that set variables are still such lines when some of them are left out.
            "grep" | "egrep" | "fgrep" if self.wants_settings => {
                let options = Options::of(args, &["-e"]);
                let is_plain = options.flags.iter().all(|(flag, _)| {
                    matches!(flag.as_str(), "-v" | "-E" | "-F" | "-i" | "-h" | "-e" | "--invert-match")
                });
                let files = options.words.get(usize::from(!options.has(&["-e"]))..).unwrap_or_default();
                match files {
                    [file] if is_plain => self.read_file(file),
                    _ => return None,
                }
            }
            "base64" | "gbase64" | "base32" => {
                let decodes = args.iter().any(|arg| {
                    matches!(
                        arg.text.as_str(),
                        "-d" | "-D" | "--decode" | "-di" | "--decod" | "--deco" | "-id"
                    )
                });
                let input = self.input(args, stdin);
                self.converted(input, decodes, |text| {
                    if decodes && name != "base32" { base64_text(text) } else { None }
                })
            }
            "openssl" => {
                let words: Vec<&str> = args.iter().map(|arg| arg.text.as_str()).collect();
                let decodes = words.contains(&"-d") || words.contains(&"-D");
                if !matches!(words.first(), Some(&("base64" | "enc"))) {
                    return None;
                }
                let plain = words.contains(&"base64") || words.contains(&"-base64") || words.contains(&"-a");
                self.converted(stdin.clone(), decodes, |text| {
                    if decodes && plain { base64_text(text) } else { None }
                })
            }
            "xxd" => {
                let back = args.iter().any(|arg| arg.text.starts_with('-') && arg.text.contains('r'));
                let options = Options::of(args, &["-c", "-g", "-l", "-n", "-o", "-s"]);
                self.may_leave_behind(name, &[], &options);
                let input = self.input(args, stdin);
                self.converted(input, back, |text| if back { hex_text(text) } else { None })
            }
            _ if prints_environment(name, args) => Data::text(""),
            "mktemp" => {
                let options = Options::of(args, &["-p", "--tmpdir", "--suffix"]);
                let path = match options.words.first() {
                    Some(template) if !options.has(&["-t"]) => template.clone(),
                    _ => Arg::new("/tmp/tmp.XXXXXXXXXX"),
                };
                self.writes(&path, "mktemp");
                Data::text(path.text).tainted(taint)
            }
            "rev" => self.converted(stdin.clone(), true, |text| {
                Some(text.lines().map(|line| line.chars().rev().collect::<String>() + "\n").collect())
            }),
            "tr" => {
                let (from, to) = (
                    args.first().map(|a| a.text.clone()).unwrap_or_default(),
                    args.get(1).map(|a| a.text.clone()).unwrap_or_default(),
                );
                self.converted(stdin.clone(), true, |text| translate(text, &from, &to))
            }
            "gunzip" | "zcat" | "uudecode" | "unxz" | "bunzip2" => {
                let file = Options::of(args, &[]).words;
                for file in &file {
                    self.reads_secret(file);
                    if !matches!(name, "zcat") {
                        self.writes(file, "unpacks in place");
                    }
                }
                Data::unknown(Taint { decoded: true, ..stdin.taint.and(taint) })
            }
            _ => return None,
        })
    }

    /// What a filter reads: its files, else its standard input.
    fn input(&mut self, args: &[Arg], stdin: &Data) -> Data {
        let files = Options::of(args, &["-w", "--wrap", "-c", "-l", "-s"]).words;
        let mut data = Data::default();
        for file in files.iter().filter(|file| file.text != "-") {
            data = join(data, self.read_file(file));
        }
        if data.present { data } else { stdin.clone() }
    }

    fn converted(
        &mut self,
        input: Data,
        decodes: bool,
        convert: impl FnOnce(&str) -> Option<String>,
    ) -> Data {
        let text = input.text.as_deref().and_then(convert);
        let taint = Taint { decoded: input.taint.decoded || decodes, ..input.taint };
        Data { text, present: true, taint, ..Data::default() }
    }

    fn cat(&mut self, name: &str, args: &[Arg], stdin: &Data) -> Data {
        let options = Options::of(args, &["-n", "-c", "--lines", "--bytes", "-p", "-t", "-l", "--language"]);
        if name == "tee" {
            for file in &options.words {
                if !self.is_socket(file) {
                    let how = if options.has(&["-a", "--append"]) { "added to" } else { "tee" };
                    self.exactly(true, |walk| walk.writes(file, how));
                }
                self.remember_file(file, stdin, options.has(&["-a", "--append"]));
            }
            return stdin.clone();
        }
        if matches!(name, "less" | "more" | "bat") {
            for arg in args {
                if let Some((_, command)) = arg.text.split_once('!').filter(|_| arg.text.starts_with('+')) {
                    self.probe_script(command, "a pager's command");
                }
            }
        }
        let plain = options.flags.is_empty();
        let mut data = Data::default();
        for file in &options.words {
            let next = if matches!(file.text.as_str(), "-" | "/dev/stdin") {
                stdin.clone()
            } else {
                self.read_file(file)
            };
            data = join(data, next);
        }
        for value in options.flags.iter().filter_map(|(_, value)| value.as_ref()) {
            self.reads_secret(&value.clone());
        }
        if options.words.is_empty() {
            data = stdin.clone();
        }
        let known = plain && matches!(name, "cat" | "tac") || matches!(name, "head" | "tail");
        Data {
            text: if known { data.text } else { None },
            present: true,
            taint: data.taint,
            names: data.names,
            special: data.special,
        }
    }

    fn printf(&mut self, args: &[Arg]) -> Data {
        let (variable, rest) = match args {
            [flag, name, rest @ ..] if flag.text == "-v" => (Some(name.text.clone()), rest),
            [flag, rest @ ..] if flag.text == "--" => (None, rest),
            _ => (None, args),
        };
        let Some((format, values)) = rest.split_first() else {
            return Data::default();
        };
        let text = formatted(&format.text, values);
        if let Some(name) = variable {
            self.evaluated_name(&name);
            let taint = values.iter().fold(format.taint, |taint, arg| taint.and(arg.taint));
            self.assign(&name, Arg { text, glob: false, taint });
            return Data::default();
        }
        Data::text(text)
    }
}

/// Programs that print settings for `eval`, and nothing else: `eval "$(direnv hook bash)"`.
fn prints_environment(name: &str, args: &[Arg]) -> bool {
    let first = args.first().map_or("", |arg| arg.text.as_str());
    matches!(
        (name, first),
        ("ssh-agent", "" | "-s" | "-c")
            | ("dircolors", _)
            | ("direnv", "hook" | "export")
            | ("brew", "shellenv")
            | ("pyenv" | "rbenv" | "nodenv" | "goenv" | "jenv" | "zoxide" | "starship", "init")
            | ("fnm" | "opam", "env")
            | ("mise" | "rtx", "activate" | "env")
            | ("conda" | "mamba" | "micromamba", "shell.bash" | "shell.zsh" | "shell")
            | ("npm" | "pip" | "gh" | "kubectl" | "helm" | "rustup" | "poetry", "completion" | "completions")
    )
}

/// `seq 1 5`: the first numbers; the others are of the same kind.
fn sequence(args: &[Arg]) -> Option<Data> {
    let numbers: Vec<i64> =
        args.iter().filter(|arg| arg.text != "-w").map(|arg| arg.text.parse().ok()).collect::<Option<_>>()?;
    let (from, to) = match numbers.as_slice() {
        [to] => (1, *to),
        [from, to] => (*from, *to),
        _ => return None,
    };
    let last = to.min(from.saturating_add(7));
    Some(Data::text((from..=last).map(|number| format!("{number}\n")).collect::<String>()))
}

fn echo(args: &[Arg]) -> Data {
    let mut rest = args;
    let (mut escapes, mut newline) = (false, true);
    while let Some((first, more)) = rest.split_first() {
        let letters = first.text.strip_prefix('-').unwrap_or("");
        if letters.is_empty() || !letters.chars().all(|c| matches!(c, 'n' | 'e' | 'E')) {
            break;
        }
        escapes |= letters.contains('e');
        newline &= !letters.contains('n');
        rest = more;
    }
    let text = rest.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(" ");
    let text = if escapes { ansi_c(&text) } else { text };
    Data::text(if newline { text + "\n" } else { text })
}

/// `printf`'s output for the directives that matter; the format is used again while values are left.
fn formatted(format: &str, values: &[Arg]) -> String {
    let format = ansi_c(format);
    let mut out = String::new();
    let mut values = values.iter();
    loop {
        let before = values.len();
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            while chars.peek().is_some_and(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '+' | ' ' | '#'))
            {
                chars.next();
            }
            match chars.next() {
                Some('%') | None => out.push('%'),
                Some('b') => {
                    out.push_str(&values.next().map(|value| ansi_c(&value.text)).unwrap_or_default());
                }
                Some('c') => out.extend(values.next().and_then(|value| value.text.chars().next())),
                Some('s' | 'd' | 'i' | 'q' | 'u') => {
                    out.push_str(values.next().map_or("", |value| value.text.as_str()));
                }
                Some('x' | 'X' | 'o') => {
                    values.next();
                    out.push(HOLE);
                }
                Some(other) => {
                    out.push('%');
                    out.push(other);
                }
            }
        }
        if values.len() == 0 || values.len() == before || out.len() > 64 * 1024 {
            return out;
        }
    }
}

pub(crate) fn base64_decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut bits, mut count) = (0u32, 0u32);
    for c in text.bytes().filter(|c| !c.is_ascii_whitespace() && *c != b'=') {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    Some(out)
}

fn base64_text(text: &str) -> Option<String> {
    String::from_utf8(base64_decode(text)?).ok()
}

fn hex_text(text: &str) -> Option<String> {
    let digits: Vec<u8> = text.chars().filter_map(|c| c.to_digit(16).map(|d| d as u8)).collect();
    let bytes = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    String::from_utf8(bytes).ok()
}

/// `tr` with ranges; `None` for classes and options.
fn translate(text: &str, from: &str, to: &str) -> Option<String> {
    if from.starts_with('-') || from.contains("[:") {
        return None;
    }
    let (from, to) = (set(from), set(to));
    let last = to.last().copied()?;
    Some(
        text.chars()
            .map(|c| from.iter().rposition(|f| *f == c).map_or(c, |at| to.get(at).copied().unwrap_or(last)))
            .collect(),
    )
}

fn set(text: &str) -> Vec<char> {
    let chars: Vec<char> = ansi_c(text).chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < chars.len() && out.len() < 1024 {
        if at + 2 < chars.len() && chars[at + 1] == '-' && chars[at] <= chars[at + 2] {
            out.extend((chars[at]..=chars[at + 2]).take(512));
            at += 3;
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoders() {
        assert_eq!(base64_text("cm0gLXJmIC8=").as_deref(), Some("rm -rf /"));
        assert_eq!(hex_text("726d").as_deref(), Some("rm"));
        assert_eq!(translate("tvg", "a-z", "n-za-m").as_deref(), Some("git"));
        assert_eq!(formatted("%s %s\\n", &[Arg::new("rm"), Arg::new("-rf")]), "rm -rf\n");
        assert_eq!(formatted("%s", &[Arg::new("a"), Arg::new("b")]), "ab");
    }
}
