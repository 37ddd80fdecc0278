//! What a command says about what it will write: its own words, and the text of the scripts that it runs. The ledger holds against it what is different
//! afterwards, because a person may type while the command runs. It is kept until the step ends.

use std::path::{Path, PathBuf};

/// So much is kept of all of it.
const MOST: usize = 16 << 10;
/// A longer script is data.
const LONGEST: u64 = 256 << 10;
/// So many scripts are read, those that a task names included.
const MOST_SCRIPTS: usize = 6;
/// How a program is called that is read by another one.
const PROGRAMS: &str = "py js mjs cjs ts mts cts tsx jsx rb pl pm sh bash zsh fish php lua awk sed r jl ex exs groovy kts tcl ps1";
/// Programs of which the word behind is a task that a file tells.
const TASK_RUNNERS: &str = "npm pnpm yarn bun";
const RECIPES: &[(&str, &[&str])] = &[
    ("make", &["Makefile", "makefile", "GNUmakefile"]),
    ("gmake", &["GNUmakefile", "Makefile"]),
    ("just", &["justfile", "Justfile", ".justfile"]),
    ("task", &["Taskfile.yml", "Taskfile.yaml"]),
    ("rake", &["Rakefile"]),
];

/// Reads what a command line says. `folder`: the one that it runs in.
pub(super) fn said(folder: &Path, command: &str) -> String {
    let mut out = cut(command, MOST / 2).to_owned();
    let mut read: Vec<PathBuf> = Vec::new();
    add(folder, command, &mut read, &mut out, true);
    out
}

fn add(folder: &Path, command: &str, read: &mut Vec<PathBuf>, out: &mut String, tasks: bool) {
    let words: Vec<&str> = command
        .split(|c: char| c.is_whitespace() || ";&|()<>\"'`".contains(c))
        .filter(|word| !word.is_empty())
        .take(400)
        .collect();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied();
        let name = word.rsplit('/').next().unwrap_or(word);
        if *word == "-m" {
            let module = next.unwrap_or_default().replace('.', "/");
            for file in [format!("{module}.py"), format!("{module}/__main__.py")] {
                add_file(&folder.join(file), read, out);
            }
        } else if tasks && TASK_RUNNERS.split(' ').any(|runner| runner == name) {
            let task = words[at + 1..].iter().find(|word| !word.starts_with('-') && **word != "run");
            let script = task.and_then(|task| package_script(folder, task));
            if let Some(script) = script {
                out.push('\n');
                out.push_str(cut(&script, MOST.saturating_sub(out.len())));
                add(folder, &script, read, out, false);
            }
        } else if let Some((_, files)) = RECIPES.iter().find(|(runner, _)| *runner == name) {
            files.iter().for_each(|file| add_file(&folder.join(file), read, out));
        } else if is_program(word) || word.contains('/') && !name.contains('.') {
            add_file(&folder.join(word), read, out);
        }
    }
}

fn is_program(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(_, ending)| PROGRAMS.split(' ').any(|one| one == ending))
}

fn package_script(folder: &Path, task: &str) -> Option<String> {
    let file = folder.join("package.json");
    if file.metadata().ok()?.len() > LONGEST {
        return None;
    }
    let package: serde_json::Value = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    Some(package.get("scripts")?.get(task)?.as_str()?.to_owned())
}

fn add_file(file: &Path, read: &mut Vec<PathBuf>, out: &mut String) {
    if out.len() >= MOST || read.len() >= MOST_SCRIPTS || read.iter().any(|known| known == file) {
        return;
    }
    if !file.metadata().is_ok_and(|facts| facts.is_file() && facts.len() <= LONGEST) {
        return;
    }
    read.push(file.to_path_buf());
    let Ok(Ok(text)) = std::fs::read(file).map(String::from_utf8) else { return };
    if text.contains('\0') {
        return;
    }
    out.push('\n');
    out.push_str(cut(&text, MOST.saturating_sub(out.len())));
}

fn cut(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_read_as_commands_name_them() {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let put = |name: &str, text: &str| {
            let file = folder.path().join(name);
            let _ = std::fs::create_dir_all(file.parent().unwrap_or(folder.path()));
            std::fs::write(file, text).unwrap_or_else(|error| panic!("{error}"));
        };
        put("tools/gen.py", "print('made by gen')");
        put("shop/server.py", "serve()");
        put("package.json", r#"{"scripts": {"gen": "node tools/gen.js --all"}}"#);
        put("tools/gen.js", "write('made by node')");
        put("Makefile", "all:\n\techo made by make > out\n");
        put("bin/tool", "#!/bin/sh\necho made by tool");
        put("data.csv", "no program");
        let holds = |command: &str, part: &str| said(folder.path(), command).contains(part);
        assert!(holds("python3 tools/gen.py x", "made by gen"));
        assert!(holds("python3 -m shop.server", "serve()"));
        assert!(holds("npm run gen", "made by node") && holds("yarn gen", "--all"));
        assert!(holds("make all", "made by make"));
        assert!(holds("./bin/tool", "made by tool"));
        assert!(!holds("node x.js data.csv", "no program"));
        assert!(said(folder.path(), &"ü".repeat(MOST)).len() <= MOST);
    }
}
