//! Differences, file by file: in one column or in two.

use std::fmt::Write;
use std::ops::Range;
use std::time::Instant;

use engine::diff::{DiffReport, FileDiff, FileStatus};
use engine::word_marks;
use maud::{Markup, Render, html};

use super::margin::{Margin, Writers};
use super::{link_with, size, tag};
use crate::ask::Ask;
use crate::highlight::{self, Colours};

/// Lines of one page; what is more is left out, and that is said.
const MOST_LINES: usize = 24_000;

/// Bytes of text of one answer. Longer files, and those that come after so much text, are named and not shown: whoever serves
/// beside somebody's editor holds little memory.
pub(crate) const MOST_TEXT: u64 = 1 << 20;

/// Lines of one page in which changed words are looked for.
const MOST_MARKED: usize = 2_000;

/// One column or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    Unified,
    Split,
}

impl View {
    pub(crate) fn from_word(word: Option<&str>) -> Self {
        if word == Some("split") { Self::Split } else { Self::Unified }
    }

    pub(crate) fn word(self) -> &'static str {
        if self == Self::Split { "split" } else { "unified" }
    }
}

/// One line of a hunk.
struct Row<'d> {
    kind: u8,
    old: Option<u32>,
    new: Option<u32>,
    text: &'d str,
}

/// A hunk: its header and its lines.
struct Hunk<'d> {
    header: &'d str,
    rows: Vec<Row<'d>>,
}

/// `3 files, +12 −4`, and a list of the files with links to them on this page.
pub(crate) fn summary(
    ask: &Ask,
    report: &DiffReport,
    most: usize,
    link: Option<&dyn Fn(&str) -> String>,
) -> Markup {
    listed(ask, report, most, link, &status)
}

/// The same for what going back would do: nothing is new or deleted then, it comes back or goes away.
pub(crate) fn summary_of_preview(ask: &Ask, report: &DiffReport, most: usize) -> Markup {
    listed(ask, report, most, None, &status_in_preview)
}

fn listed(
    ask: &Ask,
    report: &DiffReport,
    most: usize,
    link: Option<&dyn Fn(&str) -> String>,
    status: &dyn Fn(&Ask, &FileDiff) -> Markup,
) -> Markup {
    let total = report.files.len();
    html! {
        p.counts {
            strong { (ask.say("common-files", &[("count", (total as i64).into())])) }
            " " span.added { "+" (report.added) } " " span.removed { "−" (report.removed) }
            @if report.not_counted > 0 { " " span.dim { (ask.t("web-diff-not-counted")) } }
        }
        ul.files {
            @for file in report.files.iter().take(most) {
                li {
                    (status(ask, file))
                    @let path = ask.clean(&file.path);
                    @match link {
                        Some(link) => a href=(link(&file.path)) { code { (path) } },
                        None => code { (path) },
                    }
                    span.numbers {
                        @if let Some(added) = file.added.filter(|&added| added > 0) { span.added { "+" (added) } }
                        @if let Some(removed) = file.removed.filter(|&removed| removed > 0) { span.removed { "−" (removed) } }
                    }
                }
            }
            @if total > most {
                li.dim { (ask.say("web-and-more", &[("count", ((total - most) as i64).into())])) }
            }
        }
    }
}

fn status_in_preview(ask: &Ask, file: &FileDiff) -> Markup {
    match file.status {
        FileStatus::Added => tag("good", &ask.t("web-file-back")),
        FileStatus::Removed => tag("bad", &ask.t("web-file-gone")),
        _ => status(ask, file),
    }
}

fn status(ask: &Ask, file: &FileDiff) -> Markup {
    match file.status {
        FileStatus::Added => tag("good", &ask.t("web-file-added")),
        FileStatus::Removed => tag("bad", &ask.t("web-file-removed")),
        FileStatus::Modified => tag("", &ask.t("web-file-changed")),
        FileStatus::Renamed => tag("", &ask.t("web-file-renamed")),
        FileStatus::ModeChanged => tag("", &ask.t("web-file-mode")),
        FileStatus::TypeChanged => tag("warn", &ask.t("web-file-type")),
    }
}

/// The part of a page with the lines of all files. It is written straight into the page: of something that may have megabytes,
/// there is one copy.
pub(crate) struct Changes<'c> {
    pub(crate) ask: &'c Ask,
    pub(crate) report: &'c DiffReport,
    pub(crate) view: View,
    /// The page in another view.
    pub(crate) here: &'c dyn Fn(View) -> String,
    /// What stands above.
    pub(crate) head: Markup,
    /// Follows what happens.
    pub(crate) live: bool,
    /// Who wrote the lines, where what is shown ends with the files as they are now.
    pub(crate) margin: Option<Margin<'c>>,
}

impl Render for Changes<'_> {
    fn render_to(&self, out: &mut String) {
        let Self { ask, report, view, .. } = *self;
        out.push_str("<section id=\"changes\" aria-label=\"");
        escape(&ask.t("web-see-changes"), out);
        out.push_str(if self.live { "\" data-live>" } else { "\">" });
        self.head.render_to(out);
        if !report.files.is_empty() {
            let switch = html! {
                p.switch {
                    @for (choice, id) in [(View::Unified, "web-diff-unified"), (View::Split, "web-diff-split")] {
                        a href=((self.here)(choice)) aria-current=[(choice == view).then_some("true")] { (ask.t(id)) } " "
                    }
                }
            };
            switch.render_to(out);
        }
        let until = highlight::deadline();
        let mut left = Left { lines: MOST_LINES, marked: MOST_MARKED };
        for (at, file) in report.files.iter().enumerate() {
            // What a tool writes is counted in the heading, and opened by whoever wants to see it.
            let open = at < 40 && !is_written_by_a_tool(&file.path);
            out.push_str(&format!("<details class=file id=file-{at}{}>", if open { " open" } else { "" }));
            heading(ask, file).render_to(out);
            let writers =
                self.margin.as_ref().filter(|_| file.diff.is_some()).and_then(|margin| margin.of(&file.path));
            content(ask, file, view, writers.as_ref(), until, &mut left, out);
            out.push_str("</details>");
            ask.put_aside(out);
        }
        out.push_str("</section>");
    }
}

/// What a page may still hold.
struct Left {
    lines: usize,
    marked: usize,
}

/// Lock files, and what is made small for browsers.
fn is_written_by_a_tool(path: &str) -> bool {
    const LOCKS: [&str; 9] = [
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "bun.lock",
        "composer.lock",
        "go.sum",
        "uv.lock",
        "yarn.lock",
        "Cargo.lock",
    ];
    let name = path.rsplit('/').next().unwrap_or(path);
    LOCKS.contains(&name)
        || ["poetry.lock", "Gemfile.lock", "Pipfile.lock", "flake.lock"].contains(&name)
        || [".min.js", ".min.css", ".map"].iter().any(|end| name.ends_with(end))
}

fn heading(ask: &Ask, file: &FileDiff) -> Markup {
    html! {
        summary {
            (status(ask, file)) " "
            @if let Some(old) = &file.old_path { code { (ask.clean(old)) } " → " }
            code { (ask.clean(&file.path)) }
            span.numbers {
                @if let Some(added) = file.added { span.added { "+" (added) } }
                @if let Some(removed) = file.removed { span.removed { "−" (removed) } }
            }
        }
    }
}

/// A sentence instead of lines.
fn instead(text: &str, out: &mut String) {
    html! { p.dim { (text) } }.render_to(out);
}

fn content(
    ask: &Ask,
    file: &FileDiff,
    view: View,
    writers: Option<&Writers>,
    until: Instant,
    left: &mut Left,
    out: &mut String,
) {
    if file.sensitive {
        return instead(&ask.t("web-diff-sensitive"), out);
    }
    if file.binary {
        let sizes = [("before", size(file.old_size).into()), ("after", size(file.new_size).into())];
        return instead(&ask.say("web-diff-binary", &sizes), out);
    }
    let Some(text) = &file.diff else {
        let long = matches!(file.note.as_deref(), Some(engine::diff::LEFT_OUT | engine::diff::TOO_LONG));
        return instead(&ask.t(if long { "web-diff-file-too-long" } else { "web-diff-no-lines" }), out);
    };
    if left.lines == 0 {
        return instead(&ask.t("web-diff-too-long"), out);
    }
    let clean = ask.clean(text);
    out.push_str("<div class=scroll tabindex=0 role=region aria-label=\"");
    escape(&ask.clean(&file.path), out);
    out.push_str(match view {
        View::Unified => "\"><table class=\"diff unified\">",
        // The first row spans all columns, so their widths have to be said.
        View::Split => "\"><table class=\"diff split\"><colgroup><col class=num><col><col class=num><col>",
    });
    if view == View::Split {
        out.push_str(if writers.is_some() { "<col class=who></colgroup>" } else { "</colgroup>" });
    }
    out.push_str("<tbody>");
    let aside = |page: &mut String| ask.put_aside(page);
    let mut cut = false;
    for hunk in hunks(&clean) {
        if hunk.rows.len() > left.lines {
            cut = true;
            left.lines = 0;
            break;
        }
        left.lines -= hunk.rows.len();
        let marks = marks(&hunk, &mut left.marked);
        let lines: Vec<&str> = hunk.rows.iter().map(|row| row.text).collect();
        let colours = ask.app.highlighter.lines(&file.path, &lines, until);
        drop(lines);
        out.push_str("<tr class=hunk><td colspan=");
        let columns = if view == View::Split { 4 } else { 3 } + usize::from(writers.is_some());
        let _ = write!(out, "{columns}");
        out.push('>');
        escape(hunk.header, out);
        out.push_str("</td></tr>");
        match view {
            View::Unified => unified(&hunk, &Look { colours: &colours, marks: &marks, writers }, &aside, out),
            View::Split => split(&hunk, &Look { colours: &colours, marks: &marks, writers }, &aside, out),
        }
    }
    out.push_str("</tbody></table></div>");
    if cut {
        instead(&ask.t("web-diff-too-long"), out);
    }
}

/// Takes hunks in unified form apart, one after the other. What the gate did to a line does not matter: it is shown as it is.
fn hunks(text: &str) -> impl Iterator<Item = Hunk<'_>> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("@@")).peekable();
    std::iter::from_fn(move || {
        let header = lines.next()?;
        let (mut old, mut new) = numbers(header);
        let mut rows = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("@@")) {
            let row = row(line, old, new);
            old += u32::from(row.old.is_some());
            new += u32::from(row.new.is_some());
            rows.push(row);
        }
        Some(Hunk { header, rows })
    })
}

fn row(line: &str, old: u32, new: u32) -> Row<'_> {
    let mut characters = line.chars();
    let (kind, text) = match characters.next() {
        Some(first @ ('+' | '-' | ' ' | '\\')) => (first as u8, characters.as_str()),
        _ => (b' ', line),
    };
    let (old, new) = match kind {
        b'+' => (None, Some(new)),
        b'-' => (Some(old), None),
        b'\\' => (None, None),
        _ => (Some(old), Some(new)),
    };
    Row { kind, old, new, text }
}

fn numbers(header: &str) -> (u32, u32) {
    let number = |sign: char| {
        let part = header.split_whitespace().find_map(|part| part.strip_prefix(sign))?;
        part.split(',').next()?.parse().ok()
    };
    (number('-').unwrap_or(1), number('+').unwrap_or(1))
}

/// How the lines of a hunk look.
struct Look<'h> {
    colours: &'h Colours,
    /// For each line the words that are different from the line it took the place of.
    marks: &'h [Vec<Range<usize>>],
    writers: Option<&'h Writers>,
}

impl Look<'_> {
    /// The cell with the writer of a line that is there now.
    fn margin(&self, line: Option<u32>, before: &mut Option<usize>, out: &mut String) {
        if let Some(writers) = self.writers {
            writers.cell(line, before, out);
        }
    }
}

/// The words that changed, in each line that took the place of another.
fn marks(hunk: &Hunk<'_>, left: &mut usize) -> Vec<Vec<Range<usize>>> {
    let mut out = vec![Vec::new(); hunk.rows.len()];
    let run = |from: usize, kind: u8| hunk.rows[from..].iter().take_while(|row| row.kind == kind).count();
    let mut at = 0;
    while at < hunk.rows.len() {
        let (gone, came) = (run(at, b'-'), run(at + run(at, b'-'), b'+'));
        let pairs = gone.min(came);
        if pairs <= *left {
            *left -= pairs;
            for (old, new) in (at..at + gone).zip(at + gone..at + gone + came) {
                if let Some([went, is]) = word_marks::marks(hunk.rows[old].text, hunk.rows[new].text) {
                    out[old] = went;
                    out[new] = is;
                }
            }
        }
        at += (gone + came).max(1);
    }
    out
}

/// `aside` puts finished rows away.
fn unified(hunk: &Hunk<'_>, look: &Look<'_>, aside: &dyn Fn(&mut String), out: &mut String) {
    let mut before = None;
    for (at, row) in hunk.rows.iter().enumerate() {
        out.push_str("<tr class=");
        out.push_str(class(row.kind));
        out.push('>');
        look.margin(row.new, &mut before, out);
        number(row.old, out);
        number(row.new, out);
        code(row.kind, at, row.text, look, out);
        out.push_str("</tr>");
        aside(out);
    }
}

/// Lines that went stand beside lines that came.
fn split(hunk: &Hunk<'_>, look: &Look<'_>, aside: &dyn Fn(&mut String), out: &mut String) {
    let mut at = 0;
    let mut before = None;
    while at < hunk.rows.len() {
        let row = &hunk.rows[at];
        if matches!(row.kind, b' ' | b'\\') {
            out.push_str("<tr class=same>");
            number(row.old, out);
            code(b' ', at, row.text, look, out);
            number(row.new, out);
            code(b' ', at, row.text, look, out);
            look.margin(row.new, &mut before, out);
            out.push_str("</tr>");
            aside(out);
            at += 1;
            continue;
        }
        let run = |from: usize, kind: u8| hunk.rows[from..].iter().take_while(|row| row.kind == kind).count();
        let gone = run(at, b'-');
        let came = run(at + gone, b'+');
        for line in 0..gone.max(came).max(1) {
            out.push_str("<tr class=both>");
            side((line < gone).then_some(at + line), b'-', hunk, look, out);
            side((line < came).then_some(at + gone + line), b'+', hunk, look, out);
            let new = (line < came).then(|| hunk.rows[at + gone + line].new).flatten();
            look.margin(new, &mut before, out);
            out.push_str("</tr>");
            aside(out);
        }
        at += (gone + came).max(1);
    }
}

fn side(at: Option<usize>, kind: u8, hunk: &Hunk<'_>, look: &Look<'_>, out: &mut String) {
    match at {
        Some(at) => {
            let row = &hunk.rows[at];
            number(if kind == b'-' { row.old } else { row.new }, out);
            code(kind, at, row.text, look, out);
        }
        None => out.push_str("<td class=num></td><td class=none></td>"),
    }
}

fn class(kind: u8) -> &'static str {
    match kind {
        b'+' => "plus",
        b'-' => "minus",
        b'\\' => "note",
        _ => "same",
    }
}

fn number(number: Option<u32>, out: &mut String) {
    out.push_str("<td class=num>");
    if let Some(number) = number {
        // Writing to memory does not fail.
        let _ = write!(out, "{number}");
    }
    out.push_str("</td>");
}

/// The sign is text, so that nothing depends on colours.
fn code(kind: u8, at: usize, text: &str, look: &Look<'_>, out: &mut String) {
    out.push_str("<td class=\"code ");
    out.push_str(class(kind));
    out.push_str("\"><span class=sign>");
    out.push(match kind {
        b'+' => '+',
        b'-' => '−',
        _ => ' ',
    });
    out.push_str("</span>");
    let marks = look.marks.get(at).map_or(&[][..], Vec::as_slice);
    let mut from = 0;
    for (class, text) in look.colours.line(at, text) {
        if let Some(class) = class {
            out.push_str("<b class=");
            out.push(class);
            out.push('>');
            marked(text, from, marks, out);
            out.push_str("</b>");
        } else {
            marked(text, from, marks, out);
        }
        from += text.len();
    }
    out.push_str("</td>");
}

/// A piece of a line that begins at byte `from` of it, with its changed words marked.
fn marked(text: &str, from: usize, marks: &[Range<usize>], out: &mut String) {
    let mut done = 0;
    for mark in marks {
        let start = mark.start.saturating_sub(from).max(done);
        let end = mark.end.saturating_sub(from).min(text.len());
        let (Some(before), Some(word)) = (text.get(done..start), text.get(start..end)) else { continue };
        if word.is_empty() {
            continue;
        }
        escape(before, out);
        out.push_str("<mark>");
        escape(word, out);
        out.push_str("</mark>");
        done = end;
    }
    escape(text.get(done..).unwrap_or_default(), out);
}

fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // What could hide or turn text round is shown, not sent.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{feff}' => {
                out.push_str(&format!("<i class=odd>U+{:04X}</i>", u32::from(character)));
            }
            character if character.is_control() && character != '\t' => out.push('\u{fffd}'),
            character => out.push(character),
        }
    }
}

/// A link to one file of a comparison.
pub(crate) fn file_link(from: &str, to: &str, path: &str) -> String {
    link_with("/diff", &[("from", from), ("to", to), ("path", path)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "@@ -3,4 +3,5 @@ fn a\n same\n-old <b>\n-gone\n+new\n+more\n+yet\n same\n";

    #[test]
    fn lines_are_numbered_as_in_their_files() {
        let hunks: Vec<_> = hunks(DIFF).collect();
        let numbers: Vec<_> = hunks[0].rows.iter().map(|row| (row.old, row.new)).collect();
        assert_eq!(
            numbers,
            [
                (Some(3), Some(3)),
                (Some(4), None),
                (Some(5), None),
                (None, Some(4)),
                (None, Some(5)),
                (None, Some(6)),
                (Some(6), Some(7))
            ]
        );
    }

    #[test]
    fn two_columns_put_old_beside_new_and_nothing_is_markup() {
        let hunks: Vec<_> = hunks(DIFF).collect();
        let mut out = String::new();
        let look = Look { colours: &Colours::default(), marks: &[], writers: None };
        split(&hunks[0], &look, &|_| {}, &mut out);
        assert_eq!(out.matches("<tr").count(), 5);
        assert!(out.contains("old &lt;b&gt;") && !out.contains("<b>"));
        assert_eq!(out.matches("class=none").count(), 1);
    }

    #[test]
    fn words_that_changed_are_marked_where_a_line_took_the_place_of_one() {
        let text = "@@ -1,2 +1,2 @@\n-let sum = <a> + 1;\n+let sum = <b> + 1;\n same\n";
        let hunks: Vec<_> = hunks(text).collect();
        let marks = marks(&hunks[0], &mut 10);
        let mut out = String::new();
        unified(
            &hunks[0],
            &Look { colours: &Colours::default(), marks: &marks, writers: None },
            &|_| {},
            &mut out,
        );
        assert!(out.contains("let sum = &lt;<mark>a</mark>&gt; + 1;"), "{out}");
        assert!(out.contains("let sum = &lt;<mark>b</mark>&gt; + 1;"), "{out}");
        assert_eq!(out.matches("<mark>").count(), 2);
        assert!(super::marks(&hunks[0], &mut 0).iter().all(Vec::is_empty), "a page has a limit");
        // A mark may lie across pieces of several colours.
        let mut out = String::new();
        marked("abcd", 4, &[2..6, 7..9], &mut out);
        assert_eq!(out, "<mark>ab</mark>c<mark>d</mark>");
    }

    #[test]
    fn what_a_tool_writes_is_folded() {
        assert!(is_written_by_a_tool("web/package-lock.json") && is_written_by_a_tool("a.min.js"));
        assert!(!is_written_by_a_tool("package.json") && !is_written_by_a_tool("lock.rs"));
    }

    #[test]
    fn hidden_letters_are_shown() {
        let mut out = String::new();
        escape("a\u{202e}b\u{1b}c", &mut out);
        assert_eq!(out, "a<i class=odd>U+202E</i>b\u{fffd}c");
    }
}
