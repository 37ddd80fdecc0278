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

/// Name and address of every remote in the text of a configuration file.
pub(crate) fn remotes(text: &str) -> Vec<(String, String)> {
    let (mut found, mut inside) = (Vec::new(), None);
    for line in text.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let name = section.strip_prefix("remote \"").and_then(|rest| rest.split('"').next());
            inside = name.map(str::to_owned);
        } else if let (Some(name), Some(url)) = (&inside, line.strip_prefix("url"))
            && let Some(url) = url.trim_start().strip_prefix('=')
        {
            found.push((name.clone(), unquoted(url.trim())));
        }
    }
    found
}

/// The machine of a repository's address: `git@host:path`, `https://host/path`; nothing for a folder of this one.
pub(crate) fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', ':']).next().unwrap_or_default();
    let host = if url.contains("://") || url.contains(':') { host } else { "" };
    host.rsplit('@').next().unwrap_or_default().to_lowercase()
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

    #[test]
    fn remotes_and_their_machines() {
        let text = "[remote \"origin\"]\n\turl = git@github.com:a/b.git\n\tfetch = x\n[remote \"x\"]\n url = https://u@x.example/c\n";
        let found = super::remotes(text);
        let hosts: Vec<_> = found.iter().map(|(name, url)| (name.as_str(), super::host(url))).collect();
        assert_eq!(hosts, [("origin", "github.com".to_owned()), ("x", "x.example".to_owned())]);
        assert_eq!(super::host("../other"), "");
        assert_eq!(super::host("ssh://git@Host:22/x"), "host");
    }
}
