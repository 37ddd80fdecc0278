//! The capability in the address: `/k/CAPABILITY/…`.
//!
//! Browsers send cookies to every port of a host, so whatever else listens on 127.0.0.1 and is visited reads what is in them (S11). What
//! a browser has here instead is an address that cannot be guessed. It is taken off before any handler sees a request, and put in front
//! of every link on the way out: no page, title, export or message can name it, because none of them knows it.

use axum::body::{Body, Bytes};
use axum::http::header::{self, HeaderValue};
use axum::http::uri::PathAndQuery;
use axum::http::{Response as Answer, Uri};
use axum::response::Response;
use http_body_util::BodyExt;

/// What every address with a capability begins with.
const MARK: &str = "/k/";
/// What is the same for everybody, and kept by browsers.
pub(super) const ASSETS: &str = "/assets/";
/// The attributes that lead somewhere.
const LEADING: [&str; 4] = [" href", " action", " formaction", " src"];

/// Where the page of a capability is.
pub(crate) fn home(capability: &str) -> String {
    format!("{MARK}{capability}/")
}

/// Takes the capability off an address, if there is one; what stays is the address that the routes know.
pub(super) fn take_off(uri: &mut Uri) -> Option<String> {
    let inside = uri.path().strip_prefix(MARK)?;
    let (capability, rest) = inside.split_at(inside.find('/').unwrap_or(inside.len()));
    let rest = if rest.is_empty() { "/" } else { rest };
    let rest = match uri.query() {
        Some(query) => format!("{rest}?{query}"),
        None => rest.to_owned(),
    };
    let capability = capability.to_owned();
    *uri = Uri::from(rest.parse::<PathAndQuery>().ok()?);
    Some(capability)
}

/// Puts the capability in front of everything that an answer leads to.
pub(super) fn put_on(response: Response, capability: &str) -> Response {
    let base = format!("{MARK}{capability}");
    let (mut parts, body) = response.into_parts();
    if let Some(to) = parts.headers.get(header::LOCATION).and_then(|to| to.to_str().ok())
        && to.starts_with('/')
        && let Ok(to) = HeaderValue::from_str(&format!("{base}{to}"))
    {
        parts.headers.insert(header::LOCATION, to);
    }
    let is_page =
        parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if !is_page {
        return Answer::from_parts(parts, body);
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    // A page comes in parts that end between two elements, so no attribute is cut in two.
    let led = body.map_frame(move |frame| {
        frame.map_data(|data| match std::str::from_utf8(&data) {
            Ok(html) => Bytes::from(led(html, &base)),
            Err(_) => data,
        })
    });
    Answer::from_parts(parts, Body::new(led))
}

/// A part of a page with the base in front of its links. Texts cannot look like one: quotation marks in them are written `&quot;`.
fn led(html: &str, base: &str) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let mut copied = 0;
    for (at, _) in html.match_indices("=\"/") {
        let link = at + 2;
        let leads = LEADING.iter().any(|name| html[..at].ends_with(name));
        if leads && !html[link..].starts_with(ASSETS) {
            out.push_str(&html[copied..link]);
            out.push_str(base);
            copied = link;
        }
    }
    out.push_str(&html[copied..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_routes_see_no_capability() {
        for (given, capability, inside) in [
            ("/k/abc/", Some("abc"), "/"),
            ("/k/abc", Some("abc"), "/"),
            ("/k/abc/history/a%20b?x=1&y=/k/z", Some("abc"), "/history/a%20b?x=1&y=/k/z"),
            ("/k/abc//evil.example/", Some("abc"), "//evil.example/"),
            ("/k/", Some(""), "/"),
            ("/history?k=/k/abc/", None, "/history?k=/k/abc/"),
            ("/kk/abc", None, "/kk/abc"),
        ] {
            let mut uri: Uri = given.parse().expect("an address");
            assert_eq!(take_off(&mut uri).as_deref(), capability, "{given}");
            assert_eq!(uri.path_and_query().map(PathAndQuery::as_str), Some(inside), "{given}");
        }
    }

    #[test]
    fn every_link_leads_inside_and_nothing_else_is_touched() {
        let html = "<a href=\"/\">a</a><form class=\"x\" action=\"/undo\"><input value=\"/undo\"><script src=\"/assets/1-page.js\">\
            <a href=\"#main\"><p>href=&quot;/x&quot; = \"/y\"</p><button formaction=\"/z\">";
        let wanted = "<a href=\"/k/c/\">a</a><form class=\"x\" action=\"/k/c/undo\"><input value=\"/undo\"><script \
            src=\"/assets/1-page.js\"><a href=\"#main\"><p>href=&quot;/x&quot; = \"/y\"</p><button formaction=\"/k/c/z\">";
        assert_eq!(led(html, "/k/c"), wanted);
    }
}
