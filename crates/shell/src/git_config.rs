//! The aliases in a git configuration file: `git st` may stand for anything.

/// Name and meaning of every alias in the text of a configuration file. Included files are not followed.
pub fn git_aliases(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut inside = false;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if let Some(section) = line.strip_prefix('[') {
            inside = section.split(']').next().is_some_and(|name| name.trim().eq_ignore_ascii_case("alias"));
            continue;
        }
        if !inside || line.starts_with(['#', ';']) {
            continue;
        }
        let Some((name, value)) = line.split_once('=') else { continue };
        let mut value = value.trim().to_owned();
        // A value goes on where a line ends with a backslash.
        while value.ends_with('\\') {
            value.pop();
            match lines.next() {
                Some(more) => value.push_str(more.trim()),
                None => break,
            }
        }
        found.push((name.trim().to_lowercase(), unquoted(&value)));
    }
    found
}

fn unquoted(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let (mut chars, mut quoted) = (value.chars(), false);
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            '#' | ';' if !quoted => break,
            other => out.push(other),
        }
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::git_aliases;

    #[test]
    fn aliases_are_read_as_git_reads_them() {
        let text = "[user]\nname = x\n[alias]\n st = status -sb # short\n\tPurge = \"!git clean -xfd; \\\"$@\\\"\"\n  \
                    long = log \\\n    --oneline\n[core]\n  editor = vi\n";
        let want = [("st", "status -sb"), ("purge", "!git clean -xfd; \"$@\""), ("long", "log --oneline")];
        assert_eq!(git_aliases(text), want.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert!(git_aliases("").is_empty());
    }
}
