//! The gate, told as stories and attacked with random wrappings.

use proptest::prelude::*;
use vib_redact::template::expand;
use vib_redact::{Gate, PrivacyContext, Scanner, WITHHELD};

fn context() -> PrivacyContext {
    PrivacyContext {
        home: Some("/home/mira.kessler".into()),
        user: Some("mkessler".into()),
        host: Some("quokka-7".into()),
        project_root: Some("/home/mira.kessler/src/shop".into()),
        identifiers: vec!["Globex Corporation".into(), "Nightjar".into()],
        internal_domains: vec!["intra.globex.com".into()],
        allowed: Vec::new(),
        loopback_stays: false,
        paths_stay: false,
    }
}

fn clean(text: &str) -> String {
    Gate::new(context()).clean(text).into_string()
}

#[test]
fn a_secret_is_replaced_by_a_mark_and_the_rest_stays() {
    let secret = expand("ghp_<an:36>", 1);
    let mut gate = Gate::new(context());
    let text = format!("before {secret} between {secret} after {}", expand("ghp_<an:36>", 2));
    let out = gate.clean(&text);
    assert_eq!(
        out.as_str(),
        "before [redacted:github-token#1] between [redacted:github-token#1] after [redacted:github-token#2]"
    );
    assert_eq!((out.counts().secrets, out.counts().private, out.counts().withheld), (3, 0, false));
    assert_eq!(gate.clean(&secret).as_str(), "[redacted:github-token#1]", "the same secret keeps its mark");
}

#[test]
fn plain_text_is_untouched_byte_for_byte() {
    for text in [
        "",
        "fn main() { println!(\"hello\"); }\n",
        r#"{"result":"pass","violations":[{"rule":"no-eval"}]}"#,
        r#"{"status":"pass","duration":12,"checks":["pass","fail"]}"#,
        "The key to the garden is under the mat. Pass the token to the next player.\r\n\ttabs\u{a0}and 한국어, 中文, émojis 🎉\n",
        "token = getToken(); password: string; secret_name = \"db\"; api_key = os.environ[\"API_KEY\"]",
        "see src/gate.rs:12 and docs/README.md, version 10.2.3, /usr/bin/env, 2026-11-15T10:00:00Z, https://docs.rs/regex",
        "error[E0308]: mismatched types --> crates/store/src/lib.rs:10:5",
        "git@github.com:acme/shop.git and npm i react@18.2.0 @types/node",
        "50 % off, 100%25, a\\nb, \"quoted\" + 'pieces', thread.local and self.internal()",
        "9e51341f8d87894c927d0150be0a9676c7427850 123e4567-e89b-12d3-a456-426614174000",
    ] {
        let out = Gate::new(context()).clean(text);
        assert_eq!(out.as_str(), text);
        assert!(out.counts().is_untouched());
    }
}

#[test]
fn private_details_go() {
    for (text, expected) in [
        ("/home/mira.kessler/src/shop/lib/a.rs:3", "lib/a.rs:3"),
        ("cd /home/mira.kessler/src/shop", "cd ."),
        ("/home/mira.kessler/notes.txt", "~/notes.txt"),
        ("/home/other/x/y/z.txt", "~/…/z.txt"),
        ("C:\\Users\\Ann\\app\\x.py", "~/app/x.py"),
        ("\"C:\\\\Users\\\\Ann\\\\x.py\"", "\"~/x.py\""),
        ("/mnt/c/Users/Ann/x.py", "~/x.py"),
        ("file:///Users/ann/x.py", "~/x.py"),
        ("path=%2Fhome%2Fann%2Fx.py&a=1", "path=~/x.py&a=1"),
        ("/opt/acme/bin/tool", "…/tool"),
        ("mail ann.lee@acme.io now", "mail [private:email] now"),
        ("http://10.1.2.3:8080/x", "http://[private:ip]:8080/x"),
        ("http://localhost:3000", "http://[private:host]:3000"),
        ("ping [::1] fe80::1ff:fe23:4567:890a", "ping [[private:ip]] [private:ip]"),
        ("db01.corp.internal and build.acme.lan", "[private:host] and [private:host]"),
        ("wiki.intra.globex.com", "[private:host]"),
        ("on quokka-7 as mkessler", "on [private:host] as [private:user]"),
        ("for GLOBEX corporation", "for [private:name]"),
        ("project nightjar-web", "project [private:name]-web"),
        ("DESKTOP-4F7K2QX", "[private:host]"),
        ("\\\\fileserver\\share\\plan.doc", "…/plan.doc"),
        ("/c/Users/zoltan/src", "~/src"),
        ("gcc -I/home/zoltan/inc -c x.c", "gcc -I~/inc -c x.c"),
        ("\"/Users/Ann Lee/Documents/x.txt\"", "\"~/Documents/x.txt\""),
        ("\"C:\\Users\\Ann Lee\\x.txt\"", "\"~/x.txt\""),
        ("zoltan@buildbox:~/src$ ls", "[private:user]@[private:host]:~/src$ ls"),
        ("ssh zoltan@10.0.0.1", "ssh [private:user]@[private:ip]"),
        (
            "see http://intranet/wiki and http://jenkins:8080/job",
            "see http://[private:host]/wiki and http://[private:host]:8080/job",
        ),
    ] {
        assert_eq!(clean(text), expected, "{text}");
    }
}

#[test]
fn a_home_folder_with_a_space_goes_as_well() {
    let context = PrivacyContext { home: Some("/Users/Ann Lee".into()), ..PrivacyContext::default() };
    let out = Gate::new(context).clean("see /Users/Ann Lee/notes.txt, please");
    assert_eq!(out.as_str(), "see ~/notes.txt, please");
}

#[test]
fn an_oversized_text_becomes_a_summary_with_counts() {
    let text: String = (0..5000).map(|n| format!("line {n} of the build\n")).collect();
    let out = Gate::new(context()).with_limit(4000).clean(&text);
    assert!(out.as_str().len() < 4300);
    assert!(out.as_str().contains("[summarised: "));
    assert!(out.counts().summarised > 4000);
}

#[test]
fn a_text_that_cannot_be_made_clean_is_withheld_and_says_so() {
    // No rule matches the long word; cut off in the wrong place it becomes a token.
    let token = expand("ghp_<an:36>", 6);
    let text = format!("x {token}{} end", expand("<an:200>", 7));
    let out = Gate::new(PrivacyContext::default()).with_limit(84).clean(&text);
    assert_eq!(out.as_str(), WITHHELD);
    assert!(out.counts().withheld && !out.counts().is_untouched());
}

#[test]
fn a_stream_numbers_its_marks_over_all_blocks_and_counts_what_is_no_text() {
    let token = expand("ghp_<an:36>", 8);
    let mut input = Vec::new();
    while input.len() < 3 << 20 {
        input.extend_from_slice(format!("{}{token}\n", "an ordinary line\n".repeat(2000)).as_bytes());
    }
    input.push(0xff);
    let tokens = input.windows(4).filter(|bytes| bytes == b"ghp_").count();
    let mut gate = Gate::new(context());
    let (mut text, mut blocks) = (String::new(), 0);
    let done = gate
        .clean_stream(input.as_slice(), |clean| {
            blocks += 1;
            text.push_str(clean.as_str());
            Ok(())
        })
        .unwrap();
    assert_eq!((done.bytes, done.invalid_bytes), (input.len() as u64, 1));
    assert!(blocks >= 3, "{blocks}");
    assert_eq!(done.counts.secrets, tokens);
    assert_eq!(text.matches("[redacted:github-token#1]").count(), tokens);
    let expected = String::from_utf8_lossy(&input).replace(&token, "[redacted:github-token#1]");
    assert!(text == expected, "nothing else changed");
}

#[test]
fn the_allow_comment_does_not_open_the_gate() {
    let secret = expand("ghp_<an:36>", 4);
    assert!(!clean(&format!("{secret} # vibelign: allow-secret")).contains(&secret));
}

#[test]
fn allowed_text_stays() {
    let context = PrivacyContext { allowed: vec!["press@acme.io".into()], ..context() };
    let out = Gate::new(context).clean("press@acme.io, ann@acme.io");
    assert_eq!(out.as_str(), "press@acme.io, [private:email]");
}

/// Ways to hide a secret in a text. `split` draws where to split it: always inside what the scanner calls the secret.
fn wrap(secret: &str, way: usize, split: usize) -> String {
    let at = split_at(&span(secret), split);
    let at = (at..=secret.len()).find(|at| secret.is_char_boundary(*at)).unwrap_or(secret.len());
    let (head, tail) = secret.split_at(at);
    match way {
        0 => format!("please use {secret} for the deployment, thanks"),
        1 => serde_json::json!({ "note": format!("x\n{secret}\ty"), "n": 1 }).to_string(),
        2 => serde_json::json!({ "log": serde_json::json!({ "t": secret }).to_string() }).to_string(),
        3 => format!("export ACME_TOKEN='{secret}' && run --flag"),
        4 => format!("https://api.acme.io/v1?access_token={}&x=1", percent(secret)),
        5 => format!("data: {} end", base64(secret)),
        6 => format!("\u{1b}[31m{secret}\u{1b}[0m done"),
        7 => format!("{head}\u{1b}[1m{tail} done"),
        8 => format!("{head}\n{tail}\n"),
        9 => format!("let s = \"{head}\" + \"{tail}\";"),
        10 => format!("s = ('{head}'\n     '{tail}')"),
        11 => format!("echo {head}\"{tail}\""),
        12 => format!("{head}\\\n    {tail}"),
        13 => format!("{secret} {secret}"),
        14 => format!(
            "{{\"m\":\"\\u001b[32m{}\\u001b[0m\"}}",
            secret.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
        ),
        _ => format!("한국어 {secret} 텍스트"),
    }
}

const WAYS: usize = 16;

fn percent(text: &str) -> String {
    text.bytes()
        .map(|b| {
            if b.is_ascii_alphanumeric() && b % 3 > 0 {
                char::from(b).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect()
}

fn base64(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in text.as_bytes().chunks(3) {
        let bits = group.iter().fold(0u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - group.len()));
        for index in 0..4 {
            out.push(if index <= group.len() {
                char::from(LETTERS[(bits >> (18 - 6 * index)) as usize & 63])
            } else {
                '='
            });
        }
    }
    out
}

/// What of the secret must not be left: its longest runs of letters and digits, before and behind the place where it is split.
fn cores(example: &str, split: usize) -> Vec<String> {
    if Scanner::shared().scan(example, None).is_empty() {
        // A report is stricter than the gate: it leaves a random draw alone that reads as words.
        return Vec::new();
    }
    let span = span(example);
    let at = split_at(&span, split);
    let longest = |part: &str| {
        let runs = part.split(|c: char| !c.is_ascii_alphanumeric());
        runs.max_by_key(|run| run.len()).filter(|run| run.len() >= 10).map(str::to_owned)
    };
    [longest(&example[span.start..at]), longest(&example[at..span.end])].into_iter().flatten().collect()
}

/// What the scanner calls the secret.
fn span(example: &str) -> std::ops::Range<usize> {
    Scanner::shared().scan(example, None).first().map_or(0..example.len(), |found| found.start..found.end)
}

fn split_at(span: &std::ops::Range<usize>, split: usize) -> usize {
    span.start + 1 + split % (span.len() - 1).max(1)
}

#[test]
fn every_example_in_every_wrapping_leaves_nothing_to_find() {
    let mut failures = Vec::new();
    for (index, rule) in Scanner::shared().rules().iter().enumerate() {
        for template in rule.examples {
            let secret = expand(template, index as u64);
            for way in 0..WAYS {
                let text = wrap(&secret, way, index * 7 + 9);
                let out = Gate::new(PrivacyContext::default()).clean(&text);
                let left = Scanner::shared().scan(out.as_str(), None);
                let rest = cores(&secret, index * 7 + 9).iter().any(|core| out.as_str().contains(core));
                if !left.is_empty() || rest || out.counts().withheld || out.counts().secrets == 0 {
                    failures.push(format!(
                        "{} way {way}: {} secrets, withheld {}",
                        rule.id,
                        out.counts().secrets,
                        out.counts().withheld
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// The first part is long enough to be found by itself, and the mark of the continuation stands behind it.
#[test]
fn what_goes_on_behind_a_backslash_goes_with_it() {
    let token = "9f3b6c1e-2d47-4a58-b951-c0b0fd2e7ebc";
    for at in [21, 24, 29, 33] {
        let (head, tail) = token.split_at(at);
        let out =
            Gate::new(context()).clean(&format!("//registry.npmjs.org/:_authToken={head}\\\n    {tail} x"));
        assert!(!out.as_str().contains(tail), "{out}");
    }
}

proptest! {
    #[test]
    fn no_rule_matches_the_output(rule in 0usize..1000, example in 0usize..10, seed: u64, way in 0usize..WAYS, split in 1usize..60,
                                  before in "[ -~\\n]{0,40}", after in "[ -~\\n]{0,40}") {
        let rules = Scanner::shared().rules();
        let rule = &rules[rule % rules.len()];
        let secret = expand(rule.examples[example % rule.examples.len()], seed);
        let text = format!("{before} {} {after}", wrap(&secret, way, split));
        let out = Gate::new(context()).clean(&text);
        prop_assert_eq!(Scanner::shared().scan(out.as_str(), None), []);
        for core in cores(&secret, split) {
            prop_assert!(!out.as_str().contains(&core), "{} way {way}: {core} in {out}", rule.id);
        }
        if way == 5 {
            prop_assert!(!out.as_str().contains(&base64(&secret)), "{} in {out}", rule.id);
        }
    }

    #[test]
    fn every_private_detail_is_gone(which in 0usize..12, before in "[ a-z\\n,(\"]{0,20}", after in "[ \\n,)\"]{0,10}") {
        let (planted, gone) = [
            ("/home/mira.kessler/src/shop/x.rs", "mira.kessler"), ("/Users/zoltan/x", "zoltan"), ("C:\\Users\\zoltan\\x", "zoltan"),
            ("/mnt/c/Users/zoltan/y", "zoltan"), ("%2FUsers%2Fzoltan%2Fy", "zoltan"), ("192.168.7.9", "192.168"), ("172.20.1.1", "172.20"),
            ("zoltan@acme.io", "zoltan"), ("mkessler", "mkessler"), ("quokka-7", "quokka-7"), ("ci.build.lan", "build.lan"), ("Nightjar", "Nightjar"),
        ][which];
        for text in [
            format!("{before} {planted} {after}"),
            serde_json::json!({ "note": format!("{before}\n{planted}\t{after}") }).to_string(),
            format!("{before} \u{1b}[31m{planted}\u{1b}[0m {after}"),
            format!("https://ok.example/?q={planted}&x=1"),
            format!("{before} '{planted}'"),
        ] {
            let out = clean(&text);
            prop_assert!(!out.contains(gone), "{text} -> {out}");
        }
    }

    #[test]
    fn words_come_out_as_they_went_in(text in "([A-Z]?[a-z]{1,9}( |, |[.] |\\n)){0,60}") {
        prop_assert_eq!(clean(&text), text);
    }

    #[test]
    fn any_text_passes_without_panic(text in any::<String>()) {
        let out = Gate::new(context()).with_limit(200).clean(&text);
        prop_assert_eq!(Scanner::shared().scan(out.as_str(), None), []);
    }
}
