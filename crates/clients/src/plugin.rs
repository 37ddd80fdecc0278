//! OpenCode's plugin: its source with our path in it, and how to read the path back.

use std::path::{Path, PathBuf};

const SOURCE: &str = include_str!("opencode_plugin.js");
const SLOT: &str = "\"VIB_PROGRAM\"";

/// The plugin that calls this program.
pub fn source(program: &Path) -> String {
    SOURCE.replace(SLOT, &serde_json::Value::String(program.to_string_lossy().into_owned()).to_string())
}

/// The program that an installed plugin calls.
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
            assert_eq!(program(&source(Path::new(path))).as_deref(), Some(Path::new(path)));
        }
        assert_eq!(program("export const Other = 1"), None);
    }
}
