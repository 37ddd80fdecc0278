//! One server, one guard, several doors: a page, an API, MCP. Each has a key of its own, and none of them is in a cookie.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::json;

use crate::world::World;

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

/// Every `Set-Cookie` of a visit with everything that a person does on the page.
fn cookies_of_a_visit(world: &World) -> Vec<String> {
    let browser = world.browser();
    let mut answers = vec![world.ask("GET", &world.launch_path(), &[], "")];
    for path in ["/", "/history", "/settings", "/permissions", "/memory", "/nothing", "/api/status"] {
        answers.push(browser.get(path));
    }
    answers.push(browser.post("/memory/intent", &[("text", "a goal")]));
    answers.push(browser.post("/language", &[("language", "ko"), ("back", "/")]));
    answers.push(world.api("GET", "/api/status", None));
    let headers =
        answers.iter().flat_map(|answer| answer.head.lines().map(str::to_owned).collect::<Vec<_>>());
    headers
        .filter_map(|line| Some(line.to_ascii_lowercase().strip_prefix("set-cookie:")?.trim().to_owned()))
        .collect()
}

#[test]
fn no_cookie_opens_anything_s11() {
    let world = World::new();
    let cookies = cookies_of_a_visit(&world);
    assert!(
        !cookies.is_empty() && cookies.iter().all(|cookie| cookie.starts_with("vib_language=")),
        "{cookies:?}"
    );
    // What another port of this machine is sent, used here: nothing opens.
    let all = cookies.iter().filter_map(|cookie| cookie.split(';').next()).collect::<Vec<_>>().join("; ");
    for path in ["/", "/settings", "/api/status", "/events", "/mcp"] {
        assert_eq!(world.ask("GET", path, &[("Cookie", &all)], "").status, 401, "{path}");
    }
}

/// A program that listens on another port, is visited by the same browser, and writes down what it is sent.
#[test]
fn another_port_gets_nothing_that_opens_the_page_s11() {
    let world = World::new();
    let cookies = cookies_of_a_visit(&world);
    let other = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = other.local_addr().expect("an address").port();
    // As browsers do: all cookies of the host, whatever the port, and no more of the page than its policy allows.
    let jar = cookies.iter().filter_map(|cookie| cookie.split(';').next()).collect::<Vec<_>>().join("; ");
    let mut visit = TcpStream::connect(("127.0.0.1", port)).expect("connected");
    visit
        .write_all(format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {jar}\r\n\r\n").as_bytes())
        .expect("sent");
    drop(visit);
    let mut got = String::new();
    other.accept().expect("a visit").0.read_to_string(&mut got).expect("read");
    let cookie = got.lines().find_map(|line| line.strip_prefix("Cookie: ")).expect("the cookies").to_owned();
    for name in ["guard.llm_command", "retention.turns"] {
        let body = format!("csrf=&name={name}&value=1&target=user");
        let origin = format!("http://{}", world.host());
        let answer = world.ask("POST", "/settings", &[("Cookie", &cookie), ("Origin", &origin), FORM], &body);
        assert_eq!(answer.status, 401, "{name}");
    }
    let grant = "csrf=&client=evil&capability=recovery_apply&hours=8";
    assert_eq!(world.ask("POST", "/permissions/grant", &[("Cookie", &cookie), FORM], grant).status, 401);
    assert!(engine::grants::list(&world.engine()).expect("grants").grants.is_empty());
}

#[test]
fn every_link_and_form_of_every_page_stays_inside_s11() {
    let world = World::new();
    world.write("a.txt", "one\n");
    world.save(Some("do it"), None);
    world.write("a.txt", "two\n");
    let browser = world.browser();
    let capability = browser.base.strip_prefix("/k/").expect("a capability").to_owned();
    assert_eq!(capability.len(), 64);
    for path in [
        "/",
        "/memory",
        "/history",
        "/checkpoints",
        "/recovery",
        "/lessons",
        "/permissions",
        "/spirals",
        "/audit",
        "/settings",
        "/diff",
        "/undo?what=last",
        "/nothing",
    ] {
        let body = world.ask("GET", &browser.at(path), &[], "").body;
        for attribute in [" href=\"", " action=\"", " src=\"", " formaction=\""] {
            for link in body.split(attribute).skip(1).map(|rest| rest.split('"').next().unwrap_or_default()) {
                let inside = link.starts_with(&format!("{}/", browser.base))
                    || link.starts_with('#')
                    || link.starts_with("/assets/");
                assert!(inside, "{path}: {attribute}{link}");
            }
        }
        // Only addresses name it: no title, no text, no hidden value.
        let elsewhere = body.replace(&format!("\"{}/", browser.base), "");
        assert!(!elsewhere.contains(&capability), "{path}");
    }
    // What leads on leads on inside, and what is for programs does not know it.
    let moved = world.ask("GET", &browser.at("/timeline"), &[], "").expect(308);
    assert_eq!(moved.header("location"), Some(browser.at("/history").as_str()));
    let told = world.ask("GET", &browser.at("/api/history"), &[], "").expect(200);
    assert!(!told.body.contains(&capability));
    // Several tabs and a second launch: each session is one of its own, both work.
    let other = world.browser();
    assert_ne!(other.base, browser.base);
    assert_eq!((other.get("/").status, browser.get("/").status), (200, 200));
}

#[test]
fn an_old_address_says_what_to_do_s11() {
    let world = World::new();
    for path in ["/history", "/", "/k/0123456789abcdef/history?x=1"] {
        let answer = world.ask("GET", path, &[("Sec-Fetch-Site", "none")], "").expect(401);
        assert!(
            answer.body.contains("vib serve --open") && answer.body.contains("not_signed_in"),
            "{}",
            answer.body
        );
        assert!(!answer.body.contains("href=\"/\""), "no link that leads to the same: {}", answer.body);
    }
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const ACCEPT: (&str, &str) = ("Accept", "application/json, text/event-stream");
const JSON: (&str, &str) = ("Content-Type", "application/json");

/// The head of what MCP answers; the body is a stream that stays open.
fn call(world: &World, bearer: &str, more: &[(&str, &str)]) -> u16 {
    let mut head = format!("POST /mcp HTTP/1.1\r\nContent-Length: {}\r\n", HELLO.len());
    if !more.iter().any(|(name, _)| *name == "Host") {
        head.push_str(&format!("Host: {}\r\n", world.host()));
    }
    for (name, value) in [ACCEPT, JSON, ("Authorization", bearer)].iter().chain(more) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut stream = world.connect();
    stream.write_all(format!("{head}\r\n{HELLO}").as_bytes()).expect("sent");
    let mut start = [0_u8; 12];
    stream.read_exact(&mut start).expect("a status");
    String::from_utf8_lossy(&start[9..]).parse().expect("a number")
}

#[test]
fn the_page_and_agents_share_one_server_and_one_guard_a8() {
    let world = World::new();
    let agent =
        format!("Bearer {}", std::fs::read_to_string(world.agents_file()).expect("the agents' token"));
    let program = format!("Bearer {}", world.token());
    assert_ne!(agent, program);
    assert_eq!(call(&world, &agent, &[]), 200);
    assert_eq!(call(&world, &program, &[]), 401, "the programs' token is not the agents'");
    assert_eq!(call(&world, "Bearer ", &[]), 401);
    // The agents' token opens nothing else, and the page's capability is not one for agents.
    for path in ["/api/status", "/api/openapi.json", "/events", "/", "/settings"] {
        assert_eq!(world.ask("GET", path, &[("Authorization", &agent)], "").status, 401, "{path}");
    }
    let browser = world.browser();
    let origin = format!("http://{}", world.host());
    let csrf = ("X-CSRF-Token", browser.csrf.as_str());
    let answer = world.ask("POST", &browser.at("/mcp"), &[ACCEPT, JSON, csrf, ("Origin", &origin)], HELLO);
    assert_eq!(answer.status, 401);
    // The same guard: host, origin, site.
    assert_eq!(call(&world, &agent, &[("Host", "evil.example")]), 421);
    assert_eq!(call(&world, &agent, &[("Origin", "http://evil.example")]), 403);
    assert_eq!(call(&world, &agent, &[("Origin", "null")]), 403);
    assert_eq!(call(&world, &agent, &[("Sec-Fetch-Site", "cross-site")]), 403);
    assert_eq!(call(&world, &agent, &[("Origin", &origin), ("Sec-Fetch-Site", "same-origin")]), 200);
    // A client that looks for a way to get a token finds none, and is told what is missing.
    let without = world.ask("POST", "/mcp", &[JSON], HELLO).expect(401);
    assert_eq!(without.header("www-authenticate"), Some("Bearer"));
    assert_eq!(without.json()["error"]["code"], "not_signed_in");
    assert_eq!(world.ask("GET", "/.well-known/oauth-protected-resource", &[], "").status, 404);
    // Too long is too long here as well.
    let long = "x".repeat(3 << 20);
    assert_eq!(world.ask("POST", "/mcp", &[JSON, ("Authorization", &agent)], &long).status, 413);
}

#[cfg(unix)]
#[test]
fn the_agents_server_has_no_page_and_its_token_is_private_a8() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::for_agents();
    let file = world.agents_file().clone();
    assert!(file.ends_with("mcp/http-token"));
    assert_eq!(std::fs::metadata(&file).expect("the file").permissions().mode() & 0o777, 0o600);
    assert!(!world.token_file().exists());
    let agent = format!("Bearer {}", std::fs::read_to_string(&file).expect("the token"));
    assert_eq!(call(&world, &agent, &[]), 200);
    for path in ["/", "/api/status", &world.launch_path(), "/assets/x"] {
        assert_eq!(world.ask("GET", path, &[("Authorization", &agent)], "").status, 404, "{path}");
    }
    drop(world);
    assert!(!file.exists());
}

/// What the page asks for, and the address of the page that wants the code.
fn ask_for(world: &World, path: &str, values: &[(&str, &str)]) -> (String, String) {
    let browser = world.browser();
    let answer = browser.post(path, values).expect(303);
    let to = answer.header("location").expect("the page that asks").to_owned();
    (browser.base.clone(), to)
}

#[test]
fn a_setting_that_runs_a_program_needs_the_code_of_the_terminal_s11() {
    let (world, notices) = World::with_terminal();
    let browser = world.browser();
    let run = [("name", "guard.llm_command"), ("value", "sh -c evil"), ("target", "user")];
    let in_force =
        || engine::config::get(&world.engine(), "guard.llm_command").expect("the setting").value.to_string();
    let asked = browser.post("/settings", &run).expect(303);
    let page = asked.header("location").expect("the page that asks").to_owned();
    assert!(page.starts_with("/confirm/"), "{page}");
    let notice = notices.try_recv().expect("the terminal shows a code");
    assert!(notice.what.contains("guard.llm_command") && notice.what.contains("sh -c evil"), "{notice:?}");
    let shown = browser.get(&page).expect(200).body;
    assert!(
        shown.contains("guard.llm_command") && shown.contains("sh -c evil") && !shown.contains(&notice.code)
    );
    assert_eq!(in_force(), "", "nothing is done by asking");
    // Another session has nothing to do with it, and no wrong code does it.
    let other = world.browser();
    other.post(&page, &[("code", &notice.code)]).expect(404);
    let wrong = browser.post(&page, &[("code", "222-222")]).expect(303);
    assert_eq!(wrong.header("location"), Some(format!("{page}?left=4").as_str()));
    assert_eq!(in_force(), "");
    // The right one does exactly this, once.
    let done = browser.post(&page, &[("code", &notice.code.to_lowercase())]).expect(303);
    assert_eq!(done.header("location"), Some("/settings?said=changed"));
    assert!(in_force().contains("evil"), "{}", in_force());
    browser.post(&page, &[("code", &notice.code)]).expect(404);
    // What is harmless, or stricter, needs none.
    browser.post("/settings", &[("name", "retention.turns"), ("value", "7"), ("target", "user")]).expect(303);
    browser.post("/settings", &[("name", "guard.covered"), ("value", "ask"), ("target", "user")]).expect(303);
    assert!(notices.try_recv().is_err());
    let looser = browser
        .post("/settings", &[("name", "guard.covered"), ("value", "allow"), ("target", "user")])
        .expect(303);
    assert!(looser.header("location").is_some_and(|to| to.starts_with("/confirm/")));
    // A value that is none is refused before anybody is asked.
    browser
        .post("/settings", &[("name", "guard.llm_timeout"), ("value", "soon"), ("target", "user")])
        .expect(422);
}

#[test]
fn grants_and_approvals_need_the_code_of_the_terminal_s11() {
    let (world, notices) = World::with_terminal();
    let granted = || engine::grants::list(&world.engine()).expect("grants").grants.len();
    let values = [("client", "evil\u{1b}[2J"), ("capability", "recovery_apply"), ("hours", "8")];
    let (_, page) = ask_for(&world, "/permissions/grant", &values);
    assert!(page.starts_with("/confirm/") && granted() == 0);
    let notice = notices.try_recv().expect("a code");
    assert!(!notice.what.contains('\u{1b}'), "the terminal is not written to: {notice:?}");
    let browser = world.browser();
    let request = engine::approvals::Request {
        client: "cursor".to_owned(),
        capability: engine::grants::Capability::RecoveryApply,
        plan: None,
        digest: "d".to_owned(),
        summary: "bring back one file".to_owned(),
    };
    let waits = engine::approvals::request(&world.engine(), &request).expect("a request");
    let asked = browser.post("/permissions/approve", &[("id", &waits.id)]).expect(303);
    let page = asked.header("location").expect("a page").to_owned();
    let notice = notices.try_recv().expect("a code");
    assert!(notice.what.contains("cursor") && notice.what.contains("bring back one file"), "{notice:?}");
    assert_eq!(engine::approvals::pending(&world.engine()).len(), 1);
    browser.post(&page, &[("code", &notice.code)]).expect(303);
    assert!(engine::approvals::pending(&world.engine()).is_empty(), "approved");
    // Five wrong codes and it is gone, whatever comes then.
    let asked = browser
        .post("/permissions/grant", &[("client", "a"), ("capability", "memory_write"), ("hours", "1")])
        .expect(303);
    let page = asked.header("location").expect("a page").to_owned();
    let code = notices.try_recv().expect("a code").code;
    let statuses: Vec<u16> = (0..5).map(|_| browser.post(&page, &[("code", "333333")]).status).collect();
    assert_eq!(statuses, [303, 303, 303, 303, 404]);
    browser.post(&page, &[("code", &code)]).expect(404);
    assert_eq!(granted(), 0);
    // A no needs no code, and taking back needs none.
    let asked = browser
        .post("/permissions/grant", &[("client", "a"), ("capability", "memory_write"), ("hours", "1")])
        .expect(303);
    let page = asked.header("location").expect("a page").to_owned();
    browser.post(&page, &[("no", "1")]).expect(303);
    browser.get(&page).expect(404);
    // Whoever asks on and on is stopped: the terminal stays readable.
    let many = [("client", "a"), ("capability", "memory_write"), ("hours", "1")];
    let statuses: Vec<u16> = (0..20).map(|_| browser.post("/permissions/grant", &many).status).collect();
    assert!(statuses.contains(&429), "{statuses:?}");
}

#[test]
fn without_a_terminal_the_page_names_the_command_s11() {
    let world = World::new();
    let browser = world.browser();
    let run = [("name", "guard.llm_command"), ("value", "sh -c 'x y'"), ("target", "user")];
    let refused = browser.post("/settings", &run).expect(403).body;
    let text = refused.replace("&#39;", "'").replace("&amp;", "&");
    assert!(text.contains("vib config set guard.llm_command"), "{text}");
    let grant = [("client", "claude-code"), ("capability", "recovery_apply"), ("hours", "8")];
    let refused = browser.post("/permissions/grant", &grant).expect(403).body;
    assert!(refused.contains("vib mcp grant claude-code recovery_apply --for 8h"), "{refused}");
    // The same for scripts of the page; a program with the token may not say it at all.
    let change = json!({"name": "guard.llm_command", "value": "evil", "target": "user"});
    let refused = browser.api("/api/settings", &change).expect(403).json();
    assert_eq!(refused["error"]["code"], "needs_terminal");
    assert_eq!(
        world.api("POST", "/api/settings", Some(change)).expect(403).json()["error"]["code"],
        "needs_person"
    );
    assert_eq!(
        engine::config::get(&world.engine(), "guard.llm_command").expect("the setting").value.to_string(),
        ""
    );
    assert!(engine::grants::list(&world.engine()).expect("grants").grants.is_empty());
}
