//! `vib providers`

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Command;

use insta::assert_snapshot;
use testkit::Sandbox;

use super::empty;

const SECRET: &str = "sk-ant-0123456789-never-shown";

fn with_key(project: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = project.command(arguments);
    command.env("ANTHROPIC_API_KEY", SECRET);
    command
}

fn settings(project: &Sandbox, text: &str) {
    let folder = project.base().join("config");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), text).unwrap();
}

/// A server that gives every request the same answer; none: somebody who never says anything good.
fn server(status: &'static str, kind: &'static str, body: String) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut length = 0;
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or_default() == 0 || line.trim().is_empty() {
                    break;
                }
                if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
            }
            let mut sent = vec![0; length];
            let _ = reader.read_exact(&mut sent);
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    url
}

fn local(url: &str) -> String {
    format!(
        "[run.providers.local]\ndialect = 'openai-chat'\nurl = '{url}'\nmodel = 'tiny'\nclass = 1\nprice_in = 1\nprice_out = 2\n"
    )
}

#[test]
fn providers_speak_korean_and_chinese_too() {
    let url = server("402 Payment Required", "application/json", "{}".to_owned());
    for (locale, none, price, retry, account) in [
        (
            "ko_KR.UTF-8",
            "설정된 모델 제공자가 없습니다.",
            "가격 모름",
            "더 드물게 물어보기를 원합니다",
            "계정에 남은 것이 없습니다",
        ),
        ("zh_CN.UTF-8", "没有设置任何模型提供方。", "价格未知", "它希望被询问得少一些", "账户已无余额"),
    ] {
        let project = empty();
        let said = |arguments: &[&str]| Sandbox::run(project.command(arguments).env("LC_ALL", locale)).stdout;
        assert!(said(&["providers"]).contains(none));
        assert!(said(&["providers", "explain"]).contains(retry));
        let without_a_price = local(&url).replace("price_in = 1\nprice_out = 2\n", "");
        settings(&project, &without_a_price);
        assert!(said(&["providers"]).contains(price));
        assert!(said(&["providers", "check", "local"]).contains(account));
    }
}

#[test]
fn ag4_nobody_is_set_up_and_how_to_do_that_is_said() {
    let project = empty();
    assert_snapshot!(project.vib(&["providers"]).text(&project), @r"
    No provider of a model is set up.

    How to set one up: `vib providers explain`
    ");
    let explained = project.vib(&["providers", "explain"]).ok().stdout;
    for word in [
        "[run.providers.mine]",
        "rate_limited",
        "content_policy",
        "Never a silent downgrade",
        "80 %",
        "at most 3 times",
    ] {
        assert!(explained.contains(word), "{word} is missing in {explained}");
    }
    let error = project.error(&["providers", "check", "nobody"]);
    assert!(error["message"].as_str().unwrap().contains("there is no provider `nobody`"), "{error}");
}

#[test]
fn ag4_providers_are_listed_with_where_their_keys_are_and_never_the_keys() {
    let project = empty();
    settings(
        &project,
        &format!(
            "{}[run.providers.broken]\nkey = '{SECRET}'\n[run]\nprovider = ['anthropic', 'local/other']\n",
            local("http://127.0.0.1:9/v1")
        ),
    );
    let output = Sandbox::run(&mut with_key(&project, &["providers"]));
    assert!(!output.stdout.contains("sk-ant"));
    assert_snapshot!(output.text(&project), @r"
    local  tiny  class 1, 32k tokens
      needs no key, $1 in, $2 out per million tokens
      openai-chat at http://127.0.0.1:9/v1 (your settings)
    anthropic  claude-sonnet-5-5  class 2, 1000k tokens
      key in ANTHROPIC_API_KEY: there, $2 in, $10 out per million tokens
      anthropic at https://api.anthropic.com (because ANTHROPIC_API_KEY is set)
    warning: `run.providers.broken`: a key does not belong into a file: name its variable in `key_env`, or its account in `key_keyring`

    Asked: anthropic/claude-sonnet-5-5; when it cannot answer: local/other; a weaker one only after you agree
    Models as of 2026-11-18, prices as of 2026-11-15
    ");
    let output = Sandbox::run(&mut with_key(&project, &["providers", "list", "--json"]));
    assert!(!output.stdout.contains("sk-ant"));
    let data = &output.json()["data"];
    assert_eq!(
        data["providers"][1]["key"],
        serde_json::json!({"kind": "variable", "name": "ANTHROPIC_API_KEY", "present": true, "problem": null})
    );
    assert_eq!(data["order"], serde_json::json!(["anthropic/claude-sonnet-5-5", "local/other"]));
    assert_eq!(data["allow_weaker"], false);
}

#[test]
fn ag4_a_project_cannot_name_a_provider() {
    let project = empty();
    project.vib(&["init", "--no-hooks", "--yes"]).ok();
    project.write("vibelign.toml", local("http://127.0.0.1:9/v1"));
    std::fs::write(project.root().join(".vibelign/config.toml"), local("http://127.0.0.1:9/v1")).unwrap();
    let data = project.data(&["providers"]);
    assert_eq!(data["providers"], serde_json::json!([]));
}

#[test]
fn ag4_a_check_asks_for_real_and_says_what_would_be_done() {
    let project = empty();
    let answer = serde_json::json!({"model": "tiny", "choices": [{"message": {"content": "ready"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 20, "completion_tokens": 2}});
    settings(&project, &local(&server("200 OK", "application/json", answer.to_string())));
    let data = project.data(&["providers", "check", "local"]);
    assert_eq!(
        (&data["answers"], &data["text"], &data["usage"]["input"]),
        (&true.into(), &"ready".into(), &20.into())
    );
    assert!((data["dollars"].as_f64().unwrap() - 0.000_024).abs() < 1e-12);

    let said =
        format!("{{\"error\":{{\"message\":\"no balance for {SECRET}\",\"type\":\"insufficient_quota\"}}}}");
    settings(
        &project,
        &format!(
            "{}key_env = 'ANTHROPIC_API_KEY'\n",
            local(&server("402 Payment", "application/json", said))
        ),
    );
    let output = Sandbox::run(&mut with_key(&project, &["providers", "check", "local", "--json"]));
    assert_eq!(output.code, 1);
    assert!(!output.stdout.contains("sk-ant"), "{}", output.stdout);
    let data = &output.json()["data"];
    assert_eq!(
        (&data["answers"], &data["code"], &data["class"]),
        (&false.into(), &"quota".into(), &"switch".into())
    );
    let text = Sandbox::run(&mut with_key(&project, &["providers", "check", "local"]));
    assert_snapshot!(text.text(&project), @r"
    ✗ `local/tiny` gives no answer: the account has nothing left (quota): no balance for [key]
      In a run: the next provider is asked at once
      look at your balance and limits with the provider, or name another one in `run.provider`
    --- exit 1
    ");
}
