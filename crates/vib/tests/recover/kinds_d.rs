//! Kinds that another stranger brought: one command that damages several files, and what comes after a going back. The truth of those in
//! other projects was written before they were played.

use super::base::Base::{Meter, Notes, Shop};
use super::incident::Act::{
    self, Check, HandDoes, HandEdit, Mark, Prompt, Recover, Replace, Save, Stop, Undo,
};
use super::incident::Effect::{Changed, Gone};
use super::incident::{Effect, is, shell, write};
use super::story::Back::{At, Is};
use super::story::{Story, Want};

const CART: &str = "function total(items) {\n  let sum = 0;\n  for (const i of items) sum += i.price * i.n;\n  return sum;\n}\nmodule.exports = { total };\n";
const TEST: &str = "const { total } = require('./cart');\nrequire('assert').strictEqual(total([{price:2,n:3}]), 6);\nconsole.log('1 passed');\n";

/// These files are there from the beginning, then the rest happens.
fn with(files: Vec<Effect>, acts: Vec<Act>) -> Vec<Act> {
    let mut all = vec![HandDoes(files), Save("start"), Mark("start")];
    all.extend(acts);
    all
}

fn shop() -> Vec<Effect> {
    let logo: Vec<u8> = (0..=255).cycle().take(900).collect();
    vec![is("cart.js", CART), is("test.js", TEST), is("img/logo.png", logo), is("memo.txt", "memo\n")]
}

/// Good work on the cart, then one command that spoils four files.
fn cleaned_up(request: &'static str, more: Vec<Act>) -> Vec<Act> {
    let mut acts = vec![
        Prompt("add a discount to the cart"),
        Replace("cart.js", "return sum;", "return sum * (1 - (arguments[1]||0));"),
        Check("npm test", true),
        Stop,
        Mark("good"),
        Prompt(request),
        shell(
            "sed -i 's/price/prcie/' cart.js; : > test.js; rm -r img memo.txt",
            [Changed("cart.js", "i.price", "i.prcie"), is("test.js", ""), Gone("img"), Gone("memo.txt")],
        ),
        Stop,
    ];
    acts.extend(more);
    with(shop(), acts)
}

pub(crate) fn stories() -> Vec<Story> {
    let mut all = Vec::new();
    one_command(&mut all);
    after_a_recovery(&mut all);
    all
}

fn one_command(all: &mut Vec<Story>) {
    let kind = "35 one command, several files";
    let back = ["cart.js", "test.js", "img/logo.png", "memo.txt"];
    let everything = || Want::Tree(back.iter().map(|&path| At(path, "good")).collect());
    let clean = "clean up the project please";
    all.push(
        Story::new(kind, "an earlier request excuses nothing", Shop, cleaned_up(clean, vec![]), everything())
            .without_git(),
    );
    all.push(
        Story::new(kind, "in Korean", Shop, cleaned_up("프로젝트 좀 정돈해 줘", vec![]), everything())
            .says("망가졌어"),
    );
    // A part of it was asked for: then only what is clearly lost, and the rest is said.
    let want = Want::Tree(vec![At("test.js", "good")]);
    let acts = cleaned_up("remove the img folder and the memo", vec![]);
    all.push(Story::new(kind, "a part of it was asked for", Shop, acts, want));
}

fn after_a_recovery(all: &mut Vec<Story>) {
    let kind = "36 after a recovery";
    let clean = "clean up the project please";
    let one_by_one = vec![
        Recover("restore test.js"),
        Recover("restore memo.txt"),
        Recover("restore img/logo.png"),
        Check("npm test", false),
    ];
    let want = || Want::Tree(vec![At("cart.js", "good")]);
    let acts = cleaned_up(clean, one_by_one.clone());
    all.push(
        Story::new(kind, "the rest of the command is still there", Shop, acts, want()).says("still broken"),
    );
    let acts = cleaned_up(clean, one_by_one[..3].to_vec());
    all.push(Story::new(kind, "the same without a check", Shop, acts, want()).says("still broken"));
    // The check had passed while the test was empty.
    let mut passed = vec![Check("npm test", true)];
    passed.extend(one_by_one);
    let acts = cleaned_up(clean, passed);
    all.push(Story::new(kind, "the empty test had passed", Shop, acts, want()).says("it is still broken"));

    // The other damage was an edit: nobody can say that it was unasked, and the check tells.
    let edited = |more: Vec<Act>| {
        let mut acts = vec![
            Check("npm test", true),
            Prompt("give the cart a nicer name for its sum"),
            Replace("cart.js", "i.price", "i.prcie"),
            shell("node tools/gen.js", [is("test.js", "")]),
            Stop,
        ];
        acts.extend(more);
        with(shop(), acts)
    };
    for (name, more) in [
        ("vib's own step is not to be mended", vec![Recover("it broke"), Check("npm test", false)]),
        (
            "the same after an empty test had passed",
            vec![Check("npm test", true), Recover("it broke"), Check("npm test", false)],
        ),
    ] {
        all.push(
            Story::new(kind, name, Shop, edited(more), Want::Mend(vec!["cart.js"])).says("still broken"),
        );
    }

    // A second accident: what was done between is kept, and the first one is not looked for again.
    let acts = with(
        shop(),
        vec![
            Prompt("write down what the cart does"),
            shell("node tools/doc.js", [is("test.js", "")]),
            Stop,
            Recover("it broke"),
            Prompt("test that an empty cart costs nothing"),
            Replace("test.js", "console.log(", "require('assert').strictEqual(total([]), 0);\nconsole.log("),
            Stop,
            Mark("better"),
            Prompt("make the page wider"),
            shell("node tools/wide.js", [is("test.js", ""), Gone("memo.txt")]),
            Stop,
        ],
    );
    let want = Want::Tree(vec![At("test.js", "better"), At("memo.txt", "better")]);
    all.push(Story::new(kind, "a second accident", Shop, acts, want));

    // It was taken back, and somebody works on.
    let acts = with(
        shop(),
        vec![
            Prompt("round the sum of the cart"),
            Replace("cart.js", "return sum;", "return Math.round(sum);"),
            Stop,
            Prompt("show the memo on the page"),
            shell("git stash", [is("cart.js", CART)]),
            Stop,
            Recover("it broke"),
            HandEdit("cart.js", "let sum = 0;", "let sum = 0; // in cents"),
        ],
    );
    all.push(Story::new(kind, "the damage is gone, and work goes on", Shop, acts, Want::Nothing));
    let acts = with(
        shop(),
        vec![
            Prompt("write the memo anew"),
            shell("node tools/memo.js", [is("memo.txt", "")]),
            Stop,
            Undo,
            HandEdit("memo.txt", "memo", "memo for Monday"),
        ],
    );
    all.push(Story::new(kind, "undone, and work goes on", Shop, acts, Want::Nothing));
}

const INVOICE: &str = "from billing.tax import rate\n\n\ndef total(lines):\n    net = sum(line.net for line in lines)\n    return net + net * rate()\n";
const TAX: &str = "RATES = {'de': 0.19, 'fr': 0.2}\n\n\ndef rate(country='de'):\n    return RATES[country]\n";
const LIMITS: &str = "package config\n\n// Requests in a second.\nconst Rate = 50\n\n// Bytes of an upload.\nconst Upload = 1 << 20\n";
const MAIN_GO: &str =
    "package main\n\nimport \"net/http\"\n\nfunc main() {\n\thttp.ListenAndServe(\":8080\", routes())\n}\n";
const CONFIG: &str = "port: 8080\nhost: 0.0.0.0\nlog:\n  level: info\n  file: app.log\nmail:\n  from: shop@example.org\n  server: smtp.example.org\ncache:\n  minutes: 15\nlimits:\n  upload: 20\n";

pub(crate) fn in_other_projects() -> Vec<Story> {
    let kind = "37 other projects";
    let mut all = Vec::new();
    let mut add = |name: &str, base, acts, want: Want, words: &str| {
        all.push(Story::new(kind, name, base, acts, want).says(words));
    };

    let acts = with(
        vec![is("billing/invoice.py", INVOICE), is("billing/tax.py", TAX)],
        vec![
            Prompt("let the invoice say its currency"),
            Replace("billing/invoice.py", "def total", "CURRENCY = 'EUR'\n\n\ndef total"),
            Stop,
            Mark("good"),
            Prompt("make the start page load faster"),
            shell(
                "python3 tools/trim.py",
                [is("billing/tax.py", ""), Changed("billing/invoice.py", "net + net * rate()", "net + net")],
            ),
            Stop,
        ],
    );
    let want = Want::Tree(vec![At("billing/invoice.py", "good"), At("billing/tax.py", "good")]);
    add("python: two requests in a row", Notes, acts, want, "it broke");

    let acts = with(
        vec![is("main.go", MAIN_GO), is("config/limits.go", LIMITS)],
        vec![
            Prompt("log every request"),
            Replace("main.go", "routes()", "logged(routes())"),
            Stop,
            HandEdit("config/limits.go", "Rate = 50", "Rate = 80"),
            Mark("good"),
            Prompt("speed up the tests"),
            shell("go generate ./...", [is("config/limits.go", ""), Changed("main.go", ":8080", ":80")]),
            Stop,
        ],
    );
    let want = Want::Tree(vec![At("main.go", "good"), At("config/limits.go", "good")]);
    add("go: a person's edit between", Meter, acts, want, "everything is broken");

    let acts = with(
        vec![
            is("site/style.css", "header {\n  color: white;\n}\n"),
            is("site/about.html", "<h1>About</h1>\n<p>We are three people.</p>\n"),
            is("site/img/team.jpg", (0..=255_u8).collect::<Vec<u8>>()),
        ],
        vec![
            Prompt("make the header blue"),
            shell(
                "sh blue.sh",
                [Changed("site/style.css", "white", "blue"), is("site/about.html", ""), Gone("site/img")],
            ),
            Stop,
        ],
    );
    let want = Want::Tree(vec![At("site/about.html", "start"), At("site/img/team.jpg", "start")]);
    all_without_git(&mut all, kind, "a site without git", acts, want);
    let mut add = |name: &str, base, acts, want: Want, words: &str| {
        all.push(Story::new(kind, name, base, acts, want).says(words));
    };

    let acts = with(
        vec![
            is("packages/api/schema.sql", "create table users (id int, name text);\n"),
            is("packages/web/index.html", "<title>Shop</title>\n"),
        ],
        vec![
            Prompt("add a search to the web package"),
            write(
                "packages/web/search.js",
                "export const search = (all, word) => all.filter((one) => one.includes(word));\n",
            ),
            shell("rm packages/api/schema.sql", [Gone("packages/api/schema.sql")]),
            Stop,
            Prompt("change the title of the page to Corner Shop"),
            Replace("packages/web/index.html", "Shop", "Corner Shop"),
            Stop,
            Prompt("add a favicon"),
            write("packages/web/favicon.svg", "<svg/>\n"),
            Stop,
        ],
    );
    let want = Want::Tree(vec![At("packages/api/schema.sql", "start")]);
    add("monorepo: damage two requests ago", Shop, acts, want, "it broke");

    let acts = with(
        vec![
            is("rates/source.py", "def get_rate(code):\n    return TABLE[code]\n\n\nTABLE = {'eur': 1.0}\n"),
            is(
                "rates/report.py",
                "from rates.source import get_rate\n\n\ndef line(code):\n    return f'{code}: {get_rate(code)}'\n",
            ),
        ],
        vec![
            Prompt("rename get_rate to fetch_rate"),
            Replace("rates/source.py", "def get_rate", "def fetch_rate"),
            Stop,
        ],
    );
    let report = "from rates.source import fetch_rate\n\n\ndef line(code):\n    return f'{code}: {fetch_rate(code)}'\n";
    let want = Want::Tree(vec![Is("rates/report.py", report.to_owned())]);
    all.push(Story::new("37 half a rename elsewhere", "half a rename", Notes, acts, want).says("it broke"));
    let mut add = |name: &str, base, acts, want: Want, words: &str| {
        all.push(Story::new(kind, name, base, acts, want).says(words));
    };

    let acts = with(
        vec![
            is("ui/a.js", "export function a() {\nreturn 1;\n}\n"),
            is("ui/b.js", "export function b() {\nreturn 2;\n}\n"),
            is("ui/c.js", "export function c() {\nreturn 3;\n}\n"),
            is("ui/settings.json", "{\n  \"theme\": \"dark\",\n  \"size\": 12\n}\n"),
        ],
        vec![
            Prompt("format the code of the ui"),
            shell(
                "npx prettier --write ui",
                [
                    is("ui/a.js", "export function a() {\n  return 1;\n}\n"),
                    is("ui/b.js", "export function b() {\n  return 2;\n}\n"),
                    is("ui/c.js", "export function c() {\n  return 3;\n}\n"),
                    is("ui/settings.json", ""),
                ],
            ),
            Stop,
        ],
    );
    add("a formatter and damage", Shop, acts, Want::Tree(vec![At("ui/settings.json", "start")]), "it broke");

    let acts = with(
        vec![is("config.yaml", CONFIG)],
        vec![Prompt("set the port to 9000"), write("config.yaml", "port: 9000\n"), Stop],
    );
    let want = Want::Tree(vec![Is("config.yaml", CONFIG.replace("8080", "9000"))]);
    add("a config emptied", Notes, acts, want, "my settings are gone");

    let acts = with(
        vec![is("billing/invoice.py", INVOICE), is("billing/tax.py", TAX)],
        vec![
            Prompt("sort the imports"),
            shell("python3 tools/sort.py", [is("billing/tax.py", "")]),
            Stop,
            Recover("it broke"),
            Prompt("add the rate of Italy to the taxes"),
            Replace("billing/tax.py", "'fr': 0.2", "'fr': 0.2, 'it': 0.22"),
            Stop,
            Mark("good"),
            Prompt("now sort the imports again"),
            shell("python3 tools/sort.py", [is("billing/tax.py", ""), is("billing/invoice.py", "")]),
            Stop,
        ],
    );
    let want = Want::Tree(vec![At("billing/tax.py", "good"), At("billing/invoice.py", "good")]);
    add("a recovery, then a second accident", Notes, acts, want, "it broke again");

    let acts = with(
        vec![is("billing/invoice.py", INVOICE), is("billing/tax.py", TAX)],
        vec![
            Check("pytest", true),
            Prompt("use the net price twice in the invoice"),
            Replace("billing/invoice.py", "net + net * rate()", "net + net * rates()"),
            Stop,
            Prompt("add the rate of Italy"),
            Replace("billing/tax.py", "'fr': 0.2", "'fr': 0.2, 'it': 0.22"),
            Stop,
            Undo,
            Check("pytest", false),
        ],
    );
    add(
        "undone, and the check still fails",
        Notes,
        acts,
        Want::Mend(vec!["billing/invoice.py"]),
        "still broken",
    );
    all
}

fn all_without_git(all: &mut Vec<Story>, kind: &'static str, name: &str, acts: Vec<Act>, want: Want) {
    all.push(Story::new(kind, name, Shop, acts, want).without_git().asked(&["site/style.css"]));
}

/// What no look at the tree sees, and is saved by name before a command takes it away.
pub(crate) fn ignored_data() -> Vec<Story> {
    let acts = with(
        vec![is(".gitignore", "data/\nbuild/\n"), is("data/notes.csv", "id,text\n1,milk\n2,bread\n")],
        vec![Prompt("clean the build folder"), shell("rm -rf build data", [Gone("data")]), Stop],
    );
    // The same command took the rest of the folder.
    let want = Want::Tree(vec![At("data", "start")]);
    vec![Story::new("38 ignored data", "ignored data", Notes, acts, want).says("my notes are gone")]
}
