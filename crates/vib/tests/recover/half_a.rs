//! The first half of the incidents: the recommendation was tuned on these.

use redact::template::expand;

use super::base::Base::{Meter, Notes, Shop};
use super::incident::Act::{ByHand, Check, Commit, Intent, Minutes, Prompt, Relevant, Replace, Save, Stop};
use super::incident::Effect::{AllGone, AsBuilt, Everywhere, Gone, LinkToCopy, Mode, Moved};
use super::incident::{Incident, damage, is, shell, write};

const FAST_CART: &str = "import { applyDiscount } from './price.js';\n\nexport function total(items) {\n  return applyDiscount(items.reduce((sum, item) => sum + item.price * item.count, 0));\n}\n\nexport function countItems(items) {\n  return items.reduce((count, item) => count + item.count, 0);\n}\n";

const NICE_BUTTON: &str = "export function button(label, kind = 'primary') {\n  return `<button class=\"${kind}\" type=\"submit\">${label}</button>`;\n}\n";

pub(crate) fn incidents() -> Vec<Incident> {
    let js: &[&str] = &[".js"];
    vec![
        Incident::new(
            "a function is lost in a file of its own",
            Shop,
            vec![
                Prompt("make the cart total faster"),
                write("src/cart.js", FAST_CART),
                damage(write(
                    "src/price.js",
                    "export function formatPrice(sum) {\n  return `${sum.toFixed(2)} EUR`;\n}\n",
                )),
                Stop,
            ],
            3,
            &["src/price.js"],
        ),
        Incident::new(
            "a function is lost in the same edit as good work",
            Shop,
            vec![
                Prompt("make the cart total faster"),
                damage(write(
                    "src/cart.js",
                    "import { applyDiscount } from './price.js';\n\nfunction subtotal(item) {\n  return item.price * item.count;\n}\n\nfunction plus(a, b) {\n  return a + b;\n}\n\nexport function total(items) {\n  const parts = items.map(subtotal);\n  return applyDiscount(parts.reduce(plus, 0));\n}\n",
                )),
                Stop,
            ],
            2,
            &["src/cart.js"],
        ),
        Incident::new(
            "a folder is deleted",
            Shop,
            vec![
                Prompt("tidy up the login"),
                Replace("src/login.js", "'user and password are needed'", "'please give a user and a password'"),
                damage(shell("rm -rf src/services", [Gone("src/services")])),
                Stop,
            ],
            3,
            &["src/services/mail.js", "src/services/pay.js"],
        ),
        Incident::new(
            "search and replace went too far",
            Shop,
            vec![
                Prompt("call the login field account"),
                Replace("src/login.js", "'user and password are needed'", "'account and password are needed'"),
                damage(shell(
                    "sed -i 's/use/acc/g' $(git ls-files src test)",
                    [Everywhere("src", js, "use", "acc"), Everywhere("test", js, "use", "acc")],
                )),
                Stop,
            ],
            3,
            &["src/generated/api.js", "src/login.js", "src/server.js", "src/services/mail.js", "test/login.test.js"],
        ),
        Incident::new(
            "a formatter rewrote everything",
            Shop,
            vec![
                Prompt("give the button a kind"),
                write("src/ui/button.js", NICE_BUTTON),
                damage(shell("npx prettier --write --tab-width 8 src", [Everywhere("src", js, "\n  ", "\n        ")])),
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
            "a generated file is overwritten with nothing useful",
            Shop,
            vec![
                Prompt("show the number of items in bold"),
                Replace("src/ui/page.js", "<p>${countItems(items)} items", "<p><b>${countItems(items)}</b> items"),
                damage(shell("node scripts/build.js", [is("src/generated/api.js", "undefined\n")])),
                Stop,
            ],
            3,
            &["src/generated/api.js"],
        ),
        Incident::new(
            "a merge left conflict markers",
            Shop,
            vec![
                Prompt("merge the branch with the new greeting"),
                damage(shell(
                    "git merge greeting",
                    [
                        is(
                            "src/price.js",
                            "const RATES = { small: 0, medium: 0.05, large: 0.1 };\n\nexport function applyDiscount(sum) {\n<<<<<<< HEAD\n  if (sum > 500) {\n    return sum * (1 - RATES.large);\n  }\n=======\n  if (sum > 1000) {\n    return sum * (1 - RATES.large);\n  }\n>>>>>>> greeting\n  if (sum > 100) {\n    return sum * (1 - RATES.medium);\n  }\n  return sum;\n}\n\nexport function formatPrice(sum) {\n  return `${sum.toFixed(2)} EUR`;\n}\n",
                        ),
                        is(
                            "src/ui/page.js",
                            "import { button } from './button.js';\nimport { countItems } from '../cart.js';\nimport { formatPrice } from '../price.js';\n\nexport function page(items, sum) {\n  const greeting = '<h1>Welcome</h1>';\n  return `<main>${greeting}<p>${countItems(items)} items, ${formatPrice(sum)}</p>${button('Pay now')}</main>`;\n}\n",
                        ),
                    ],
                )),
                Stop,
            ],
            2,
            &["src/price.js"],
        ),
        Incident::new(
            "a key is written into the code",
            Shop,
            vec![
                Prompt("let the payment use a timeout"),
                damage(write(
                    "src/services/pay.js",
                    format!(
                        "import Stripe from 'stripe';\n\nconst stripe = new Stripe('{}', {{ timeout: 8000 }});\n\nexport async function charge(card, amount) {{\n  return stripe.charges.create({{ source: card, amount: Math.round(amount * 100), currency: 'eur' }});\n}}\n",
                        expand("sk_live_<an:24>", 11)
                    ),
                )),
                Stop,
                Commit,
            ],
            2,
            &["src/services/pay.js"],
        ),
        Incident::new(
            "the agent switched to another branch and the work of two turns is gone",
            Shop,
            vec![
                Prompt("make the cart total faster"),
                write("src/cart.js", FAST_CART),
                Stop,
                Prompt("give the button a kind"),
                write("src/ui/button.js", NICE_BUTTON),
                Stop,
                Prompt("does it also work with the old login?"),
                damage(shell("git checkout -f main", [AsBuilt(&["src/cart.js", "src/ui/button.js"])])),
                Stop,
            ],
            3,
            &["src/cart.js", "src/ui/button.js"],
        ),
        Incident::new(
            "the list of dependencies is clobbered",
            Shop,
            vec![
                Prompt("make the cart total faster"),
                write("src/cart.js", FAST_CART),
                damage(shell(
                    "npm init -y",
                    [is("package.json", "{\n  \"name\": \"project\",\n  \"version\": \"1.0.0\",\n  \"main\": \"index.js\"\n}\n")],
                )),
                Stop,
            ],
            3,
            &["package.json"],
        ),
        Incident::new(
            "a storm of renames",
            Shop,
            vec![
                Prompt("give the button a kind"),
                write("src/ui/button.js", NICE_BUTTON),
                damage(shell(
                    "for f in src/*.js; do mv $f ${f%.js}.ts; done",
                    [
                        Moved("src/cart.js", "src/cart.ts"),
                        Moved("src/login.js", "src/login.ts"),
                        Moved("src/price.js", "src/price.ts"),
                        Moved("src/server.js", "src/server.ts"),
                    ],
                )),
                Stop,
            ],
            3,
            &[
                "src/cart.js",
                "src/cart.ts",
                "src/login.js",
                "src/login.ts",
                "src/price.js",
                "src/price.ts",
                "src/server.js",
                "src/server.ts",
            ],
        ),
        Incident::new(
            "only a stale build",
            Shop,
            vec![
                Save("works"),
                Prompt("build it"),
                shell("npm run build", [is("dist/bundle.js", "old code\n")]),
                Stop,
            ],
            0,
            &[],
        ),
        Incident::new(
            "a test is weakened so that it passes",
            Shop,
            vec![
                Prompt("the login test fails, fix it"),
                Replace("src/login.js", "known.password === password", "Object.is(known.password, password)"),
                damage(write(
                    "test/login.test.js",
                    "import test from 'node:test';\nimport assert from 'node:assert';\nimport { login, register } from '../src/login.js';\n\ntest('refuses an empty password', () => {\n  assert.throws(() => login('kim', ''));\n});\n\ntest('knows who registered', () => {\n  register('kim', 'right');\n});\n",
                )),
                Stop,
            ],
            3,
            &["test/login.test.js"],
        ),
        Incident::new(
            "tabs of a Makefile became spaces",
            Notes,
            vec![
                Prompt("sort the results of the search"),
                Replace(
                    "app/search.py",
                    "    ranked = [(score(note, query), note) for note in notes]\n",
                    "    ranked = [(score(note, query), note) for note in notes]\n    ranked.sort(key=lambda pair: -pair[0])\n",
                ),
                damage(shell("expand -t 4 Makefile | sponge Makefile", [Everywhere("", &["Makefile"], "\t", "    ")])),
                Stop,
            ],
            3,
            &["Makefile"],
        ),
        Incident::new(
            "letters are spoilt by a wrong encoding",
            Notes,
            vec![
                Prompt("sort the word list"),
                Replace("app/search.py", "    return len(wanted & found)\n", "    return len(wanted & found) / len(wanted)\n"),
                damage(shell(
                    "python -c 'convert the list'",
                    [is("data/words.txt", "cafÃ©\nnaÃ¯ve\níêµ\u{ad}ì´\næ¥æ¬èª\nSmÃ¸rrebrÃ¸d\n")],
                )),
                Stop,
            ],
            3,
            &["data/words.txt"],
        ),
        Incident::new(
            "scripts can no longer be run",
            Shop,
            vec![
                Prompt("make the cart total faster"),
                write("src/cart.js", FAST_CART),
                damage(shell("chmod -R a-x scripts", [Mode("scripts/deploy.sh", 0o644), Mode("scripts/backup.sh", 0o644)])),
                Stop,
            ],
            3,
            &["scripts/backup.sh", "scripts/deploy.sh"],
        ),
        Incident::new(
            "a link became a copy",
            Shop,
            vec![
                Prompt("use the port 8080"),
                Replace("config/app.json", "\"port\": 3000", "\"port\": 8080"),
                damage(shell("cp --remove-destination config/app.json config/live.json", [LinkToCopy("config/live.json")])),
                Stop,
            ],
            3,
            &["config/live.json"],
        ),
        Incident::new(
            "everything is deleted",
            Shop,
            vec![
                Prompt("make the cart total faster"),
                write("src/cart.js", FAST_CART),
                damage(shell("rm -rf *", [AllGone(false)])),
                Stop,
            ],
            4,
            &[],
        ),
        Incident::new(
            "a service is changed that nobody spoke of",
            Shop,
            vec![
                Intent("nicer buttons and page"),
                Relevant("src/ui/page.js"),
                Relevant("src/ui/button.js"),
                Prompt("make the page nicer"),
                write("src/ui/button.js", NICE_BUTTON),
                Replace("src/ui/page.js", "<main>", "<main class=\"wide\">"),
                damage(Replace("src/services/pay.js", "currency: 'eur'", "currency: 'usd'")),
                Stop,
            ],
            // Nothing but that nobody spoke of it: a person judges.
            1,
            &[],
        )
        .without_memory(1, &[]),
        Incident::new(
            "a bracket is missing in the file that is worked on",
            Notes,
            vec![
                Prompt("add a way to delete notes"),
                damage(Replace(
                    "app/main.py",
                    "@api.get(\"/search\")",
                    "@api.delete(\"/notes/{key}\")\ndef delete_note(key: str):\n    store.remove(key\n    return {\"removed\": key}\n\n\n@api.get(\"/search\")",
                )),
                Stop,
            ],
            2,
            &["app/main.py"],
        ),
        Incident::new(
            "a renaming is done by half",
            Meter,
            vec![
                Prompt("rename read_sensor to sample"),
                damage(Replace("src/sensor.rs", "pub fn read_sensor(number: u32)", "pub fn sample(number: u32)")),
                write(
                    "src/main.rs",
                    "use meter::report::print_report;\nuse meter::sensor::sample;\n\nfn main() {\n    let samples: Vec<f64> = (0..10).map(sample).collect();\n    print_report(&samples);\n}\n",
                ),
                Replace("tests/sensor.rs", "use meter::sensor::{mean, read_sensor};", "use meter::sensor::{mean, sample};"),
                Replace("tests/sensor.rs", "contains(&read_sensor(number))", "contains(&sample(number))"),
                Stop,
            ],
            2,
            &["src/report.rs"],
        ),
        Incident::new(
            "a file is emptied by a redirection",
            Notes,
            vec![
                Prompt("sort the results of the search"),
                Replace("app/search.py", "points > 0]", "points >= 1]"),
                damage(shell("python tools/fix.py app/store.py > app/store.py", [is("app/store.py", "")])),
                Stop,
            ],
            3,
            &["app/store.py"],
        ),
        Incident::new(
            "checks passed, then a constant was changed and they fail",
            Meter,
            vec![
                Prompt("document the units"),
                Replace("docs/units.md", "Celsius and Fahrenheit.", "Degrees Celsius and degrees Fahrenheit."),
                Stop,
                Check("cargo test", true),
                Prompt("support kelvin in the conversion"),
                damage(write(
                    "src/units.rs",
                    "/// Celsius to Fahrenheit.\npub fn to_fahrenheit(celsius: f64) -> f64 {\n    celsius * 9.0 / 5.0 + 23.0\n}\n\n/// Fahrenheit to Celsius.\npub fn to_celsius(fahrenheit: f64) -> f64 {\n    (fahrenheit - 32.0) * 5.0 / 9.0\n}\n\n/// Celsius to Kelvin.\npub fn to_kelvin(celsius: f64) -> f64 {\n    celsius + 273.15\n}\n",
                )),
                Stop,
                Check("cargo test", false),
            ],
            2,
            &["src/units.rs"],
        )
        .without_memory(1, &[]),
        Incident::new(
            "the agent's commands deleted a file, said in Korean",
            Notes,
            vec![
                Prompt("검색 결과를 정렬해 줘"),
                Replace("app/search.py", "points > 0]", "points >= 1]"),
                damage(shell("rm -f app/util.py", [Gone("app/util.py")])),
                Stop,
            ],
            3,
            &["app/util.py"],
        )
        .says("망가졌어"),
        Incident::new(
            "the last change is to be taken back, said in Chinese",
            Shop,
            vec![
                Prompt("make the cart total faster"),
                write("src/cart.js", FAST_CART),
                Stop,
                Minutes(20),
                Prompt("make the button look different"),
                damage(write("src/ui/button.js", NICE_BUTTON)),
                Replace("src/ui/page.js", "button('Pay now')", "button('Pay', 'big')"),
                Stop,
            ],
            3,
            &["src/ui/button.js", "src/ui/page.js"],
        )
        .says("把刚才的改动撤销"),
        Incident::new(
            "vib came too late",
            Meter,
            vec![ByHand("src/units.rs", "pub fn to_fahrenheit(celsius: f64) -> f64 {\n    celsius\n}\n")],
            1,
            &[],
        )
        .unknown_before()
        .with_git(3, &["src/units.rs"]),
        Incident::new(
            "the damage is already saved and committed",
            Notes,
            vec![
                Prompt("clean up the documents"),
                Replace("docs/guide.md", "Write a note", "Write a short note"),
                damage(shell("git rm -r -q tests && git commit -qm 'clean up'", [Gone("tests")])),
                Stop,
                Commit,
                Save("before the week-end"),
            ],
            3,
            &["tests/test_search.py", "tests/test_store.py"],
        ),
    ]
}
