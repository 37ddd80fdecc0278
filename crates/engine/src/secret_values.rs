//! What stands in files that usually hold secrets, so that it can be taken out of what a command says. The scanner knows keys by their shape; a
//! password that is an ordinary word is known only by the file in which it stands.

use std::path::{Path, PathBuf};

use project::RelPath;
use store::Store;

use crate::{Engine, Result, lane};

/// Larger files hold something else.
const LARGEST: u64 = 256 << 10;
/// So many values; and so many places are looked at.
const MOST_VALUES: usize = 4_000;
const MOST_PLACES: usize = 40_000;
/// Shorter ones are part of half of all words.
const SHORTEST: usize = 4;
/// What has no telling name is a secret only from so many letters on.
const LONG: usize = 16;
/// What names of secrets are made of.
const TELLING: [&str; 14] = [
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "auth",
    "credential",
    "private",
    "dsn",
    "salt",
    "bearer",
    "pin",
    "cookie",
    "_pw",
];
/// Folders of tools, in which nobody keeps secrets of their own.
const SKIPPED: [&str; 6] = [".git", ".vibelign", "node_modules", "target", ".venv", "venv"];
/// Values that say nothing, however they are kept.
const PLAIN: [&str; 22] = [
    "true",
    "false",
    "null",
    "none",
    "undefined",
    "localhost",
    "development",
    "production",
    "staging",
    "test",
    "testing",
    "debug",
    "info",
    "warn",
    "error",
    "utf-8",
    "utf8",
    "http",
    "https",
    "127.0.0.1",
    "0.0.0.0",
    "node",
];

/// Values, the longest first, each with the file in which it stands.
#[derive(Debug, Default, Clone)]
pub struct SecretValues {
    values: Vec<(String, String)>,
}

impl SecretValues {
    /// Those of a project or a lane, and of the project of that lane.
    pub fn of(engine: &Engine) -> Result<Self> {
        let mut out = Self::default();
        let opened = engine.store(&store::Silent)?;
        out.read(engine.project().root(), &opened.store);
        if let Some(main) = lane::main_of(engine)? {
            out.read(main.project().root(), &opened.store);
        }
        // A value within another one is taken out with it.
        out.values.sort_by(|one, other| other.0.len().cmp(&one.0.len()).then_with(|| one.cmp(other)));
        out.values.dedup_by(|one, other| one.0 == other.0);
        Ok(out)
    }

    fn read(&mut self, root: &Path, store: &Store<'_>) {
        let mut waiting: Vec<PathBuf> = vec![root.to_path_buf()];
        let mut seen = 0;
        while let Some(folder) = waiting.pop() {
            // What cannot be read here, a command behind the fence cannot read either.
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                seen += 1;
                if seen > MOST_PLACES || self.values.len() > MOST_VALUES {
                    return;
                }
                let Ok(kind) = entry.file_type() else { continue };
                let (name, path) = (entry.file_name(), entry.path());
                if kind.is_dir() {
                    if !SKIPPED.iter().any(|skipped| name == *skipped) {
                        waiting.push(path);
                    }
                    continue;
                }
                let Ok(inside) = path.strip_prefix(root) else { continue };
                let Ok(relative) = RelPath::new(&project::platform::path_to_bytes(inside)) else { continue };
                let is_secret =
                    shell::is_secret(&relative.to_string()) || store.is_sensitive(&relative).unwrap_or(true);
                if is_secret && entry.metadata().is_ok_and(|facts| facts.len() <= LARGEST) {
                    let text = std::fs::read(&path).unwrap_or_default();
                    self.take(&String::from_utf8_lossy(&text), &relative.to_string());
                }
            }
        }
    }

    fn take(&mut self, text: &str, file: &str) {
        for line in text.lines() {
            let line = line.trim().trim_start_matches("export ").trim_end_matches([',', ';']);
            if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
                continue;
            }
            match line.split_once(['=', ':']) {
                Some((name, value)) => self.put(name, value, file),
                // A key in a file of its own has one line after another.
                None if !line.contains(' ') => self.put("", line, file),
                // `.netrc` and its like.
                None => {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    words.windows(2).for_each(|pair| self.put(pair[0], pair[1], file));
                }
            }
        }
    }

    /// What is named like a secret is one, however plain it looks; of the rest only what no other text would hold by chance.
    fn put(&mut self, name: &str, value: &str, file: &str) {
        let value = value.trim().trim_matches(['"', '\'', '`', ',']).trim();
        let (name, lower) = (name.to_lowercase(), value.to_lowercase());
        let long = value.chars().count();
        let is_mixed = value.bytes().any(|byte| byte.is_ascii_digit()) || value.contains('@');
        let is_meant = match TELLING.iter().any(|word| name.contains(word)) {
            true => long >= SHORTEST && !PLAIN.contains(&lower.as_str()),
            false => long >= LONG && is_mixed,
        };
        if is_meant {
            self.values.push((value.to_owned(), file.to_owned()));
        }
    }

    /// The text without them: in the place of each stands where it is from.
    pub fn hide(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for (value, file) in &self.values {
            if out.contains(value.as_str()) {
                out = out.replace(value.as_str(), &format!("[hidden: stands in {file}]"));
            }
        }
        out
    }
}

/// The first word of a command line that names a file which usually holds secrets, also as a part of a word (`HEAD:.env`) or as a pattern that
/// reaches hidden files (`.e*`).
pub fn named_in(command: &str) -> Option<String> {
    let is_part = |one: char| one.is_alphanumeric() || "_-./*?[]~+".contains(one);
    let words = command.split(|one: char| !is_part(one)).filter(|word| !word.is_empty());
    words
        .map(|word| word.trim_end_matches('.'))
        .find(|word| shell::is_secret(word) || reaches_hidden(word))
        .map(str::to_owned)
}

/// A pattern for files whose names begin with a dot, one of which may be `.env`.
fn reaches_hidden(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or_default();
    name.starts_with('.')
        && name.contains(['*', '?', '['])
        && globset::Glob::new(name).is_ok_and(|glob| {
            [".env", ".env.local", ".npmrc", ".netrc"].iter().any(|one| glob.compile_matcher().is_match(one))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_words_are_known_by_the_file_in_which_they_stand() {
        let mut values = SecretValues::default();
        let env = "# a comment\nDB_PASSWORD=sunshine\nexport PORT=8080\nDATABASE=shop\nMY_SECRET=\"two words\"\n\
                   URL=postgres://me:7up@db.example/shop\n";
        values.take(env, ".env");
        values.take("{\n  \"token\": \"blue-elephant\",\n  \"type\": \"service\"\n}\n", "secrets.json");
        values.take("machine example.com login me password hunter2\n", ".netrc");
        let text = "DB_PASSWORD=sunshine on 8080 in shop: two words, blue-elephant, service, hunter2";
        assert_eq!(
            values.hide(text),
            "DB_PASSWORD=[hidden: stands in .env] on 8080 in shop: [hidden: stands in .env], \
             [hidden: stands in secrets.json], service, [hidden: stands in .netrc]"
        );
        assert_eq!(values.hide("at postgres://me:7up@db.example/shop"), "at [hidden: stands in .env]");
    }

    #[test]
    fn a_command_that_names_such_a_file_is_known_in_many_ways() {
        for command in [
            "cat .env",
            "head -3 ./app/.env.local",
            "git show HEAD:.env",
            "grep PASS .env | sort",
            "cat .e*",
            "cat .en?",
            "node -e \"console.log(require('fs').readFileSync('.env','utf8'))\"",
            "base64<.env",
            "cp .env{,.copy}",
            "cat config/credentials.json",
        ] {
            assert!(named_in(command).is_some(), "{command}");
        }
        for command in
            ["cat .env.example", "ls -a", "cat *.py", "grep -r environment .", "cat .eslintrc*", "npm test"]
        {
            assert_eq!(named_in(command), None, "{command}");
        }
    }
}
