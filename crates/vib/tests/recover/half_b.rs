//! The second half of the incidents: never looked at while the recommendation was tuned.

use redact::template::expand;

use super::base::Base::{Meter, Notes, Shop};
use super::incident::Act::{ByHand, Check, Commit, Intent, Minutes, Prompt, Relevant, Replace, Save, Stop};
use super::incident::Effect::{AllGone, AsBuilt, Everywhere, Gone, LinkToCopy, Mode, Moved};
use super::incident::{Incident, damage, is, shell, write};

const SORTED: (&str, &str) = (
    "    return [note for points, note in ranked if points > 0]\n",
    "    ranked.sort(key=lambda pair: pair[0], reverse=True)\n    return [note for points, note in ranked if points > 0]\n",
);

pub(crate) fn incidents() -> Vec<Incident> {
    let rust: &[&str] = &[".rs", ".md"];
    vec![
        Incident::new(
            "most of a file is replaced by a placeholder",
            Notes,
            vec![
                Prompt("let the store count its notes"),
                damage(write(
                    "app/store.py",
                    "class Store:\n    # ... existing code ...\n\n    def count(self):\n        return len(self._notes)\n",
                )),
                Replace("app/views.py", "[:80]", "[:100]"),
                Stop,
            ],
            // What was asked for lies beside the remark, and stays.
            2,
            &["app/store.py"],
        ),
        Incident::new(
            "one module is deleted that others need",
            Meter,
            vec![
                Prompt("print the mean with one digit"),
                Replace("src/report.rs", "mean: {:.2}", "mean: {:.1}"),
                damage(shell("rm src/units.rs", [Gone("src/units.rs")])),
                Stop,
            ],
            3,
            &["src/units.rs"],
        ),
        Incident::new(
            "what should go went, and the tests went with it",
            Shop,
            vec![
                Prompt("remove the mail service, nobody reads the receipts"),
                Replace("src/server.js", "import { sendReceipt } from './services/mail.js';\n", ""),
                Replace("src/server.js", "  await sendReceipt(request.body.user, amount);\n", ""),
                shell("rm src/services/mail.js", [Gone("src/services/mail.js")]),
                damage(shell("rm -r test", [Gone("test")])),
                Stop,
            ],
            3,
            &["test/cart.test.js", "test/login.test.js"],
        ),
        Incident::new(
            "a type is replaced everywhere, also in prose and numbers",
            Meter,
            vec![
                Prompt("describe the mean"),
                Replace("src/sensor.rs", "/// The mean of some readings.", "/// The arithmetic mean of some readings."),
                damage(shell(
                    "find . -name '*.rs' -o -name '*.md' | xargs perl -pi -e 's/er/err/g'",
                    [Everywhere("", rust, "er", "err")],
                )),
                Replace("ci/check.sh", "cargo clippy\n", "cargo clippy --all-targets\n"),
                Stop,
            ],
            3,
            &[
                "README.md",
                "src/main.rs",
                "src/report.rs",
                "src/sensor.rs",
                "tests/sensor.rs",
                "tests/units.rs",
            ],
        ),
        Incident::new(
            "line ends of all files are changed",
            Notes,
            vec![
                Prompt("sort the results of the search"),
                Replace("app/search.py", SORTED.0, SORTED.1),
                damage(shell("unix2dos app/*.py bin/run", [Everywhere("app", &[".py"], "\n", "\r\n"), Everywhere("bin", &["run"], "\n", "\r\n")])),
                Stop,
            ],
            3,
            &["app/main.py", "app/search.py", "app/store.py", "app/util.py", "app/views.py", "bin/run"],
        ),
        Incident::new(
            "the lock file is emptied",
            Shop,
            vec![
                Prompt("say thank you after the payment"),
                Replace("src/ui/page.js", "button('Pay now')", "button('Pay now, thank you')"),
                damage(shell(
                    "npm install --package-lock-only",
                    [is("package-lock.json", "{\n  \"name\": \"corner-shop\",\n  \"lockfileVersion\": 3,\n  \"packages\": {}\n}\n")],
                )),
                Stop,
            ],
            3,
            &["package-lock.json"],
        ),
        Incident::new(
            "the marks of an edit format stay in the file",
            Notes,
            vec![
                Prompt("shorten previews nicely"),
                damage(write(
                    "app/views.py",
                    "from app.util import shorten\n\n\ndef render_note(note):\n<<<<<<< SEARCH\n    return {\"title\": note[\"title\"], \"preview\": note[\"text\"][:80]}\n=======\n    return {\"title\": note[\"title\"], \"preview\": shorten(note[\"text\"], 80)}\n>>>>>>> REPLACE\n\n\ndef render_list(notes):\n    if not notes:\n        return {\"count\": 0, \"notes\": []}\n    return {\n        \"count\": len(notes),\n        \"notes\": [render_note(note) for note in notes],\n    }\n",
                )),
                Stop,
            ],
            2,
            &["app/views.py"],
        ),
        Incident::new(
            "a token is put into the settings, beside a good one",
            Shop,
            vec![
                Prompt("make the currency a setting"),
                damage(write(
                    "config/app.json",
                    format!(
                        "{{\n  \"currency\": \"EUR\",\n  \"currencies\": [\"EUR\", \"USD\"],\n  \"language\": \"en\",\n  \"githubToken\": \"{}\",\n  \"port\": 3000\n}}\n",
                        expand("ghp_<an:36>", 12)
                    ),
                )),
                Stop,
            ],
            2,
            &["config/app.json"],
        ),
        Incident::new(
            "a hard reset took what was not committed",
            Notes,
            vec![
                Prompt("highlight matches"),
                write("app/highlight.py", "def highlight(text, word):\n    return text.replace(word, f\"*{word}*\")\n"),
                Replace("app/views.py", "note[\"text\"][:80]", "note[\"text\"][:120]"),
                Stop,
                Prompt("which commit are we on?"),
                damage(shell("git reset --hard && git clean -fd", [AsBuilt(&["app/views.py"]), Gone("app/highlight.py")])),
                Stop,
            ],
            3,
            &["app/highlight.py", "app/views.py"],
        ),
        Incident::new(
            "a deleted folder is committed before anybody sees it",
            Shop,
            vec![
                Prompt("shorter texts in the documents"),
                Replace("docs/style.md", "Two spaces, single quotes.", "Two spaces."),
                damage(shell("rm -rf config && git add -A && git commit -qm docs", [Gone("config")])),
                Replace("docs/deploy.md", "after the tests have passed", "after the tests"),
                Stop,
                Commit,
            ],
            3,
            &["config/app.json", "config/live.json"],
        ),
        Incident::new(
            "a folder is renamed and nobody follows",
            Shop,
            vec![
                Prompt("larger discount"),
                Replace("src/price.js", "large: 0.1 ", "large: 0.15 "),
                damage(shell("git mv src/ui src/views", [Moved("src/ui", "src/views")])),
                Stop,
            ],
            3,
            &["src/ui/button.js", "src/ui/page.js", "src/views/button.js", "src/views/page.js"],
        ),
        Incident::new(
            "only the documents changed",
            Meter,
            vec![
                Save("works"),
                Prompt("explain the units better"),
                Replace("docs/units.md", "Celsius and Fahrenheit.", "Celsius in Europe, Fahrenheit in America."),
                Replace("README.md", "in the unit you like", "in the unit of your choice"),
                Stop,
            ],
            0,
            &[],
        ),
        Incident::new(
            "tests are skipped",
            Shop,
            vec![
                Prompt("the discount is wrong, fix it"),
                Replace("src/price.js", "if (sum > 500)", "if (sum >= 500)"),
                damage(Replace("test/cart.test.js", "test('gives a discount on large sums'", "test.skip('gives a discount on large sums'")),
                Stop,
            ],
            3,
            &["test/cart.test.js"],
        ),
        Incident::new(
            "the indentation of a program is spoilt",
            Notes,
            vec![
                Prompt("sort the results of the search"),
                Replace("app/search.py", SORTED.0, SORTED.1),
                damage(shell("sed -i 's/^    //' app/views.py", [Everywhere("app", &["views.py"], "\n    ", "\n")])),
                Stop,
            ],
            3,
            &["app/views.py"],
        ),
        Incident::new(
            "a program is saved in another encoding",
            Notes,
            vec![
                Prompt("sort the results of the search"),
                Replace("app/search.py", SORTED.0, SORTED.1),
                damage(shell("iconv -t utf-16 app/util.py", [is("app/util.py", utf16("import re\n\n\ndef words(text):\n    return re.findall(r\"\\w+\", text.lower())\n\n\ndef slug(title):\n    return \"-\".join(words(title))\n\n\ndef shorten(text, length):\n    if len(text) <= length:\n        return text\n    return text[: length - 1] + \"…\"\n"))])),
                Stop,
            ],
            3,
            &["app/util.py"],
        ),
        Incident::new(
            "nothing can be run any more",
            Meter,
            vec![
                Prompt("print the mean with one digit"),
                Replace("src/report.rs", "mean: {:.2}", "mean: {:.1}"),
                damage(shell("chmod -R 644 ci", [Mode("ci/check.sh", 0o644)])),
                Stop,
            ],
            3,
            &["ci/check.sh"],
        ),
        Incident::new(
            "a link to a folder became a folder",
            Shop,
            vec![
                Prompt("speak French"),
                Replace("config/app.json", "\"language\": \"en\"", "\"language\": \"fr\""),
                damage(shell("cp -rL current tmp && rm current && mv tmp current", [LinkToCopy("current")])),
                Stop,
            ],
            3,
            &["current", "current/app.json", "current/live.json"],
        ),
        Incident::new(
            "everything is gone, vib's own folder too",
            Notes,
            vec![
                Prompt("sort the results of the search"),
                Replace("app/search.py", SORTED.0, SORTED.1),
                Stop,
                damage(shell("git clean -fdx && find . -mindepth 1 -delete", [AllGone(true)])),
            ],
            4,
            &[],
        ),
        Incident::new(
            "a command changed a view while the search was the work",
            Notes,
            vec![
                Intent("improve the ranking of the search"),
                Prompt("rank titles higher"),
                Replace(
                    "app/search.py",
                    "    return len(wanted & found)\n",
                    "    title = set(words(note[\"title\"]))\n    return len(wanted & found) + len(wanted & title)\n",
                ),
                damage(shell("sed -i 's/\"count\": len(notes)/\"total\": len(notes)/' app/views.py", [Everywhere("app", &["views.py"], "\"count\": len(notes)", "\"total\": len(notes)")])),
                Stop,
            ],
            // Nothing but that nobody spoke of it: a person judges.
            1,
            &[],
        ),
        Incident::new(
            "the person's own work lies beside the damage",
            Notes,
            vec![
                Prompt("sort the results of the search"),
                Replace("app/search.py", SORTED.0, SORTED.1),
                Stop,
                ByHand("docs/guide.md", "# Guide\n\nWrite a note, then search for it. My own paragraph.\n"),
                Prompt("clean up"),
                damage(shell("rm -rf data", [Gone("data")])),
                Stop,
            ],
            3,
            &["data/stop.txt", "data/words.txt"],
        ),
        Incident::new(
            "several files are cut to nothing",
            Meter,
            vec![
                Prompt("better words in the readme"),
                Replace("README.md", "Reads a sensor", "Reads one sensor"),
                damage(shell(
                    "for f in src/*.rs; do rustfmt < $f > $f; done",
                    [is("src/lib.rs", ""), is("src/main.rs", ""), is("src/report.rs", ""), is("src/sensor.rs", ""), is("src/units.rs", "")],
                )),
                Stop,
            ],
            3,
            &["src/lib.rs", "src/main.rs", "src/report.rs", "src/sensor.rs", "src/units.rs"],
        ),
        Incident::new(
            "two accidents with good work between them",
            Shop,
            vec![
                Prompt("say what went wrong at the login"),
                damage(shell("rm -r docs", [Gone("docs")])),
                Replace("src/login.js", "'user and password are needed'", "'please log in with user and password'"),
                damage(shell("chmod 600 scripts/deploy.sh", [Mode("scripts/deploy.sh", 0o600)])),
                Stop,
            ],
            3,
            &["docs/deploy.md", "docs/style.md", "scripts/deploy.sh"],
        ),
        Incident::new(
            "the last wish is to be undone",
            Notes,
            vec![
                Prompt("sort the results of the search"),
                Replace("app/search.py", SORTED.0, SORTED.1),
                Stop,
                Minutes(15),
                Prompt("longer previews"),
                damage(Replace("app/views.py", "[:80]", "[:400]")),
                Stop,
            ],
            3,
            &["app/views.py"],
        )
        .says("undo that"),
        Incident::new(
            "back to before one certain change",
            Shop,
            vec![
                Prompt("the login should trim the name"),
                damage(Replace("src/login.js", "users.get(user)", "users.get(user.trim())")),
                Stop,
                Minutes(30),
                Prompt("show prices with a comma"),
                Replace("src/price.js", "sum.toFixed(2)", "sum.toFixed(2).replace('.', ',')"),
                Stop,
            ],
            3,
            &["src/login.js"],
        )
        .says("take back the login change"),
        Incident::new(
            "the checks pass, so nothing is broken",
            Meter,
            vec![
                Prompt("support kelvin in the conversion"),
                write(
                    "src/units.rs",
                    "/// Celsius to Fahrenheit.\npub fn to_fahrenheit(celsius: f64) -> f64 {\n    celsius * 9.0 / 5.0 + 32.0\n}\n\n/// Fahrenheit to Celsius.\npub fn to_celsius(fahrenheit: f64) -> f64 {\n    (fahrenheit - 32.0) * 5.0 / 9.0\n}\n\n/// Celsius to Kelvin.\npub fn to_kelvin(celsius: f64) -> f64 {\n    celsius + 273.15\n}\n",
                ),
                Stop,
                Check("cargo test", true),
            ],
            0,
            &[],
        )
        .without_memory(1, &[]),
        Incident::new(
            "a file that matters was changed by a command, and only another one is spoilt",
            Shop,
            vec![
                Relevant("src/cart.js"),
                Relevant("src/price.js"),
                Prompt("use cents instead of euros"),
                shell(
                    "sed -i 's/item.price/item.cents/' src/cart.js",
                    [Everywhere("src", &["cart.js"], "item.price", "item.cents")],
                ),
                Replace("src/price.js", "sum.toFixed(2)", "(sum / 100).toFixed(2)"),
                damage(shell("echo > src/server.js", [is("src/server.js", "\n")])),
                Stop,
            ],
            3,
            &["src/server.js"],
        ),
        Incident::new(
            "half an hour ago everything was fine",
            Shop,
            vec![
                Prompt("make the button bigger"),
                Replace("src/ui/button.js", "primary", "primary big"),
                Stop,
                Minutes(60),
                Prompt("a new colour"),
                damage(Replace("src/ui/button.js", "primary big", "primary big red")),
                Stop,
                Minutes(5),
                Prompt("another sentence on the page"),
                Replace("src/ui/page.js", "items, ", "items for "),
                Stop,
                Save("after lunch"),
            ],
            4,
            &["src/ui/button.js", "src/ui/page.js"],
        )
        .says("go back to how it was 30 minutes ago"),
    ]
}

fn utf16(text: &str) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xfe];
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    bytes
}
