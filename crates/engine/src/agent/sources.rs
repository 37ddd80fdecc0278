//! What a command may copy from: the files that its line names and that it need not write. They are looked at before it begins, because
//! what a person typed into one of them and nobody has saved yet would come out as the command's own: `cp m.py n.py && sed -i … n.py`.
//!
//! Names are read and not understood: a name too many costs one look at a file.

use std::path::{Path, PathBuf};

use project::{Project, RelPath};

/// Files that are looked at one by one; of more the whole tree is looked at.
const MOST_FILES: usize = 12;
/// Longer files are not looked through for lines that were copied.
const LONGEST: u64 = 512 << 10;
/// Words of a line that are asked about.
const MOST_WORDS: usize = 400;

/// Programs that put the content of files into others.
const COPIERS: &[&str] = &["cp", "mv", "install", "rsync", "cat", "tee", "ditto", "tar", "cpio", "dd", "gcp"];
/// Those that take whole folders without being told to, and those that have to be told.
const OF_FOLDERS: &[&str] = &["rsync", "ditto", "tar", "cpio"];

/// Where a command may copy from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// Files of the project that it names.
    pub files: Vec<RelPath>,
    /// And others, which cannot be told one by one.
    pub others: bool,
}

/// Reads a command line. `folder`: the one that it runs in.
pub fn sources(project: &Project, folder: &Path, command: &str) -> Sources {
    let words = words(&without_here_documents(command));
    let is_copier = words.iter().any(|word| COPIERS.contains(&program(word)));
    let takes_folders = words.iter().any(|word| OF_FOLDERS.contains(&program(word)))
        || is_copier && words.iter().any(|word| is_recursive(word));
    let named: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).take(MOST_WORDS).collect();
    // `cd src && cp a b`
    let mut folders = vec![folder.to_path_buf()];
    folders.extend(named.iter().map(|word| folder.join(word)).filter(|place| place.is_dir()).take(4));
    let mut out = Sources::default();
    for word in named {
        if word.contains('$') {
            out.others |= is_copier;
            continue;
        }
        for folder in &folders {
            for place in places(folder, word, &mut out.others) {
                let Ok(facts) = place.metadata() else { continue };
                if facts.is_dir() {
                    out.others |= takes_folders && place.starts_with(project.root());
                } else if facts.is_file() && facts.len() <= LONGEST {
                    out.add(project, &place);
                }
            }
        }
    }
    out.others |= out.files.len() > MOST_FILES;
    out.files.truncate(MOST_FILES);
    out
}

impl Sources {
    fn add(&mut self, project: &Project, place: &Path) {
        let root = project.root();
        let Ok(Some(path)) = RelPath::from_user(root, root, place) else { return };
        // What no checkpoint holds is not saved by being read.
        if !self.files.contains(&path) && store::is_saved(root, project.config(), place) != Some(false) {
            self.files.push(path);
        }
    }
}

/// What a word may stand for. A pattern in the last part of a path is looked up; one in another part may be anything.
fn places(folder: &Path, word: &str, others: &mut bool) -> Vec<PathBuf> {
    let is_pattern = |text: &str| text.contains(['*', '?', '[', '{']);
    if !is_pattern(word) {
        return vec![folder.join(word)];
    }
    let (inner, pattern) = word.rsplit_once('/').unwrap_or(("", word));
    if is_pattern(inner) {
        let known = inner.split(['*', '?', '[', '{']).next().and_then(|part| part.rsplit_once('/'));
        let base = folder.join(known.map_or("", |(base, _)| base));
        // `s/a*/b/` is no path.
        *others |= base.is_dir() && folder.join(known.map_or(".", |(base, _)| base)) != Path::new("/");
        return Vec::new();
    }
    let inner = folder.join(inner);
    let entries = std::fs::read_dir(&inner).into_iter().flatten().flatten();
    let fits = |name: &str| alternatives(pattern).iter().any(|pattern| matches(pattern, name));
    entries
        .map(|entry| entry.path())
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(fits))
        .take(MOST_FILES + 1)
        .collect()
}

/// `{a,b}.py` as `a.py` and `b.py`; one pair of braces is enough.
fn alternatives(pattern: &str) -> Vec<String> {
    let parts = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    match parts {
        Some((before, (inside, after))) => {
            inside.split(',').map(|one| format!("{before}{one}{after}")).collect()
        }
        None => vec![pattern.to_owned()],
    }
}

/// `*` and `?`; a class in brackets fits anything.
fn matches(pattern: &str, name: &str) -> bool {
    let mut rest = pattern.chars();
    match rest.next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = rest.as_str();
            name.char_indices().map(|(at, _)| at).chain([name.len()]).any(|at| matches(rest, &name[at..]))
        }
        Some('[') => {
            let after = rest.as_str().split_once(']').map_or("", |(_, after)| after);
            let mut name = name.chars();
            name.next().is_some() && matches(after, name.as_str())
        }
        Some(one) => {
            let mut name = name.chars();
            name.next().is_some_and(|other| one == '?' || one == other)
                && matches(rest.as_str(), name.as_str())
        }
    }
}

fn program(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// `-r`, `-a`, `-Rp`, `--recursive`, `--archive`.
fn is_recursive(word: &str) -> bool {
    matches!(word, "--recursive" | "--archive")
        || word
            .strip_prefix('-')
            .is_some_and(|flags| !flags.starts_with('-') && flags.contains(['r', 'R', 'a']))
}

/// The line without the texts that are typed into it.
fn without_here_documents(command: &str) -> String {
    if !command.contains("<<") {
        return command.to_owned();
    }
    let mut out = String::new();
    let mut until: Option<String> = None;
    for line in command.lines() {
        match &until {
            Some(end) if line.trim() == end => until = None,
            Some(_) => {}
            None => {
                out.push_str(line);
                out.push('\n');
                let mark = line.split_once("<<").filter(|(_, rest)| !rest.starts_with('<'));
                until = mark.map(|(_, rest)| {
                    let rest = rest.trim_start_matches('-').trim_start();
                    let end = rest.split([' ', '\t', ';', '&', '|', '>', ')']).next().unwrap_or_default();
                    end.trim_matches(['\'', '"', '\\']).to_owned()
                });
                until = until.filter(|end| !end.is_empty());
            }
        }
    }
    out
}

/// The words of a line, as far as they may be names: quotes and escapes hold them together, everything that a shell divides by divides them.
fn words(command: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut quote: Option<char> = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            (None | Some('"'), '\\') => word.extend(letters.next()),
            (Some(_), _) => word.push(letter),
            (None, _) if letter.is_whitespace() || ";&|()<>`=:".contains(letter) => {
                if !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
            }
            (None, _) => word.push(letter),
        }
    }
    out.extend((!word.is_empty()).then_some(word));
    // Code in quotes (`python -c "shutil.copy('a', 'b')"`) has names of its own.
    let inner: Vec<String> = out
        .iter()
        .filter(|word| word.contains(['\'', '"', '(', ' ']))
        .flat_map(|word| word.split(|c: char| c.is_whitespace() || "'\"(),;|&<>`=".contains(c)))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    out.extend(inner);
    out.truncate(MOST_WORDS * 2);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;
    use project::Context;

    fn read(command: &str) -> (Vec<String>, bool) {
        let base = tempfile::tempdir().unwrap();
        let root = base.path().canonicalize().unwrap().join("project");
        std::fs::create_dir_all(root.join("src/deep")).unwrap();
        for name in
            ["m.py", "n.py", "my file.py", "src/a.py", "src/b.py", "src/c.txt", "src/deep/d.py", "kept.log"]
        {
            std::fs::write(root.join(name), "x\n").unwrap();
        }
        std::fs::write(root.join(".gitignore"), "*.log\n").unwrap();
        let get = |name: &str| (name == "VIBELIGN_STATE").then(|| base.path().join("state").into_os_string());
        let engine = Engine::open(Context::with_environment(root.clone(), &get)).unwrap();
        let command = command.replace("ROOT", root.to_str().unwrap());
        let found = sources(engine.project(), &root, &command);
        let mut files: Vec<String> = found.files.iter().map(ToString::to_string).collect();
        files.sort();
        (files, found.others)
    }

    #[test]
    fn what_a_command_may_copy_from_is_found_in_its_words() {
        let files = |command: &str| {
            let (files, others) = read(command);
            assert!(!others, "{command}");
            files
        };
        assert_eq!(files("cp m.py o.py && sed -i 's/a*/b/' o.py"), ["m.py"]);
        assert_eq!(files("cat ./m.py src/a.py>o.py"), ["m.py", "src/a.py"]);
        assert_eq!(files("cp ROOT/m.py o.py"), ["m.py"]);
        assert_eq!(files("cp 'my file.py' o.py; cp my\\ file.py p.py"), ["my file.py"]);
        assert_eq!(files("cd src && cp a.py ../o.py"), ["src/a.py"]);
        assert_eq!(files("cat src/*.py > o.py"), ["src/a.py", "src/b.py"]);
        assert_eq!(files("cat src/{a,b}.py > o.py"), ["src/a.py", "src/b.py"]);
        assert_eq!(files("dd if=m.py of=o.py"), ["m.py"]);
        assert_eq!(files("python3 -c \"import shutil; shutil.copy('m.py', 'o.py')\""), ["m.py"]);
        assert_eq!(files("cat > o.py <<'EOF'\nsee m.py and src/a.py\nEOF\ncat n.py >> o.py"), ["n.py"]);
        assert_eq!(
            files("cp kept.log o.log"),
            [""; 0],
            "what no checkpoint holds is not saved by being read"
        );
        assert_eq!(files("sed -i 's/x.*/y/' m.py"), ["m.py"]);
        assert_eq!(files("echo \"$HOME\" > o.txt"), [""; 0]);
    }

    #[test]
    fn what_cannot_be_told_one_by_one_is_the_whole_tree() {
        for command in [
            "cp -r src lib",
            "rsync -a src/ lib/",
            "cp src/*/d.py o.py",
            "cp $f o.py",
            "tar c src | tar x -C lib",
        ] {
            assert!(read(command).1, "{command}");
        }
        for command in
            ["mkdir -p src/new", "cd src && make", "sed -i 's/a*/b*/' m.py", "npm test", "rm -rf src"]
        {
            assert!(!read(command).1, "{command}");
        }
    }
}
