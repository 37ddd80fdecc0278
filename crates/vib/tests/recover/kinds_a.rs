//! The first fifteen kinds: written before the code, and then used to get it right.

use super::base::Base::{Meter, Notes, Shop};
use super::incident::Act::{self, HandDoes, HandEdit, Mark, Minutes, Prompt, Replace, Session, Stop, Sub};
use super::incident::Effect::{Changed, Everywhere, Git, Gone, Many, Moved};
use super::incident::{is, shell, write};
use super::story::Back::{All, At, Is};
use super::story::{Back, Story, Want};

const NOTHING: Want = Want::Nothing;

#[expect(clippy::needless_pass_by_value, reason = "lists of the stories are written in place")]
fn tree<const N: usize>(back: [Back; N]) -> Want {
    Want::Tree(back.to_vec())
}

const CART: &str = "import { applyDiscount } from './price.js';\n\nexport function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price * item.count;\n  }\n  return applyDiscount(sum);\n}\n\nexport function countItems(items) {\n  let count = 0;\n  for (const item of items) {\n    count += item.count;\n  }\n  return count;\n}\n";
const FAST_CART: &str = "import { applyDiscount } from './price.js';\n\nexport function total(items) {\n  const sum = items.reduce((all, item) => all + item.price * item.count, 0);\n  return applyDiscount(sum);\n}\n\nexport function countItems(items) {\n  let count = 0;\n  for (const item of items) {\n    count += item.count;\n  }\n  return count;\n}\n";
const COUNT_ITEMS: &str = "\nexport function countItems(items) {\n  let count = 0;\n  for (const item of items) {\n    count += item.count;\n  }\n  return count;\n}\n";
const IS_EMPTY: &str = "\nexport function isEmpty(items) {\n  return items.length === 0;\n}\n";
const UTIL: &str = "import re\n\n\ndef words(text):\n    return re.findall(r\"\\w+\", text.lower())\n\n\ndef slug(title):\n    return \"-\".join(words(title))\n\n\ndef shorten(text, length):\n    if len(text) <= length:\n        return text\n    return text[: length - 1] + \"…\"\n";
const UNITS: &str = "/// Celsius to Fahrenheit.\npub fn to_fahrenheit(celsius: f64) -> f64 {\n    celsius * 9.0 / 5.0 + 32.0\n}\n\n/// Fahrenheit to Celsius.\npub fn to_celsius(fahrenheit: f64) -> f64 {\n    (fahrenheit - 32.0) * 5.0 / 9.0\n}\n";

pub(crate) fn stories() -> Vec<Story> {
    let mut all = Vec::new();
    stale_writes(&mut all);
    git_discards(&mut all);
    asked_for(&mut all);
    old_damage(&mut all);
    drift(&mut all);
    day_one(&mut all);
    keep_and_undo(&mut all);
    moments(&mut all);
    not_renamed(&mut all);
    half_renames(&mut all);
    lost_beside_good(&mut all);
    later_work(&mut all);
    junk(&mut all);
    sub_agents(&mut all);
    all_is_well(&mut all);
    all
}

fn stale_writes(all: &mut Vec<Story>) {
    let kind = "01 stale write over typing";
    all.push(Story::new(
        kind,
        "a function typed while the agent worked",
        Shop,
        vec![
            Prompt("make the cart total faster"),
            HandEdit(
                "src/cart.js",
                COUNT_ITEMS,
                &*Box::leak(format!("{COUNT_ITEMS}{IS_EMPTY}").into_boxed_str()),
            ),
            write("src/cart.js", FAST_CART),
            Stop,
        ],
        tree([Is("src/cart.js", format!("{FAST_CART}{IS_EMPTY}"))]),
    ));
    let typed = UTIL.replace("import re\n", "import re\n\nLIMIT = 120\n");
    let agents = UTIL.replace("\"-\".join(words(title))", "\"-\".join(words(title))[:60]");
    all.push(Story::new(
        kind,
        "a constant typed between two turns",
        Notes,
        vec![
            Prompt("look at the helpers"),
            Replace("app/views.py", "[:80]", "[:90]"),
            Stop,
            Act::ByHand("app/util.py", Box::leak(typed.into_boxed_str())),
            Prompt("limit the length of a slug"),
            write("app/util.py", agents.clone()),
            Stop,
        ],
        tree([Is("app/util.py", agents.replace("import re\n", "import re\n\nLIMIT = 120\n"))]),
    ));
    let agents = format!(
        "{UNITS}\n/// Celsius to Kelvin.\npub fn to_kelvin(celsius: f64) -> f64 {{\n    celsius + 273.15\n}}\n"
    );
    all.push(Story::new(
        kind,
        "a comment typed while the agent worked",
        Meter,
        vec![
            Prompt("add kelvin to the units"),
            HandEdit(
                "src/units.rs",
                "/// Celsius to Fahrenheit.\n",
                "//! Every unit of the meter, checked by Kim.\n\n/// Celsius to Fahrenheit.\n",
            ),
            write("src/units.rs", agents.clone()),
            Stop,
        ],
        tree([Is("src/units.rs", format!("//! Every unit of the meter, checked by Kim.\n\n{agents}"))]),
    ));
    let readme = "# Corner shop\n\nA small shop: a page, a cart, a checkout.\n\nStart it with `npm start`.\n";
    all.push(Story::new(
        kind,
        "a paragraph typed into the readme",
        Shop,
        vec![
            Prompt("mention the tests in the readme"),
            HandEdit("README.md", "a checkout.\n", "a checkout.\n\nAsk Kim before you deploy on a Friday.\n"),
            write("README.md", format!("{readme}\nTest it with `npm test`.\n")),
            Stop,
        ],
        tree([Is(
            "README.md",
            "# Corner shop\n\nA small shop: a page, a cart, a checkout.\n\nAsk Kim before you deploy on a Friday.\n\nStart it with `npm start`.\n\nTest it with `npm test`.\n".to_owned(),
        )]),
    ));
    all.push(Story::new(
        kind,
        "only the typing was lost",
        Shop,
        vec![
            Prompt("check whether the discount is right"),
            HandEdit("src/price.js", "large: 0.1 }", "large: 0.15 }"),
            Mark("typed"),
            shell("node scripts/reset.js", [Changed("src/price.js", "large: 0.15 }", "large: 0.1 }")]),
            Stop,
        ],
        tree([At("src/price.js", "typed")]),
    ));
}

fn git_discards(all: &mut Vec<Story>) {
    let kind = "02 git threw work away";
    let typed = || {
        HandEdit(
            "src/login.js",
            "'user and password are needed'",
            "'please sign in with your name and password'",
        )
    };
    let cases: [(&str, &'static str, Vec<super::incident::Effect>); 6] = [
        ("checkout .", "git checkout .", vec![Git(&["checkout", "-q", "."])]),
        ("restore", "git restore src/login.js", vec![Git(&["restore", "src/login.js"])]),
        ("reset --hard", "git reset --hard", vec![Git(&["reset", "-q", "--hard"])]),
        ("stash", "git stash && npm test", vec![Git(&["stash", "-q"])]),
        (
            "checkout -- file",
            "git checkout HEAD -- src/login.js",
            vec![Git(&["checkout", "-q", "HEAD", "--", "src/login.js"])],
        ),
        ("checkout -f", "cd . && git checkout -f main", vec![Git(&["checkout", "-q", "-f", "HEAD"])]),
    ];
    for (name, command, effects) in cases {
        all.push(
            Story::new(
                kind,
                format!("work from before the first checkpoint: {name}"),
                Shop,
                vec![
                    typed(),
                    Mark("typed"),
                    Session("s-1"),
                    Prompt("why does the build fail?"),
                    Act::Shell(command, effects),
                    Stop,
                ],
                tree([At("src/login.js", "typed")]),
            )
            .without_hooks(),
        );
    }
    all.push(
        Story::new(
            kind,
            "clean -fd took new files",
            Shop,
            vec![
                Act::ByHand("src/wishlist.js", "export function wish(item) {\n  return [item];\n}\n"),
                Act::ByHand("notes/ideas.md", "# Ideas\n\nA wish list.\n"),
                Mark("typed"),
                Session("s-1"),
                Prompt("why does the build fail?"),
                shell("git clean -fd", [Git(&["clean", "-q", "-fd"])]),
                Stop,
            ],
            tree([At("src/wishlist.js", "typed"), At("notes/ideas.md", "typed")]),
        )
        .without_hooks(),
    );
    all.push(
        Story::new(
            kind,
            "the agent's own earlier work of the session went too",
            Shop,
            vec![
                typed(),
                Session("s-1"),
                Prompt("make the cart total faster"),
                write("src/cart.js", FAST_CART),
                Stop,
                Mark("typed"),
                Prompt("why does the build fail?"),
                shell("git checkout .", [Git(&["checkout", "-q", "."])]),
                Stop,
            ],
            tree([All("typed")]),
        )
        .without_hooks(),
    );
    all.push(
        Story::new(
            kind,
            "asked for: discard my changes to the login",
            Shop,
            vec![
                typed(),
                Session("s-1"),
                Prompt("discard my changes to the login page"),
                shell("git checkout -- src/login.js", [Git(&["checkout", "-q", "--", "src/login.js"])]),
                Stop,
            ],
            NOTHING,
        )
        .without_hooks(),
    );
}

fn asked_for(all: &mut Vec<Story>) {
    let kind = "03 asked-for deletion or rename";
    let no_mail = || {
        vec![
            Replace("src/server.js", "import { sendReceipt } from './services/mail.js';\n", ""),
            Replace("src/server.js", "  await sendReceipt(request.body.user, amount);\n", ""),
            shell("rm src/services/mail.js", [Gone("src/services/mail.js")]),
            Stop,
        ]
    };
    for (name, prompt) in [
        ("remove the mail service", "remove the mail service, we do not send receipts any more"),
        ("메일 서비스 삭제", "메일 서비스(mail)를 삭제해 줘"),
        ("不要邮件了", "把 mail 服务删掉"),
        ("we don't need receipts", "we don't need receipts by mail any more, get rid of that"),
    ] {
        let mut acts = vec![Prompt(prompt)];
        acts.extend(no_mail());
        all.push(Story::new(kind, name, Shop, acts, NOTHING).asked(&["src/services/mail.js"]));
    }
    all.push(Story::new(
        kind,
        "a file is renamed with all that import it",
        Shop,
        vec![
            Prompt("rename price.js to pricing.js"),
            shell("git mv src/price.js src/pricing.js", [Moved("src/price.js", "src/pricing.js")]),
            Replace("src/cart.js", "./price.js", "./pricing.js"),
            Replace("src/ui/page.js", "../price.js", "../pricing.js"),
            Stop,
        ],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "a function is renamed everywhere",
        Notes,
        vec![
            Prompt("call the function slug key_of instead"),
            Replace("app/util.py", "def slug(", "def key_of("),
            Replace("app/store.py", "import slug", "import key_of"),
            Replace("app/store.py", "slug(title)", "key_of(title)"),
            Stop,
        ],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "a whole folder goes, as asked",
        Notes,
        vec![Prompt("we do not need the docs folder, delete it"), shell("rm -r docs", [Gone("docs")]), Stop],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "one function goes, as asked",
        Notes,
        vec![
            Prompt("delete the unused shorten helper"),
            Replace("app/util.py", "\n\ndef shorten(text, length):\n    if len(text) <= length:\n        return text\n    return text[: length - 1] + \"…\"\n", ""),
            Stop,
        ],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "asked for one, took another with it",
        Shop,
        vec![
            Prompt("remove the backup script"),
            Mark("good"),
            shell("rm -rf scripts/backup.sh docs", [Gone("scripts/backup.sh"), Gone("docs")]),
            Stop,
        ],
        tree([At("docs", "good")]),
    ));
}

fn old_damage(all: &mut Vec<Story>) {
    let kind = "04 old damage";
    let day = 24 * 60;
    let harmless = || Replace("src/ui/button.js", "class=\"primary\"", "class=\"primary big\"");
    let lost = || write("src/price.js", "export function applyDiscount(sum) {\n  return sum;\n}\n");
    for (name, words) in [
        ("two days ago, named by path", "restore src/price.js"),
        ("two days ago, named by its name", "bring back price.js"),
        ("two days ago, it broke", "it broke"),
        ("two days ago, in Korean", "src/price.js 되돌려줘"),
    ] {
        all.push(
            Story::new(
                kind,
                name,
                Shop,
                vec![
                    Mark("good"),
                    Prompt("look at the discount"),
                    lost(),
                    Stop,
                    Minutes(2 * day),
                    Session("s-2"),
                    Prompt("make the button bigger"),
                    harmless(),
                    Stop,
                ],
                tree([At("src/price.js", "good")]),
            )
            .says(words),
        );
    }
    for (name, words) in
        [("three prompts ago", "it broke"), ("three prompts ago, named", "get src/services/pay.js back")]
    {
        all.push(
            Story::new(
                kind,
                name,
                Shop,
                vec![
                    Mark("good"),
                    Prompt("tidy up the login"),
                    shell("rm -f src/services/pay.js", [Gone("src/services/pay.js")]),
                    Stop,
                    Prompt("make the button bigger"),
                    harmless(),
                    Stop,
                    Prompt("say more in the docs"),
                    Replace("docs/style.md", "Two spaces", "Two spaces, no tabs"),
                    Stop,
                ],
                tree([At("src/services/pay.js", "good")]),
            )
            .says(words),
        );
    }
    all.push(
        Story::new(
            kind,
            "two weeks and four sessions ago",
            Notes,
            vec![
                Mark("good"),
                Prompt("clean the caches"),
                shell("rm -rf build data", [Gone("data")]),
                Stop,
                Minutes(7 * day),
                Session("s-2"),
                Prompt("shorter previews"),
                Replace("app/views.py", "[:80]", "[:60]"),
                Stop,
                Minutes(7 * day),
                Session("s-3"),
                Prompt("rank by title first"),
                Replace("app/search.py", "points > 0", "points >= 1"),
                Stop,
            ],
            tree([At("data", "good")]),
        )
        .says("where did data/words.txt and data/stop.txt go? bring data back"),
    );
}

fn drift(all: &mut Vec<Story>) {
    let kind = "05 beside the request";
    all.push(
        Story::new(
            kind,
            "the asked file is not the drift, the others are",
            Shop,
            vec![
                Prompt("fix the rounding in the cart total"),
                Replace(
                    "src/cart.js",
                    "return applyDiscount(sum);",
                    "return Math.round(applyDiscount(sum) * 100) / 100;",
                ),
                Mark("good"),
                Replace("src/login.js", "known.password === password", "known.password == password"),
                Replace("src/services/mail.js", "'Receipt'", "'Your receipt'"),
                Stop,
            ],
            tree([At("src/login.js", "good"), At("src/services/mail.js", "good")]),
        )
        .asked(&["src/cart.js"])
        .says("it changed things I did not ask for"),
    );
    all.push(
        Story::new(
            kind,
            "six edits after the asked one",
            Notes,
            vec![
                Prompt("show longer previews in the views"),
                Replace("app/views.py", "[:80]", "[:120]"),
                Mark("good"),
                Replace("app/search.py", "points > 0", "points > 1"),
                Replace("app/store.py", "return list(", "return tuple("),
                Replace("bin/run", "uvicorn app", "uvicorn --reload app"),
                Replace("pyproject.toml", "0.3.0", "0.4.0"),
                Replace("Makefile", "pytest -q", "pytest -x"),
                Stop,
            ],
            tree([
                At("app/search.py", "good"),
                At("app/store.py", "good"),
                At("bin/run", "good"),
                At("pyproject.toml", "good"),
                At("Makefile", "good"),
            ]),
        )
        .asked(&["app/views.py"])
        .says("take back what I did not ask for"),
    );
    all.push(
        Story::new(
            kind,
            "what the request needs is not drift",
            Shop,
            vec![
                Prompt("add a gift wrap option to the checkout"),
                Replace("src/server.js", "const amount = total(request.body.items);", "const amount = total(request.body.items) + (request.body.giftWrap ? 3 : 0);"),
                Replace("src/generated/api.js", "body: ['items', 'card', 'user']", "body: ['items', 'card', 'user', 'giftWrap']"),
                Replace("src/ui/page.js", "${button('Pay now')}", "<label><input type=\"checkbox\" name=\"giftWrap\"> Gift wrap</label>${button('Pay now')}"),
                Stop,
            ],
            NOTHING,
        )
        .asked(&["src/server.js", "src/generated/api.js", "src/ui/page.js"]),
    );
    all.push(
        Story::new(
            kind,
            "a command touched a file beside the request",
            Meter,
            vec![
                Prompt("print two digits in the report"),
                Replace("src/report.rs", "{sample:.1} C", "{sample:.2} C"),
                Mark("good"),
                shell("sed -i 's/20.0/25.0/' src/sensor.rs", [Changed("src/sensor.rs", "20.0 +", "25.0 +")]),
                Stop,
            ],
            tree([At("src/sensor.rs", "good")]),
        )
        .asked(&["src/report.rs"])
        .says("it changed something I did not ask for"),
    );
}

fn day_one(all: &mut Vec<Story>) {
    let kind = "06 day one: git and no checkpoint";
    let mut add = |name: &str, base, effects: Vec<super::incident::Effect>, want: Want| {
        all.push(Story::new(kind, name, base, vec![Mark("good"), HandDoes(effects)], want).without_hooks());
    };
    add("a file is gone", Shop, vec![Gone("src/price.js")], tree([At("src/price.js", "good")]));
    add("a folder is gone", Shop, vec![Gone("src/services")], tree([At("src/services", "good")]));
    add("a file is empty", Notes, vec![is("app/store.py", "")], tree([At("app/store.py", "good")]));
    add(
        "conflict marks nobody asked for",
        Meter,
        vec![is("src/units.rs", format!("<<<<<<< HEAD\n{UNITS}=======\n{UNITS}>>>>>>> other\n"))],
        tree([At("src/units.rs", "good")]),
    );
    add(
        "letters are spoilt",
        Notes,
        vec![is("data/words.txt", "cafÃ©\nnaÃ¯ve\n???\n???\nSmÃ¸rrebrÃ¸d\n")],
        tree([At("data/words.txt", "good")]),
    );
    add(
        "most of a file is gone, and good work lies beside",
        Shop,
        vec![
            is("src/price.js", "export function formatPrice(sum) {\n  return `${sum.toFixed(2)} EUR`;\n}\n"),
            Changed("src/ui/button.js", "class=\"primary\"", "class=\"primary big\""),
        ],
        tree([At("src/price.js", "good")]),
    );
    all.push(
        Story::new(
            kind,
            "one file of several is named",
            Shop,
            vec![
                Mark("good"),
                HandDoes(vec![
                    Changed("src/login.js", "true;", "false;"),
                    Changed("src/cart.js", "let sum = 0;", "let sum = 1;"),
                ]),
            ],
            tree([At("src/login.js", "good")]),
        )
        .says("restore src/login.js")
        .without_hooks(),
    );
    all.push(
        Story::new(
            kind,
            "a reset took the last commit",
            Shop,
            vec![
                Act::ByHand("src/wishlist.js", "export function wish(item) {\n  return [item];\n}\n"),
                Act::Commit,
                Mark("good"),
                HandDoes(vec![Git(&["reset", "-q", "--hard", "HEAD~1"])]),
            ],
            tree([At("src/wishlist.js", "good")]),
        )
        .says("my last commit is gone, src/wishlist.js is lost")
        .without_hooks(),
    );
    all.push(
        Story::new(
            kind,
            "work lies in the stash",
            Shop,
            vec![
                HandEdit("src/login.js", "'user and password are needed'", "'please sign in'"),
                Mark("good"),
                HandDoes(vec![Git(&["stash", "-q"])]),
            ],
            tree([At("src/login.js", "good")]),
        )
        .says("my changes to src/login.js are gone")
        .without_hooks(),
    );
}

/// Three requests, one after the other.
fn three(marks: bool) -> Vec<Act> {
    let mut acts = vec![Mark("start"), Minutes(60)];
    acts.extend([
        Prompt("fix the mail receipt"),
        Replace("src/services/mail.js", "text: `You paid ${amount}`", "text: `You paid ${amount} EUR`"),
        Stop,
        Mark("mail"),
        Minutes(60),
        Prompt("restyle the button"),
        Replace("src/ui/button.js", "class=\"primary\"", "class=\"primary round\""),
        Stop,
        Mark("button"),
        Minutes(60),
        Prompt("speed up the cart"),
        write("src/cart.js", FAST_CART),
        Stop,
        Minutes(10),
    ]);
    let _ = marks;
    acts
}

fn keep_and_undo(all: &mut Vec<Story>) {
    let kind = "07 words: keep and undo";
    let (mail, button, cart) = (
        || At("src/services/mail.js", "start"),
        || At("src/ui/button.js", "start"),
        || At("src/cart.js", "start"),
    );
    let cases: Vec<(&str, Want)> = vec![
        ("keep the mail fix, undo the rest", tree([button(), cart()])),
        ("undo everything except the mail fix", tree([button(), cart()])),
        ("undo only the button change", tree([button()])),
        ("undo the button, not the cart", tree([button()])),
        ("don't undo the cart, undo the button and the mail", tree([mail(), button()])),
        ("undo the cart change", tree([cart()])),
        ("take back the button and the cart but leave the mail alone", tree([button(), cart()])),
        ("undo that", tree([cart()])),
        ("undo the last two requests", tree([button(), cart()])),
        ("restore src/ui/button.js", tree([button()])),
        ("메일(mail) 수정은 두고 나머지는 되돌려줘", tree([button(), cart()])),
        ("保留 mail 的修改，其他都撤销", tree([button(), cart()])),
        ("button だけ元に戻して", tree([button()])),
        ("button 말고 cart만 되돌려줘", tree([cart()])),
        ("undo the payment change", Want::AskBack),
        ("undo the flux capacitor", Want::AskBack),
    ];
    for (words, want) in cases {
        all.push(Story::new(kind, words, Shop, three(false), want).says(words));
    }
}

fn moments(all: &mut Vec<Story>) {
    let kind = "08 words: moments";
    let cases: Vec<(&str, Want)> = vec![
        ("go back to before the button change", tree([All("mail")])),
        ("back to before the cart change", tree([All("button")])),
        ("undo everything after the mail fix", tree([All("mail")])),
        ("undo everything since the button change", tree([All("mail")])),
        ("as it was 30 minutes ago", tree([All("button")])),
        ("go back to how it was two hours ago", tree([All("mail")])),
        ("undo everything since 14:30", tree([All("button")])),
        ("back to 13:30", tree([All("mail")])),
        ("30분 전으로 되돌려줘", tree([All("button")])),
        ("回到半小时前", tree([All("button")])),
        ("30分前に戻して", tree([All("button")])),
        ("go back to yesterday", Want::AskBack),
    ];
    for (words, want) in cases {
        all.push(Story::new(kind, words, Shop, three(true), want).says(words));
    }
}

fn not_renamed(all: &mut Vec<Story>) {
    let kind = "09 one name gone, another come";
    let price = "const RATES = { small: 0, medium: 0.05, large: 0.1 };\n\nexport function applyDiscount(sum) {\n  if (sum > 500) {\n    return sum * (1 - RATES.large);\n  }\n  if (sum > 100) {\n    return sum * (1 - RATES.medium);\n  }\n  return sum;\n}\n";
    let format = "\nexport function formatPrice(sum) {\n  return `${sum.toFixed(2)} EUR`;\n}\n";
    let rate = "export function rateOf(sum) {\n  return sum > 500 ? RATES.large : RATES.medium;\n}\n\nexport function applyDiscount(sum) {";
    let with_rate = price.replace("export function applyDiscount(sum) {", rate);
    all.push(Story::new(
        kind,
        "formatPrice went, rateOf came",
        Shop,
        vec![Prompt("tell the rate of a sum"), write("src/price.js", with_rate.clone()), Stop],
        tree([Is("src/price.js", format!("{with_rate}{format}"))]),
    ));
    let without = UTIL.replace("def slug(title):\n    return \"-\".join(words(title))\n\n\n", "");
    let new =
        without.replace("import re\n", "import re\n\n\ndef is_blank(text):\n    return not text.strip()\n");
    let both =
        UTIL.replace("import re\n", "import re\n\n\ndef is_blank(text):\n    return not text.strip()\n");
    all.push(Story::new(
        kind,
        "slug went, is_blank came",
        Notes,
        vec![Prompt("add a helper that tells blank texts"), write("app/util.py", new), Stop],
        tree([Is("app/util.py", both)]),
    ));
    let gone = UNITS.replace("/// Celsius to Fahrenheit.\npub fn to_fahrenheit(celsius: f64) -> f64 {\n    celsius * 9.0 / 5.0 + 32.0\n}\n\n", "");
    let kelvin =
        "\n/// Celsius to Kelvin.\npub fn to_kelvin(celsius: f64) -> f64 {\n    celsius + 273.15\n}\n";
    all.push(Story::new(
        kind,
        "to_fahrenheit went, to_kelvin came",
        Meter,
        vec![Prompt("add kelvin to the units"), write("src/units.rs", format!("{gone}{kelvin}")), Stop],
        tree([Is("src/units.rs", format!("{UNITS}{kelvin}"))]),
    ));
}

fn half_renames(all: &mut Vec<Story>) {
    let kind = "10 half a rename";
    let page = "import { button } from './button.js';\nimport { countItems } from '../cart.js';\nimport { showPrice } from '../price.js';\n\nexport function page(items, sum) {\n  return `<main><p>${countItems(items)} items, ${showPrice(sum)}</p>${button('Pay now')}</main>`;\n}\n";
    all.push(Story::new(
        kind,
        "asked: the users still have the old name",
        Shop,
        vec![
            Prompt("rename formatPrice to showPrice"),
            Replace("src/price.js", "function formatPrice", "function showPrice"),
            Stop,
        ],
        tree([Is("src/ui/page.js", page.to_owned())]),
    ));
    all.push(Story::new(
        kind,
        "asked: one of two users was forgotten",
        Meter,
        vec![
            Prompt("rename mean to average"),
            Replace("src/sensor.rs", "pub fn mean(", "pub fn average("),
            Replace("src/report.rs", "sensor::{mean, read_sensor}", "sensor::{average, read_sensor}"),
            Replace("src/report.rs", "mean(samples)", "average(samples)"),
            Stop,
        ],
        tree([Is(
            "tests/sensor.rs",
            "use meter::sensor::{average, read_sensor};\n\n#[test]\nfn readings_are_plausible() {\n    for number in 0..20 {\n        assert!((20.0..30.0).contains(&read_sensor(number)));\n    }\n}\n\n#[test]\nfn the_mean_of_nothing_is_zero() {\n    assert_eq!(average(&[]), 0.0);\n}\n".to_owned(),
        )]),
    ));
    all.push(Story::new(
        kind,
        "unasked: both halves go back together",
        Notes,
        vec![
            Prompt("show longer previews"),
            Replace("app/views.py", "[:80]", "[:120]"),
            Mark("good"),
            shell(
                "sed -i s/slug/key_of/ app/util.py app/store.py",
                [
                    Changed("app/util.py", "def slug(", "def key_of("),
                    Changed("app/store.py", "import slug", "import key_of"),
                ],
            ),
            Stop,
        ],
        tree([At("app/util.py", "good"), At("app/store.py", "good")]),
    ));
    all.push(Story::new(
        kind,
        "a file was renamed, its users were not",
        Shop,
        vec![
            Prompt("make the button bigger"),
            Replace("src/ui/button.js", "class=\"primary\"", "class=\"primary big\""),
            Mark("good"),
            shell("mv src/price.js src/prices.js", [Moved("src/price.js", "src/prices.js")]),
            Stop,
        ],
        tree([At("src/price.js", "good"), Back::Gone("src/prices.js")]),
    ));
}

fn lost_beside_good(all: &mut Vec<Story>) {
    let kind = "11 lost in the same edit as good work";
    let without_count = FAST_CART.replace(COUNT_ITEMS, "");
    all.push(Story::new(
        kind,
        "countItems was left out",
        Shop,
        vec![Prompt("make the cart total faster"), write("src/cart.js", without_count), Stop],
        tree([Is("src/cart.js", FAST_CART.to_owned())]),
    ));
    let good = UTIL.replace("\"-\".join(words(title))", "\"-\".join(words(title))[:60]");
    let lost = good.replace("def words(text):\n    return re.findall(r\"\\w+\", text.lower())\n\n\n", "");
    all.push(Story::new(
        kind,
        "words was left out",
        Notes,
        vec![Prompt("limit the length of a slug"), write("app/util.py", lost), Stop],
        tree([Is("app/util.py", good)]),
    ));
    let sensor = "/// One reading, in degrees Celsius.\npub fn read_sensor(number: u32) -> f64 {\n    20.0 + f64::from(number % 7)\n}\n\n/// The mean of some readings.\npub fn mean(samples: &[f64]) -> f64 {\n    let count = samples.len().max(1);\n    samples.iter().sum::<f64>() / count as f64\n}\n";
    let good = sensor.replace("20.0 + f64::from(number % 7)", "20.0 + f64::from(number % 9)");
    let lost = good.replace("\n/// The mean of some readings.\npub fn mean(samples: &[f64]) -> f64 {\n    let count = samples.len().max(1);\n    samples.iter().sum::<f64>() / count as f64\n}\n", "");
    all.push(Story::new(
        kind,
        "mean was left out",
        Meter,
        vec![Prompt("let the sensor read up to nine degrees more"), write("src/sensor.rs", lost), Stop],
        tree([Is("src/sensor.rs", good)]),
    ));
    let server_good = |text: String| text;
    let _ = server_good;
    all.push(Story::new(
        kind,
        "a bracket was lost, the rest of the edit is good",
        Shop,
        vec![
            Prompt("say more when the login fails"),
            Mark("before"),
            Replace("src/login.js", "    throw new Error('user and password are needed');\n  }\n", "    throw new Error('please give a user and a password');\n"),
            Stop,
        ],
        tree([Is(
            "src/login.js",
            "const users = new Map();\n\nexport function login(user, password) {\n  if (!user || !password) {\n    throw new Error('please give a user and a password');\n  }\n  const known = users.get(user);\n  return known !== undefined && known.password === password;\n}\n\nexport function register(user, password) {\n  users.set(user, { password, since: Date.now() });\n  return true;\n}\n".to_owned(),
        )]),
    ));
}

fn later_work(all: &mut Vec<Story>) {
    let kind = "12 later work on top of the damage";
    let lost = CART.replace(COUNT_ITEMS, "");
    let later = lost.replace("let sum = 0;", "let sum = 0.0;");
    let right = CART.replace("let sum = 0;", "let sum = 0.0;");
    all.push(Story::new(
        kind,
        "a function went by a command, then the file was edited",
        Shop,
        vec![
            Prompt("tidy up the cart"),
            shell("sed -i '/countItems/,$d' src/cart.js", [is("src/cart.js", &lost)]),
            Stop,
            Prompt("use decimals in the cart"),
            Replace("src/cart.js", "let sum = 0;", "let sum = 0.0;"),
            Stop,
        ],
        tree([Is("src/cart.js", right.clone())]),
    ));
    let _ = later;
    all.push(Story::new(
        kind,
        "the person typed on top",
        Notes,
        vec![
            Prompt("tidy up the helpers"),
            shell(
                "sed -i '/def shorten/,$d; /def slug/,+2d' app/util.py",
                [is(
                    "app/util.py",
                    UTIL.replace("def slug(title):\n    return \"-\".join(words(title))\n\n\n", ""),
                )],
            ),
            Stop,
            HandEdit("app/util.py", "import re\n", "import re\n\nLIMIT = 120\n"),
            Prompt("what is next?"),
            Stop,
        ],
        tree([Is("app/util.py", UTIL.replace("import re\n", "import re\n\nLIMIT = 120\n"))]),
    ));
    all.push(
        Story::new(
            kind,
            "undo one request, later edits of the same file stay",
            Notes,
            vec![
                Prompt("rank by the title"),
                Replace("app/search.py", "points > 0", "points > 1"),
                Stop,
                Prompt("ignore case in search"),
                Replace("app/search.py", "set(words(query))", "set(words(query.lower()))"),
                Stop,
            ],
            tree([Is(
                "app/search.py",
                "from app.util import words\n\n\ndef score(note, query):\n    wanted = set(words(query.lower()))\n    found = set(words(note[\"title\"])) | set(words(note[\"text\"]))\n    return len(wanted & found)\n\n\ndef find(notes, query):\n    ranked = [(score(note, query), note) for note in notes]\n    return [note for points, note in ranked if points > 0]\n".to_owned(),
            )]),
        )
        .says("undo the rank by title change"),
    );
}

fn junk(all: &mut Vec<Story>) {
    let kind = "13 junk by one command";
    let gone = |count: usize, name: &str| -> Want {
        Want::Tree(
            (0..count)
                .map(|number| Back::Gone(Box::leak(name.replace("{}", &number.to_string()).into_boxed_str())))
                .collect(),
        )
    };
    all.push(Story::new(
        kind,
        "42 logs in the root",
        Shop,
        vec![Prompt("run the tests"), shell("npm test", [Many(42, "run-{}.log", "line {}\nok\n")]), Stop],
        gone(42, "run-{}.log"),
    ));
    all.push(Story::new(
        kind,
        "30 copies beside the sources",
        Notes,
        vec![
            Prompt("show longer previews"),
            Replace("app/views.py", "[:80]", "[:120]"),
            shell("python tools.py", [Many(30, "app/views_{}.py", "def part_{}():\n    return {}\n")]),
            Stop,
        ],
        gone(30, "app/views_{}.py"),
    ));
    all.push(Story::new(
        kind,
        "asked for: 30 fixtures",
        Notes,
        vec![
            Prompt("create thirty sample notes as fixtures"),
            shell("python make.py", [Many(30, "tests/fixtures/note_{}.txt", "note {}\n")]),
            Stop,
        ],
        NOTHING,
    ));
}

fn sub_agents(all: &mut Vec<Story>) {
    let kind = "14 sub-agents";
    let acts = || {
        vec![
            Prompt("restyle the button"),
            Replace("src/ui/button.js", "class=\"primary\"", "class=\"primary round\""),
            Stop,
            Mark("before"),
            Prompt("speed up the cart"),
            Replace("src/cart.js", "let sum = 0;", "let sum = 0.0;"),
            Sub(Some("tester")),
            Replace("test/cart.test.js", "assert.equal(total([]), 0);", "assert.equal(total([]), 0.0);"),
            shell("node gen.js", [Changed("src/price.js", "small: 0,", "small: 0.0,")]),
            Sub(None),
            Stop,
        ]
    };
    all.push(
        Story::new(kind, "the last request with its sub-agent", Shop, acts(), tree([All("before")]))
            .says("undo the last request"),
    );
    all.push(
        Story::new(kind, "by its name", Shop, acts(), tree([All("before")])).says("undo the cart change"),
    );
    all.push(Story::new(
        kind,
        "a sub-agent deleted a file",
        Shop,
        vec![
            Prompt("speed up the cart"),
            Replace("src/cart.js", "let sum = 0;", "let sum = 0.0;"),
            Mark("good"),
            Sub(Some("cleaner")),
            shell("rm src/services/pay.js", [Gone("src/services/pay.js")]),
            Sub(None),
            Stop,
        ],
        tree([At("src/services/pay.js", "good")]),
    ));
}

fn all_is_well(all: &mut Vec<Story>) {
    let kind = "15 nothing is broken";
    all.push(Story::new(
        kind,
        "only docs",
        Shop,
        vec![
            Prompt("say more in the docs"),
            Replace("docs/style.md", "Two spaces", "Two spaces, no tabs"),
            Stop,
        ],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "asked for formatting",
        Shop,
        vec![
            Prompt("format everything with prettier, eight spaces"),
            shell("npx prettier --write src", [Everywhere("src", &[".js"], "\n  ", "\n        ")]),
            Stop,
        ],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "a script of its own, made and cleared away",
        Notes,
        vec![
            Prompt("show longer previews"),
            write(
                "scratch.py",
                "from app.views import render_note\nprint(render_note({'title': 'a', 'text': 'b'}))\n",
            ),
            shell("python scratch.py", []),
            Replace("app/views.py", "[:80]", "[:120]"),
            shell("rm scratch.py", [Gone("scratch.py")]),
            Stop,
        ],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "a rewrite that was asked for",
        Notes,
        vec![
            Prompt("rewrite search.py from scratch with rapidfuzz"),
            write("app/search.py", "from rapidfuzz import fuzz\n\n\ndef score(note, query):\n    return fuzz.partial_ratio(query, note[\"text\"])\n\n\ndef find(notes, query):\n    return [note for note in notes if score(note, query) > 60]\n"),
            Stop,
        ],
        NOTHING,
    ));
    all.push(Story::new(
        kind,
        "a dependency was updated as asked",
        Shop,
        vec![
            Prompt("update zod to version 4"),
            shell("npm install zod@4", [Changed("package.json", "^3.25.1", "^4.0.0"), Changed("package-lock.json", "\"version\": \"3.25.1\", \"resolved\": \"https://registry.npmjs.org/zod/-/zod-3.25.1.tgz\"", "\"version\": \"4.0.0\", \"resolved\": \"https://registry.npmjs.org/zod/-/zod-4.0.0.tgz\"")]),
            Stop,
        ],
        NOTHING,
    ));
    all.push(
        Story::new(
            kind,
            "nothing happened at all",
            Meter,
            vec![Prompt("what does the meter do?"), Stop],
            NOTHING,
        )
        .without_git(),
    );
}
