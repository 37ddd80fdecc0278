//! Stories and properties of the whole index.

use proptest::prelude::*;

use super::segment::Segment;
use super::*;

fn note(id: &str, text: &str) -> Document {
    Document { id: id.to_owned(), text: text.to_owned(), importance: 0.5, ..Document::default() }
}

fn place(position: u64) -> feed::Places {
    [("log".to_owned(), feed::Place { position, mark: 0, modified: 0 })].into()
}

fn ids_and_tokens(index: &Index, query: &Query) -> Vec<(String, usize)> {
    index.search(query).unwrap().into_iter().map(|hit| (hit.id, hit.tokens)).collect()
}

fn ids(index: &Index, query: &Query) -> Vec<String> {
    index.search(query).unwrap().into_iter().map(|hit| hit.id).collect()
}

#[test]
fn korean_chinese_and_japanese_notes_are_found() {
    let index = Index::of(&[
        note("ko", "로그인 오류는 토큰이 만료되어서 생겼다"),
        note("zh", "数据库连接池太小,所以请求超时"),
        note("ja", "キャッシュを無効にするとテストが通る"),
        note("en", "the build fails on Windows"),
    ])
    .unwrap();
    for (question, id) in [
        ("로그인이 왜 안되나", "ko"),
        ("토큰 만료", "ko"),
        ("数据库超时", "zh"),
        ("テストのキャッシュ", "ja"),
    ] {
        assert_eq!(ids(&index, &Query::new(question))[0], id, "{question}");
    }
}

#[test]
fn the_file_being_worked_on_and_the_newer_note_come_first_and_say_why() {
    let day = 86_400_000;
    let about = |id: &str, path: &str, days: i64| Document {
        paths: vec![path.to_owned()],
        time_ms: days * day,
        ..note(id, &format!("retry the request {id}"))
    };
    let index = Index::of(&[
        about("same-file", "src/net/http.rs", 90),
        about("same-folder", "src/net/tcp.rs", 90),
        about("elsewhere", "docs/a.md", 90),
        about("old", "docs/b.md", 10),
        about("later", "docs/b.md", 200),
    ])
    .unwrap();
    let query = Query {
        paths: vec!["src/net/http.rs".to_owned()],
        now_ms: Some(100 * day),
        diverse: false,
        ..Query::new("retry")
    };
    assert_eq!(ids(&index, &query), ["same-file", "same-folder", "elsewhere", "old"]);
    let why = &index.search(&query).unwrap()[0].why;
    assert!(why.contains(&Reason::SameFile("src/net/http.rs".to_owned())), "{why:?}");
    let said: Vec<String> = why.iter().map(ToString::to_string).collect();
    assert!(said.contains(&"it is about `src/net/http.rs`".to_owned()), "{said:?}");
    assert!(said.contains(&"it is 10 days old".to_owned()), "{said:?}");
}

#[test]
fn what_was_noted_at_the_time_that_is_asked_about_comes_first() {
    let of = |id: &str, date: &str| {
        let noon = format!("{date}T12:00:00Z").parse::<jiff::Timestamp>().unwrap();
        let session = Some(date.to_owned());
        Document { time_ms: noon.as_millisecond(), session, ..note(id, &format!("decided the release {id}")) }
    };
    let index = Index::of(&[
        of("march", "2026-03-10"),
        of("june", "2026-06-20"),
        of("july", "2026-07-02"),
        of("november", "2026-11-10"),
    ])
    .unwrap();
    let now_ms = Some("2026-11-16T12:00:00Z".parse::<jiff::Timestamp>().unwrap().as_millisecond());
    let ask = |text: &str| Query { now_ms, diverse: false, ..Query::new(text) };
    for (question, first) in [
        ("which release was decided?", "november"),
        ("which release was decided in June?", "june"),
        ("the release decided on March 10, 2026", "march"),
        ("release decided 2026-07-02", "july"),
        ("release decided last week", "november"),
        ("6월 release", "june"),
    ] {
        assert_eq!(ids(&index, &ask(question))[0], first, "{question}");
    }
    // Who names a time does not ask for the newest: what is from another time stays in the order of the words.
    let order = ids(&index, &ask("release decided march in June"));
    assert_eq!(order[..2], ["june", "march"]);
    let sessions = index.sessions(&ask("which release was decided in June?")).unwrap();
    assert_eq!(sessions[0].session, "2026-06-20");
    let why = &index.search(&ask("release decided in June")).unwrap()[0].why;
    assert!(why.contains(&Reason::FromThen), "{why:?}");
}

#[test]
fn what_has_not_happened_yet_does_not_sway_what_has() {
    let of = |id: &str, session: &str, time_ms: i64| Document {
        session: Some(session.to_owned()),
        time_ms,
        ..note(id, "the proxy refuses")
    };
    let notes = [of("before", "one", 1_000_000), of("after", "two", 9_000_000)];
    let query = Query { now_ms: Some(2_000_000), ..Query::new("proxy") };
    let both = Index::of(&notes).unwrap().search(&query).unwrap();
    assert_eq!((both.len(), both[0].id.as_str()), (1, "before"));
    let mut parts = Index::of(&notes[..1]).unwrap();
    parts.add_tail(&notes[1..]).unwrap();
    assert_eq!(parts.search(&query).unwrap(), both);
}

#[test]
fn a_memory_of_many_files_still_counts_for_the_one_being_worked_on() {
    let touching = |id: &str, files: usize, first: &str| Document {
        paths: (0..files)
            .map(|at| if at == 0 { first.to_owned() } else { format!("gen/f{at}.rs") })
            .collect(),
        ..note(id, "rename the field")
    };
    let index = Index::of(&[
        touching("elsewhere", 1, "docs/a.md"),
        touching("sweep", 40, "src/net/http.rs"),
        touching("precise", 1, "src/net/http.rs"),
    ])
    .unwrap();
    let query = Query { paths: vec!["src/net/http.rs".to_owned()], diverse: false, ..Query::new("rename") };
    assert_eq!(ids(&index, &query), ["precise", "sweep", "elsewhere"]);
}

#[test]
fn a_memory_that_shares_only_the_file_is_found() {
    let mut notes: Vec<Document> =
        (0..400).map(|n| note(&format!("n{n}"), &format!("retry the request {n}"))).collect();
    notes.push(Document { paths: vec!["src/net/http.rs".to_owned()], ..note("file", "beware of the proxy") });
    let index = Index::of(&notes).unwrap();
    let query = Query { paths: vec!["src/net/http.rs".to_owned()], ..Query::new("retry") };
    assert!(ids(&index, &query).contains(&"file".to_owned()));
}

#[test]
fn the_answer_next_to_the_question_is_found() {
    let talk = |id: &str, text: &str, session: &str| Document {
        session: Some(session.to_owned()),
        ..note(id, text)
    };
    let mut notes = vec![
        talk("q", "which port does the staging database use", "s1"),
        talk("a", "5544, and only over the tunnel", "s1"),
    ];
    notes.extend((0..30).map(|n| talk(&format!("x{n}"), &format!("lunch number {n}"), "s2")));
    let index = Index::of(&notes).unwrap();
    let hits = index.search(&Query::new("port of the staging database")).unwrap();
    assert_eq!((hits[0].id.as_str(), hits[1].id.as_str()), ("q", "a"));
    assert!(hits[1].why.contains(&Reason::Neighbour), "{:?}", hits[1].why);
    assert_eq!(index.sessions(&Query::new("staging database")).unwrap()[0].session, "s1");
}

#[test]
fn repetitions_what_is_for_others_and_what_does_not_fit_the_budget_are_left_out() {
    let of = |id: &str, class: &str, reader: &str, text: &str| Document {
        class: class.to_owned(),
        readers: vec![reader.to_owned()],
        ..note(id, text)
    };
    let index = Index::of(&[
        of("one", "decision", "a", "use tabs in the parser module"),
        of("again", "decision", "a", "Use tabs in the parser module!"),
        of("other", "decision", "b", "parser of another project"),
        of("long", "observation", "a", &"the parser was slow and then it was fast ".repeat(20)),
    ])
    .unwrap();
    let query = Query { reader: Some("a".to_owned()), ..Query::new("parser") };
    let found = ids(&index, &query);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.contains(&"long".to_owned()) && !found.contains(&"other".to_owned()), "{found:?}");
    let total = Query { budget: Budget { total: Some(20), ..Budget::default() }, ..query.clone() };
    assert!(!ids(&index, &total).contains(&"long".to_owned()));
    let class = Query { budget: Budget { per_class: Some(20), ..Budget::default() }, ..query };
    assert_eq!(ids(&index, &class).len(), 1);
}

#[test]
fn what_no_other_class_needs_of_the_budget_goes_to_those_that_wait() {
    let of = |id: &str, class: &str, word: &str| Document {
        class: class.to_owned(),
        ..note(id, &format!("the parser reads {word} and nothing else at all"))
    };
    let words = ["tabs", "spaces", "commas", "quotes", "colons", "dashes"];
    let mut all: Vec<Document> = words.iter().map(|word| of(word, "note", word)).collect();
    let cost = ids_and_tokens(&Index::of(&all).unwrap(), &Query::new("parser"))[0].1;
    let budget = Budget { total: Some(4 * cost + 2), per_class: Some(2 * cost + 1), per_hit: None };
    let query = Query { budget, ..Query::new("parser") };
    assert_eq!(ids(&Index::of(&all).unwrap(), &query).len(), 4, "one class alone may use all of it");
    all.push(of("brackets", "decision", "brackets"));
    all.push(of("parens", "decision", "parens"));
    let found = ids(&Index::of(&all).unwrap(), &query);
    let decisions = found.iter().filter(|id| ["brackets", "parens"].contains(&id.as_str())).count();
    assert_eq!((found.len(), decisions), (4, 2), "each of two has its half: {found:?}");
}

#[test]
fn a_folder_is_written_merged_and_read_and_one_process_writes_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::create(folder.path()).unwrap();
    assert_eq!(IndexWriter::open(folder.path()).unwrap_err().code(), "recall_index_busy");
    let all: Vec<Document> = (0..90).map(|n| note(&format!("n{n}"), &format!("word{n} common"))).collect();
    for (at, some) in all.chunks(10).enumerate() {
        writer.fold(some, place(at as u64 + 1)).unwrap();
    }
    assert_eq!(writer.merge(10).unwrap(), Merged { merged: 0, more: true });
    assert!(!writer.merge(u64::MAX).unwrap().more);
    drop(writer);
    let files = fs_err::read_dir(folder.path()).unwrap().flatten();
    let segments = files.filter(|entry| entry.file_name().to_string_lossy().starts_with("segment-")).count();
    assert!(segments <= 3, "{segments}");
    let mut index = Index::open(folder.path()).unwrap();
    index.verify().unwrap();
    assert_eq!((index.len(), index.places()), (90, &place(9)));
    index.add_tail(&[note("tail", "brandnew common")]).unwrap();
    assert_eq!(ids(&index, &Query::new("brandnew")), ["tail"]);
    assert_eq!(ids(&index, &Query::new("word42")), ["n42"]);
}

#[test]
fn a_newer_index_is_named_and_a_damaged_one_can_be_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    IndexWriter::create(folder.path()).unwrap().fold(&[note("a", "hello")], place(1)).unwrap();
    let segment = folder.path().join("segment-0000000000");
    let good = fs_err::read(&segment).unwrap();
    let mut newer = good.clone();
    newer[8] = 99;
    fs_err::write(&segment, &newer).unwrap();
    let error = Index::open(folder.path()).unwrap_err();
    assert_eq!((error.code(), error.is_rebuildable()), ("recall_index_newer", true));
    fs_err::write(&segment, &good[..good.len() / 2]).unwrap();
    let error = Index::open(folder.path()).unwrap_err();
    assert_eq!(error.code(), "recall_index_damaged");
    assert!(error.next().contains("vib memory rebuild"));
    IndexWriter::create(folder.path()).unwrap().fold(&[note("b", "hello")], place(1)).unwrap();
    assert_eq!(ids(&Index::open(folder.path()).unwrap(), &Query::new("hello")), ["b"]);
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let one = (
        prop::collection::vec("[a-f]{1,3}|[가-각]{1,4}|[A-Z][a-z]{2}[A-Z][a-z]", 1..12),
        prop::collection::vec("[ab]/[cd]\\.rs", 0..3),
        0_i64..100_000_000_000,
        prop::option::of("[xyz]"),
        0.0_f32..1.0,
    );
    prop::collection::vec(one, 1..40).prop_map(|all| {
        let make =
            |(at, (words, paths, time_ms, session, importance)): (usize, (Vec<String>, _, _, _, _))| {
                Document {
                    id: format!("d{at}"),
                    text: format!("{} rare{at}word", words.join(" ")),
                    paths,
                    time_ms,
                    scope: "s".to_owned(),
                    session,
                    class: "c".to_owned(),
                    importance,
                    ..Document::default()
                }
            };
        all.into_iter().enumerate().map(make).collect()
    })
}

fn any_query() -> impl Strategy<Value = Query> {
    ("([a-f]{1,3} ){1,4}", prop::collection::vec("[ab]/[cd]\\.rs", 0..3), prop::bool::ANY).prop_map(
        |(text, paths, dated)| Query { paths, now_ms: dated.then_some(90_000_000_000), ..Query::new(text) },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_document_is_found_by_a_rare_word_of_it(documents in documents()) {
        let index = Index::of(&documents).unwrap();
        for (at, document) in documents.iter().enumerate() {
            // Its neighbours may come before it, nothing else.
            let query = Query { diverse: false, k: 5, ..Query::new(format!("rare{at}word")) };
            let hits = index.search(&query).unwrap();
            prop_assert!(hits.iter().any(|hit| hit.document == *document), "{:?}", hits);
        }
    }

    #[test]
    fn segments_merged_segments_and_one_build_rank_alike(documents in documents(), query in any_query(), cut in 0_usize..40) {
        let cut = cut.min(documents.len());
        let whole = Index::of(&documents).unwrap();
        let mut parts = Index::of(&documents[..cut]).unwrap();
        parts.add_tail(&documents[cut..]).unwrap();
        let expected = whole.search(&query).unwrap();
        prop_assert_eq!(&parts.search(&query).unwrap(), &expected);
        let two = [Segment::of(&documents[..cut]).unwrap(), Segment::of(&documents[cut..]).unwrap()];
        let merged = super::merge::merge(&[&two[0], &two[1]]).unwrap();
        prop_assert_eq!(merged, super::build::build(&documents).unwrap());
    }

    #[test]
    fn damage_is_an_error_or_harmless_and_never_a_panic(
        documents in documents(), query in any_query(), flips in prop::collection::vec((any::<prop::sample::Index>(), 1_u8..), 0..4),
        keep in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        IndexWriter::create(folder.path()).unwrap().fold(&documents, place(1)).unwrap();
        let expected = Index::open(folder.path()).unwrap().search(&query).unwrap();
        let path = folder.path().join("segment-0000000000");
        let mut bytes = fs_err::read(&path).unwrap();
        for (at, mask) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= mask;
        }
        bytes.truncate(keep.map_or(bytes.len(), |keep| keep.index(bytes.len())));
        fs_err::write(&path, &bytes).unwrap();
        match Index::open(folder.path()).and_then(|index| index.search(&query)) {
            // What was read was whole.
            Ok(hits) => prop_assert_eq!(hits, expected),
            Err(error) => prop_assert!(error.is_rebuildable(), "{}", error),
        }
    }
}

mod fed {
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::log::{Event, Log, Provenance, Scope};
    use feed::Source;

    const SOON: Duration = Duration::from_secs(60);

    fn said(number: u64, text: &str) -> Event {
        let mut random = [0; 10];
        random[..8].copy_from_slice(&number.to_le_bytes());
        let body = json!({"text": text});
        let time = 1_000_000 + i64::try_from(number).unwrap() * 1000;
        Event::new(time, random, Scope::Project, "decision", Provenance::Explicit, body)
    }

    fn source(log: &Log) -> Vec<Source> {
        vec![Source { name: "project".to_owned(), path: log.path().to_path_buf() }]
    }

    fn texts(fed: &feed::Fed, question: &str) -> Vec<String> {
        let query = Query { k: 50, diverse: false, ..Query::new(question) };
        fed.index.search(&query).unwrap().into_iter().map(|hit| hit.document.text).collect()
    }

    #[test]
    fn a_short_tail_is_read_a_long_one_is_folded_and_each_event_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("index");
        let log = Log::at(folder.path().join("project.jsonl"));
        assert!(feed::open(&index, &source(&log), 200, SOON, &|_| {}).unwrap().index.is_empty());
        log.append(&[said(1, "tabs in the parser")]).unwrap();
        let fed = feed::open(&index, &source(&log), 200, SOON, &|_| {}).unwrap();
        assert_eq!(
            (fed.tail, fed.left, texts(&fed, "parser")),
            (1, 0, vec!["tabs in the parser".to_owned()])
        );
        let many: Vec<Event> = (2..900).map(|at| said(at, &format!("note{at} of the parser"))).collect();
        log.append(&many).unwrap();
        let fed = feed::open(&index, &source(&log), 200, SOON, &|_| {}).unwrap();
        assert_eq!((fed.index.len(), fed.tail, fed.left), (899, 0, 0));
        log.append(&[said(1000, "the newest note")]).unwrap();
        let fed = feed::open(&index, &source(&log), 200, SOON, &|_| {}).unwrap();
        assert_eq!((fed.index.len(), fed.tail), (900, 1));
        assert_eq!(texts(&fed, "note500"), ["note500 of the parser"]);
    }

    #[test]
    fn while_another_process_folds_the_newest_are_found_and_the_rest_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("index");
        let log = Log::at(folder.path().join("project.jsonl"));
        let many: Vec<Event> = (0..900).map(|at| said(at, &format!("note{at}"))).collect();
        log.append(&many).unwrap();
        let _other = IndexWriter::create(&index).unwrap();
        let fed = feed::open(&index, &source(&log), 200, SOON, &|_| {}).unwrap();
        assert_eq!((fed.tail, fed.left > 0), (200, true));
        assert_eq!(texts(&fed, "note899"), ["note899"]);
    }

    #[test]
    fn a_log_that_was_rewritten_and_an_index_that_is_damaged_are_read_anew() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("index");
        let log = Log::at(folder.path().join("project.jsonl"));
        let events: Vec<Event> = (0..600).map(|at| said(at, &format!("note{at}"))).collect();
        log.append(&events).unwrap();
        feed::open(&index, &source(&log), 200, SOON, &|_| {}).unwrap();
        fs_err::remove_file(log.path()).unwrap();
        log.append(&events[300..]).unwrap();
        let fed = feed::open(&index, &source(&log), 200, SOON, &|_| {}).unwrap();
        assert_eq!((fed.rebuilt, fed.index.len()), (true, 300));
        for entry in fs_err::read_dir(&index).unwrap().flatten() {
            fs_err::write(entry.path(), "nonsense").unwrap();
        }
        let fed = feed::open(&index, &source(&log), 200, SOON, &|_| {}).unwrap();
        assert_eq!((fed.rebuilt, fed.index.len()), (true, 300));
        assert_eq!(texts(&fed, "note599"), ["note599"]);
    }

    #[test]
    fn after_a_compaction_each_event_is_there_once_and_nothing_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("index");
        let log = Log::at(folder.path().join("project.jsonl"));
        let archive = Log::at(folder.path().join("archive.jsonl"));
        let mut sources = source(&log);
        sources.insert(0, Source { name: "archive".to_owned(), path: archive.path().to_path_buf() });
        let events: Vec<Event> = (0..600).map(|at| said(at, &format!("note{at}"))).collect();
        log.append(&events).unwrap();
        feed::upkeep(&index, &sources, SOON, &|_| {}).unwrap();
        archive.append(&events[..400]).unwrap();
        fs_err::remove_file(log.path()).unwrap();
        log.append(&events[400..]).unwrap();
        log.append(&[said(700, "the newest note")]).unwrap();
        let fed = feed::open(&index, &sources, 200, SOON, &|_| {}).unwrap();
        assert_eq!(fed.index.len(), 601);
        for (question, found) in [("note3", "note3"), ("note599", "note599"), ("newest", "the newest note")] {
            assert_eq!(texts(&fed, question), [found]);
        }
    }

    #[test]
    fn folding_in_small_steps_finds_what_one_rebuild_finds() {
        let folder = tempfile::tempdir().unwrap();
        let (steps, once) = (folder.path().join("steps"), folder.path().join("once"));
        let log = Log::at(folder.path().join("project.jsonl"));
        for step in 0..12_u64 {
            let some: Vec<Event> =
                (0..37).map(|at| said(step * 100 + at, &format!("word{} common{at}", step % 4))).collect();
            log.append(&some).unwrap();
            feed::upkeep(&steps, &source(&log), SOON, &|_| {}).unwrap();
        }
        assert_eq!(feed::rebuild(&once, &source(&log), &|_| {}).unwrap(), 12 * 37);
        let (steps, once) = (Index::open(&steps).unwrap(), Index::open(&once).unwrap());
        for question in ["word1", "common3 word2", "common7"] {
            let query = Query { k: 20, ..Query::new(question) };
            assert_eq!(steps.search(&query).unwrap(), once.search(&query).unwrap(), "{question}");
        }
    }
}
