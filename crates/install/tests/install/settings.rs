//! Settings files as people have them, made from a stream of choices.

use install::Client;
use install::table::{Shape, setup};

/// Choices, zero when they run out.
pub struct Choices<'a>(std::slice::Iter<'a, u8>);

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes.iter())
    }

    fn below(&mut self, limit: u8) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0) % limit)
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len() as u8)]
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 1
    }
}

struct Layout {
    newline: &'static str,
    unit: &'static str,
    comments: bool,
    trailing: bool,
    one_line: bool,
}

/// A whole file. `roomy`: no empty object or list anywhere on the way to the hooks.
pub fn file(client: Client, choices: &mut Choices<'_>, roomy: bool) -> String {
    let one_line = choices.below(6) == 5;
    let layout = Layout {
        newline: if choices.below(4) == 3 && !one_line { "\r\n" } else { "\n" },
        unit: choices.pick(&["  ", "    ", "\t", " "]),
        comments: choices.yes() && !one_line,
        trailing: choices.yes(),
        one_line,
    };
    let mut text = String::new();
    if choices.below(5) == 4 {
        text.push('\u{feff}');
    }
    if layout.comments && choices.yes() {
        text.push_str(&format!("// settings, by hand: \"hooks\": {{}}{}", layout.newline));
    }
    let mut properties = vec![
        (
            "model".to_owned(),
            choices.pick(&["\"opus\"", "null", "\"a\\\"b\\\\ // not a comment\""]).to_owned(),
        ),
        (
            "limit".to_owned(),
            choices.pick(&["1", "-0.5e+10", "123456789012345678901234567890", "true"]).to_owned(),
        ),
        (
            "permissions".to_owned(),
            items(&layout, choices, 1, ('[', ']'), &["\"Bash(git *)\"".to_owned(), "[]".to_owned()]),
        ),
        ("빈".to_owned(), "{}".to_owned()),
    ];
    if matches!(setup(client).shape, Shape::Flat { .. }) && choices.yes() {
        properties.push(("version".to_owned(), "1".to_owned()));
    }
    if choices.below(4) != 0 {
        let hooks = hooks(client, &layout, choices, roomy);
        if !(roomy && hooks.is_empty()) {
            properties.push(("hooks".to_owned(), items(&layout, choices, 1, ('{', '}'), &hooks)));
        }
    }
    // Any order, any number.
    let keep = choices.below(properties.len() as u8 + 1);
    let turn = choices.below(properties.len() as u8);
    properties.rotate_left(turn);
    properties.truncate(if roomy { keep.max(1) } else { keep });
    let list: Vec<String> = properties
        .iter()
        .map(|(key, value)| format!("\"{key}\":{}{value}", if layout.one_line { "" } else { " " }))
        .collect();
    text.push_str(&items(&layout, choices, 0, ('{', '}'), &list));
    if layout.comments && choices.yes() {
        text.push_str(&format!("{}/* the end */", layout.newline));
    }
    if choices.yes() {
        text.push_str(layout.newline);
    }
    text
}

/// Other people's hooks.
fn hooks(client: Client, layout: &Layout, choices: &mut Choices<'_>, roomy: bool) -> Vec<String> {
    let setup = setup(client);
    let mut list = Vec::new();
    let first = choices.below(setup.events.len() as u8);
    for at in 0..choices.below(4) {
        let event = setup.events[(first + at) % setup.events.len()].name;
        let mut entries = Vec::new();
        let count = choices.below(3);
        for _ in 0..if roomy { count.max(1) } else { count } {
            let line =
                choices.pick(&["other-tool check", "vib hook nobody", "echo 'vib hook codex' && true", "x"]);
            let handler = format!("{{ \"type\": \"command\", \"command\": \"{line}\", \"timeout\": 5 }}");
            entries.push(match setup.shape {
                Shape::Groups { .. } => {
                    let handlers = items(layout, choices, 4, ('[', ']'), &[handler]);
                    format!("{{\"matcher\": \"Write|Edit\", \"hooks\": {handlers}}}")
                }
                _ => handler,
            });
        }
        list.push(format!("\"{event}\": {}", items(layout, choices, 2, ('[', ']'), &entries)));
    }
    if choices.yes() {
        list.push("\"SomeFutureEvent\": [{\"prompt\": \"?\"}]".to_owned());
    }
    list
}

fn items(
    layout: &Layout,
    choices: &mut Choices<'_>,
    depth: usize,
    (open, close): (char, char),
    list: &[String],
) -> String {
    let mut text = String::from(open);
    let broken = !layout.one_line && choices.below(4) != 0;
    let indent = layout.unit.repeat(depth + 1);
    for (at, item) in list.iter().enumerate() {
        if broken {
            text.push_str(layout.newline);
            if layout.comments && choices.below(3) == 0 {
                text.push_str(&format!("{indent}// about it{}", layout.newline));
            }
            text.push_str(&indent);
        } else if at > 0 {
            text.push(' ');
        }
        text.push_str(item);
        if layout.comments && choices.below(5) == 0 {
            text.push_str(" /* , } */");
        }
        if at + 1 < list.len() || layout.trailing {
            text.push(',');
        }
        if layout.comments && broken && choices.below(3) == 0 {
            text.push_str(" // \"quoted\", and more");
        }
    }
    if broken {
        text.push_str(layout.newline);
        text.push_str(&layout.unit.repeat(depth));
    }
    text.push(close);
    text
}
