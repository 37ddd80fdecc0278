//! What a recorded command did to files.
//!
//! The recording has no contents, so they are followed in thought: a file is a list of what was done to it. Writing it anew
//! starts the list again, `git checkout` empties it, a copy takes the list along, and deleting the lines that were put in takes
//! them off the list. So two contents are called the same only if they were made in the same way.

use std::collections::HashMap;

use super::hash;

/// What is known of the files of one run.
#[derive(Default)]
pub struct Files {
    done: HashMap<String, Vec<String>>,
    /// Script → files that it writes.
    scripts: HashMap<String, Vec<String>>,
}

/// What one command did.
pub struct Done {
    /// Files it wrote, with the number of what they held before.
    pub paths: Vec<(String, u64)>,
    /// Whether it did anything besides.
    pub more: bool,
    /// Whether it may write at all.
    pub writes: bool,
}

impl Files {
    /// A number for a file's content.
    pub fn content(&self, path: &str) -> u64 {
        let done = self.done.get(path).map(Vec::as_slice).unwrap_or_default();
        hash(&format!("{path}\0{}", done.join("\0")))
    }

    /// Follows a command.
    pub fn run(&mut self, command: &str) -> Done {
        let before = Self { done: self.done.clone(), scripts: HashMap::new() };
        let (mut paths, mut more, mut writes) = (Vec::new(), false, false);
        let (lines, bodies) = split_documents(command);
        let mut bodies = bodies.into_iter();
        for simple in simple_commands(&lines) {
            let words: Vec<&str> = words(simple);
            let body = if simple.contains("<<") { bodies.next() } else { None };
            let Some(program) = words.first() else { continue };
            let known = paths.len();
            self.simple(program, &words, simple, body.as_deref(), &mut paths);
            if paths.len() == known {
                more |= !matches!(*program, "cd" | "mkdir" | "echo" | "true" | "set" | "export");
                writes |= !is_reader(program, &words);
            }
        }
        paths.sort();
        paths.dedup();
        writes |= !paths.is_empty();
        let paths = paths.into_iter().map(|path| (path.clone(), before.content(&path))).collect();
        Done { paths, more, writes }
    }

    fn simple(
        &mut self,
        program: &str,
        words: &[&str],
        text: &str,
        body: Option<&str>,
        paths: &mut Vec<String>,
    ) {
        let plain = |word: &&&str| !word.starts_with('-');
        match program {
            "sed" if words.iter().any(|word| word.starts_with("-i") || word.starts_with("--in-place")) => {
                let Some(path) = words.last().map(|word| unquote(word)) else { return };
                let script =
                    text.rsplit_once(words.last().copied().unwrap_or_default()).map_or(text, |(s, _)| s);
                self.edit(&path, script.trim());
                paths.push(path);
            }
            "git" if matches!(words.get(1), Some(&("checkout" | "restore"))) => {
                for path in words[2..]
                    .iter()
                    .filter(plain)
                    .map(|word| unquote(word))
                    .filter(|word| word.contains(['.', '/']))
                {
                    self.done.remove(&path);
                    paths.push(path);
                }
            }
            "git" if matches!(words.get(1), Some(&"stash")) => {
                paths.extend(self.done.keys().cloned());
                self.done.clear();
            }
            "cp" | "mv" => {
                let named: Vec<String> = words[1..].iter().filter(plain).map(|word| unquote(word)).collect();
                if let [from, to] = named.as_slice() {
                    let list =
                        self.done.get(from).cloned().unwrap_or_else(|| vec![format!("copy of {from}")]);
                    // A copy that comes back is the original.
                    let list = if list.first().is_some_and(|first| *first == format!("copy of {to}")) {
                        list[1..].to_vec()
                    } else if self.done.contains_key(from) {
                        std::iter::once(format!("copy of {from}")).chain(list).collect()
                    } else {
                        list
                    };
                    self.done.insert(to.clone(), list);
                    paths.push(to.clone());
                }
            }
            _ => {
                if let Some((append, path)) = redirect(words) {
                    let text = body.map_or_else(|| text.to_owned(), str::to_owned);
                    if let Some(body) = body {
                        self.scripts.insert(path.clone(), written_by(body));
                    }
                    if append {
                        self.edit(&path, &text);
                    } else {
                        self.done.insert(path.clone(), vec![text]);
                    }
                    paths.push(path);
                } else if program.starts_with("python") {
                    let inline = body.map(|body| (body.to_owned(), written_by(body)));
                    let script = words.get(1).map(|word| unquote(word)).unwrap_or_default();
                    let known = self.scripts.get(&script).cloned();
                    let known = known.map(|known| (self.content(&script).to_string(), known));
                    if let Some((what, written)) = inline.or(known) {
                        for path in written {
                            self.edit(&path, &what);
                            paths.push(path);
                        }
                    }
                }
            }
        }
    }

    /// One more thing done to a file.
    fn edit(&mut self, path: &str, what: &str) {
        let list = self.done.entry(path.to_owned()).or_default();
        if let Some(pattern) = deleted_lines(what) {
            let before = list.len();
            list.retain(|done| !(done.contains(pattern) && is_insertion(done)));
            if list.len() < before {
                return;
            }
        }
        if list.last().is_some_and(|last| undoes(last, what)) {
            list.pop();
            return;
        }
        // Replacing once more what is replaced already changes nothing.
        let again =
            what.contains("s/") && !what.contains("&") && list.last().is_some_and(|last| last == what);
        if !again {
            list.push(what.to_owned());
        }
    }
}

/// `sed -i '/PATTERN/d'`
fn deleted_lines(what: &str) -> Option<&str> {
    let (_, rest) = what.split_once("'/").or_else(|| what.split_once("\"/"))?;
    let pattern = rest.strip_suffix("/d'").or_else(|| rest.strip_suffix("/d\""))?;
    (!pattern.is_empty()).then_some(pattern)
}

/// `sed -i '40a\…'`, `sed -i '/x/i …'`
fn is_insertion(done: &str) -> bool {
    done.starts_with("sed")
        && (done.contains("a\\") || done.contains("i\\") || done.contains("/a ") || done.contains("/i "))
}

/// `s/a/b/` and then `s/b/a/`
fn undoes(last: &str, what: &str) -> bool {
    let parts = |text: &str| -> Option<(String, String)> {
        let (_, rest) = text.split_once("s/")?;
        let mut parts = rest.split('/');
        Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
    };
    match (parts(last), parts(what)) {
        (Some((a, b)), Some((c, d))) => a == d && b == c && a != b,
        _ => false,
    }
}

/// Files that a Python script opens to write. What is cut off in the recording comes after reading, so it is writing.
fn written_by(script: &str) -> Vec<String> {
    if !["'w'", "\"w\"", "write_text", "…[+"].iter().any(|mark| script.contains(mark))
        || !script.contains("open(")
    {
        return Vec::new();
    }
    let mut paths: Vec<String> = script
        .split(['\'', '"'])
        .filter(|text| text.contains('/') && text.contains('.') && text.len() < 120)
        .filter(|text| text.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c)))
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths.dedup();
    paths.truncate(3);
    paths
}

/// `> path`, `>> path`
fn redirect(words: &[&str]) -> Option<(bool, String)> {
    let mut found = None;
    for (at, word) in words.iter().enumerate() {
        let target = |rest: &str| match rest {
            "" => words.get(at + 1).map(|word| unquote(word)),
            rest => Some(unquote(rest)),
        };
        if let Some(rest) = word.strip_prefix(">>") {
            found = target(rest).map(|path| (true, path));
        } else if let Some(rest) = word.strip_prefix('>') {
            found = target(rest).map(|path| (false, path));
        }
    }
    found.filter(|(_, path)| !path.starts_with('&') && !path.starts_with("/dev/"))
}

/// The parts between `;`, `&&`, `||`, `|` and line ends, outside of quotes.
fn simple_commands(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quote, mut escaped) = (Vec::new(), 0, None, false);
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            _ if escaped => escaped = false,
            (None | Some(b'"'), b'\\') => escaped = true,
            (None, b'\'' | b'"') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (None, b';' | b'|' | b'\n') => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            (None, b'&') if bytes.get(at + 1) == Some(&b'&') => {
                parts.push(&text[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// The words of a command, with their quotes, up to a comment.
fn words(text: &str) -> Vec<&str> {
    let (mut words, mut start, mut quote, mut escaped) = (Vec::new(), None, None, false);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None, _) if character.is_whitespace() => {
                words.extend(start.take().map(|start| &text[start..at]));
                continue;
            }
            (None, '#') if start.is_none() => return words,
            _ => {}
        }
        start.get_or_insert(at);
    }
    words.extend(start.map(|start| &text[start..]));
    words
}

/// The command without its here-documents, and the documents.
fn split_documents(command: &str) -> (String, Vec<String>) {
    let (mut rest, mut documents) = (String::new(), Vec::new());
    let mut lines = command.lines();
    while let Some(line) = lines.next() {
        rest.push_str(line);
        rest.push('\n');
        if let Some((_, end)) = line.split_once("<<") {
            let end = unquote(end.trim_start_matches('-').split_whitespace().next().unwrap_or_default());
            documents
                .push(lines.by_ref().take_while(|line| line.trim() != end).collect::<Vec<_>>().join("\n"));
        }
    }
    (rest.replace("\\\n", " "), documents)
}

fn is_reader(program: &str, words: &[&str]) -> bool {
    const READERS: [&str; 22] = [
        "grep", "rg", "ls", "cat", "head", "tail", "find", "nl", "wc", "tree", "awk", "diff", "which",
        "file", "stat", "du", "echo", "pwd", "sort", "cd", "sed", "ag",
    ];
    const GIT: [&str; 7] = ["log", "diff", "show", "status", "grep", "blame", "branch"];
    READERS.contains(&program) || (program == "git" && words.get(1).is_some_and(|word| GIT.contains(word)))
}

fn unquote(word: &str) -> String {
    word.trim_matches(['"', '\'']).trim_start_matches("./").to_owned()
}

#[cfg(test)]
mod tests {
    use super::Files;

    fn paths(files: &mut Files, command: &str) -> Vec<String> {
        files.run(command).paths.into_iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn contents_that_come_back_are_the_same() {
        let mut files = Files::default();
        let original = files.content("a.py");
        for there_and_back in [
            ["sed -i '4i\\    print(\"DEBUG\")' a.py", "sed -i '/DEBUG/d' a.py"],
            ["sed -i 's/old/new/' a.py", "sed -i 's/new/old/' ./a.py"],
            ["cat <<'EOF' > a.py\nx = 1\nEOF", "git checkout a.py"],
            ["echo 'y = 2' >> a.py && python a.py", "git restore a.py"],
        ] {
            assert_eq!(paths(&mut files, there_and_back[0]), ["a.py"], "{}", there_and_back[0]);
            assert_ne!(files.content("a.py"), original, "{}", there_and_back[0]);
            assert_eq!(paths(&mut files, there_and_back[1]), ["a.py"], "{}", there_and_back[1]);
            assert_eq!(files.content("a.py"), original, "{}", there_and_back[1]);
        }
    }

    #[test]
    fn scripts_write_too() {
        let mut files = Files::default();
        let script =
            "cat <<'EOF' > fix.py\ntext = open('src/a.py').read()\nopen('src/a.py', 'w').write(text)\nEOF";
        assert_eq!(paths(&mut files, script), ["fix.py"]);
        assert_eq!(paths(&mut files, "python3 fix.py"), ["src/a.py"]);
    }

    #[test]
    fn reading_writes_nothing() {
        let mut files = Files::default();
        for command in [
            "grep -n 'a > b' a.py",
            "sed -n '1,5p' a.py | head",
            "python -m pytest 2>&1 > /dev/null",
            "git log",
        ] {
            assert!(files.run(command).paths.is_empty(), "{command}");
        }
        assert!(!files.run("grep x a.py; ls").writes);
        assert!(files.run("python run.py").writes);
    }
}
