//! Where a request comes from, as far as the browser says.

use axum::http::{HeaderMap, HeaderName, Method, Uri, header};

/// Why a request is refused before anybody asks who it is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Foreign {
    /// Another name for this machine: DNS rebinding, or a wrong address.
    Host,
    /// Another page.
    Origin,
    /// The browser says that another site caused it.
    Site,
}

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Looks at Host, Origin and Sec-Fetch-Site. `launch` requests may be caused by another site: the link may be clicked anywhere.
pub(super) fn check(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    port: u16,
    launch: bool,
) -> Result<(), Foreign> {
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = only(headers, &header::HOST).ok_or(Foreign::Host)?;
    if !hosts.iter().any(|known| known == host) {
        return Err(Foreign::Host);
    }
    // The long form of a request names a host once more.
    if uri.authority().is_some_and(|authority| authority.as_str() != host) {
        return Err(Foreign::Host);
    }
    if headers.contains_key(header::ORIGIN) {
        let origin = only(headers, &header::ORIGIN).ok_or(Foreign::Origin)?;
        if origin.strip_prefix("http://") != Some(host) {
            return Err(Foreign::Origin);
        }
    }
    let safe = *method == Method::GET || *method == Method::HEAD;
    match headers.get(SEC_FETCH_SITE).map(|value| value.to_str().unwrap_or("?")) {
        None | Some("same-origin") => Ok(()),
        Some("none") if safe => Ok(()),
        Some(_) if launch && safe && only(headers, &SEC_FETCH_MODE) == Some("navigate") => Ok(()),
        Some(_) => Err(Foreign::Site),
    }
}

/// Whether the browser proves that this page caused the request: for everything that a cookie lets change.
pub(super) fn is_own(headers: &HeaderMap) -> bool {
    headers.contains_key(header::ORIGIN)
        || headers.get(SEC_FETCH_SITE).is_some_and(|site| site.as_bytes() == b"same-origin")
}

/// A header that is there exactly once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(method: &Method, uri: &str, pairs: &[(&'static str, &str)], launch: bool) -> Result<(), Foreign> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(HeaderName::from_static(name), value.parse().expect("a value"));
        }
        check(method, &uri.parse().expect("a uri"), &headers, 4000, launch)
    }

    #[test]
    fn only_this_machine_under_its_own_names() {
        for host in ["127.0.0.1:4000", "localhost:4000"] {
            assert_eq!(ask(&Method::GET, "/", &[("host", host)], false), Ok(()));
        }
        for host in [
            "evil.example:4000",
            "127.0.0.1",
            "127.0.0.1:4001",
            "localhost.evil.example:4000",
            "[::1]:4000",
            "",
        ] {
            assert_eq!(ask(&Method::GET, "/", &[("host", host)], false), Err(Foreign::Host), "{host}");
        }
        assert_eq!(ask(&Method::GET, "/", &[], false), Err(Foreign::Host));
        let twice = [("host", "127.0.0.1:4000"), ("host", "127.0.0.1:4000")];
        assert_eq!(ask(&Method::GET, "/", &twice, false), Err(Foreign::Host));
        let long = [("host", "127.0.0.1:4000")];
        assert_eq!(ask(&Method::GET, "http://evil.example/", &long, false), Err(Foreign::Host));
    }

    #[test]
    fn only_this_page() {
        let with =
            |origin: &str| ask(&Method::POST, "/", &[("host", "localhost:4000"), ("origin", origin)], false);
        assert_eq!(with("http://localhost:4000"), Ok(()));
        for origin in [
            "null",
            "http://127.0.0.1:4000",
            "https://localhost:4000",
            "http://localhost:4001",
            "http://evil.example",
        ] {
            assert_eq!(with(origin), Err(Foreign::Origin), "{origin}");
        }
    }

    #[test]
    fn no_other_site_but_for_the_launch() {
        let with = |method: Method, site: &str, launch: bool| {
            let headers =
                [("host", "localhost:4000"), ("sec-fetch-site", site), ("sec-fetch-mode", "navigate")];
            ask(&method, "/", &headers, launch)
        };
        assert_eq!(with(Method::GET, "none", false), Ok(()));
        assert_eq!(with(Method::POST, "same-origin", false), Ok(()));
        assert_eq!(with(Method::POST, "none", false), Err(Foreign::Site));
        assert_eq!(with(Method::GET, "same-site", false), Err(Foreign::Site));
        assert_eq!(with(Method::GET, "cross-site", false), Err(Foreign::Site));
        assert_eq!(with(Method::GET, "cross-site", true), Ok(()));
        assert_eq!(with(Method::POST, "cross-site", true), Err(Foreign::Site));
    }
}
