//! Texts that are as full of secrets, and of what looks like the beginning of one, as a text can be.

use vib_redact::Scanner;
use vib_redact::template::expand;

/// A shape of text: its name, and its piece with this number.
pub type Shape = (&'static str, fn(u64) -> String);

/// What was slow once, and what is made to be.
pub const SHAPES: &[Shape] = &[
    ("env lines", |n| expand("ACME_API_KEY=<an:32>\n", n)),
    ("log, a key in every line", |n| {
        expand(
            "2024-11-15T10:02:17Z INFO worker-3 request finished status=200 bytes=<digit:4> token=<an:32> path=/v1/items/<digit:5>\n",
            n,
        )
    }),
    ("log, a key in every fifth line", |n| {
        let key = if n % 5 == 0 { " Authorization: Bearer <url:40>" } else { "" };
        expand(
            &format!(
                "2024-11-15T10:02:17Z INFO worker-3 request <digit:6> finished status=200 bytes=<digit:4>{key}\n"
            ),
            n,
        )
    }),
    ("env in one line", |n| expand("ACME_API_KEY=<an:32>;", n)),
    ("passwords", |n| expand("password: \"<an:9>!x<an:4>\"\n", n)),
    ("github tokens", |n| expand("ghp_<an:36> ", n)),
    ("aws pairs", |n| expand("aws_access_key_id = AKIA<upper:16>\naws_secret_access_key = <b64:40>\n", n)),
    ("urls with passwords", |n| expand("postgres://bob:<an:16>@db.example.com/x ", n)),
    ("json in one line", |n| expand("{\"token\":\"<an:40>\",\"user\":\"x\"},", n)),
    ("escaped json", |n| expand("\\\"api_key\\\":\\\"<an:40>\\\",\\n", n)),
    ("twice escaped", |n| expand("\\\\\\\"api_key\\\\\\\":\\\\\\\"<an:40>\\\\\\\",\\\\n", n)),
    ("percent signs", |n| expand("token%3D<an:30>%26x%3d%41%42", n)),
    ("colour codes", |n| expand("\u{1b}[31mtoken=<an:32>\u{1b}[0m\n", n)),
    ("pieces of strings", |n| expand("key = \"<an:12>\" + \"<an:12>\" + \"<an:12>\"\n", n)),
    ("keys over lines", |n| expand("token: <an:20>\n<an:20>\n<an:20>\n\n", n)),
    ("base64", |n| expand("dG9rZW49<b64:60>\n", n)),
    ("base64 of text", |_| "QVdTX1NFQ1JFVF9BQ0NFU1NfS0VZPWFiY2RlZg== ".to_owned()),
    ("one endless base64", |n| expand("<b64:76>", n)),
    ("jwt", |n| expand("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx<url:40>.<url:43>\n", n)),
    ("heads of key blocks", |_| "-----BEGIN RSA PRIVATE KEY-----\n".to_owned()),
    ("heads in one line", |_| "-----BEGIN PRIVATE KEY-----".to_owned()),
    ("key blocks", |n| {
        expand(
            "-----BEGIN RSA PRIVATE KEY-----\n<b64:64>\n<b64:64>\n<b64:64>\n-----END RSA PRIVATE KEY-----\n",
            n,
        )
    }),
    ("mails and addresses", |n| {
        expand("<lower:6>@<lower:5>.example.com 10.0.<digit:1>.7 /home/ana/x/<lower:4> ", n)
    }),
    ("secret words", |_| "token secret key password auth ".to_owned()),
    ("secret words grown together", |_| "tokensecretkeypasswordauth".to_owned()),
    ("secret words with signs", |_| "token=secret:key=password=>auth=".to_owned()),
    ("brackets", |n| expand("[token=<an:24>", n)),
    ("marks", |_| "[redacted:keyed-secret#1] token=".to_owned()),
    ("dots", |n| expand("<an:24>.<an:6>.<an:27>.", n)),
    ("slashes", |_| "/home/ana/".to_owned()),
    ("folders that never end", |n| expand("/home/<lower:3>", n)),
    ("quotes", |_| "a\"b'c`".to_owned()),
    ("backslashes", |_| "\\".to_owned()),
    ("escaped quotes", |_| "\\\"".to_owned()),
    ("line breaks", |_| "a\n".to_owned()),
    ("spaces", |n| if n == 0 { "token =".to_owned() } else { " ".repeat(64) }),
    ("spaces after words", |_| format!("token ={}", " ".repeat(60))),
    ("colons", |_| "a:".to_owned()),
    ("hex", |n| expand("<hex:40>\n", n)),
    ("every example", |n| {
        let rules = Scanner::shared().rules();
        let rule = &rules[n as usize % rules.len()];
        let template = rule.examples[n as usize / rules.len() % rule.examples.len()];
        format!("{}\n", expand(template, n))
    }),
    ("every example in one line", |n| {
        let rules = Scanner::shared().rules();
        let rule = &rules[n as usize % rules.len()];
        let template = rule.examples[n as usize / rules.len() % rule.examples.len()];
        format!("{} ", expand(template, n).replace('\n', " "))
    }),
];

/// At least so many bytes of one shape.
pub fn text(shape: fn(u64) -> String, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 4096);
    let mut number = 0;
    while text.len() < bytes {
        text.push_str(&shape(number));
        number += 1;
    }
    text
}
