//! Streams cut at every byte, and bytes that are no stream.

use proptest::prelude::*;
use providers::{Dialect, End, Part};

use crate::scripted::{Act, DIALECTS, OPEN_STREAM, Said, Server, ask, policy, provider, stream};

fn one_attempt(dialect: Dialect, bytes: Vec<u8>) -> crate::scripted::Asked {
    let server = Server::start([Act::Raw(bytes)]);
    let mut policy = policy();
    policy.attempts = 1;
    ask(vec![provider("first", dialect, &server, "KEY_A")], policy)
}

#[test]
fn ag4_cut_at_any_byte_an_answer_is_whole_or_none_and_its_call_comes_once() {
    for dialect in DIALECTS {
        let text = stream(dialect, &Said::default());
        let (mut whole, mut none) = (0, 0);
        for at in 0..=text.len() {
            let asked = one_attempt(dialect, format!("{OPEN_STREAM}{}", &text[..at]).into_bytes());
            match &asked.result {
                Ok(reply) => {
                    whole += 1;
                    let want = serde_json::json!({"path": "src/a.rs"});
                    let calls: Vec<_> = reply
                        .parts
                        .iter()
                        .filter(|part| matches!(part, Part::Call { input, .. } if *input == want))
                        .collect();
                    assert_eq!(
                        (calls.len(), asked.calls().len(), reply.end),
                        (1, 1, End::Calls),
                        "{dialect:?} {at}"
                    );
                }
                Err(stopped) => {
                    none += 1;
                    assert_eq!(stopped.code(), "stream_cut", "{dialect:?} {at}");
                }
            }
        }
        assert!(whole > 20 && none > 500, "{dialect:?}: {whole} whole, {none} not");
    }
}

#[test]
fn ag4_however_a_stream_is_sliced_the_answer_is_the_same() {
    for dialect in DIALECTS {
        let text = stream(dialect, &Said::default());
        let told = |slice: usize, text: &str| {
            let mut pieces = vec![OPEN_STREAM.as_bytes().to_vec()];
            pieces.extend(text.as_bytes().chunks(slice).map(<[u8]>::to_vec));
            let server = Server::start([Act::Slow(pieces)]);
            let asked = ask(vec![provider("first", dialect, &server, "KEY_A")], policy());
            let reply = asked.result.unwrap();
            (reply.parts, reply.end, reply.usage)
        };
        let whole = told(usize::MAX, &text);
        assert_eq!(whole.0[0], Part::Text("I look.".to_owned()));
        for slice in [7, 64, 333] {
            assert_eq!(told(slice, &text), whole, "{dialect:?} {slice}");
        }
        assert_eq!(told(100, &text.replace('\n', "\r\n")), whole, "{dialect:?}");
    }
}

#[test]
fn ag4_what_no_tool_can_be_given_is_handed_on_as_the_text_it_is() {
    for dialect in DIALECTS {
        for (arguments, want) in [("{\"path\":", "{\"path\":"), ("[1,2]", "[1,2]"), ("no", "no")] {
            let said = Said { calls: vec![("call_9", arguments)], ..Said::default() };
            let asked = one_attempt(dialect, format!("{OPEN_STREAM}{}", stream(dialect, &said)).into_bytes());
            let reply = asked.result.unwrap();
            let Some(Part::Call { input, .. }) = reply.parts.last() else { panic!("{:?}", reply.parts) };
            assert_eq!(input, &serde_json::Value::String(want.to_owned()));
        }
        // The limit of tokens cut it off: no call.
        for half in ["{\"path\":\"sr", "", "{"] {
            let said = Said { calls: vec![("call_9", half)], end: "too_long", ..Said::default() };
            let server = Server::start([Act::events(&stream(dialect, &said))]);
            let asked = ask(vec![provider("first", dialect, &server, "KEY_A")], policy());
            assert_eq!(
                (asked.calls().len(), asked.result.unwrap().end),
                (0, End::TooLong),
                "{dialect:?} {half}"
            );
        }
        // Announced and not made.
        let said = Said { calls: Vec::new(), end: "calls", ..Said::default() };
        let server = Server::start([Act::events(&stream(dialect, &said))]);
        let reply = ask(vec![provider("first", dialect, &server, "KEY_A")], policy()).result.unwrap();
        assert_eq!((reply.parts.len(), reply.end), (1, End::Finished));
    }
}

#[test]
fn ag4_ends_are_told_apart() {
    for dialect in DIALECTS {
        for (end, want) in
            [("finished", End::Finished), ("too_long", End::TooLong), ("refused", End::Refused)]
        {
            let said = Said { calls: Vec::new(), end, ..Said::default() };
            let server = Server::start([Act::events(&stream(dialect, &said))]);
            let asked = ask(vec![provider("first", dialect, &server, "KEY_A")], policy());
            assert_eq!(asked.result.unwrap().end, want);
        }
    }
}

/// Pieces of real streams and of nonsense, in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let lines: Vec<Vec<u8>> = DIALECTS
        .into_iter()
        .flat_map(|dialect| {
            stream(dialect, &Said::default())
                .split_inclusive('\n')
                .map(|line| line.as_bytes().to_vec())
                .collect::<Vec<_>>()
        })
        .collect();
    let line = prop_oneof![
        4 => prop::sample::select(lines),
        1 => prop::collection::vec(any::<u8>(), 0..40),
        1 => Just(b"data: {\"type\":\"content_block_stop\",\"index\":18446744073709551615}\n\n".to_vec()),
        1 => Just(b"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1,\"function\":{\"arguments\":{\"a\":1}}}]}}]}\n\n".to_vec()),
        1 => Just(b"data: {\"choices\":{},\"usage\":{\"prompt_tokens\":1,\"prompt_tokens_details\":{\"cached_tokens\":99}}}\n\n".to_vec()),
        1 => Just(b"data: null\n\ndata: 7\n\ndata: []\n\ndata: \"x\"\n\n".to_vec()),
    ];
    prop::collection::vec(line, 0..30).prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn ag4_any_bytes_as_a_stream_give_an_answer_or_a_reason(bytes in pieces(), is_anthropic in any::<bool>()) {
        let dialect = if is_anthropic { Dialect::Anthropic } else { Dialect::OpenAiChat };
        let asked = one_attempt(dialect, [OPEN_STREAM.as_bytes(), &bytes].concat());
        prop_assert_eq!(asked.book.settled.len(), 1);
        let mut ids = asked.calls();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), all);
        if let Err(stopped) = asked.result {
            prop_assert!(!stopped.code().is_empty());
        }
    }

    #[test]
    fn ag4_any_bytes_as_a_whole_answer_give_an_answer_or_a_reason(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let asked = one_attempt(Dialect::OpenAiChat, bytes);
        prop_assert_eq!(asked.book.settled.len(), 1);
        prop_assert!(asked.result.is_err());
    }
}
