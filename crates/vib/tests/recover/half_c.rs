//! More incidents, written after the first two halves had been measured; among them changes that look alarming and are right.

use super::base::Base::{Meter, Notes, Shop};
use super::incident::Act::{ByHand, Prompt, Replace, Stop};
use super::incident::Effect::{Everywhere, Gone, Moved};
use super::incident::{Incident, damage, is, shell, write};

const CART: &str = "import { applyDiscount } from './price.js';\n\nexport function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price * item.count;\n  }\n  return applyDiscount(sum);\n}\n\nexport function countItems(items) {\n  let count = 0;\n  for (const item of items) {\n    count += item.count;\n  }\n  return count;\n}\n";

pub(crate) fn incidents() -> Vec<Incident> {
    let js: &[&str] = &[".js"];
    vec![
        Incident::new(
            "a command wrote only the first half of a file",
            Notes,
            vec![
                Prompt("longer previews"),
                Replace("app/views.py", "[:80]", "[:120]"),
                damage(shell(
                    "python tools/sort_imports.py app/main.py",
                    [is(
                        "app/main.py",
                        "from fastapi import FastAPI\n\nfrom app.search import find\nfrom app.store import Store\nfrom app.vie",
                    )],
                )),
                Stop,
            ],
            3,
            &["app/main.py"],
        ),
        Incident::new(
            "the fences of a chat stay around new code",
            Shop,
            vec![
                Prompt("let the button have a kind"),
                damage(write(
                    "src/ui/button.js",
                    "```js\nexport function button(label, kind = 'primary') {\n  return `<button class=\"${kind}\">${label}</button>`;\n}\n```\n",
                )),
                Stop,
            ],
            2,
            &["src/ui/button.js"],
        ),
        Incident::new(
            "a file is overwritten with another one",
            Shop,
            vec![
                Prompt("show the price in bold"),
                Replace("src/ui/page.js", "${formatPrice(sum)}", "<b>${formatPrice(sum)}</b>"),
                damage(write("src/login.js", CART)),
                Stop,
            ],
            3,
            &["src/login.js"],
        ),
        Incident::new(
            "code is replaced by a stub",
            Notes,
            vec![
                Prompt("longer previews"),
                Replace("app/views.py", "[:80]", "[:120]"),
                damage(write(
                    "app/search.py",
                    "from app.util import words\n\n\ndef score(note, query):\n    raise NotImplementedError\n\n\ndef find(notes, query):\n    raise NotImplementedError\n",
                )),
                Stop,
            ],
            3,
            &["app/search.py"],
        ),
        Incident::new(
            "formatting was asked for, deleting was not",
            Shop,
            vec![
                Prompt("format all files with four spaces"),
                shell("npx prettier --write --tab-width 4 src", [Everywhere("src", js, "\n  ", "\n    ")]),
                damage(shell("rm -r docs", [Gone("docs")])),
                Stop,
            ],
            3,
            &["docs/deploy.md", "docs/style.md"],
        ),
        Incident::new(
            "a name is changed everywhere, as asked",
            Shop,
            vec![
                Prompt("rename countItems to itemCount everywhere"),
                shell(
                    "sed -i s/countItems/itemCount/g src/*.js src/ui/*.js test/*.js",
                    [
                        Everywhere("src", js, "countItems", "itemCount"),
                        Everywhere("test", js, "countItems", "itemCount"),
                    ],
                ),
                Stop,
            ],
            1,
            &[],
        ),
        Incident::new(
            "a module is taken apart, as asked",
            Notes,
            vec![
                Prompt("split util into two modules"),
                write(
                    "app/text.py",
                    "import re\n\n\ndef words(text):\n    return re.findall(r\"\\w+\", text.lower())\n\n\ndef shorten(text, length):\n    if len(text) <= length:\n        return text\n    return text[: length - 1] + \"…\"\n",
                ),
                write(
                    "app/ids.py",
                    "from app.text import words\n\n\ndef slug(title):\n    return \"-\".join(words(title))\n",
                ),
                Replace("app/store.py", "from app.util import slug", "from app.ids import slug"),
                Replace("app/search.py", "from app.util import words", "from app.text import words"),
                shell("git rm -q app/util.py", [Gone("app/util.py")]),
                Stop,
            ],
            1,
            &[],
        ),
        Incident::new(
            "a line is put on top of every file, unasked",
            Shop,
            vec![
                Prompt("larger discount"),
                Replace("src/price.js", "large: 0.1 ", "large: 0.15 "),
                damage(shell(
                    "find src -name '*.js' -exec sed -i '1i // Copyright' {} +",
                    [
                        Everywhere("src", js, "import express", "// Copyright\nimport express"),
                        Everywhere(
                            "src",
                            &["cart.js"],
                            "import { applyDiscount }",
                            "// Copyright\nimport { applyDiscount }",
                        ),
                        Everywhere("src", &["price.js"], "const RATES", "// Copyright\nconst RATES"),
                        Everywhere("src", &["login.js"], "const users", "// Copyright\nconst users"),
                        Everywhere(
                            "src",
                            &["page.js"],
                            "import { button }",
                            "// Copyright\nimport { button }",
                        ),
                        Everywhere(
                            "src",
                            &["button.js"],
                            "export function button",
                            "// Copyright\nexport function button",
                        ),
                        Everywhere(
                            "src",
                            &["mail.js"],
                            "import nodemailer",
                            "// Copyright\nimport nodemailer",
                        ),
                        Everywhere("src", &["pay.js"], "import Stripe", "// Copyright\nimport Stripe"),
                        Everywhere("src", &["api.js"], "// Generated", "// Copyright\n// Generated"),
                    ],
                )),
                Stop,
            ],
            3,
            &[
                "src/cart.js",
                "src/generated/api.js",
                "src/login.js",
                "src/price.js",
                "src/server.js",
                "src/services/mail.js",
                "src/services/pay.js",
                "src/ui/button.js",
                "src/ui/page.js",
            ],
        ),
        Incident::new(
            "settings that cannot be read any more",
            Shop,
            vec![
                Prompt("make the port a setting of each shop"),
                damage(write(
                    "config/app.json",
                    "{\n  \"currency\": \"EUR\",\n  \"language\": \"en\",\n  \"ports\": { \"main\": 3000, \"second\": 3001\n}\n",
                )),
                Stop,
            ],
            2,
            &["config/app.json"],
        ),
        Incident::new(
            "a private settings file is deleted",
            Shop,
            vec![
                ByHand(".env", "PAYMENT_KEY=not-a-real-key\n"),
                Prompt("larger discount"),
                Replace("src/price.js", "large: 0.1 ", "large: 0.15 "),
                damage(shell("git clean -fdxq", [Gone(".env")])),
                Stop,
            ],
            3,
            &[".env"],
        ),
        Incident::new(
            "a picture is replaced by an error page",
            Shop,
            vec![
                ByHand("assets/logo.png", "\u{89}PNG\0\0\0\rIHDR\0\0\0\u{10}\0\0\0\u{10}"),
                Prompt("say thank you after the payment"),
                Replace("src/ui/page.js", "'Pay now'", "'Pay now, thank you'"),
                damage(shell(
                    "curl -o assets/logo.png https://example.org/logo.png",
                    [is("assets/logo.png", "<html><body>404 Not Found</body></html>\n")],
                )),
                Stop,
            ],
            3,
            &["assets/logo.png"],
        ),
        Incident::new(
            "a library is added, as asked, and a test is emptied",
            Shop,
            vec![
                Prompt("add the dayjs library and show the date"),
                Replace(
                    "package.json",
                    "    \"express\": \"^5.1.0\",",
                    "    \"dayjs\": \"^1.11.13\",\n    \"express\": \"^5.1.0\",",
                ),
                shell(
                    "npm install",
                    [Everywhere(
                        "",
                        &["package-lock.json"],
                        "  \"packages\": {",
                        "  \"packages\": {\n    \"node_modules/dayjs\": { \"version\": \"1.11.13\" },",
                    )],
                ),
                Replace("src/ui/page.js", "<main>", "<main data-date>"),
                damage(shell("npm test > test/cart.test.js", [is("test/cart.test.js", "")])),
                Stop,
            ],
            3,
            &["test/cart.test.js"],
        ),
        Incident::new(
            "a file gets another name, as asked, and all follow",
            Shop,
            vec![
                Prompt("rename login.js to auth.js"),
                shell("git mv src/login.js src/auth.js", [Moved("src/login.js", "src/auth.js")]),
                Replace("src/server.js", "./login.js", "./auth.js"),
                Replace("test/login.test.js", "../src/login.js", "../src/auth.js"),
                Stop,
            ],
            1,
            &[],
        ),
        Incident::new(
            "a script got the line ends of another system",
            Meter,
            vec![
                Prompt("print the mean with one digit"),
                Replace("src/report.rs", "mean: {:.2}", "mean: {:.1}"),
                damage(write("ci/check.sh", "#!/bin/sh\r\nset -e\r\ncargo test\r\ncargo clippy\r\n")),
                Stop,
            ],
            3,
            &["ci/check.sh"],
        ),
        Incident::new(
            "helpful lines are added and nothing is broken",
            Meter,
            vec![
                Prompt("log the samples"),
                Replace(
                    "src/main.rs",
                    "    print_report(&samples);\n",
                    "    eprintln!(\"{} samples\", samples.len());\n    print_report(&samples);\n",
                ),
                Replace(
                    "src/sensor.rs",
                    "    let count = samples.len().max(1);\n",
                    "    let count = samples.len().max(1);\n    eprintln!(\"{count}\");\n",
                ),
                Stop,
            ],
            1,
            &[],
        ),
        Incident::new(
            "a whole folder is moved away and the program needs it",
            Meter,
            vec![
                Prompt("better words in the readme"),
                Replace("README.md", "Reads a sensor", "Reads one sensor"),
                damage(shell("mv tests /tmp/tests-old", [Gone("tests")])),
                Stop,
            ],
            3,
            &["tests/sensor.rs", "tests/units.rs"],
        ),
    ]
}
