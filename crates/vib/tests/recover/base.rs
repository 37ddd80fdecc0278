//! The projects that incidents happen to: small, but whole programs of the kind that people build with agents.

use std::os::unix::fs::{PermissionsExt, symlink};

use testkit::Sandbox;

/// Which project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// A web shop in JavaScript.
    Shop,
    /// A note service in Python.
    Notes,
    /// A meter reader in Rust.
    Meter,
}

impl Base {
    /// Writes the project into a sandbox.
    pub(crate) fn build(self, sandbox: &Sandbox) {
        let files = match self {
            Self::Shop => SHOP,
            Self::Notes => NOTES,
            Self::Meter => METER,
        };
        for (path, text) in files {
            sandbox.write(path, text);
        }
        let runnable: &[&str] = match self {
            Self::Shop => &["scripts/deploy.sh", "scripts/backup.sh"],
            Self::Notes => &["bin/run"],
            Self::Meter => &["ci/check.sh"],
        };
        for path in runnable {
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(sandbox.root().join(path), mode).expect("a mode");
        }
        if self == Self::Shop {
            symlink("config", sandbox.root().join("current")).expect("a link");
            symlink("app.json", sandbox.root().join("config/live.json")).expect("a link");
        }
    }
}

const SHOP: &[(&str, &str)] = &[
    (
        "package.json",
        r#"{
  "name": "corner-shop",
  "version": "1.4.0",
  "type": "module",
  "scripts": { "start": "node src/server.js", "test": "node --test", "build": "node scripts/build.js" },
  "dependencies": {
    "express": "^5.1.0",
    "nodemailer": "^7.0.3",
    "stripe": "^18.2.1",
    "zod": "^3.25.1"
  },
  "devDependencies": { "prettier": "^3.5.3" }
}
"#,
    ),
    (
        "package-lock.json",
        r#"{
  "name": "corner-shop",
  "version": "1.4.0",
  "lockfileVersion": 3,
  "packages": {
    "node_modules/express": { "version": "5.1.0", "resolved": "https://registry.npmjs.org/express/-/express-5.1.0.tgz" },
    "node_modules/nodemailer": { "version": "7.0.3", "resolved": "https://registry.npmjs.org/nodemailer/-/nodemailer-7.0.3.tgz" },
    "node_modules/stripe": { "version": "18.2.1", "resolved": "https://registry.npmjs.org/stripe/-/stripe-18.2.1.tgz" },
    "node_modules/zod": { "version": "3.25.1", "resolved": "https://registry.npmjs.org/zod/-/zod-3.25.1.tgz" }
  }
}
"#,
    ),
    (
        "README.md",
        "# Corner shop\n\nA small shop: a page, a cart, a checkout.\n\nStart it with `npm start`.\n",
    ),
    (".gitignore", "node_modules/\ndist/\n.env\n"),
    (
        "index.html",
        "<!doctype html>\n<title>Corner shop</title>\n<div id=\"page\"></div>\n<script type=\"module\" src=\"src/ui/page.js\"></script>\n",
    ),
    (
        "src/server.js",
        "import express from 'express';\nimport { login } from './login.js';\nimport { total } from './cart.js';\nimport { sendReceipt } from './services/mail.js';\nimport { charge } from './services/pay.js';\n\nconst app = express();\n\napp.post('/login', (request, response) => {\n  response.json(login(request.body.user, request.body.password));\n});\n\napp.post('/checkout', async (request, response) => {\n  const amount = total(request.body.items);\n  await charge(request.body.card, amount);\n  await sendReceipt(request.body.user, amount);\n  response.json({ amount });\n});\n\napp.listen(3000);\n",
    ),
    (
        "src/cart.js",
        "import { applyDiscount } from './price.js';\n\nexport function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price * item.count;\n  }\n  return applyDiscount(sum);\n}\n\nexport function countItems(items) {\n  let count = 0;\n  for (const item of items) {\n    count += item.count;\n  }\n  return count;\n}\n",
    ),
    (
        "src/price.js",
        "const RATES = { small: 0, medium: 0.05, large: 0.1 };\n\nexport function applyDiscount(sum) {\n  if (sum > 500) {\n    return sum * (1 - RATES.large);\n  }\n  if (sum > 100) {\n    return sum * (1 - RATES.medium);\n  }\n  return sum;\n}\n\nexport function formatPrice(sum) {\n  return `${sum.toFixed(2)} EUR`;\n}\n",
    ),
    (
        "src/login.js",
        "const users = new Map();\n\nexport function login(user, password) {\n  if (!user || !password) {\n    throw new Error('user and password are needed');\n  }\n  const known = users.get(user);\n  return known !== undefined && known.password === password;\n}\n\nexport function register(user, password) {\n  users.set(user, { password, since: Date.now() });\n  return true;\n}\n",
    ),
    (
        "src/ui/page.js",
        "import { button } from './button.js';\nimport { countItems } from '../cart.js';\nimport { formatPrice } from '../price.js';\n\nexport function page(items, sum) {\n  return `<main><p>${countItems(items)} items, ${formatPrice(sum)}</p>${button('Pay now')}</main>`;\n}\n",
    ),
    (
        "src/ui/button.js",
        "export function button(label) {\n  return `<button class=\"primary\">${label}</button>`;\n}\n",
    ),
    (
        "src/services/mail.js",
        "import nodemailer from 'nodemailer';\n\nconst transport = nodemailer.createTransport({ host: 'localhost' });\n\nexport async function sendReceipt(user, amount) {\n  await transport.sendMail({ to: user, subject: 'Receipt', text: `You paid ${amount}` });\n}\n",
    ),
    (
        "src/services/pay.js",
        "import Stripe from 'stripe';\n\nconst stripe = new Stripe(process.env.PAYMENT_KEY);\n\nexport async function charge(card, amount) {\n  return stripe.charges.create({ source: card, amount: Math.round(amount * 100), currency: 'eur' });\n}\n",
    ),
    (
        "src/generated/api.js",
        "// Generated from api.yaml by scripts/build.js\nexport const routes = [\n  { method: 'POST', path: '/login', body: ['user', 'password'] },\n  { method: 'POST', path: '/checkout', body: ['items', 'card', 'user'] },\n];\n\nexport function find(path) {\n  return routes.find((route) => route.path === path);\n}\n",
    ),
    (
        "test/cart.test.js",
        "import test from 'node:test';\nimport assert from 'node:assert';\nimport { total, countItems } from '../src/cart.js';\n\ntest('adds up prices', () => {\n  assert.equal(total([{ price: 2, count: 3 }]), 6);\n  assert.equal(total([]), 0);\n});\n\ntest('gives a discount on large sums', () => {\n  assert.equal(total([{ price: 1000, count: 1 }]), 900);\n});\n\ntest('counts items', () => {\n  assert.equal(countItems([{ count: 2 }, { count: 5 }]), 7);\n});\n",
    ),
    (
        "test/login.test.js",
        "import test from 'node:test';\nimport assert from 'node:assert';\nimport { login, register } from '../src/login.js';\n\ntest('refuses an empty password', () => {\n  assert.throws(() => login('kim', ''));\n});\n\ntest('knows who registered', () => {\n  register('kim', 'right');\n  assert.equal(login('kim', 'right'), true);\n  assert.equal(login('kim', 'guess'), false);\n});\n",
    ),
    ("scripts/deploy.sh", "#!/bin/sh\nset -e\nnpm test\nrsync -a dist/ shop:/srv/shop/\n"),
    ("scripts/backup.sh", "#!/bin/sh\nset -e\ntar -cf backup.tar config\n"),
    (
        "scripts/build.js",
        "import { readFileSync, writeFileSync } from 'node:fs';\n\nconst source = readFileSync('api.yaml', 'utf8');\nwriteFileSync('src/generated/api.js', source);\n",
    ),
    ("config/app.json", "{\n  \"currency\": \"EUR\",\n  \"language\": \"en\",\n  \"port\": 3000\n}\n"),
    ("docs/deploy.md", "# Deploying\n\nRun `scripts/deploy.sh` after the tests have passed.\n"),
    ("docs/style.md", "# Style\n\nTwo spaces, single quotes.\n"),
];

const NOTES: &[(&str, &str)] = &[
    (
        "pyproject.toml",
        "[project]\nname = \"notes\"\nversion = \"0.3.0\"\ndependencies = [\n  \"fastapi>=0.115\",\n  \"uvicorn>=0.34\",\n  \"rapidfuzz>=3.12\",\n]\n\n[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n",
    ),
    ("README.md", "# Notes\n\nKeeps notes and finds them again.\n"),
    (".gitignore", "__pycache__/\n.venv/\nbuild/\n"),
    ("app/__init__.py", ""),
    (
        "app/main.py",
        "from fastapi import FastAPI\n\nfrom app.search import find\nfrom app.store import Store\nfrom app.views import render_list\n\napi = FastAPI()\nstore = Store()\n\n\n@api.get(\"/notes\")\ndef list_notes():\n    return render_list(store.all())\n\n\n@api.get(\"/search\")\ndef search(query: str):\n    return render_list(find(store.all(), query))\n",
    ),
    (
        "app/store.py",
        "from app.util import slug\n\n\nclass Store:\n    def __init__(self):\n        self._notes = {}\n\n    def add(self, title, text):\n        key = slug(title)\n        self._notes[key] = {\"title\": title, \"text\": text}\n        return key\n\n    def get(self, key):\n        return self._notes.get(key)\n\n    def remove(self, key):\n        self._notes.pop(key, None)\n\n    def all(self):\n        return list(self._notes.values())\n",
    ),
    (
        "app/search.py",
        "from app.util import words\n\n\ndef score(note, query):\n    wanted = set(words(query))\n    found = set(words(note[\"title\"])) | set(words(note[\"text\"]))\n    return len(wanted & found)\n\n\ndef find(notes, query):\n    ranked = [(score(note, query), note) for note in notes]\n    return [note for points, note in ranked if points > 0]\n",
    ),
    (
        "app/views.py",
        "def render_note(note):\n    return {\"title\": note[\"title\"], \"preview\": note[\"text\"][:80]}\n\n\ndef render_list(notes):\n    if not notes:\n        return {\"count\": 0, \"notes\": []}\n    return {\n        \"count\": len(notes),\n        \"notes\": [render_note(note) for note in notes],\n    }\n",
    ),
    (
        "app/util.py",
        "import re\n\n\ndef words(text):\n    return re.findall(r\"\\w+\", text.lower())\n\n\ndef slug(title):\n    return \"-\".join(words(title))\n\n\ndef shorten(text, length):\n    if len(text) <= length:\n        return text\n    return text[: length - 1] + \"…\"\n",
    ),
    (
        "tests/test_store.py",
        "from app.store import Store\n\n\ndef test_add_and_get():\n    store = Store()\n    key = store.add(\"First note\", \"hello\")\n    assert key == \"first-note\"\n    assert store.get(key)[\"text\"] == \"hello\"\n\n\ndef test_remove():\n    store = Store()\n    key = store.add(\"First note\", \"hello\")\n    store.remove(key)\n    assert store.get(key) is None\n    assert store.all() == []\n",
    ),
    (
        "tests/test_search.py",
        "from app.search import find, score\n\nNOTES = [\n    {\"title\": \"Bread\", \"text\": \"flour and water\"},\n    {\"title\": \"Soup\", \"text\": \"water and salt\"},\n]\n\n\ndef test_score():\n    assert score(NOTES[0], \"flour\") == 1\n    assert score(NOTES[0], \"salt\") == 0\n\n\ndef test_find():\n    assert find(NOTES, \"salt\") == [NOTES[1]]\n    assert find(NOTES, \"sugar\") == []\n",
    ),
    ("Makefile", "test:\n\tpytest -q\n\nrun:\n\tbin/run\n\nclean:\n\tfind . -name '*.pyc' -delete\n"),
    ("data/words.txt", "café\nnaïve\n한국어\n日本語\nSmørrebrød\n"),
    ("data/stop.txt", "the\na\nan\nand\n"),
    ("docs/guide.md", "# Guide\n\nWrite a note, then search for it.\n"),
    ("docs/search.md", "# Search\n\nNotes are found by the words they share with the query.\n"),
    ("bin/run", "#!/bin/sh\nexec uvicorn app.main:api\n"),
];

const METER: &[(&str, &str)] = &[
    (
        "Cargo.toml",
        "[package]\nname = \"meter\"\nversion = \"0.2.0\"\nedition = \"2024\"\n\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"\nclap = { version = \"4\", features = [\"derive\"] }\n",
    ),
    (
        "Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"meter\"\nversion = \"0.2.0\"\ndependencies = [\"clap\", \"serde\", \"serde_json\"]\n\n[[package]]\nname = \"serde\"\nversion = \"1.0.219\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n",
    ),
    ("README.md", "# Meter\n\nReads a sensor and reports it in the unit you like.\n"),
    (".gitignore", "target/\n"),
    (
        "src/main.rs",
        "use meter::report::print_report;\nuse meter::sensor::read_sensor;\n\nfn main() {\n    let samples: Vec<f64> = (0..10).map(read_sensor).collect();\n    print_report(&samples);\n}\n",
    ),
    ("src/lib.rs", "pub mod report;\npub mod sensor;\npub mod units;\n"),
    (
        "src/sensor.rs",
        "/// One reading, in degrees Celsius.\npub fn read_sensor(number: u32) -> f64 {\n    20.0 + f64::from(number % 7)\n}\n\n/// The mean of some readings.\npub fn mean(samples: &[f64]) -> f64 {\n    let count = samples.len().max(1);\n    samples.iter().sum::<f64>() / count as f64\n}\n",
    ),
    (
        "src/report.rs",
        "use crate::sensor::{mean, read_sensor};\nuse crate::units::to_fahrenheit;\n\n/// Prints what was read.\npub fn print_report(samples: &[f64]) {\n    for (number, sample) in samples.iter().enumerate() {\n        println!(\"{number}: {sample:.1} C, {:.1} F\", to_fahrenheit(*sample));\n    }\n    println!(\"mean: {:.2}\", mean(samples));\n}\n\n/// The newest reading as a line of text.\npub fn newest() -> String {\n    format!(\"{:.1}\", read_sensor(0))\n}\n",
    ),
    (
        "src/units.rs",
        "/// Celsius to Fahrenheit.\npub fn to_fahrenheit(celsius: f64) -> f64 {\n    celsius * 9.0 / 5.0 + 32.0\n}\n\n/// Fahrenheit to Celsius.\npub fn to_celsius(fahrenheit: f64) -> f64 {\n    (fahrenheit - 32.0) * 5.0 / 9.0\n}\n",
    ),
    (
        "tests/units.rs",
        "use meter::units::{to_celsius, to_fahrenheit};\n\n#[test]\nfn water_boils() {\n    assert_eq!(to_fahrenheit(100.0), 212.0);\n}\n\n#[test]\nfn there_and_back() {\n    let there = to_fahrenheit(21.5);\n    assert!((to_celsius(there) - 21.5).abs() < 1e-9);\n}\n",
    ),
    (
        "tests/sensor.rs",
        "use meter::sensor::{mean, read_sensor};\n\n#[test]\nfn readings_are_plausible() {\n    for number in 0..20 {\n        assert!((20.0..30.0).contains(&read_sensor(number)));\n    }\n}\n\n#[test]\nfn the_mean_of_nothing_is_zero() {\n    assert_eq!(mean(&[]), 0.0);\n}\n",
    ),
    ("ci/check.sh", "#!/bin/sh\nset -e\ncargo test\ncargo clippy\n"),
    ("docs/units.md", "# Units\n\nCelsius and Fahrenheit.\n"),
];
