//! Switches, consent, substitution, keys: what a person would be told.

use providers::{Caller, Dialect, Key, NoLimit, Stopped};

use crate::scripted::{
    Act, DIALECTS, KEY, MODEL, Said, Server, TestWorld, ask, policy, provider, question, stream, whole,
};

fn good(dialect: Dialect, model: &'static str) -> Act {
    Act::events(&stream(dialect, &Said { model, ..Said::default() }))
}

#[test]
fn ag4_a_weaker_one_answers_only_with_consent_and_that_is_told() {
    for dialect in DIALECTS {
        let run = |class: u8, context: u32, allow_weaker: bool| {
            let (first, second) =
                (Server::start([Act::json(401, "{}")]), Server::start([good(dialect, MODEL)]));
            let mut other = provider("second", dialect, &second, "KEY_B");
            (other.class, other.context) = (class, context);
            let mut policy = policy();
            policy.allow_weaker = allow_weaker;
            let asked = ask(vec![provider("first", dialect, &first, "KEY_A"), other], policy);
            (asked, second.requests().len())
        };
        for (class, context, lost) in [
            (1, 100_000, "class 2 → 1"),
            (0, 100_000, "class 2 → unknown"),
            (2, 3_000, "context 100000 → 3000"),
        ] {
            let (asked, requests) = run(class, context, false);
            let Err(Stopped::NeedsConsent { from, to, why, lost: told }) = &asked.result else {
                panic!("{:?}", asked.result)
            };
            assert_eq!(
                (from.as_str(), to.as_str(), why.as_str()),
                ("first/claude-sonnet-5-5", "second/claude-sonnet-5-5", "bad_key")
            );
            assert_eq!((told.as_slice(), requests), (&[lost.to_owned()][..], 0));
            assert!(asked.story().is_empty());
            let (asked, requests) = run(class, context, true);
            assert_eq!(asked.story()[0], format!("switch {from} {to} {why} [{lost:?}]"));
            assert!(asked.result.is_ok() && requests == 1, "{:?}", asked.result);
        }
        let (asked, _) = run(3, 90_000, false);
        assert!(asked.result.is_ok(), "a stronger one needs no consent: {:?}", asked.story());
        assert!(asked.story()[0].ends_with("[\"context 100000 → 90000\"]"), "{:?}", asked.story());
    }
}

#[test]
fn ag4_a_model_in_the_place_of_another_is_told_before_its_first_word() {
    for dialect in DIALECTS {
        let run = |model: &'static str, allow_weaker: bool, is_stream: bool| {
            let said = Said { model, ..Said::default() };
            let act = if is_stream { good(dialect, model) } else { Act::json(200, &whole(dialect, &said)) };
            let server = Server::start([act]);
            let mut policy = policy();
            policy.allow_weaker = allow_weaker;
            ask(vec![provider("first", dialect, &server, "KEY_A")], policy)
        };
        for is_stream in [true, false] {
            for same in [MODEL, "claude-sonnet-5-5-20261001", "anthropic/claude-sonnet-5.5"] {
                let asked = run(same, false, is_stream);
                assert!(asked.story().is_empty() && asked.result.is_ok(), "{same}: {:?}", asked.story());
            }
            let asked = run("gpt-5.6-terra", false, is_stream);
            let told = "switch first/claude-sonnet-5-5 first/gpt-5.6-terra substituted []";
            assert_eq!(asked.story(), [told]);
            assert!(
                matches!(asked.happened[0], providers::Happening::Switched { .. }),
                "told before its words"
            );
            assert_eq!(asked.result.unwrap().model, "gpt-5.6-terra");
            for (weaker, lost) in
                [("claude-haiku-5-5", "class 2 → 1"), ("somebodys-own-mini", "class 2 → unknown")]
            {
                let asked = run(weaker, false, is_stream);
                let Err(Stopped::NeedsConsent { to, lost: told, .. }) = &asked.result else {
                    panic!("{:?}", asked.result)
                };
                assert_eq!((to.clone(), told.clone()), (format!("first/{weaker}"), vec![lost.to_owned()]));
                assert!(asked.story().is_empty(), "nothing of it was handed on: {:?}", asked.happened);
                let paid = asked.book.settled[0];
                assert!(paid.0.input > 0, "it is paid for all the same");
                let [providers::Happening::Charged { provider, model, usage, dollars }] = &asked.happened[..]
                else {
                    panic!("what was paid is told, and nothing else: {:?}", asked.happened)
                };
                assert_eq!((provider.as_str(), model.as_str()), ("first", weaker));
                assert_eq!((*usage, *dollars), paid);
                let asked = run(weaker, true, is_stream);
                assert!(asked.story()[0].ends_with(&format!("[{lost:?}]")) && asked.result.is_ok());
            }
        }
    }
}

#[test]
fn ag4_a_class_that_the_person_wrote_down_is_held_against_whoever_answers() {
    let run = |class: u8, answered: &'static str| {
        let server = Server::start([good(Dialect::OpenAiChat, answered)]);
        let mut own = provider("mine", Dialect::OpenAiChat, &server, "KEY_A");
        (own.model, own.class) = ("somebodys-own-large".to_owned(), class);
        ask(vec![own], policy())
    };
    for (answered, told) in [("somebodys-own-mini", "class 3 → unknown"), ("claude-haiku-5-5", "class 3 → 1")]
    {
        let asked = run(3, answered);
        let Err(Stopped::NeedsConsent { to, lost, .. }) = &asked.result else { panic!("{:?}", asked.result) };
        assert_eq!((to.clone(), lost.clone()), (format!("mine/{answered}"), vec![told.to_owned()]));
    }
    let asked = run(0, "somebodys-own-mini");
    assert!(asked.result.is_ok(), "nothing is known of either: it is told, and hinders nobody");
    assert_eq!(asked.story(), ["switch mine/somebodys-own-large mine/somebodys-own-mini substituted []"]);
}

#[test]
fn ag4_two_overloads_and_then_an_answer() {
    for dialect in DIALECTS {
        let busy = || Act::json(529, "{}");
        let server = Server::start([busy(), busy(), good(dialect, MODEL)]);
        let asked = ask(vec![provider("first", dialect, &server, "KEY_A")], policy());
        assert_eq!(asked.story(), ["retry overloaded", "retry overloaded"]);
        assert!(asked.result.is_ok() && asked.slept[1] > asked.slept[0], "{:?}", asked.slept);
    }
}

#[test]
fn ag4_whoever_was_switched_to_stays_and_how_a_server_wants_to_be_asked_is_remembered() {
    let dialect = Dialect::OpenAiChat;
    let no_stream = Act::json(400, "{\"error\":{\"message\":\"stream is not supported\"}}");
    let plain = || Act::json(200, &whole(dialect, &Said::default()));
    let (first, second) =
        (Server::start([Act::json(404, "{}")]), Server::start([no_stream, plain(), plain()]));
    let world = TestWorld::default();
    let providers =
        vec![provider("first", dialect, &first, "KEY_A"), provider("second", dialect, &second, "KEY_B")];
    let mut caller = Caller::new(providers, &world, policy());
    for _ in 0..2 {
        let reply = caller.ask(&question(), &mut |_| {}, &mut NoLimit, &|| false).unwrap();
        assert_eq!(reply.provider, "second");
    }
    assert_eq!(caller.current().map(|provider| provider.name.as_str()), Some("second"));
    assert_eq!((first.requests().len(), second.requests().len()), (1, 3));
    assert!(second.requests()[1..].iter().all(|request| request.body.get("stream").is_none()));
}

#[test]
fn ag4_keys_come_from_where_the_person_said_and_a_missing_one_is_named() {
    let dialect = Dialect::Anthropic;
    let server = Server::start([good(dialect, MODEL), good(dialect, MODEL)]);
    for (key, want) in [
        (Key::Keyring("KEY_A".to_owned()), None),
        (Key::Variable("KEY_A".to_owned()), None),
        (Key::Variable("NOT_SET".to_owned()), Some(("key_missing", "NOT_SET"))),
        (Key::Keyring("nobody".to_owned()), Some(("key_missing", "nobody"))),
        (Key::Keyring("locked".to_owned()), Some(("keyring", "locked"))),
    ] {
        let mut one = provider("first", dialect, &server, "KEY_A");
        one.key = key;
        let asked = ask(vec![one], policy());
        match want {
            None => assert!(asked.result.is_ok(), "{:?}", asked.result),
            Some((code, word)) => {
                let stopped = asked.result.unwrap_err();
                assert_eq!(stopped.code(), code);
                assert!(stopped.message().contains(word), "{}", stopped.message());
            }
        }
    }
    assert!(server.requests().iter().all(|request| request.head.contains(&format!("x-api-key: {KEY}"))));
    assert_eq!(server.requests().len(), 2);
    // One without a key is nobody to switch to.
    let mut keyless = provider("second", dialect, &server, "NOT_SET");
    keyless.class = 4;
    let broken = Server::start([Act::json(401, "{}")]);
    let asked = ask(vec![provider("first", dialect, &broken, "KEY_A"), keyless], policy());
    assert_eq!(asked.result.unwrap_err().code(), "bad_key");
}

#[test]
fn ag4_nobody_set_up_and_addresses_that_may_not_be_asked() {
    assert_eq!(ask(Vec::new(), policy()).result, Err(Stopped::NoProvider));
    let server = Server::start([]);
    for (url, code) in [
        ("http://example.com/v1", "plain_http"),
        ("nonsense", "bad_url"),
        ("https://me:pw@example.com", "bad_url"),
    ] {
        let mut one = provider("first", Dialect::OpenAiChat, &server, "KEY_A");
        url.clone_into(&mut one.url);
        let stopped = ask(vec![one], policy()).result.unwrap_err();
        assert_eq!(stopped.code(), code);
        assert!(!stopped.message().contains("pw"), "{}", stopped.message());
    }
}

#[test]
fn ag4_what_is_sent_is_what_each_dialect_wants() {
    let anthropic = Server::start([good(Dialect::Anthropic, MODEL)]);
    ask(vec![provider("first", Dialect::Anthropic, &anthropic, "KEY_A")], policy());
    let sent = &anthropic.requests()[0];
    assert!(
        sent.head.starts_with("post /v1/messages ") && sent.head.contains("anthropic-version: 2023-06-01"),
        "{}",
        sent.head
    );
    assert_eq!((sent.body["max_tokens"].as_u64(), sent.body["stream"].as_bool()), (Some(1_000), Some(true)));
    assert_eq!(sent.body["system"][0]["text"], "You work in small steps.");
    assert_eq!(sent.body["tools"][0]["input_schema"]["type"], "object");
    assert_eq!(sent.body["messages"][1]["content"][0]["type"], "tool_use");
    assert_eq!(sent.body["messages"][4]["content"][0]["tool_use_id"], "call_2");
    assert_eq!(sent.body["messages"][4]["content"][0]["cache_control"]["type"], "ephemeral");

    let chat = Server::start([good(Dialect::OpenAiChat, MODEL)]);
    ask(vec![provider("first", Dialect::OpenAiChat, &chat, "KEY_A")], policy());
    let sent = &chat.requests()[0];
    assert!(
        sent.head.starts_with("post /v1/chat/completions ") && sent.head.contains(&format!("bearer {KEY}")),
        "{}",
        sent.head
    );
    assert_eq!(sent.body["stream_options"]["include_usage"], true);
    assert_eq!(
        (sent.body["max_tokens"].as_u64(), sent.body["messages"][0]["role"].as_str()),
        (Some(1_000), Some("system"))
    );
    assert_eq!(sent.body["messages"][2]["tool_calls"][0]["function"]["arguments"], "{\"path\":\"a\"}");
    assert_eq!(
        (&sent.body["messages"][5]["role"], &sent.body["messages"][5]["tool_call_id"]),
        (&"tool".into(), &"call_2".into())
    );
    assert_eq!(sent.body["tools"][0]["function"]["name"], "READ");
}

#[test]
fn ag4_whoever_cannot_encrypt_is_left_at_once() {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = std::io::Write::write_all(
                &mut stream,
                b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n",
            );
            // The question is still under way: what closes too early is a connection that broke, not one that does not encrypt.
            let _ = std::io::Read::read(&mut stream, &mut [0; 4096]);
        }
    });
    for dialect in DIALECTS {
        let server = Server::start([]);
        let mut one = provider("first", dialect, &server, "KEY_A");
        one.url = format!("https://{address}/v1");
        let asked = ask(vec![one], policy());
        assert_eq!(asked.result.as_ref().unwrap_err().code(), "tls", "{:?}", asked.happened);
        assert!(asked.story().is_empty() && asked.book.used == 0);
    }
}
