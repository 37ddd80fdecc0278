//! Still more incidents, written last: without any hooks, over several turns, with words about moments.

use super::base::Base::{Meter, Notes, Shop};
use super::incident::Act::{Check, Minutes, Prompt, Replace, Save, Silently, Stop};
use super::incident::Effect::{Everywhere, Gone, Mode};
use super::incident::{Incident, damage, is, shell, write};

const FAST_CART: &str = "import { applyDiscount } from './price.js';\n\nexport function total(items) {\n  return applyDiscount(items.reduce((sum, item) => sum + item.price * item.count, 0));\n}\n\nexport function countItems(items) {\n  return items.reduce((count, item) => count + item.count, 0);\n}\n";

pub(crate) fn incidents() -> Vec<Incident> {
    let js: &[&str] = &[".js"];
    let py: &[&str] = &[".py"];
    vec![
        Incident::new(
            "without hooks: a folder is gone beside good work",
            Shop,
            vec![
                Save("works"),
                Silently(vec![is("src/cart.js", FAST_CART)]),
                damage(Silently(vec![Gone("src/services")])),
            ],
            3,
            &["src/services/mail.js", "src/services/pay.js"],
        ),
        Incident::new(
            "without hooks: a word is replaced in many files",
            Shop,
            vec![
                Save("works"),
                Silently(vec![is(
                    "README.md",
                    "# Corner shop\n\nA small shop: a page, a cart, a checkout and a log.\n",
                )]),
                damage(Silently(vec![
                    Everywhere("src", js, "item", "itm"),
                    Everywhere("test", js, "item", "itm"),
                ])),
            ],
            3,
            &["src/cart.js", "src/generated/api.js", "src/server.js", "src/ui/page.js", "test/cart.test.js"],
        ),
        Incident::new(
            "without hooks: white space everywhere, and one real change",
            Notes,
            vec![
                Save("works"),
                Silently(vec![is(
                    "app/views.py",
                    "def render_note(note):\n    return {\"title\": note[\"title\"], \"preview\": note[\"text\"][:120]}\n\n\ndef render_list(notes):\n    return {\"count\": len(notes), \"notes\": [render_note(note) for note in notes]}\n",
                )]),
                damage(Silently(vec![Everywhere(
                    "app",
                    &["main.py", "store.py", "search.py", "util.py"],
                    "\n    ",
                    "\n  ",
                )])),
            ],
            3,
            &["app/main.py", "app/search.py", "app/store.py", "app/util.py"],
        ),
        Incident::new(
            "without hooks: an empty file and a new one",
            Notes,
            vec![
                Save("works"),
                Silently(vec![is("app/tags.py", "def tags(note):\n    return note.get(\"tags\", [])\n")]),
                damage(Silently(vec![is("app/store.py", "")])),
            ],
            3,
            &["app/store.py"],
        ),
        Incident::new(
            "the third turn deletes what the first one made",
            Notes,
            vec![
                Prompt("add tags to notes"),
                write("app/tags.py", "def tags(note):\n    return note.get(\"tags\", [])\n"),
                Replace("app/views.py", "def render_note", "from app.tags import tags\n\n\ndef render_note"),
                Stop,
                Prompt("longer previews"),
                Replace("app/views.py", "[:80]", "[:120]"),
                Stop,
                Prompt("speed up the search"),
                Replace(
                    "app/search.py",
                    "    wanted = set(words(query))\n",
                    "    wanted = frozenset(words(query))\n",
                ),
                damage(shell("rm -f app/t*.py tests/test_s*.py", [Gone("app/tags.py"), Gone("tests")])),
                Stop,
            ],
            3,
            &["app/tags.py", "tests/test_search.py", "tests/test_store.py"],
        ),
        Incident::new(
            "letters of several files are spoilt",
            Notes,
            vec![
                Prompt("longer previews"),
                Replace("app/views.py", "[:80]", "[:120]"),
                damage(shell(
                    "recode latin1..utf8 data/words.txt app/util.py",
                    [
                        Everywhere("data", &["words.txt"], "é", "\u{fffd}"),
                        Everywhere("app", &["util.py"], "…", "\u{fffd}\u{fffd}"),
                    ],
                )),
                Stop,
            ],
            3,
            &["app/util.py", "data/words.txt"],
        ),
        Incident::new(
            "a large change that is whole",
            Meter,
            vec![
                Prompt("rename read_sensor to sample and mean to average"),
                Replace("src/sensor.rs", "pub fn read_sensor(", "pub fn sample("),
                Replace("src/sensor.rs", "pub fn mean(", "pub fn average("),
                Replace("src/main.rs", "use meter::sensor::read_sensor;", "use meter::sensor::sample;"),
                Replace("src/main.rs", ".map(read_sensor)", ".map(sample)"),
                Replace("src/report.rs", "{mean, read_sensor}", "{average, sample}"),
                Replace("src/report.rs", "mean(samples));", "average(samples));"),
                Replace("src/report.rs", "read_sensor(0)", "sample(0)"),
                Replace("tests/sensor.rs", "{mean, read_sensor}", "{average, sample}"),
                Replace("tests/sensor.rs", "&read_sensor(number)", "&sample(number)"),
                Replace("tests/sensor.rs", "mean(&[])", "average(&[])"),
                Stop,
            ],
            1,
            &[],
        ),
        Incident::new(
            "newer libraries, as asked",
            Shop,
            vec![
                Prompt("update the dependencies"),
                shell(
                    "npm update",
                    [
                        Everywhere("", &["package.json"], "^5.1.0", "^5.2.0"),
                        Everywhere("", &["package-lock.json"], "5.1.0", "5.2.0"),
                    ],
                ),
                Stop,
            ],
            1,
            &[],
        ),
        Incident::new(
            "a rebase stopped half-way in three files",
            Notes,
            vec![
                Prompt("rebase on the newest version"),
                damage(shell(
                    "git rebase origin/main",
                    [
                        Everywhere(
                            "app",
                            py,
                            "    return render_list(store.all())",
                            "<<<<<<< HEAD\n    return render_list(store.all())\n=======\n    return render_list(store.sorted())\n>>>>>>> newest",
                        ),
                        Everywhere(
                            "app",
                            py,
                            "    return len(wanted & found)",
                            "<<<<<<< HEAD\n    return len(wanted & found)\n=======\n    return len(wanted | found)\n>>>>>>> newest",
                        ),
                    ],
                )),
                Stop,
            ],
            2,
            &["app/main.py", "app/search.py"],
        ),
        Incident::new(
            "an hour ago it worked, and only one file is lost since",
            Meter,
            vec![
                Prompt("better words in the readme"),
                Replace("README.md", "Reads a sensor", "Reads one sensor"),
                Stop,
                Minutes(90),
                Prompt("print the mean with one digit"),
                Replace("src/report.rs", "mean: {:.2}", "mean: {:.1}"),
                damage(shell("rm -f src/units.rs", [Gone("src/units.rs")])),
                Stop,
            ],
            3,
            &["src/units.rs"],
        )
        .says("an hour ago it worked"),
        Incident::new(
            "the change of the login is to go, said in Korean",
            Shop,
            vec![
                Prompt("로그인 화면을 고쳐 줘"),
                damage(Replace("src/login.js", "users.get(user)", "users.get(user.trim())")),
                Stop,
                Minutes(10),
                Prompt("가격을 쉼표로 보여 줘"),
                Replace("src/price.js", "sum.toFixed(2)", "sum.toFixed(2).replace('.', ',')"),
                Stop,
            ],
            3,
            &["src/login.js"],
        )
        .says("로그인 변경을 되돌려 줘"),
        Incident::new(
            "a check fails though nothing changed",
            Meter,
            vec![Save("works"), Check("cargo test", false)],
            1,
            &[],
        )
        .without_memory(0, &[]),
        Incident::new(
            "permissions and a folder, in two turns",
            Shop,
            vec![
                Prompt("larger discount"),
                Replace("src/price.js", "large: 0.1 ", "large: 0.15 "),
                damage(shell(
                    "chmod -R go-rwx,u-x scripts",
                    [Mode("scripts/backup.sh", 0o600), Mode("scripts/deploy.sh", 0o600)],
                )),
                Stop,
                Prompt("nicer button"),
                Replace("src/ui/button.js", "primary", "primary round"),
                damage(shell("rm -rf config", [Gone("config")])),
                Stop,
            ],
            3,
            &["config/app.json", "config/live.json", "scripts/backup.sh", "scripts/deploy.sh"],
        ),
    ]
}
