//! `vib redact`

use std::io::Write;
use std::process::Stdio;

use insta::assert_snapshot;
use redact::template::expand;
use testkit::{Output, Sandbox};

use super::shop;

fn redact(sandbox: &Sandbox, arguments: &[&str], input: &[u8]) -> (Output, Vec<u8>) {
    let mut command = sandbox.command(&[&["redact"], arguments].concat());
    command.env("USER", "mkessler");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeder = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let answer = Output {
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
        code: output.status.code().unwrap_or(-1),
    };
    (answer, output.stdout)
}

#[test]
fn secrets_and_private_details_are_replaced() {
    let shop = shop();
    let text = format!(
        "$ deploy --token {0}\nfrom {1}/src/a.js as mkessler\nhttp://10.0.0.7:80 {0}\n",
        expand("ghp_<an:36>", 1),
        shop.root().display()
    );
    let (output, _) = redact(&shop, &[], text.as_bytes());
    assert_snapshot!(output.text(&shop), @r###"
    $ deploy --token [redacted:github-token#1]
    from src/a.js as [private:user]
    http://[private:ip]:80 [redacted:github-token#1]
    "###);
    let (output, _) = redact(&shop, &["--json"], text.as_bytes());
    let data = &output.json()["data"];
    assert_eq!(data["text"], redact(&shop, &[], text.as_bytes()).0.stdout);
    assert_eq!(
        (&data["secrets"], &data["private"], &data["withheld"]),
        (&2.into(), &3.into(), &false.into())
    );
    assert_eq!((&data["bytes"], &data["invalid_bytes"]), (&text.len().into(), &0.into()));
    assert!(!shop.exists(".vibelign"), "a filter leaves no trace");
}

#[test]
fn plain_text_comes_out_byte_for_byte_with_its_colours() {
    let shop = shop();
    let text = "a\r\n\u{1b}[31mred\u{1b}[0m\t한국어\n\nno line break at the end";
    assert_eq!(redact(&shop, &[], text.as_bytes()).1, text.as_bytes());
    assert_eq!(redact(&shop, &[], b"").1, b"");
}

#[test]
fn names_from_the_settings_go_and_allowed_text_stays() {
    let shop = shop();
    shop.vib(&["config", "set", "privacy.identifiers", "Globex Corporation, Nightjar"]).ok();
    shop.vib(&["config", "set", "privacy.allow", "press@acme.io"]).ok();
    shop.vib(&["config", "set", "--project", "privacy.allow", "ann@acme.io"]).ok();
    let (output, _) = redact(&shop, &[], b"for Globex corporation: press@acme.io, ann@acme.io\n");
    assert_eq!(output.stdout, "for [private:name]: press@acme.io, [private:email]\n");
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_said() {
    let shop = shop();
    let (output, _) = redact(&shop, &[], b"caf\xe9 10.0.0.1\n");
    assert_snapshot!(output.text(&shop), @r###"
    caf� [private:ip]
    --- stderr
    warning: the input was not all UTF-8: 1 byte replaced
    "###);
}

#[test]
fn a_long_stream_is_cleaned_block_by_block_and_no_secret_falls_between() {
    let shop = shop();
    let key = expand(
        &format!(
            "-----BEGIN RSA PRIVATE KEY-----\n{}-----END RSA PRIVATE KEY-----\n",
            "<b64:64>\n".repeat(20)
        ),
        7,
    );
    let mut text = String::new();
    while text.len() < 6 << 20 {
        text.push_str("an ordinary line of a build log, with nothing in it\n");
        if text.len().is_multiple_of(7) {
            text.push_str(&key);
        }
    }
    let keys = text.matches("-----BEGIN").count();
    let body = key.lines().nth(3).unwrap();
    let (output, _) = redact(&shop, &[], text.as_bytes());
    assert!(keys > 100 && !output.stdout.contains(body));
    assert_eq!(
        output.stdout.matches("[redacted:private-key#1]").count(),
        keys,
        "one key, one mark, everywhere"
    );
    // The same without any line break.
    let line = text.replace('\n', "\\n");
    let (output, _) = redact(&shop, &[], line.as_bytes());
    assert!(!output.stdout.contains(body));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let shop = shop();
    let mut child = shop
        .command(&["redact"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = stdin.write_all(&vec![b'x'; 3 << 20]);
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
