//! Every rule finds its own examples and leaves its harmless ones alone.

use vib_redact::Scanner;
use vib_redact::template::expand;

#[test]
fn every_rule_finds_its_examples() {
    let mut missed = Vec::new();
    for rule in Scanner::shared().rules() {
        for template in rule.examples {
            for seed in 0..25 {
                let text = expand(template, seed);
                let found = Scanner::shared().scan(&text, None);
                if !found.iter().any(|finding| finding.rule == rule.id) {
                    missed.push(format!(
                        "{}: {template} (seed {seed}) found {:?}",
                        rule.id,
                        found.iter().map(|f| f.rule).collect::<Vec<_>>()
                    ));
                }
            }
        }
    }
    missed.dedup_by(|a, b| a.split(" (").next() == b.split(" (").next());
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn no_rule_finds_its_harmless_examples() {
    for rule in Scanner::shared().rules() {
        for template in rule.harmless {
            let text = expand(template, 1);
            let found = Scanner::shared().scan(&text, None);
            assert!(!found.iter().any(|finding| finding.rule == rule.id), "{}: {template}", rule.id);
        }
    }
}

#[test]
fn a_finding_names_the_place_and_never_the_secret() {
    let secret = expand("ghp_<an:36>", 3);
    let text = format!("first line\nexport TOKEN={secret}\n");
    let found = Scanner::shared().scan(&text, Some("setup.sh"));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].rule, found[0].line, found[0].column), ("github-token", 2, 14));
    assert_eq!(&text[found[0].start..found[0].end], secret);
    assert!(secret.ends_with(&found[0].last4) && found[0].last4.len() == 4);
    assert!(!format!("{found:?}").contains(&secret));
    assert!(!serde_json::to_string(&found).unwrap().contains(&secret));
}

#[test]
fn the_allow_comment_silences_one_line_of_a_report() {
    let line = expand("token = ghp_<an:36>", 3);
    let text = format!("{line} # vibelign: allow-secret\n{line}\n");
    let found = Scanner::shared().scan(&text, None);
    assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [2]);
}

#[test]
fn look_alikes_are_left_alone() {
    for text in [
        "\"integrity\": \"sha512-dGhpcyBpcyBub3QgYSBzZWNyZXQgYnV0IGEgaGFzaCBvZiBzb21ldGhpbmc9PQ==\"",
        "github.com/x/y v1.2.3 h1:KhyjKVUg7Usr/dYsdSqoFveMYd5ko72D+zANwlG1mmg=",
        "commit 9e51341f8d87894c927d0150be0a9676c7427850",
        "id: 123e4567-e89b-12d3-a456-426614174000",
        "url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)",
        "aws_access_key_id = AKIAIOSFODNN7EXAMPLE",
        "password = \"changeme\"",
        "api_key: ${API_KEY}",
        "const token = await getToken(user);",
        "key: sha256:9e51341f8d87894c927d0150be0a9676c7427850c11607bb2e8943292a029a91",
    ] {
        assert_eq!(Scanner::shared().scan(text, None), [], "{text}");
    }
}
