//! The form of a text that went while its content was changed: the tabs of a makefile, the separators of a table, the values of
//! settings. And the present text in its old form again, with everything that is new in it.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::paths;
use crate::text::is_binary;

/// Longer texts are left to people.
const LIMIT: usize = 1 << 20;

/// What went.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub enum Form {
    /// Tabs at the beginning of so many lines of a makefile became spaces.
    Tabs {
        /// How many.
        count: u64,
    },
    /// The columns of a table are separated by another letter.
    Separator {
        /// What it was.
        old: char,
        /// What it is.
        new: char,
    },
    /// Values of settings became texts that only hold their place.
    Values {
        /// Whose.
        names: Vec<String>,
    },
}

/// The form that the first text has and the second one lost.
pub(crate) fn form_lost(path: &str, was: &[u8], is: &[u8]) -> Option<Form> {
    let (was, is) = texts(was, is)?;
    if is_makefile(path) {
        let count = lost_tabs(was, is);
        return (count > 0).then_some(Form::Tabs { count });
    }
    if matches!(paths::ending(path).as_str(), "csv" | "tsv") {
        let (old, new) = separators(was, is)?;
        return Some(Form::Separator { old, new });
    }
    if holds_values(path) {
        let names: Vec<String> = lost_values(was, is).into_keys().map(str::to_owned).collect();
        return (!names.is_empty()).then_some(Form::Values { names });
    }
    None
}

/// The present text in its old form.
pub fn bring_form(path: &str, was: &[u8], is: &[u8]) -> Option<Vec<u8>> {
    let form = form_lost(path, was, is)?;
    let (was, is) = texts(was, is)?;
    let lines = is.split_inclusive('\n');
    let text: String = match form {
        Form::Tabs { .. } => lines.map(with_tab).collect(),
        Form::Separator { old, new } => {
            let columns = is.lines().next()?.matches(new).count();
            // A letter that stands in a field, too, cannot be told from one that separates.
            let is_clear = |line: &&str| line.trim().is_empty() || line.matches(new).count() == columns;
            if is.contains(['"', old]) || !is.lines().all(|line| is_clear(&line)) {
                return None;
            }
            is.replace(new, &old.to_string())
        }
        Form::Values { .. } => {
            let lost = lost_values(was, is);
            lines
                .map(|line| setting(line).and_then(|(key, _)| lost.get(key)).copied().unwrap_or(line))
                .collect()
        }
    };
    Some(text.into_bytes())
}

fn texts<'t>(was: &'t [u8], is: &'t [u8]) -> Option<(&'t str, &'t str)> {
    if was.len() > LIMIT || is.len() > LIMIT || is_binary(was) || is_binary(is) {
        return None;
    }
    Some((std::str::from_utf8(was).ok()?, std::str::from_utf8(is).ok()?))
}

fn is_makefile(path: &str) -> bool {
    let name = paths::name(path).to_lowercase();
    matches!(name.as_str(), "makefile" | "gnumakefile") || paths::ending(path) == "mk"
}

/// Lines that began with a tab and begin with a space now.
fn lost_tabs(was: &str, is: &str) -> u64 {
    let tabbed: std::collections::HashSet<&str> =
        was.lines().filter(|line| line.starts_with('\t')).map(str::trim).collect();
    is.lines().filter(|line| line.starts_with(' ') && tabbed.contains(line.trim())).count() as u64
}

fn with_tab(line: &str) -> String {
    let rest = line.trim_start_matches(' ');
    if rest.len() == line.len() || rest.trim().is_empty() { line.to_owned() } else { format!("\t{rest}") }
}

/// The head of a table with another separator, and nothing else about it changed.
fn separators(was: &str, is: &str) -> Option<(char, char)> {
    const MARKS: [char; 4] = [',', ';', '\t', '|'];
    let (old_head, new_head) = (was.lines().next()?.trim_end(), is.lines().next()?.trim_end());
    let old = MARKS.into_iter().find(|mark| old_head.contains(*mark))?;
    let mut others = MARKS.into_iter().filter(|mark| *mark != old);
    let new = others.find(|new| old_head.replace(old, &new.to_string()) == new_head)?;
    Some((old, new))
}

/// Where people keep values that nobody can guess.
fn holds_values(path: &str) -> bool {
    let name = paths::name(path).to_lowercase();
    name == ".env" || name.starts_with(".env.") || name.ends_with(".env") || paths::is_settings(path)
}

/// `KEY=value`, `key: value`, `"key": "value"`.
fn setting(line: &str) -> Option<(&str, &str)> {
    let text = line.trim().trim_end_matches(',');
    let text = text.strip_prefix("export ").unwrap_or(text);
    if text.starts_with(['#', ';', '[']) || text.starts_with("//") {
        return None;
    }
    let (key, value) = text.split_once(['=', ':'])?;
    let bare = |text: &'_ str| -> bool { !text.is_empty() && !text.contains(char::is_whitespace) };
    let key = key.trim().trim_matches(['"', '\'']);
    let value = value.trim().trim_matches(['"', '\'']);
    (bare(key) && !value.is_empty()).then_some((key, value))
}

/// Settings whose value only holds its place now: the old line of each.
fn lost_values<'t>(was: &'t str, is: &str) -> BTreeMap<&'t str, &'t str> {
    let now: BTreeMap<&str, &str> = is.lines().filter_map(setting).collect();
    let went = |line: &&'t str| {
        setting(line).is_some_and(|(key, value)| {
            now.get(key).is_some_and(|now| *now != value && holds_a_place(now) && !holds_a_place(value))
        })
    };
    let lines = was.split_inclusive('\n').filter(went);
    lines.filter_map(|line| Some((setting(line)?.0, line))).collect()
}

fn holds_a_place(value: &str) -> bool {
    const MARKS: &[&str] = &[
        "changeme",
        "change_me",
        "change-me",
        "placeholder",
        "replace_me",
        "replace-me",
        "replaceme",
        "insert_",
        "insert-",
        "your_",
        "your-",
        "yourkey",
        "yourpassword",
        "<your",
        "xxxx",
        "dummy",
        "redacted",
        "todo",
        "example_key",
        "fill_me",
        "fill-me",
        "secret_here",
        "key_here",
        "key-here",
        "password_here",
        "token_here",
    ];
    let value = value.to_lowercase();
    MARKS.iter().any(|mark| value.contains(mark))
        || (value.starts_with('<') && value.ends_with('>'))
        || value.chars().all(|letter| matches!(letter, '*' | 'x' | '.' | '…'))
}

#[cfg(test)]
mod tests {
    use super::{Form, bring_form, form_lost};

    #[test]
    fn tabs_of_a_makefile_come_back_also_for_what_is_new() {
        let was = b"build:\n\tcc a.c\n";
        let is = b"build:\n    cc a.c\n\nclean:\n    rm a\n";
        assert_eq!(form_lost("Makefile", was, is), Some(Form::Tabs { count: 1 }));
        assert_eq!(bring_form("Makefile", was, is).unwrap(), b"build:\n\tcc a.c\n\nclean:\n\trm a\n");
        assert_eq!(form_lost("a.py", was, is), None);
    }

    #[test]
    fn separators_of_a_table_come_back_where_they_are_clear() {
        let (was, is) = ("id;name\n1;a\n", "id,name\n1,a\n2,b\n");
        let back = bring_form("x.csv", was.as_bytes(), is.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(back).unwrap(), "id;name\n1;a\n2;b\n");
        assert_eq!(bring_form("x.csv", was.as_bytes(), b"id,name\n1,a, b\n"), None);
    }

    #[test]
    fn values_come_back_and_new_settings_stay() {
        let (was, is) = ("KEY=live_7f\nMODE=dev\n", "KEY=your-key-here\nMODE=prod\nNEW=1\n");
        let back = bring_form(".env", was.as_bytes(), is.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(back).unwrap(), "KEY=live_7f\nMODE=prod\nNEW=1\n");
        assert_eq!(form_lost(".env", b"KEY=changeme\n", b"KEY=your-key\n"), None);
    }
}
