//! Times, sizes and links in words.

use maud::{Markup, html};

use crate::ask::Ask;

/// `5 minutes ago`, with the exact time behind it.
pub(crate) fn ago(ask: &Ask, then_ms: i64, now_ms: i64) -> Markup {
    let seconds = ((now_ms - then_ms) / 1000).max(0);
    let count = |number: i64| [("count", number.into())];
    let words = match seconds {
        0..=9 => ask.t("web-ago-now"),
        10..=59 => ask.say("web-ago-seconds", &count(seconds)),
        60..=3599 => ask.say("web-ago-minutes", &count(seconds / 60)),
        3600..=86_399 => ask.say("web-ago-hours", &count(seconds / 3600)),
        _ => ask.say("web-ago-days", &count(seconds / 86_400)),
    };
    let exact = time(then_ms);
    html! { time datetime=(exact.replacen(' ', "T", 1)) title=(exact) { (words) } }
}

/// `2026-11-15 22:44`, in the time zone of this machine.
pub(crate) fn time(ms: i64) -> String {
    match jiff::Timestamp::from_millisecond(ms) {
        Ok(time) => time.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => "–".to_owned(),
    }
}

/// `3.4 MB`.
pub(crate) fn size(bytes: u64) -> String {
    let mut amount = bytes as f64;
    for unit in ["B", "KB", "MB", "GB"] {
        if amount < 1024.0 {
            return if unit == "B" { format!("{bytes} B") } else { format!("{amount:.1} {unit}") };
        }
        amount /= 1024.0;
    }
    format!("{amount:.1} TB")
}

/// A path with a query; values are escaped.
pub(crate) fn link_with(path: &str, values: &[(&str, &str)]) -> String {
    let mut link = path.to_owned();
    for (at, (name, value)) in values.iter().filter(|(_, value)| !value.is_empty()).enumerate() {
        link.push(if at == 0 { '?' } else { '&' });
        link.push_str(name);
        link.push('=');
        for byte in value.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                    link.push(char::from(byte));
                }
                byte => link.push_str(&format!("%{byte:02X}")),
            }
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_escape_their_values() {
        assert_eq!(
            link_with("/diff", &[("path", "a b/ü&c.rs"), ("to", "")]),
            "/diff?path=a%20b%2F%C3%BC%26c.rs"
        );
        assert_eq!(size(1536), "1.5 KB");
    }
}
