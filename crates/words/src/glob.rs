//! Patterns, small and without surprises; nothing is compiled, so they may be asked in a hook.

/// Longest pattern that is looked at.
const LONGEST: usize = 300;

/// Whether a pattern means this path: `*` and `?` inside a name, `**` across folders (with `/` between names, relative to the project's root).
///
/// A pattern without `/` means a name at any depth. A pattern that names a folder means everything in it.
pub fn fits_path(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim().trim_start_matches("./");
    if pattern.is_empty() || pattern.len() > LONGEST {
        return false;
    }
    let anchored = pattern.trim_end_matches('/').contains('/');
    let mut wanted: Vec<&str> = pattern.split('/').filter(|name| !name.is_empty()).collect();
    if !anchored {
        wanted.insert(0, "**");
    }
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    // `reached[n]`: the pattern so far means the first n names.
    let mut reached = vec![false; names.len() + 1];
    reached[0] = true;
    for want in &wanted {
        let mut next = vec![false; names.len() + 1];
        if *want == "**" {
            let mut any = false;
            for (place, yes) in reached.iter().enumerate() {
                any |= yes;
                next[place] = any;
            }
        } else {
            for (place, name) in names.iter().enumerate() {
                next[place + 1] = reached[place] && name_matches(want, name);
            }
        }
        reached = next;
    }
    // A whole path, or a folder on the way to it.
    reached.iter().skip(1).any(|yes| *yes)
}

/// One name; the last star is the only one to come back to, so this is never slow.
fn name_matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(letter) if *letter == '?' || *letter == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, eaten)) => {
                    star = Some((at, eaten + 1));
                    p = at + 1;
                    n = eaten + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|letter| *letter == '*')
}

/// Whether a text fits a pattern in which `*` stands for any text and everything else for itself.
pub fn fits_stars(pattern: impl AsRef<[u8]>, text: impl AsRef<[u8]>) -> bool {
    let mut parts = pattern.as_ref().split(|&byte| byte == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.as_ref().strip_prefix(first) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts.filter(|part| !part.is_empty()) {
        let Some(at) = rest.windows(part.len()).position(|window| window == part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::{fits_path as matches, fits_stars};

    #[test]
    fn names_folders_and_stars() {
        for (pattern, path) in [
            ("*.css", "web/site.css"),
            ("src/**", "src/a/b.rs"),
            ("src/**/b.rs", "src/b.rs"),
            ("src/", "src/a.rs"),
            ("src", "src/a.rs"),
            ("./src/*.rs", "src/a.rs"),
            ("**/test?.rs", "x/y/test1.rs"),
            ("web/*/index.*", "web/a/index.html"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("*.css", "web/site.scss2"),
            ("src/*.rs", "src/a/b.rs"),
            ("src/a", "other/src/a"),
            ("", "a"),
            ("a", ""),
            ("test?.rs", "test.rs"),
        ] {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, text) in
            [("a*c", "abc"), ("*", ""), ("a*", "a"), ("a*a", "aa"), ("s-*-x*.json", "s-a-b-xyz.json")]
        {
            assert!(fits_stars(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in
            [("a*c", "abd"), ("a", "ab"), ("a*a", "a"), ("", "a"), ("s-*-x*.json", "s-a.json")]
        {
            assert!(!fits_stars(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn a_pattern_made_to_be_slow_is_not() {
        let pattern = "*a".repeat(100);
        assert!(!matches(&pattern, &"a".repeat(99)));
        assert!(!matches(&"**/".repeat(90), ""));
    }
}
