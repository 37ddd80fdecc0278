//! What the grammars do not know and people write: the text is read again with those places filled in, byte for byte as long.
//!
//! Only what is certain to be no mistake is here. Everything else that is small is left to the rule of [`Reading`](crate::Reading).

mod data;
mod templates;

use tree_sitter::Tree;

use crate::{Language, Reading, reading};

/// So many times the places that one reading shows are filled in: one `&` may hide another.
const ROUNDS: usize = 3;

/// The text with the known gaps filled in and its tree, whichever reads best; `None` if there is nothing to fill in.
pub(crate) fn bridged(
    language: Language,
    text: &[u8],
    tree: &Tree,
    mut parse: impl FnMut(&[u8]) -> Option<Tree>,
) -> Option<(Vec<u8>, Tree)> {
    let mut plain = text.to_vec();
    fill(language, &mut plain);
    let mut filled = plain.clone();
    templates::fill(language, &mut filled);
    let mut best = settle(language, text, plain, tree, &mut parse);
    if best.as_ref().is_some_and(|(_, tree)| !tree.root_node().has_error()) {
        return best;
    }
    // Two curly brackets are a template, or an object in a block: whichever reads better.
    if best.as_ref().map_or(text, |(text, _)| text) != filled
        && let Some(other) = settle(language, text, filled, tree, &mut parse)
    {
        let quality =
            |text: &[u8], tree: &Tree| match (tree.root_node().has_error(), reading::faults(text, tree)) {
                (false, _) => 2,
                (true, Reading::Broken { .. }) => 0,
                (true, _) => 1,
            };
        let known = match &best {
            Some((text, tree)) => quality(text, tree),
            None => quality(text, tree),
        };
        if quality(&other.0, &other.1) > known {
            best = Some(other);
        }
    }
    best
}

/// Parses what was filled in, and fills in what only a tree shows.
fn settle(
    language: Language,
    original: &[u8],
    mut text: Vec<u8>,
    tree: &Tree,
    parse: &mut impl FnMut(&[u8]) -> Option<Tree>,
) -> Option<(Vec<u8>, Tree)> {
    let mut now = if text == original { None } else { Some(parse(&text)?) };
    if matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx) {
        for _ in 0..ROUNDS {
            if !blank_ampersands(&mut text, now.as_ref().unwrap_or(tree)) {
                break;
            }
            now = Some(parse(&text)?);
        }
    }
    now.map(|tree| (text, tree))
}

fn fill(language: Language, text: &mut [u8]) {
    match language {
        Language::Json => data::json(text),
        Language::Toml => data::toml(text),
        Language::Rust => rust(text),
        Language::Python => python(text),
        _ => {}
    }
}

/// `Fish & Chips` between two tags, `?a=1&b=2` in an attribute: a lone `&` is allowed there, and the grammar takes it for the beginning
/// of a sign like `&amp;`.
fn blank_ampersands(text: &mut [u8], tree: &Tree) -> bool {
    let mut places = Vec::new();
    let mut cursor = tree.walk();
    'walk: loop {
        let node = cursor.node();
        if node.is_error() && text.get(node.start_byte()) == Some(&b'&') {
            let inside = |kind: &str| kind.starts_with("jsx") || kind == "string" || kind == "ERROR";
            if node.parent().is_some_and(|parent| inside(parent.kind())) {
                places.push(node.start_byte());
            }
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'walk;
            }
        }
    }
    for place in &places {
        text[*place] = b' ';
    }
    !places.is_empty()
}

/// The head of a script for cargo, and `safe fn` among foreign functions.
fn rust(text: &mut [u8]) {
    let mut start = 0;
    for line in lines(text) {
        let shown = text[line.clone()].trim_ascii();
        if shown.is_empty() || (line.start == 0 && shown.starts_with(b"#!")) {
            continue;
        }
        let dashes = shown.iter().take_while(|byte| **byte == b'-').count();
        if dashes >= 3 {
            let fence = vec![b'-'; dashes];
            let end = lines(text)
                .find(|other| other.start > line.start && text[other.clone()].trim_ascii() == fence);
            if let Some(end) = end {
                blank(&mut text[line.start..end.end]);
                start = end.end;
            }
        }
        break;
    }
    for at in words(text, b"safe") {
        let after = text[at + 4..].trim_ascii_start();
        if at >= start && [&b"fn "[..], b"static "].iter().any(|word| after.starts_with(word)) {
            blank(&mut text[at..at + 4]);
        }
    }
}

/// `class Box[T = int]`: what a type parameter is if nobody says.
fn python(text: &mut [u8]) {
    for word in [&b"class"[..], b"def", b"type"] {
        for at in words(text, word) {
            let name = &text[at + word.len()..];
            let skipped = name
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b' '))
                .count();
            let open = at + word.len() + skipped;
            if text.get(open) == Some(&b'[') {
                blank_defaults(text, open + 1);
            }
        }
    }
}

fn blank_defaults(text: &mut [u8], from: usize) {
    let (mut depth, mut default) = (1, None);
    for at in from..text.len() {
        match text[at] {
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' => depth -= 1,
            b'=' if depth == 1 && default.is_none() => default = Some(at),
            b'\n' if text[at..].starts_with(b"\n\n") => return,
            _ => {}
        }
        let ends = depth == 0 || (depth == 1 && text[at] == b',');
        if ends && let Some(start) = default.take() {
            blank(&mut text[start..at]);
        }
        if depth == 0 {
            return;
        }
    }
}

/// Spaces, but for the ends of lines.
fn blank(text: &mut [u8]) {
    text.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

fn lines(text: &[u8]) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
    let mut ends: Vec<usize> =
        text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
    ends.push(text.len());
    let mut start = 0;
    ends.into_iter().map(move |end| std::mem::replace(&mut start, end + 1)..end)
}

/// Where a word stands by itself.
fn words(text: &[u8], word: &[u8]) -> Vec<usize> {
    let is_letter =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = crate::language::find(&text[from..], word).map(|at| from + at) {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        if !is_letter(before) && !is_letter(text.get(at + word.len())) {
            found.push(at);
        }
        from = at + word.len();
    }
    found
}
