//! One request over the network, on a thread of its own, so that whoever waits can stop waiting at any moment.
//!
//! No redirect is followed: a key goes to the address that the person wrote and nowhere else. `http://` is for this machine alone.

use std::io::Read;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use ureq::tls::{RootCerts, TlsConfig};

use crate::dialect::Request;
use crate::fault::{Class, Fault};
use crate::policy::Policy;
use crate::secret::Secret;

/// What comes over the network, in its order.
#[derive(Debug)]
pub(crate) enum Piece {
    Head(Head),
    Bytes(Vec<u8>),
    End,
    Failed(Fault),
}

/// The beginning of an answer.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) retry_after: Option<String>,
    pub(crate) retry_after_ms: Option<String>,
}

/// The way to the server, where it leads over a proxy that the person set up.
#[derive(Debug, Clone)]
pub(crate) struct Way {
    pub(crate) proxy: Option<Secret>,
    pub(crate) no_proxy: Option<Secret>,
}

/// Whoever waits looks at the clock too, and knows better what a silence means: the thread gives up only later, so that it ends at all.
const LATER: Duration = Duration::from_secs(5);

/// Is it an address that may be asked? Encrypted, or on this machine.
pub(crate) fn check_url(url: &str) -> Result<(), Fault> {
    let bad = |code| Err(Fault::new(Class::Switch, code).saying(url));
    let Ok(uri) = url.parse::<ureq::http::Uri>() else { return bad("bad_url") };
    let Some(host) = uri.host().filter(|host| !host.is_empty()) else { return bad("bad_url") };
    // Somebody's name and password in an address would be shown with it.
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(Fault::new(Class::Switch, "bad_url").saying("an address with a name or a password in it"));
    }
    match uri.scheme_str() {
        Some("https") => Ok(()),
        Some("http") if is_this_machine(host) => Ok(()),
        Some("http") => bad("plain_http"),
        _ => bad("bad_url"),
    }
}

fn is_this_machine(host: &str) -> bool {
    let plain = host.trim_start_matches('[').trim_end_matches(']');
    plain.eq_ignore_ascii_case("localhost")
        || plain.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Sends the request. What comes back can be received; when the receiver is dropped, the connection ends with the next byte or time limit.
pub(crate) fn send(request: Request, way: Way, policy: &Policy) -> Receiver<Piece> {
    // Bounded: a server that is quicker than its reader waits.
    let (sender, receiver) = sync_channel(8);
    let policy = policy.clone();
    let spawned = std::thread::Builder::new().name("provider".to_owned()).spawn({
        let sender = sender.clone();
        move || {
            if let Err(fault) = run(&request, &way, &policy, &sender) {
                let _ = sender.send(Piece::Failed(fault));
            }
        }
    });
    if let Err(error) = spawned {
        let _ =
            sender.try_send(Piece::Failed(Fault::new(Class::Again, "connection").saying(&error.to_string())));
    }
    receiver
}

fn run(request: &Request, way: &Way, policy: &Policy, sender: &SyncSender<Piece>) -> Result<(), Fault> {
    let agent = agent(way, policy, &request.url);
    let mut builder = agent
        .post(&request.url)
        .header("content-type", "application/json")
        .header("accept", "text/event-stream, application/json");
    for (name, value) in &request.headers {
        builder = builder.header(*name, value);
    }
    if let Some((name, key)) = &request.key {
        let value = if *name == "authorization" {
            format!("Bearer {}", key.reveal())
        } else {
            key.reveal().to_owned()
        };
        let mut value = ureq::http::HeaderValue::from_str(&value)
            .map_err(|_| Fault::new(Class::Switch, "key_unusable"))?;
        value.set_sensitive(true);
        builder = builder.header(*name, value);
    }
    let response = builder.send(request.body.as_str()).map_err(|error| of_error(&error))?;
    let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
    let head = Head {
        status: response.status().as_u16(),
        content_type: header("content-type").unwrap_or_default().to_ascii_lowercase(),
        retry_after: header("retry-after"),
        retry_after_ms: header("retry-after-ms"),
    };
    if sender.send(Piece::Head(head)).is_err() {
        return Ok(());
    }
    let mut reader = response.into_body().into_with_config().limit(u64::MAX).reader();
    let mut buffer = vec![0; 16 << 10];
    loop {
        let piece = match reader.read(&mut buffer) {
            Ok(0) => Piece::End,
            Ok(read) => Piece::Bytes(buffer[..read].to_vec()),
            Err(error) => Piece::Failed(Fault::new(Class::Again, "stream_cut").saying(&error.to_string())),
        };
        let is_last = !matches!(piece, Piece::Bytes(_));
        if sender.send(piece).is_err() || is_last {
            return Ok(());
        }
    }
}

fn agent(way: &Way, policy: &Policy, url: &str) -> ureq::Agent {
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let proxy =
        way.proxy.as_ref().filter(|_| url.starts_with("https://")).and_then(|proxy| proxy_of(proxy, way));
    ureq::Agent::config_builder()
        .tls_config(tls)
        .proxy(proxy)
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("vibelign/", env!("CARGO_PKG_VERSION")))
        .max_response_header_size(64 << 10)
        .timeout_resolve(Some(policy.connect))
        .timeout_connect(Some(policy.connect))
        .timeout_recv_response(Some(policy.first_byte + LATER))
        .timeout_per_read(Some(policy.first_byte.max(policy.idle) + LATER))
        .timeout_global(Some(policy.whole + LATER))
        .build()
        .new_agent()
}

/// `HTTPS_PROXY`, but for the hosts of `NO_PROXY`.
fn proxy_of(proxy: &Secret, way: &Way) -> Option<ureq::Proxy> {
    let plain = ureq::Proxy::new(proxy.reveal()).ok()?;
    let Some(no_proxy) = &way.no_proxy else { return Some(plain) };
    let mut builder = ureq::Proxy::builder(plain.protocol()).host(plain.host()).port(plain.port());
    if let Some(name) = plain.username() {
        builder = builder.username(name);
    }
    if let Some(password) = plain.password() {
        builder = builder.password(password);
    }
    no_proxy.reveal().split(',').map(str::trim).fold(builder, ureq::ProxyBuilder::no_proxy).build().ok()
}

/// What the network says, as a class.
fn of_error(error: &ureq::Error) -> Fault {
    use ureq::{Error, Timeout};
    let (class, code) = match error {
        Error::Timeout(Timeout::Resolve | Timeout::Connect) => (Class::Again, "connect_timeout"),
        Error::Timeout(Timeout::Global) => (Class::Switch, "too_slow"),
        Error::Timeout(_) => (Class::Again, "no_answer"),
        Error::HostNotFound => (Class::Again, "host_not_found"),
        Error::Io(error) if is_tls(error) => (Class::Switch, "tls"),
        // The system has no kind for it, only words.
        Error::Io(error) if error.to_string().contains("lookup address") => (Class::Again, "host_not_found"),
        Error::Rustls(_) | Error::Tls(_) | Error::Pem(_) | Error::TlsRequired => (Class::Switch, "tls"),
        Error::BadUri(_) | Error::Http(_) | Error::RequireHttpsOnly(_) => (Class::Switch, "bad_url"),
        Error::InvalidProxyUrl | Error::ConnectProxyFailed(_) => (Class::Switch, "proxy"),
        Error::LargeResponseHeader(..) => (Class::Switch, "answer_too_large"),
        Error::Protocol(_) => (Class::Again, "malformed_http"),
        _ => (Class::Again, "connection"),
    };
    // An address may hold what nobody should read; a proxy's may hold a password.
    let said = if matches!(code, "bad_url" | "proxy") { String::new() } else { error.to_string() };
    Fault::new(class, code).saying(&said)
}

fn is_tls(error: &std::io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.downcast_ref::<rustls::Error>().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_encrypted_addresses_and_this_machine_are_asked() {
        for (url, want) in [
            ("https://api.anthropic.com/v1/messages", None),
            ("http://localhost:11434/v1/chat/completions", None),
            ("http://LOCALHOST:1/", None),
            ("http://127.0.0.1:8080/v1", None),
            ("http://127.9.9.9:8080/v1", None),
            ("http://[::1]:8080/v1", None),
            ("http://api.anthropic.com/v1", Some("plain_http")),
            ("http://127.0.0.1.evil.example/v1", Some("plain_http")),
            ("http://localhost.evil.example/v1", Some("plain_http")),
            ("http://192.168.1.5:11434/v1", Some("plain_http")),
            ("http://localhost@evil.example/v1", Some("bad_url")),
            ("https://me:word@api.example/v1", Some("bad_url")),
            ("ftp://localhost/", Some("bad_url")),
            ("file:///etc/passwd", Some("bad_url")),
            ("localhost:11434", Some("bad_url")),
            ("", Some("bad_url")),
            ("http://", Some("bad_url")),
        ] {
            let told = check_url(url).err();
            assert_eq!(told.as_ref().map(|fault| fault.code), want, "{url}");
            assert!(told.is_none_or(|fault| !fault.said.contains("me:")), "{url}");
        }
    }
}
