//! No budget is exceeded by more than one call, and what is settled is what the server counted.

use providers::{Dialect, Ledger, Limit, NoLimit, Stopped, Usage};

use crate::scripted::{
    Act, Book, DIALECTS, OPEN_STREAM, Said, Server, ask, ask_with, chunk, events, policy, provider, question,
    stream, whole,
};

fn counted() -> Usage {
    Usage { input: 900, output: 50, cache_read: 60, cache_write: 40 }
}

fn of(dialect: Dialect) -> Usage {
    // The chat dialect does not tell what was written into a cache.
    if dialect == Dialect::Anthropic { counted() } else { Usage { input: 940, cache_write: 0, ..counted() } }
}

#[test]
fn ag4_what_is_settled_is_the_servers_own_count_to_the_token() {
    for dialect in DIALECTS {
        for act in [
            Act::events(&stream(dialect, &Said::default())),
            Act::json(200, &whole(dialect, &Said::default())),
        ] {
            let server = Server::start([act]);
            let asked = ask(vec![provider("first", dialect, &server, "KEY_A")], policy());
            let reply = asked.result.as_ref().unwrap();
            assert_eq!((reply.usage, reply.is_estimate), (of(dialect), false));
            let want = if dialect == Dialect::Anthropic { 0.002_412 } else { 0.002_392 };
            assert!(reply.dollars.is_some_and(|told| (told - want).abs() < 1e-9), "{:?}", reply.dollars);
            assert_eq!(asked.book.settled, [(of(dialect), reply.dollars)]);
            // The reservation covered it: everything that is sent and the longest answer.
            assert!(asked.book.largest >= 1_000 + 1_000, "{}", asked.book.largest);
        }
    }
}

#[test]
fn ag4_a_stream_that_was_cut_is_paid_as_counted_and_else_as_estimated() {
    for dialect in DIALECTS {
        let all = events(dialect, &Said::default());
        for count in 0..=all.len() {
            let text: String = all.iter().take(count).map(chunk).collect();
            let server = Server::start([Act::Raw(format!("{OPEN_STREAM}{text}").into_bytes())]);
            let mut policy = policy();
            policy.attempts = 1;
            let asked = ask(vec![provider("first", dialect, &server, "KEY_A")], policy);
            let (usage, dollars) = asked.book.settled[0];
            assert_eq!(asked.book.settled.len(), 1);
            assert!(
                usage.input > 0 && dollars.is_some_and(|dollars| dollars > 0.0),
                "{dialect:?} {count} {usage:?}"
            );
            let knows_input = if dialect == Dialect::Anthropic { count >= 1 } else { count == all.len() };
            assert_eq!(usage.input == of(dialect).input, knows_input, "{dialect:?} {count} {usage:?}");
            assert!(usage.tokens() <= asked.book.largest);
        }
    }
}

#[test]
fn ag4_a_budget_stops_before_the_call_that_could_exceed_it() {
    for dialect in DIALECTS {
        let answers = std::iter::repeat_with(|| Act::events(&stream(dialect, &Said::default()))).take(20);
        let server = Server::start(answers);
        let limit = Limit { of: "run".to_owned(), tokens: Some(20_000), dollars: None };
        let mut ledger = Ledger::new([limit]);
        let world = crate::scripted::TestWorld::default();
        let mut caller =
            providers::Caller::new(vec![provider("first", dialect, &server, "KEY_A")], &world, policy());
        let mut notices = Vec::new();
        let stopped = loop {
            let result = caller.ask(&question(), &mut |_| {}, &mut ledger, &|| false);
            notices.extend(ledger.take_notices());
            if let Err(stopped) = result {
                break stopped;
            }
        };
        let Stopped::OverBudget(over) = &stopped else { panic!("{stopped:?}") };
        assert_eq!((over.of.as_str(), over.unit.as_str()), ("run", "tokens"));
        assert_eq!(over.used, 1_050.0 * server.requests().len() as f64);
        assert!(over.used <= 20_000.0 && over.used + over.wanted > 20_000.0, "{over:?}");
        assert!(notices.len() <= 1);
    }
}

#[test]
fn ag4_retries_are_paid_for_too_and_a_budget_ends_them() {
    for dialect in DIALECTS {
        let text: String = events(dialect, &Said::default()).iter().take(4).map(chunk).collect();
        let cut = || Act::Raw(format!("{OPEN_STREAM}{text}").into_bytes());
        let server = Server::start([cut(), cut(), cut()]);
        let once = ask(vec![provider("first", dialect, &Server::start([cut()]), "KEY_A")], {
            let mut one = policy();
            one.attempts = 1;
            one
        });
        let book = Book { limit: Some(once.book.largest + once.book.used - 1), ..Book::default() };
        let asked = ask_with(vec![provider("first", dialect, &server, "KEY_A")], policy(), book, &question());
        // The first call fitted; what it took leaves too little for the second.
        assert!(matches!(asked.result, Err(Stopped::OverBudget(_))), "{:?}", asked.result);
        assert_eq!((server.requests().len(), asked.book.settled.len()), (1, 1));
    }
}

#[test]
fn ag4_what_was_paid_is_told_also_where_no_answer_came_of_it() {
    for dialect in DIALECTS {
        let text: String = events(dialect, &Said::default()).iter().take(4).map(chunk).collect();
        let cut = || Act::Raw(format!("{OPEN_STREAM}{text}").into_bytes());
        let server = Server::start([cut(), Act::events(&stream(dialect, &Said::default()))]);
        let asked = ask(vec![provider("first", dialect, &server, "KEY_A")], policy());
        let reply = asked.result.as_ref().unwrap();
        let mut told: Vec<(Usage, Option<f64>)> = Vec::new();
        for one in &asked.happened {
            if let providers::Happening::Charged { usage, dollars, .. } = one {
                told.push((*usage, *dollars));
            }
        }
        told.push((reply.usage, reply.dollars));
        assert_eq!((told.len(), &told), (2, &asked.book.settled), "what is told is what was settled");
    }
}

#[test]
fn ag4_a_budget_in_dollars_lets_no_model_through_whose_price_nobody_knows() {
    let server = Server::start([Act::events(&stream(Dialect::OpenAiChat, &Said::default()))]);
    let mut unknown = provider("local", Dialect::OpenAiChat, &server, "KEY_A");
    unknown.price = None;
    let world = crate::scripted::TestWorld::default();
    let mut ledger =
        Ledger::new([Limit { of: "run".to_owned(), tokens: Some(1_000_000), dollars: Some(100.0) }]);
    let mut caller = providers::Caller::new(vec![unknown], &world, policy());
    let stopped = caller.ask(&question(), &mut |_| {}, &mut ledger, &|| false).unwrap_err();
    let Stopped::OverBudget(over) = &stopped else { panic!("{stopped:?}") };
    assert!(over.is_unpriced() && server.requests().is_empty(), "before the first call: {over:?}");
    assert!(stopped.message().contains("price") && stopped.next().contains("price_in"), "{stopped:?}");
}

#[test]
fn ag4_a_model_without_a_price_costs_tokens_and_nobody_says_how_much_money() {
    let server = Server::start([Act::events(&stream(Dialect::OpenAiChat, &Said::default()))]);
    let mut free = provider("local", Dialect::OpenAiChat, &server, "KEY_A");
    free.price = None;
    let world = crate::scripted::TestWorld::default();
    let mut caller = providers::Caller::new(vec![free], &world, policy());
    let reply = caller.ask(&question(), &mut |_| {}, &mut NoLimit, &|| false).unwrap();
    assert_eq!((reply.dollars, reply.usage.tokens()), (None, 1_050));
}
