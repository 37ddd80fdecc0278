//! Entries of a JSON text, by the places where they stand: what is put back is text, so that everything else stays as it is written.

use std::collections::HashSet;

/// Deeper texts are left alone.
const DEEPEST: usize = 48;
/// Fields that say which item of a list is meant, the surest first.
const IDENTITIES: [&str; 8] = ["id", "uuid", "key", "slug", "path", "name", "email", "source"];

/// How many entries are back, and the text with them.
pub(super) fn bring(before: &str, now: &str) -> Option<(u64, String)> {
    let (was, is) = (Node::read(before)?, Node::read(now)?);
    let mut merge = Merge { before, now, inserts: Vec::new(), count: 0 };
    merge.values(&was, &is);
    if merge.count == 0 {
        return None;
    }
    let mut text = String::with_capacity(before.len().max(now.len()));
    let mut from = 0;
    for (at, piece) in &merge.inserts {
        text.push_str(now.get(from..*at)?);
        text.push_str(piece);
        from = *at;
    }
    text.push_str(now.get(from..)?);
    Node::read(&text)?;
    Some((merge.count, text))
}

#[derive(Debug)]
struct Node {
    start: usize,
    end: usize,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Object(Vec<(String, usize, Node)>),
    Array(Vec<Node>),
    Plain,
}

struct Merge<'t> {
    before: &'t str,
    now: &'t str,
    /// What is put where, in the order of the present text.
    inserts: Vec<(usize, String)>,
    count: u64,
}

impl Merge<'_> {
    fn values(&mut self, was: &Node, is: &Node) {
        match (&was.shape, &is.shape) {
            (Shape::Object(old), Shape::Object(new)) => self.objects(old, new, is),
            (Shape::Array(old), Shape::Array(new)) => self.arrays(old, new, is),
            _ => {}
        }
    }

    fn objects(&mut self, old: &[(String, usize, Node)], new: &[(String, usize, Node)], is: &Node) {
        if new.is_empty() {
            return;
        }
        let find = |key: &str| new.iter().find(|(name, ..)| name == key).map(|(.., node)| node);
        // An entry that has another name now is not gone.
        let came: HashSet<&str> = new
            .iter()
            .filter(|(key, ..)| !old.iter().any(|(name, ..)| name == key))
            .map(|(.., node)| &self.now[node.start..node.end])
            .collect();
        let mut place = None;
        let mut first: Vec<String> = Vec::new();
        let mut inner: Vec<(&Node, &Node)> = Vec::new();
        for (key, start, node) in old {
            if let Some(present) = find(key) {
                inner.push((node, present));
                place = Some(present);
                continue;
            }
            if came.contains(&self.before[node.start..node.end]) {
                continue;
            }
            self.count += 1;
            self.put(*start, node.end, place, &mut first);
        }
        self.put_first(is, &first);
        for (was, is) in inner {
            self.values(was, is);
        }
        self.inserts.sort_by_key(|(at, _)| *at);
    }

    fn arrays(&mut self, old: &[Node], new: &[Node], is: &Node) {
        if new.is_empty() || old.is_empty() {
            return;
        }
        let Some((old_keys, new_keys)) = self.identities(old, new) else { return };
        let mut place = None;
        let mut first: Vec<String> = Vec::new();
        let mut inner: Vec<(&Node, &Node)> = Vec::new();
        for (node, key) in old.iter().zip(&old_keys) {
            if let Some(at) = new_keys.iter().position(|other| other == key) {
                inner.push((node, &new[at]));
                place = Some(&new[at]);
                continue;
            }
            self.count += 1;
            self.put(node.start, node.end, place, &mut first);
        }
        self.put_first(is, &first);
        for (was, is) in inner {
            self.values(was, is);
        }
        self.inserts.sort_by_key(|(at, _)| *at);
    }

    /// An entry of the old text, after the one that stood before it.
    fn put(&mut self, start: usize, end: usize, place: Option<&Node>, first: &mut Vec<String>) {
        let head = self.before[..start].trim_end().len();
        let text = self.before[head..end].to_owned();
        match place {
            Some(node) => self.inserts.push((node.end, format!(",{text}"))),
            None => first.push(format!("{text},")),
        }
    }

    fn put_first(&mut self, is: &Node, first: &[String]) {
        if !first.is_empty() {
            self.inserts.push((is.start + 1, first.concat()));
        }
    }

    /// What says which item is which; none: it cannot be told.
    fn identities(&self, old: &[Node], new: &[Node]) -> Option<(Vec<String>, Vec<String>)> {
        let by = |text: &str, nodes: &[Node], field: &str| -> Option<Vec<String>> {
            let key = |node: &Node| match &node.shape {
                Shape::Object(members) => members
                    .iter()
                    .find(|(name, ..)| name == field)
                    .map(|(.., value)| text[value.start..value.end].to_owned()),
                _ => None,
            };
            let keys: Vec<String> = nodes.iter().map(key).collect::<Option<_>>()?;
            (keys.iter().collect::<HashSet<_>>().len() == keys.len()).then_some(keys)
        };
        for field in IDENTITIES {
            if let (Some(old), Some(new)) = (by(self.before, old, field), by(self.now, new, field)) {
                return Some((old, new));
            }
        }
        // Plain values: only where nothing else came, so that none was rewritten.
        let whole = |text: &str, nodes: &[Node]| -> Vec<String> {
            nodes.iter().map(|node| text[node.start..node.end].to_owned()).collect()
        };
        let (old, new) = (whole(self.before, old), whole(self.now, new));
        let unique = old.iter().collect::<HashSet<_>>().len() == old.len();
        (unique && new.iter().all(|item| old.contains(item))).then_some((old, new))
    }
}

impl Node {
    fn read(text: &str) -> Option<Self> {
        let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
        let node = reader.value(text, 0)?;
        reader.space();
        (reader.at == text.len()).then_some(node)
    }
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.space();
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn value(&mut self, text: &str, depth: usize) -> Option<Node> {
        if depth > DEEPEST {
            return None;
        }
        let first = self.peek()?;
        let start = self.at;
        let shape = match first {
            b'{' => {
                self.at += 1;
                let mut members = Vec::new();
                if self.peek()? == b'}' {
                    self.at += 1;
                    return Some(Node { start, end: self.at, shape: Shape::Object(members) });
                }
                loop {
                    self.space();
                    let key_start = self.at;
                    self.string()?;
                    let key = text.get(key_start + 1..self.at - 1)?.to_owned();
                    self.take(b':')?;
                    let node = self.value(text, depth + 1)?;
                    members.push((key, key_start, node));
                    if self.take(b',').is_none() {
                        break;
                    }
                }
                self.take(b'}')?;
                Shape::Object(members)
            }
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                if self.peek()? == b']' {
                    self.at += 1;
                    return Some(Node { start, end: self.at, shape: Shape::Array(items) });
                }
                loop {
                    items.push(self.value(text, depth + 1)?);
                    if self.take(b',').is_none() {
                        break;
                    }
                }
                self.take(b']')?;
                Shape::Array(items)
            }
            b'"' => {
                self.string()?;
                Shape::Plain
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'-' => {
                let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
                while self.bytes.get(self.at).is_some_and(plain) {
                    self.at += 1;
                }
                Shape::Plain
            }
            _ => return None,
        };
        Some(Node { start, end: self.at, shape })
    }

    fn string(&mut self) -> Option<()> {
        if *self.bytes.get(self.at)? != b'"' {
            return None;
        }
        self.at += 1;
        loop {
            match *self.bytes.get(self.at)? {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                _ => self.at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::bring;

    #[test]
    fn entries_come_back_in_their_place_r7() {
        let before = "{\n  \"a\": 1,\n  \"b\": {\n    \"x\": \"한\"\n  },\n  \"c\": 3\n}\n";
        let now = "{\n  \"b\": {\n    \"x\": \"한\"\n  },\n  \"new\": 9\n}\n";
        let (count, text) = bring(before, now).unwrap();
        assert_eq!(count, 2);
        assert_eq!(
            text,
            "{\n  \"a\": 1,\n  \"b\": {\n    \"x\": \"한\"\n  },\n  \"c\": 3,\n  \"new\": 9\n}\n"
        );
    }

    #[test]
    fn items_of_a_list_are_known_by_their_identity() {
        let before = r#"{"cells": [{"id": "1", "t": "a"}, {"id": "2", "t": "b"}]}"#;
        let now = r#"{"cells": [{"id": "1", "t": "changed"}, {"id": "9", "t": "new"}]}"#;
        let (count, text) = bring(before, now).unwrap();
        assert_eq!(count, 1);
        assert_eq!(
            text,
            r#"{"cells": [{"id": "1", "t": "changed"}, {"id": "2", "t": "b"}, {"id": "9", "t": "new"}]}"#
        );
        assert!(bring(r"[1, 2, 3]", r"[1, 4]").is_none(), "2 may have become 4");
        assert!(bring(r#"{"old": "x", "k": 1}"#, r#"{"new": "x", "k": 1}"#).is_none(), "it has another name");
        assert!(bring("{\"a\": 1", "{}").is_none(), "not JSON");
    }
}
