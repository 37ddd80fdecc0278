//! No mend is offered before it is proved: the file can be read as before, nothing is defined twice, no mark of a conflict comes in.

use std::collections::BTreeMap;

use project::RelPath;

use super::brought;

/// The file may be written like that.
pub(super) fn is_sound(path: &RelPath, was: &[u8], content: &[u8]) -> bool {
    let marked = |text: &[u8]| recovery::has_conflict_marks(text);
    if marked(content) && !marked(was) {
        return false;
    }
    let (_, old) = map::outline_of_path(path.as_bytes(), was);
    let (language, new) = map::outline_of_path(path.as_bytes(), content);
    if language.is_none() || new.unread.is_some() {
        return true;
    }
    if new.syntax_error.is_some() && old.syntax_error.is_none() {
        return false;
    }
    let text = path.to_string();
    if matches!(brought::ending(&text), "py" | "pyi") && empty_blocks(content) > empty_blocks(was) {
        return false;
    }
    !is_any_twice(&path.to_string(), (was, &old), (content, &new))
}

/// Heads of Python after which nothing is indented: a grammar forgives that, and Python does not.
fn empty_blocks(text: &[u8]) -> usize {
    const HEADS: [&str; 12] = [
        "def ", "async ", "class ", "if ", "elif ", "else:", "for ", "while ", "try:", "except", "with ",
        "finally:",
    ];
    let text = String::from_utf8_lossy(text);
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let lines: Vec<&str> = text.lines().filter(is_code).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_head = |line: &str| {
        line.trim_end().ends_with(':') && HEADS.iter().any(|head| line.trim_start().starts_with(head))
    };
    let is_empty = |at: &usize| {
        let next = lines.get(at + 1);
        is_head(lines[*at]) && next.is_none_or(|next| indent(next) <= indent(lines[*at]))
    };
    (0..lines.len()).filter(is_empty).count()
}

/// A name that stands for two things now, and did not before.
fn is_any_twice(path: &str, (was, old): (&[u8], &map::Outline), (is, new): (&[u8], &map::Outline)) -> bool {
    let (before, after) = (counts(path, was, old), counts(path, is, new));
    after.iter().any(|(name, count)| *count > 1 && *count > before.get(name).copied().unwrap_or(0).max(1))
}

/// How often each name of the top of a text is given. Where one name may stand for several things, only the same first line counts.
fn counts(path: &str, text: &[u8], outline: &map::Outline) -> BTreeMap<String, usize> {
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.lines().collect();
    let by_name =
        matches!(brought::ending(path), "js" | "mjs" | "cjs" | "jsx" | "py" | "pyi" | "go" | "rb" | "sh");
    let brings =
        matches!(brought::ending(path), "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte" | "rs") || by_name;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut tops: BTreeMap<&str, ()> = BTreeMap::new();
    // A setting or a style may be given in several places; what is called may not.
    let is_called = |symbol: &&map::Symbol| {
        !matches!(
            symbol.kind,
            map::SymbolKind::Key
                | map::SymbolKind::Style
                | map::SymbolKind::Test
                | map::SymbolKind::TestGroup
        )
    };
    for symbol in outline.symbols.iter().filter(is_called).filter(|symbol| symbol.test.is_none()) {
        let is_top = !symbol.name.contains('.');
        let first = usize::try_from(symbol.first_line).unwrap_or(0).saturating_sub(1);
        let head = lines.get(first).copied().unwrap_or_default().trim();
        let key = if by_name && is_top { symbol.name.clone() } else { format!("{} {head}", symbol.name) };
        *counts.entry(key).or_default() += 1;
        if is_top {
            tops.insert(&symbol.name, ());
        }
    }
    if brings {
        let mut given = brought::names(path, &text);
        given.extend(brought::handed_on(path, &text));
        // A text may be named after what it brings in; it may not define it, too.
        for name in given.iter().filter(|name| tops.contains_key(name.as_str())) {
            let key = if by_name { name.clone() } else { format!("{name} is brought in") };
            let count = counts.entry(key).or_default();
            *count += if by_name { 1 } else { 2 };
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::is_sound;
    use project::RelPath;

    fn sound(path: &str, was: &str, is: &str) -> bool {
        is_sound(&RelPath::new(path.as_bytes()).unwrap(), was.as_bytes(), is.as_bytes())
    }

    #[test]
    fn what_would_break_a_file_is_no_mend() {
        let imported = "import { slug } from './utils.js';\n\nconsole.log(slug('a'));\n";
        let twice = format!("{imported}\nfunction slug(s) {{\n  return s;\n}}\n");
        assert!(!sound("app.js", imported, &twice));
        assert!(sound("app.js", "let a = 1;\n", "let a = 1;\n\nfunction slug(s) {\n  return s;\n}\n"));
        let handed = "export { mail } from './mail.js';\n";
        assert!(!sound("app.js", handed, &format!("{handed}export function mail() {{\n  return 1;\n}}\n")));
        assert!(!sound("a.py", "from b import c\n", "from b import c\n\n\ndef c():\n    return 1\n"));
        assert!(!sound("a.rs", "use b::c;\n", "use b::c;\n\nfn c() {}\n"));
        assert!(!sound(
            "a.ts",
            "import { c } from './c';\n",
            "import { c } from './c';\n\nfunction c() {\n  return 1;\n}\n"
        ));
        assert!(!sound("x.txt", "a\n", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> f\n"));
        assert!(!sound("a.js", "f();\n", "f();\nfunction g() {\n"));
        let one = "def get(i):\n    return i\n";
        assert!(!sound("a.py", one, &format!("def load(i):\n\n{one}")));
    }

    #[test]
    fn what_languages_allow_is_no_fault() {
        let sheet = ".a {\n  color: red;\n}\n";
        assert!(sound(
            "a.css",
            sheet,
            &format!("{sheet}@media print {{\n  .a {{\n    color: blue;\n  }}\n}}\n")
        ));
        let one = "class A {\n  int f(int a) {\n    return a;\n  }\n}\n";
        let two =
            "class A {\n  int f(int a) {\n    return a;\n  }\n  int f(String a) {\n    return 1;\n  }\n}\n";
        assert!(sound("A.java", one, two));
        let rust = "pub struct A;\n";
        assert!(sound("a.rs", rust, "pub struct A;\n\nimpl A {\n    fn f() {}\n}\n"));
    }
}
