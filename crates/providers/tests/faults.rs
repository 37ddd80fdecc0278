//! Everything that can go wrong with a server, and what is done about it: the right class each, no call of a tool handed out twice, nobody
//! switched in silence, no key anywhere, everything paid for once.

use std::net::TcpListener;

use providers::{Dialect, Policy, Stopped};

use crate::scripted::{
    Act, Asked, DIALECTS, KEY, OPEN_STREAM, Said, Server, ask, chunk, events, policy, provider, question,
    stream,
};

/// What has to be done.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Want {
    /// The same again.
    Again(&'static str),
    /// The same again after this many milliseconds, and at most a quarter of a second more.
    AgainAfter(&'static str, u128),
    /// Somebody else at once.
    Switch(&'static str),
    /// Differently.
    Adapt(&'static str),
    /// Nothing.
    Fatal(&'static str),
    /// The answer is taken as far as it came, and that is told.
    Taken(&'static str),
}
use Want::{Adapt, Again, AgainAfter, Fatal, Switch, Taken};

struct Case {
    name: String,
    act: Act,
    want: Want,
}

fn error(kind: &str, code: &str, message: &str) -> String {
    serde_json::json!({"type": "error", "error": {"type": kind, "code": code, "message": message}})
        .to_string()
}

/// Faults that a status tells, and the words that come with it.
fn by_status(dialect: Dialect) -> Vec<(&'static str, Act, Want)> {
    let only_chat =
        |want: Want| if dialect == Dialect::OpenAiChat { want } else { Fatal("malformed_request") };
    let said =
        |status: u16, kind: &str, code: &str, message: &str| Act::json(status, &error(kind, code, message));
    let rate = || said(429, "rate_limit_error", "rate_limit_exceeded", "Number of requests is too high");
    vec![
        ("429", rate(), Again("rate_limited")),
        ("429 in seconds", rate().with("retry-after", "2"), AgainAfter("rate_limited", 2_000)),
        ("429 in parts of a second", rate().with("retry-after", "0.5"), AgainAfter("rate_limited", 500)),
        (
            "429 as a date",
            rate().with("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"),
            AgainAfter("rate_limited", 10_000),
        ),
        (
            "429 as a date gone by",
            rate().with("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT"),
            AgainAfter("rate_limited", 0),
        ),
        (
            "429 in milliseconds",
            rate().with("retry-after-ms", "700").with("retry-after", "9"),
            AgainAfter("rate_limited", 700),
        ),
        ("429 for an hour", rate().with("retry-after", "3600"), Switch("rate_limited")),
        ("429 for years", rate().with("retry-after", "99999999999999999999"), Switch("rate_limited")),
        ("429 with nonsense", rate().with("retry-after", "soon"), Again("rate_limited")),
        ("429 below zero", rate().with("retry-after", "-5"), Again("rate_limited")),
        ("429 without words", Act::html(429), Again("rate_limited")),
        (
            "429 quota",
            said(429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota"),
            Switch("quota"),
        ),
        ("429 balance", said(429, "", "", "Your credit balance is too low"), Switch("quota")),
        ("401", said(401, "authentication_error", "invalid_api_key", "invalid x-api-key"), Switch("bad_key")),
        (
            "401 that repeats the key",
            Act::json(401, &error("authentication_error", "", &format!("Incorrect key: {KEY}"))),
            Switch("bad_key"),
        ),
        (
            "500 that repeats the key",
            Act::json(500, &error("api_error", "", &format!("boom {KEY} {}", "x".repeat(400)))),
            Again("server_error"),
        ),
        (
            "500 that ends in the key",
            Act::json(500, &format!("{}{KEY}", "x".repeat(290))),
            Again("server_error"),
        ),
        ("402", said(402, "billing_error", "", "Payment required"), Switch("quota")),
        ("403", said(403, "permission_error", "", "Not allowed in your region"), Switch("forbidden")),
        ("403 page", Act::html(403), Switch("forbidden")),
        (
            "403 content policy",
            said(403, "", "content_policy_violation", "rejected"),
            Fatal("content_policy"),
        ),
        ("404", said(404, "not_found_error", "model_not_found", "model: nope"), Switch("model_not_found")),
        ("404 page", Act::html(404), Switch("model_not_found")),
        ("404 of ollama", Act::json(404, "{\"error\":\"model 'x' not found\"}"), Switch("model_not_found")),
        ("410", Act::json(410, "{}"), Switch("model_not_found")),
        ("408", Act::json(408, "{}"), Again("timed_out")),
        ("409", Act::json(409, "{}"), Again("try_again")),
        ("425", Act::json(425, ""), Again("try_again")),
        ("500", said(500, "api_error", "", "Internal server error"), Again("server_error")),
        ("500 empty", Act::json(500, ""), Again("server_error")),
        ("502 page", Act::html(502), Again("server_error")),
        ("503", Act::json(503, "{}"), Again("overloaded")),
        ("503 in seconds", Act::json(503, "{}").with("retry-after", "1"), AgainAfter("overloaded", 1_000)),
        ("504", Act::html(504), Again("server_error")),
        ("520", Act::html(520), Again("server_error")),
        ("529", said(529, "overloaded_error", "", "Overloaded"), Again("overloaded")),
        (
            "400 prompt too long",
            said(400, "invalid_request_error", "", "prompt is too long: 210000 tokens > 200000 maximum"),
            Adapt("shortened"),
        ),
        (
            "400 context length",
            said(
                400,
                "invalid_request_error",
                "context_length_exceeded",
                "This model's maximum context length is 8192 tokens",
            ),
            Adapt("shortened"),
        ),
        (
            "400 of llama.cpp",
            said(400, "exceed_context_size_error", "", "the request exceeds the available context size"),
            Adapt("shortened"),
        ),
        (
            "500 of llama.cpp",
            said(500, "server_error", "", "the request exceeds the available context size"),
            Adapt("shortened"),
        ),
        ("413", said(413, "request_too_large", "", "Request exceeds the maximum size"), Adapt("shortened")),
        (
            "400 limit by another name",
            said(
                400,
                "invalid_request_error",
                "unsupported_parameter",
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            ),
            only_chat(Adapt("other_name_of_limit")),
        ),
        (
            "400 stream",
            said(
                400,
                "invalid_request_error",
                "unsupported_value",
                "Your organization must be verified to stream this model.",
            ),
            Adapt("without_stream"),
        ),
        (
            "400 stream options",
            said(400, "invalid_request_error", "", "Unrecognized request argument supplied: stream_options"),
            only_chat(Adapt("without_stream_usage")),
        ),
        (
            "400 tools",
            Act::json(400, "{\"error\":\"registry.ollama.ai/library/x does not support tools\"}"),
            Switch("tools_unsupported"),
        ),
        (
            "400 balance",
            said(400, "invalid_request_error", "", "Your credit balance is too low to access the API"),
            Switch("quota"),
        ),
        (
            "400 content policy",
            said(400, "invalid_request_error", "content_policy_violation", "Your request was rejected"),
            Fatal("content_policy"),
        ),
        (
            "400 content filter",
            said(400, "", "content_filter", "The response was filtered"),
            Fatal("content_policy"),
        ),
        (
            "400 usage policy",
            said(400, "invalid_request_error", "", "Output blocked by our usage policy"),
            Fatal("content_policy"),
        ),
        (
            "400 malformed",
            said(400, "invalid_request_error", "", "messages.0.content: Field required"),
            Fatal("malformed_request"),
        ),
        ("400 empty", Act::json(400, ""), Fatal("malformed_request")),
        ("400 page", Act::html(400), Fatal("malformed_request")),
        ("405", Act::html(405), Switch("model_not_found")),
        ("422", Act::json(422, "{\"detail\":[{\"msg\":\"field required\"}]}"), Fatal("malformed_request")),
        ("204", Act::json(204, ""), Switch("not_an_answer")),
        ("202", Act::json(202, "{}"), Switch("not_an_answer")),
        ("a page", Act::html(200), Switch("not_an_answer")),
        (
            "a picture",
            Act::Answer(200, vec![("content-type", "image/png".to_owned())], vec![0x89, b'P']),
            Switch("not_an_answer"),
        ),
    ]
}

/// Faults of an answer that began well.
fn by_answer(dialect: Dialect) -> Vec<(&'static str, Act, Want)> {
    let all = events(dialect, &Said::default());
    let first = |count: usize| all.iter().take(count).map(chunk).collect::<String>();
    // What stands before the call is complete, in both dialects: its first half of arguments is there.
    let half_a_call = all.iter().position(|event| event.to_string().contains("path")).unwrap() + 1;
    let two = Said {
        calls: vec![("call_9", "{\"path\":\"a\"}"), ("call_10", "{\"path\":\"b\"}")],
        ..Said::default()
    };
    let second = events(dialect, &two);
    let behind_a_call = second.iter().position(|event| event.to_string().contains("call_10")).unwrap() + 1;
    let behind_a_call = second.iter().take(behind_a_call).map(chunk).collect::<String>();
    let open = |text: &str| format!("{OPEN_STREAM}{text}").into_bytes();
    let in_stream = |event: &str| Act::events(&format!("{}data: {event}\n\n", first(3)));
    let sized = |text: &str| {
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n",
            text.len() + 500
        );
        Act::Raw(format!("{head}{text}").into_bytes())
    };
    let chunked = |text: &str| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
        Act::Raw(format!("{head}{:x}\r\n{text}\r\n", text.len()).into_bytes())
    };
    let many: String = (0..2_000)
        .map(|at| match dialect {
            Dialect::Anthropic => format!("data: {{\"type\":\"content_block_start\",\"index\":{at},\"content_block\":{{\"type\":\"text\",\"text\":\"\"}}}}\n\n"),
            Dialect::OpenAiChat => format!("data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":{at}}}]}}}}]}}\n\n"),
        })
        .collect();
    vec![
        ("no JSON", Act::json(200, "I am a model"), Again("malformed_answer")),
        ("half of a JSON", Act::json(200, "{\"content\":[{\"type\":\"te"), Again("malformed_answer")),
        ("another JSON", Act::json(200, "{\"hello\":1}"), Again("malformed_answer")),
        ("a list", Act::json(200, "[]"), Again("malformed_answer")),
        (
            "an error in place of an answer",
            Act::json(200, &error("overloaded_error", "", "Overloaded")),
            Again("overloaded"),
        ),
        (
            "a JSON that is too large",
            Act::json(200, &format!("{{\"content\":\"{}\"}}", "x".repeat(300 << 10))),
            Switch("answer_too_large"),
        ),
        ("malformed event", in_stream("{\"type\":"), Again("malformed_stream")),
        ("an event of no JSON", in_stream("hello"), Again("malformed_stream")),
        (
            "bytes of no text",
            Act::Raw([OPEN_STREAM.as_bytes(), b"data: \xff\xfe\xff\n\n"].concat()),
            Again("malformed_stream"),
        ),
        (
            "overloaded in the stream",
            in_stream(&error("overloaded_error", "", "Overloaded")),
            Again("overloaded"),
        ),
        ("rate in the stream", in_stream(&error("rate_limit_error", "", "slow down")), Again("rate_limited")),
        ("error in the stream", in_stream(&error("api_error", "", "boom")), Again("server_error")),
        ("error as a text in the stream", in_stream("{\"error\":\"boom\"}"), Again("server_error")),
        ("bad key in the stream", in_stream(&error("authentication_error", "", "no")), Switch("bad_key")),
        (
            "not found in the stream",
            in_stream(&error("not_found_error", "", "no")),
            Switch("model_not_found"),
        ),
        (
            "bad request in the stream",
            in_stream(&error("invalid_request_error", "", "no")),
            Fatal("malformed_request"),
        ),
        (
            "content policy in the stream",
            in_stream(&error("invalid_request_error", "content_filter", "no")),
            Fatal("content_policy"),
        ),
        (
            "too long in the stream",
            in_stream(&error("invalid_request_error", "context_length_exceeded", "no")),
            Adapt("shortened"),
        ),
        (
            "a line that is too long",
            Act::events(&format!("data: {}", "x".repeat(70 << 10))),
            Switch("answer_too_large"),
        ),
        (
            "an event that is too long",
            Act::events(&"data: xxxxxxxxxxxxxxxx\n".repeat(6_000)),
            Switch("answer_too_large"),
        ),
        ("a line without an end", Act::Endless(open(""), vec![b'x'; 8 << 10]), Switch("answer_too_large")),
        (
            "a stream without an end",
            Act::Endless(open(""), b": ping\n\n".repeat(2_000)),
            Switch("answer_too_large"),
        ),
        ("too many blocks", Act::events(&many), Switch("answer_too_large")),
        ("pings and nothing else", Act::Endless(open(&first(2)), b": ping\n\n".to_vec()), Switch("too_slow")),
        (
            "a head that is too large",
            Act::Raw(format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "y".repeat(200 << 10)).into_bytes()),
            Switch("answer_too_large"),
        ),
        ("closed without a word", Act::Raw(Vec::new()), Again("connection")),
        ("half of a head", Act::Raw(b"HTTP/1.1 200 OK\r\ncontent-ty".to_vec()), Again("connection")),
        ("no HTTP", Act::Raw(b"SSH-2.0-OpenSSH_9.9\r\n\r\n".to_vec()), Again("malformed_http")),
        ("silence", Act::Silent(Vec::new()), Again("no_answer")),
        ("silence in the head", Act::Silent(b"HTTP/1.1 200 OK\r\n".to_vec()), Again("no_answer")),
        ("silence behind the head", Act::Silent(open("")), Again("stream_idle")),
        ("silence behind a text", Act::Silent(open(&first(4))), Again("stream_idle")),
        ("silence within a call", Act::Silent(open(&first(half_a_call))), Again("stream_idle")),
        ("silence behind a call", Act::Silent(open(&behind_a_call)), Taken("cut_behind_call")),
        ("nothing", Act::events(""), Again("stream_cut")),
        ("comments alone", Act::events(": hello\n\n: again\n\n"), Again("stream_cut")),
        ("done without an answer", Act::events("data: [DONE]\n\n"), Again("stream_cut")),
        ("cut behind the head", Act::Raw(open("")), Again("stream_cut")),
        ("cut behind a text", Act::Raw(open(&first(4))), Again("stream_cut")),
        ("cut within a call", Act::Raw(open(&first(half_a_call))), Again("stream_cut")),
        (
            "cut within an event",
            Act::Raw(open(&first(half_a_call)[..first(half_a_call).len() - 9])),
            Again("stream_cut"),
        ),
        ("cut, and its length was told", sized(&first(half_a_call)), Again("stream_cut")),
        ("cut between chunks", chunked(&first(half_a_call)), Again("stream_cut")),
        ("cut behind a call", Act::Raw(open(&behind_a_call)), Taken("cut_behind_call")),
    ]
}

fn redirects(dialect: Dialect, elsewhere: &str) -> Vec<(&'static str, Act, Want)> {
    let _ = dialect;
    let to = |status: u16| Act::json(status, "{}").with("location", elsewhere);
    vec![
        ("301", to(301), Switch("redirected")),
        ("302", to(302), Switch("redirected")),
        ("303", to(303), Switch("redirected")),
        ("307", to(307), Switch("redirected")),
        ("308", to(308), Switch("redirected")),
    ]
}

fn good(dialect: Dialect) -> Act {
    Act::events(&stream(dialect, &Said::default()))
}

/// What holds whatever happened.
fn always(name: &str, asked: &Asked, first: &Server, second: &Server) {
    let all = format!("{:?} {:?}", asked.happened, asked.result);
    assert!(!all.contains("SECRET"), "{name}: the key is shown in {all}");
    let all = match &asked.result {
        Err(stopped) => format!("{} {}", stopped.message(), stopped.next()),
        Ok(_) => String::new(),
    };
    assert!(!all.contains("SECRET"), "{name}: the key is shown in {all}");
    assert!(first.requests().iter().all(|request| request.head.contains(KEY)), "{name}");
    assert!(
        second.requests().iter().all(|request| !request.head.contains(KEY)),
        "{name}: the second got the first one's key"
    );
    // Nobody is switched in silence.
    let answered_by = asked.result.as_ref().map(|reply| reply.provider.clone());
    let switches = asked.story().iter().filter(|line| line.starts_with("switch")).count();
    assert_eq!(switches, usize::from(!second.requests().is_empty()), "{name}: {:?}", asked.story());
    assert_eq!(answered_by.is_ok_and(|by| by == "second"), switches == 1 && asked.result.is_ok(), "{name}");
    // No call of a tool twice.
    assert!(asked.calls().len() <= 1, "{name}: {:?}", asked.calls());
    // Every request was reserved and settled.
    assert_eq!(asked.book.settled.len(), first.requests().len() + second.requests().len(), "{name}");
}

fn run(dialect: Dialect, acts: Vec<Act>) -> (Asked, Server, Server) {
    let (first, second) = (Server::start(acts), Server::start([good(dialect)]));
    let providers =
        vec![provider("first", dialect, &first, "KEY_A"), provider("second", dialect, &second, "KEY_B")];
    (ask(providers, policy()), first, second)
}

/// The same with nobody else to ask: the reason is told, with what the server said, and without the key.
fn check_alone(dialect: Dialect, case: &Case, name: &str) {
    let (Again(code) | AgainAfter(code, _) | Switch(code) | Fatal(code)) = case.want else { return };
    let server = Server::start(vec![case.act.clone(); 3]);
    let asked = ask(vec![provider("first", dialect, &server, "KEY_A")], policy());
    let stopped = asked.result.unwrap_err();
    assert_eq!(stopped.code(), code, "{name}: {stopped:?}");
    // The table that people read says the same as what is done. (A server that wants to be left alone for an hour is left at once.)
    let class = match case.want {
        Again(_) | AgainAfter(..) => "retry",
        Switch("rate_limited") => "retry",
        Switch(_) => "switch",
        _ => "fatal",
    };
    assert_eq!(providers::codes::class(code), Some(class), "{name}");
    let told = format!("{} {} {stopped:?} {:?}", stopped.message(), stopped.next(), asked.happened);
    assert!(!told.contains("SECRET") && !told.contains("sk-test"), "{name}: the key is shown in {told}");
    assert!(stopped.message().contains("`first/") && stopped.next().len() > 10, "{name}: {told}");
}

fn check(dialect: Dialect, case: &Case) {
    let name = format!("{} in {}", case.name, dialect.word());
    check_alone(dialect, case, &name);
    let (asked, first, second) = run(dialect, vec![case.act.clone(), good(dialect)]);
    always(&name, &asked, &first, &second);
    let counts = (first.requests().len(), second.requests().len());
    let label = |who: &str| format!("{who}/{}", crate::scripted::MODEL);
    let switch = |code: &str| format!("switch {} {} {code} []", label("first"), label("second"));
    match case.want {
        Again(code) | AgainAfter(code, _) => {
            assert_eq!(asked.story(), [format!("retry {code}")], "{name}: {:?}", asked.result);
            assert_eq!((counts, asked.calls().len()), ((2, 0), 1), "{name}");
            if let AgainAfter(_, least) = case.want {
                let slept = asked.slept[0].as_millis();
                assert!((least..least + 250).contains(&slept), "{name}: {slept}");
            } else {
                let slept = asked.slept[0].as_millis();
                assert!((750..=1_250).contains(&slept), "{name}: {slept}");
            }
            // Three of them, and somebody else is asked.
            let (asked, first, second) = run(dialect, vec![case.act.clone(); 3]);
            always(&name, &asked, &first, &second);
            let again = format!("retry {code}");
            assert_eq!(asked.story(), [again.clone(), again, switch(code)], "{name}");
            assert_eq!(
                (first.requests().len(), second.requests().len(), asked.calls().len()),
                (3, 1, 1),
                "{name}"
            );
        }
        Switch(code) => {
            assert_eq!(asked.story(), [switch(code)], "{name}: {:?}", asked.result);
            assert_eq!((counts, asked.calls().len()), ((1, 1), 1), "{name}");
        }
        Adapt(what) => {
            assert_eq!(asked.story(), [format!("adapt {what}")], "{name}: {:?}", asked.result);
            assert_eq!((counts, asked.calls().len()), ((2, 0), 1), "{name}");
            let requests = first.requests();
            assert_ne!(requests[0].body, requests[1].body, "{name}: the same was asked again");
            // The same complaint again has an end.
            let (asked, first, second) = run(dialect, vec![case.act.clone(); 5]);
            always(&name, &asked, &first, &second);
            assert!(first.requests().len() <= 2, "{name}");
        }
        Fatal(code) => {
            let told = asked.result.as_ref().err().map(Stopped::code);
            assert_eq!((told, counts), (Some(code), (1, 0)), "{name}: {:?}", asked.result);
            assert!(asked.story().is_empty(), "{name}");
        }
        Taken(what) => {
            assert_eq!(asked.story(), [format!("adapt {what}")], "{name}: {:?}", asked.result);
            assert_eq!((counts, asked.calls()), ((1, 0), vec!["call_9"]), "{name}");
        }
    }
}

fn all_of(make: impl Fn(Dialect) -> Vec<(&'static str, Act, Want)> + Sync) -> usize {
    let make = &make;
    let counts = std::thread::scope(|scope| {
        let threads: Vec<_> = DIALECTS
            .into_iter()
            .map(|dialect| {
                scope.spawn(move || {
                    let cases = make(dialect);
                    for (name, act, want) in &cases {
                        check(dialect, &Case { name: (*name).to_owned(), act: act.clone(), want: *want });
                    }
                    cases.len()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<usize>>()
    });
    counts.iter().sum()
}

#[test]
fn ag4_what_a_status_says_is_done_as_its_class_says() {
    assert!(all_of(by_status) >= 2 * 55);
}

#[test]
fn ag4_what_goes_wrong_within_an_answer_is_done_as_its_class_says() {
    assert!(all_of(by_answer) >= 2 * 40);
}

#[test]
fn ag4_no_redirect_is_followed_and_no_key_goes_along() {
    let elsewhere = Server::start([]);
    let url = format!("{}/chat/completions", elsewhere.url());
    assert_eq!(all_of(|dialect| redirects(dialect, &url)), 10);
    assert!(elsewhere.requests().is_empty(), "{:?}", elsewhere.requests());
}

#[test]
fn ag4_a_server_that_is_not_there_is_asked_again_and_then_left() {
    for dialect in DIALECTS {
        let closed = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
        let second = Server::start([good(dialect)]);
        let mut first = provider("first", dialect, &second, "KEY_A");
        first.url = format!("http://{closed}/v1");
        let asked = ask(vec![first.clone(), provider("second", dialect, &second, "KEY_B")], policy());
        assert_eq!(asked.story().len(), 3, "{:?}", asked.story());
        assert!(
            asked.story()[0] == "retry connection" && asked.story()[2].starts_with("switch"),
            "{:?}",
            asked.story()
        );
        // Nothing was read there, so nothing was paid.
        let paid: Vec<u64> = asked.book.settled.iter().map(|(usage, _)| usage.tokens()).collect();
        assert_eq!(paid, [0, 0, 0, 1050], "{dialect:?}");
        // Alone, it is the end, with what to do.
        let asked = ask(vec![first], policy());
        let stopped = asked.result.unwrap_err();
        assert_eq!(stopped.code(), "connection");
        assert!(
            stopped.message().contains("3 times") && stopped.next().contains("vib providers check first"),
            "{stopped:?}"
        );
    }
}

#[test]
fn ag4_a_question_that_stays_too_long_goes_to_one_that_holds_more_or_nowhere() {
    for dialect in DIALECTS {
        let long = || Act::json(400, &error("invalid_request_error", "", "prompt is too long"));
        let (asked, first, second) = run(dialect, vec![long(), long()]);
        assert_eq!(asked.result.as_ref().unwrap_err().code(), "too_long", "{:?}", asked.story());
        assert_eq!((first.requests().len(), second.requests().len()), (2, 0));
        let sent = |at: usize| first.requests()[at].body.to_string().len();
        assert!(sent(0) > sent(1) + 5_000, "{} {}", sent(0), sent(1));
        // What the model was told last is still there.
        assert!(first.requests()[1].body.to_string().contains("line\\nline"), "the newest result stays");

        let (first, larger) = (Server::start([long(), long()]), Server::start([good(dialect)]));
        let mut holds_more = provider("second", dialect, &larger, "KEY_B");
        holds_more.context = 200_000;
        let asked = ask(vec![provider("first", dialect, &first, "KEY_A"), holds_more], policy());
        assert_eq!(asked.story().len(), 2, "{:?}", asked.story());
        assert!(asked.story()[1].contains("too_long") && asked.result.is_ok());
    }
}

#[test]
fn ag4_somebody_who_stops_is_obeyed_at_once() {
    for (dialect, act) in DIALECTS.into_iter().flat_map(|dialect| {
        [Act::Silent(Vec::new()), Act::Silent(OPEN_STREAM.as_bytes().to_vec()), Act::json(429, "{}")]
            .map(|act| (dialect, act))
    }) {
        let server = Server::start([act]);
        let world = crate::scripted::TestWorld::default();
        let patient = Policy {
            first_byte: std::time::Duration::from_secs(60),
            idle: std::time::Duration::from_secs(60),
            whole: std::time::Duration::from_secs(60),
            ..policy()
        };
        let mut caller =
            providers::Caller::new(vec![provider("first", dialect, &server, "KEY_A")], &world, patient);
        let began = std::time::Instant::now();
        let stop = || !server.requests().is_empty();
        let mut book = crate::scripted::Book::default();
        let result = caller.ask(&question(), &mut |_| {}, &mut book, &stop);
        assert_eq!(result, Err(Stopped::Cancelled));
        assert!(began.elapsed().as_secs() < 20);
        assert_eq!((book.reserved, server.requests().len()), (None, 1));
    }
}
