//! A list of file patterns from the settings.
//!
//! Nearly all of them are a name with a star or two (`.env.*`, `*.pem`) and are matched by hand, because this runs before
//! every step of an agent and compiling patterns takes longer than everything else together. Only patterns that need
//! more (folders, `[...]`, `{...}`) are compiled, and only when a path is tested against them.

use std::sync::OnceLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use project::platform;
use words::fits_stars;

/// Patterns without a slash match the name anywhere, others the path from the root.
pub(crate) struct Patterns {
    simple: Vec<String>,
    other: Vec<String>,
    compiled: OnceLock<GlobSet>,
}

impl Patterns {
    pub(crate) fn new(patterns: &[String]) -> Self {
        let needs_compiling = |pattern: &&String| pattern.contains(['/', '[', '{', '\\', '?']);
        Self {
            simple: patterns.iter().filter(|pattern| !needs_compiling(pattern)).cloned().collect(),
            other: patterns.iter().filter(needs_compiling).cloned().collect(),
            compiled: OnceLock::new(),
        }
    }

    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        if self.simple.iter().any(|pattern| fits_stars(pattern, name)) {
            return true;
        }
        !self.other.is_empty()
            && self.compiled.get_or_init(|| compile(&self.other)).is_match(platform::bytes_to_path(path))
    }
}

fn compile(patterns: &[String]) -> GlobSet {
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = match pattern.strip_prefix('/') {
            Some(rooted) => rooted.to_owned(),
            None if pattern.contains('/') => pattern.clone(),
            None => format!("**/{pattern}"),
        };
        if let Ok(glob) = GlobBuilder::new(&pattern).literal_separator(true).build() {
            builder.add(glob);
        }
    }
    builder.build().unwrap_or_else(|_| GlobSet::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        Patterns::new(&[pattern.to_owned()]).matches(path.as_bytes())
    }

    #[test]
    fn names_match_anywhere_and_paths_from_the_root() {
        assert!(
            matches(".env", "a/b/.env") && !matches(".env", "a/.environment") && !matches(".env", "x.env")
        );
        assert!(matches(".env.*", ".env.local") && !matches(".env.*", ".env"));
        assert!(matches("*.pem", "keys/a.pem") && !matches("*.pem", "a.pem.txt"));
        assert!(
            matches("service-*-x*.json", "service-a-b-xyz.json")
                && !matches("service-*-x*.json", "service-a.json")
        );
        assert!(matches("*", "anything") && matches("a*a", "aa") && !matches("a*a", "a"));
        assert!(matches("conf/*.toml", "conf/a.toml") && !matches("conf/*.toml", "x/conf/a.toml"));
        assert!(matches("/top.txt", "top.txt") && !matches("/top.txt", "a/top.txt"));
        assert!(matches("*.{yml,yaml}", "a/b.yaml"));
    }
}
