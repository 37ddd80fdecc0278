//! `vib report`: what the agents did, on one page.

use super::hook::Chat;
use super::shop;

const KEY: &str = concat!(
    "sk-ant-api03-U8JZpDE0iGXlD6gNCFbaEPFjbD0",
    "kH8Oool8DklZDOCj2ISaJiHkTj0rLGlkoMXGjtEkDnNfribxUdl7dXTPyLsxPFkThfAA"
);

#[test]
fn one_page_tells_requests_files_checks_lines_and_what_went_back() {
    let shop = shop();
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("make the cart faster");
    chat.write("src/cart.js", "let total = 0;\nlet fast = true;\nlet count = 0;\nlet done = 1;\n").unwrap();
    chat.shell("ls");
    chat.prompt(&format!("use <u>{KEY}</u> | and *stars*"));
    chat.write("src/new.js", "one\ntwo\nthree\n").unwrap();
    shop.vib(&["undo", "--step", "--yes"]).ok();
    let data = shop.data(&["report"]);
    assert_eq!((&data["totals"]["requests"], &data["totals"]["back"]), (&2.into(), &1.into()), "{data}");
    assert_eq!(
        (&data["requests"][0]["lines_written"], &data["requests"][0]["lines_standing"]),
        (&2.into(), &2.into()),
        "{data}"
    );
    assert_eq!(
        (&data["requests"][1]["lines_written"], &data["requests"][1]["lines_standing"]),
        (&3.into(), &0.into()),
        "{data}"
    );
    assert_eq!(data["requests"][1]["undone"], true);
    // No record of such a session: unknown, never zero.
    assert!(
        data["totals"]["cost"]["tokens"].is_null() && data["totals"]["cost"]["partly_unknown"] == true,
        "{data}"
    );
    for format in ["md", "html", "json"] {
        let output = shop.vib(&["report", "--format", format]).ok().stdout;
        assert!(!output.contains(KEY) && !output.contains(&KEY[20..60]), "{format}: {output}");
        assert!(!output.contains("<u>") || format == "json", "{format}: {output}");
        assert!(output.contains("unknown"), "{format}: {output}");
    }
    let html = shop.vib(&["report", "--format", "html"]).ok().stdout;
    assert!(html.contains("<svg") && !html.contains("<script") && !html.contains("http"), "{html}");
    assert_eq!(data["redacted"], true, "what was taken out on the way in is taken out, too");
    // The beginning of a session's name is enough, and an unknown one is an error. (M6)
    assert_eq!(shop.error(&["report", "--session", "no-such-session"])["code"], "not_in_history");
    let short = shop.data(&["report", "--session", "s-"]);
    assert_eq!((&short["session"], &short["totals"]["requests"]), (&"s-1".into(), &2.into()));
}

#[test]
fn tokens_come_from_the_clients_own_record() {
    let shop = shop();
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("make the cart faster");
    chat.write("src/cart.js", "let total = 0;\n").unwrap();
    let now = shop.data(&["report"])["now_ms"].as_i64().unwrap();
    // The test's clock stands in 2026-01-01.
    let line = |id: &str, input: u64, output: u64| {
        format!(
            "{{\"type\":\"assistant\",\"timestamp\":\"2026-01-01T12:04:30.000Z\",\"message\":{{\"id\":\"{id}\",\"model\":\"claude-sonnet-4-5\",\"content\":[],\"usage\":{{\"input_tokens\":{input},\"cache_creation_input_tokens\":3,\"cache_read_input_tokens\":6,\"output_tokens\":{output}}}}}}}\n"
        )
    };
    let folder = shop.base().join("home/.claude/projects/-somewhere");
    std::fs::create_dir_all(folder.join("s-1/subagents")).unwrap();
    std::fs::write(
        folder.join("s-1.jsonl"),
        line("m1", 100, 10) + &line("m1", 100, 10) + &line("m2", 200, 20),
    )
    .unwrap();
    std::fs::write(folder.join("s-1/subagents/agent-a.jsonl"), line("m3", 300, 30)).unwrap();
    let data = shop.data(&["report"]);
    assert!(now > 0);
    let tokens = &data["totals"]["cost"]["tokens"];
    assert_eq!(
        (&tokens["input"], &tokens["output"], &tokens["cache_read"]),
        (&600.into(), &60.into(), &18.into()),
        "{data}"
    );
    assert_eq!(data["totals"]["cost"]["calls"], 3);
    let dollars = data["totals"]["cost"]["dollars"].as_f64().unwrap();
    assert!(
        (dollars - (600.0 * 3.0 + 18.0 * 0.3 + 9.0 * 3.75 + 60.0 * 15.0) / 1e6).abs() < 1e-9,
        "{dollars}"
    );
}

#[test]
fn checks_of_vib_verify_are_in_it_and_sums_say_what_they_do_not_know_m5_m7() {
    let shop = shop();
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("make the cart faster");
    chat.write("src/cart.js", "let total = 0;\n").unwrap();
    shop.vib(&["verify", "--", "true"]).ok();
    shop.vib(&["verify", "--", "false"]);
    let data = shop.data(&["report"]);
    let told: Vec<_> = data["checks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|check| (&check["command"], &check["passed"]))
        .collect();
    assert_eq!(told, [(&"true".into(), &true.into()), (&"false".into(), &false.into())], "{data}");
    assert_eq!((&data["totals"]["checks_passed"], &data["totals"]["checks_failed"]), (&1.into(), &1.into()));
    // A model without a price, a usage that is no number, and a call before the first words.
    let line = |id: &str, time: &str, model: &str, usage: &str| {
        format!(
            "{{\"type\":\"assistant\",\"timestamp\":\"{time}\",\"message\":{{\"id\":\"{id}\",\"model\":\"{model}\",\"content\":[],\"usage\":{usage}}}}}\n"
        )
    };
    let folder = shop.base().join("home/.claude/projects/-somewhere");
    std::fs::create_dir_all(&folder).unwrap();
    let usage = "{\"input_tokens\":1000000,\"output_tokens\":0}";
    let record = line("m0", "2026-01-01T00:00:00.000Z", "claude-sonnet-4-5", usage)
        + &line("m1", "2026-01-01T13:00:00.000Z", "no-such-model", usage);
    std::fs::write(folder.join("s-1.jsonl"), &record).unwrap();
    let data = shop.data(&["report"]);
    let cost = &data["totals"]["cost"];
    assert_eq!((&cost["dollars"], &cost["partly_unknown"]), (&3.0.into(), &true.into()), "{data}");
    assert_eq!(cost["tokens_partly_unknown"], false, "{data}");
    assert_eq!(
        data["requests"][0]["cost"]["tokens"]["input"], 2_000_000,
        "the first request has what came before it: {data}"
    );
    std::fs::write(
        folder.join("s-1.jsonl"),
        record + &line("m2", "2026-01-01T13:00:00.000Z", "claude-sonnet-4-5", "{\"input_tokens\":\"many\"}"),
    )
    .unwrap();
    let data = shop.data(&["report"]);
    assert_eq!(data["totals"]["cost"]["tokens_partly_unknown"], true, "{data}");
    let page = shop.vib(&["report"]).ok().stdout;
    assert!(
        page.contains("- Tokens: at least 2,000,000 in") && page.contains("- Cost: at least $3.00"),
        "{page}"
    );
    assert!(page.contains("`vib verify` false (failed)"), "{page}");
}

/// An answer without a tool costs, too.
#[test]
fn a_request_without_a_step_is_in_it_with_what_it_cost_b4() {
    let shop = shop();
    shop.checkpoint("before");
    let mut chat = Chat::new(&shop);
    chat.prompt("make the cart faster");
    chat.write("src/cart.js", "let total = 0;\n").unwrap();
    chat.prompt("only a question");
    let rows = shop.data(&["report"])["requests"].clone();
    let started = rows[1]["started_ms"].as_i64().unwrap();
    let seconds = started.div_euclid(1_000) + 1;
    let time = String::from_utf8(
        std::process::Command::new("date")
            .args(["-u", "-d", &format!("@{seconds}"), "+%FT%TZ"])
            .output()
            .unwrap()
            .stdout,
    )
    .unwrap();
    let folder = shop.base().join("home/.claude/projects/-somewhere");
    std::fs::create_dir_all(&folder).unwrap();
    let line = format!(
        "{{\"type\":\"assistant\",\"timestamp\":\"{}\",\"message\":{{\"id\":\"m1\",\"model\":\"claude-sonnet-4-5\",\"content\":[],\"usage\":{{\"input_tokens\":900,\"output_tokens\":90}}}}}}\n",
        time.trim()
    );
    std::fs::write(folder.join("s-1.jsonl"), line).unwrap();
    let data = shop.data(&["report"]);
    let rows = data["requests"].as_array().unwrap();
    assert_eq!((rows.len(), &data["totals"]["requests"]), (2, &2.into()), "{data}");
    assert_eq!((&rows[1]["words"], &rows[1]["steps"]), (&"only a question".into(), &0.into()), "{data}");
    let dollars = |value: &serde_json::Value| value["cost"]["dollars"].as_f64().unwrap_or(0.0);
    let sum: f64 = rows.iter().map(dollars).sum();
    assert!(dollars(&rows[1]) > 0.0 && (sum - dollars(&data["totals"])).abs() < 1e-9, "{data}");
}
