//! OpenCode's plugin: its source with our path in it, and how to read the path back.

use std::path::{Path, PathBuf};

use crate::{Client, Scope, portable};

const SOURCE: &str = include_str!("opencode_plugin.js");
const PROGRAM: &str = "\"VIB_PROGRAM\"";
const ARGUMENTS: &str = "[\"VIB_ARGUMENTS\"]";

/// The plugin that calls this program, or, where a team shares it, the vib of whoever's machine it is.
pub fn source(program: &Path, scope: Scope) -> String {
    let program = match scope {
        Scope::Team => portable::NAME.into(),
        Scope::User | Scope::Project => program.to_string_lossy(),
    };
    let arguments: Vec<String> = ["hook", Client::OpenCode.name()]
        .into_iter()
        .chain(scope.mark())
        .map(|word| serde_json::Value::from(word).to_string())
        .collect();
    SOURCE
        .replace(PROGRAM, &serde_json::Value::from(program).to_string())
        .replace(ARGUMENTS, &format!("[{}]", arguments.join(", ")))
}

/// The program that an installed plugin calls; only a name where it is looked for.
pub fn program(source: &str) -> Option<PathBuf> {
    let line = source.lines().find_map(|line| line.strip_prefix("const VIB = "))?;
    let program: String = serde_json::from_str(line.trim_end().trim_end_matches(';')).ok()?;
    Some(PathBuf::from(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_goes_in_and_comes_out() {
        for path in ["/usr/bin/vib", "/home/a \"b\"/vib", "/프로그램/vib"] {
            let user = source(Path::new(path), Scope::User);
            assert_eq!(program(&user).as_deref(), Some(Path::new(path)));
            assert!(user.contains("const ARGUMENTS = [\"hook\", \"opencode\"]\n"), "{user}");
            let team = source(Path::new(path), Scope::Team);
            assert_eq!(program(&team).as_deref(), Some(Path::new("vib")));
            assert!(team.contains("const ARGUMENTS = [\"hook\", \"opencode\", \"--team\"]\n"), "{team}");
            assert!(!team.contains(path) && team.contains(portable::RECORDED), "{team}");
        }
        assert_eq!(program("export const Other = 1"), None);
    }
}
