//! What must be refused, is. Each test is something that was done to servers on loopback.

use std::io::Write;
use std::time::Duration;

use vib_web::Limits;

use crate::world::{World, read_answer};

#[test]
fn a_foreign_host_name_is_refused_so_dns_rebinding_gets_nothing() {
    let world = World::new();
    let browser = world.browser();
    let port = world.port;
    let other_port = format!("127.0.0.1:{}", port.wrapping_add(1));
    let names = [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        other_port,
        format!("0.0.0.0:{port}"),
    ];
    for host in &names {
        for path in ["/", "/api/status", "/launch?code=x", "/assets/x", "/events", "/mcp"] {
            let answer = world.ask("GET", &browser.at(path), &[("Host", host)], "");
            assert_eq!(answer.status, 421, "{host} {path}");
            let answer = world.ask("GET", path, &[("Host", host)], "");
            assert_eq!(answer.status, 421, "{host} {path}");
            assert!(!answer.body.contains("csrf"), "{host} {path}");
        }
    }
    // Two hosts, or a host in the request line, get no further either.
    let twice = format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        world.host()
    );
    assert_eq!(world.raw(twice.as_bytes()).status, 421);
    let long =
        format!("GET http://evil.example/ HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", world.host());
    assert_eq!(world.raw(long.as_bytes()).status, 421);
    assert_eq!(world.raw(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").status, 421, "no host at all");
}

#[test]
fn another_page_is_refused_even_with_the_capability() {
    let world = World::new();
    let browser = world.browser();
    let body = format!("csrf={}&text=x", browser.csrf);
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    for origin in
        ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", "http://localhost"]
    {
        let headers = [("Origin", origin), form];
        assert_eq!(world.ask("POST", &browser.at("/memory/intent"), &headers, &body).status, 403, "{origin}");
        assert_eq!(world.ask("GET", &browser.at("/"), &headers[..1], "").status, 403, "{origin}");
    }
    for site in ["cross-site", "same-site", "none"] {
        let headers = [("Sec-Fetch-Site", site), form];
        assert_eq!(world.ask("POST", &browser.at("/memory/intent"), &headers, &body).status, 403, "{site}");
    }
    // A navigation from elsewhere shows nothing but the refusal.
    let headers = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")];
    assert_eq!(world.ask("GET", &browser.at("/"), &headers, "").status, 403);
    assert!(engine::memory::show(&world.engine()).expect("memory").memory.active_intent.is_none());
}

#[test]
fn without_session_and_token_there_is_nothing() {
    let world = World::new();
    for path in [
        "/",
        "/memory",
        "/history",
        "/recovery",
        "/diff",
        "/settings",
        "/events",
        "/api/status",
        "/api/openapi.json",
        "/nothing",
    ] {
        assert_eq!(world.ask("GET", path, &[], "").status, 401, "{path}");
        let wrong = [("Authorization", "Bearer 0000"), ("Cookie", "vib_session_1=0000")];
        assert_eq!(world.ask("GET", path, &wrong, "").status, 401, "{path}");
        assert_eq!(world.ask("GET", &format!("/k/{}{path}", "0".repeat(64)), &[], "").status, 401, "{path}");
        assert_eq!(world.ask("GET", &format!("/k/{path}"), &[], "").status, 401, "{path}");
    }
    assert_eq!(
        world.ask("POST", "/api/patch/diff", &[("Content-Type", "application/json")], "{}").status,
        401
    );
    // The token is for programs: it opens no page.
    let bearer = format!("Bearer {}", world.token());
    assert_eq!(world.ask("GET", "/", &[("Authorization", &bearer)], "").status, 401);
    assert_eq!(world.ask("GET", "/api/status", &[("Authorization", &bearer)], "").status, 200);
    // Nor a page behind a capability that is none, and a capability beside a token is nobody's.
    let browser = world.browser();
    assert_eq!(world.ask("GET", &browser.at("/api/status"), &[("Authorization", &bearer)], "").status, 401);
    assert_eq!(world.ask("GET", &browser.at("x/"), &[], "").status, 401);
    assert_eq!(world.ask("GET", &browser.at("/"), &[], "").status, 200);
}

#[test]
fn a_launch_code_works_once() {
    let world = World::new();
    let path = world.launch_path();
    let first = world.ask("GET", &path, &[], "").expect(200);
    assert!(first.header("set-cookie").is_none(), "{}", first.head);
    assert!(first.body.contains("0;url=/k/"), "{}", first.body);
    let again = world.ask("GET", &path, &[], "").expect(401);
    assert!(!again.body.contains("/k/"));
    assert_eq!(world.ask("GET", "/launch?code=", &[], "").status, 401);
    assert_eq!(world.ask("GET", "/launch", &[], "").status, 401);
    assert!(!first.body.contains(path.split('=').nth(1).expect("a code")), "the code is not repeated");
}

#[test]
fn a_form_without_its_token_changes_nothing() {
    let world = World::new();
    let browser = world.browser();
    let other = world.browser();
    let origin = format!("http://{}", world.host());
    let headers = |kind: &'static str| [("Origin", origin.as_str()), ("Content-Type", kind)];
    let form = "application/x-www-form-urlencoded";
    for body in [
        "text=x",
        "csrf=&text=x",
        "csrf=0000&text=x",
        &format!("text=x&csrf={}", browser.csrf),
        &format!("csrf={}&text=x", other.csrf),
    ] {
        assert_eq!(
            world.ask("POST", &browser.at("/memory/intent"), &headers(form), body).status,
            403,
            "{body}"
        );
    }
    // A kind of body that other pages may send without asking does not help.
    let body = format!("csrf={}&text=x", browser.csrf);
    assert_eq!(world.ask("POST", &browser.at("/memory/intent"), &headers("text/plain"), &body).status, 403);
    assert_eq!(
        world
            .ask(
                "POST",
                &browser.at("/api/memory"),
                &headers("application/json"),
                "{\"kind\":\"intent\",\"text\":\"x\"}"
            )
            .status,
        403
    );
    // No Origin and no word of the browser: not proven to be this page.
    let bare = [("Content-Type", form)];
    assert_eq!(world.ask("POST", &browser.at("/memory/intent"), &bare, &body).status, 403);
    assert!(engine::memory::show(&world.engine()).expect("memory").memory.active_intent.is_none());
    assert_eq!(browser.post("/memory/intent", &[("text", "with the token")]).status, 303);
    let memory = engine::memory::show(&world.engine()).expect("memory").memory;
    assert_eq!(memory.active_intent.expect("a goal").text, "with the token");
}

#[test]
fn tricks_with_paths_lead_nowhere() {
    let world = World::new();
    world.write("a.txt", "one\n");
    world.save(None, Some("first"));
    let browser = world.browser();
    for path in [
        "/../../etc/passwd",
        "/assets/../../../etc/passwd",
        "/assets/..%2f..%2fetc%2fpasswd",
        "/assets/%2e%2e/style.css",
        "/checkpoint/..%2f..%2f",
        "/checkpoint/%00",
        "//evil.example/",
        "/assets/",
        "/.git/config",
    ] {
        let answer = browser.get(path);
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.body.contains("root:"), "{path}");
    }
    for name in ["../../etc/passwd", "/etc/passwd", ".git/config", "..\\..\\x", "a/../../x"] {
        let encoded = name.replace('/', "%2F").replace('\\', "%5C");
        let answer = browser.get(&format!("/diff?path={encoded}"));
        assert!(
            (400..500).contains(&answer.status) || !answer.body.contains("root:"),
            "{name}: {}",
            answer.status
        );
        let answer = world.api("POST", "/api/recovery/preview", Some(serde_json::json!({"paths": [name]})));
        assert!((400..500).contains(&answer.status), "{name}: {}", answer.status);
    }
    let outside =
        serde_json::json!({"diff": "--- a/../outside.txt\n+++ b/../outside.txt\n@@ -0,0 +1 @@\n+x\n"});
    assert_eq!(world.api("POST", "/api/patch/diff", Some(outside)).json()["ok"], false);
    // A form never leads to another site.
    let answer = browser.post("/checkpoint", &[("back", "//evil.example/")]).expect(303);
    assert_eq!(answer.header("location"), Some("/?said=saved"));
}

#[test]
fn what_is_too_large_is_not_read() {
    let limits =
        Limits { body_bytes: 1000, patch_bytes: 5000, strangers_per_second: 1000.0, ..Limits::default() };
    let world = World::with(limits);
    let browser = world.browser();
    let long = "x".repeat(2000);
    assert_eq!(browser.post("/memory/intent", &[("text", &long)]).status, 413);
    let patch = serde_json::json!({"diff": "x".repeat(6000)});
    assert_eq!(world.api("POST", "/api/patch/diff", Some(patch)).status, 413);
    // Without a length the limit counts all the same.
    let chunk = format!("{:x}\r\n{}\r\n", 2000, long);
    let bearer = world.token();
    let head = format!(
        "POST /api/checkpoints HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {bearer}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
        world.host()
    );
    assert_eq!(world.raw(format!("{head}{chunk}0\r\n\r\n").as_bytes()).status, 413);
    // A head that never ends.
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", world.host(), "x".repeat(100_000));
    let answer = world.raw(head.as_bytes());
    assert!(answer.status == 431 || answer.status == 400 || answer.status == 0, "{}", answer.status);
}

#[test]
fn slow_clients_are_let_go() {
    let short = Duration::from_millis(1_000);
    let limits =
        Limits { head_time: short, body_time: short, strangers_per_second: 1000.0, ..Limits::default() };
    let world = World::with(limits);
    // A head that stays away.
    let mut stream = world.connect();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").expect("sent");
    let answer = read_answer(&mut stream);
    assert!(answer.status == 0 || answer.status == 408, "{}", answer.status);
    // A body that stays away.
    let mut stream = world.connect();
    let head = format!(
        "POST /api/checkpoints HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: 100\r\nConnection: close\r\n\r\n{{",
        world.host(),
        world.token()
    );
    stream.write_all(head.as_bytes()).expect("sent");
    assert_eq!(read_answer(&mut stream).status, 408);
    // The server is there for the others.
    assert_eq!(world.browser().get("/").status, 200);
}

#[test]
fn a_guesser_is_slowed_down_and_the_person_is_not() {
    let limits = Limits { strangers_per_second: 0.001, ..Limits::default() };
    let world = World::with(limits);
    let browser = world.browser();
    let answers: Vec<u16> =
        (0..40).map(|at| world.ask("GET", &format!("/launch?code={at}"), &[], "").status).collect();
    assert!(answers.contains(&429), "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 0);
    assert_eq!(browser.get("/").status, 200);
}

#[test]
fn every_answer_carries_the_headers() {
    let world = World::new();
    let browser = world.browser();
    let answers = [
        browser.get("/"),
        browser.get("/nothing"),
        world.ask("GET", "/", &[], ""),
        world.ask("GET", "/", &[("Host", "evil.example")], ""),
        world.api("GET", "/api/status", None),
        world.ask("DELETE", "/api/status", &[("Authorization", &format!("Bearer {}", world.token()))], ""),
    ];
    for answer in &answers {
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{}", answer.head);
        }
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    assert_eq!(answers[5].status, 405);
}

#[test]
fn no_page_has_inline_script_or_style() {
    let world = World::new();
    world.write("a.txt", "one\n");
    world.save(Some("do it"), None);
    world.write("a.txt", "two\n");
    let browser = world.browser();
    for path in [
        "/",
        "/memory",
        "/history",
        "/recovery",
        "/lessons",
        "/permissions",
        "/spirals",
        "/audit",
        "/settings",
        "/diff",
    ] {
        let body = browser.get(path).expect(200).body;
        assert!(
            !body.contains("<style") && !body.contains(" style=") && !body.contains(" onclick"),
            "{path}"
        );
        for script in body.split("<script").skip(1) {
            assert!(script.contains("src=\"/assets/"), "{path}");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_file_for_programs_is_private_and_goes_with_the_server() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let file = world.token_file().clone();
    assert_eq!(std::fs::metadata(&file).expect("the file").permissions().mode() & 0o777, 0o600);
    drop(world);
    assert!(!file.exists());
}
