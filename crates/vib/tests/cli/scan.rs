//! `vib scan` (GD1)

use insta::assert_snapshot;
use testkit::Sandbox;

use super::{empty, shop};

fn site() -> Sandbox {
    Sandbox::with_files(
        env!("CARGO_BIN_EXE_vib"),
        &[
            ("package.json", "{\"name\": \"site\", \"scripts\": {\"test\": \"vitest run\"}}\n"),
            (
                "src/index.js",
                "import { login } from './auth';\nimport { total } from './utils/cart';\nlogin();\ntotal();\n",
            ),
            ("src/auth.js", "export function login() {\n  return true;\n}\n"),
            ("src/utils/cart.js", "export function total() {\n  return 1;\n}\n"),
            (
                "src/components/Button.jsx",
                "import { total } from '../utils/cart';\nexport const Button = () => <p>Buy now</p>;\n",
            ),
            (
                "tests/cart.test.js",
                "import { total } from '../src/utils/cart';\nit('adds', () => { expect(total()).toBe(1); });\n",
            ),
            ("docs/latest.md", "# Notes\n"),
        ],
    )
}

#[test]
fn the_map_in_short() {
    let site = site();
    assert_snapshot!(site.vib(&["scan"]).text(&site), @r###"
    7 files on the map (7 read now, 0 known)
      kinds      entry 1, ui 1, service 1, core 1, test 1, config 1, docs 1
      languages  JavaScript 5, JSON 1
      holds      7 things with a name, 4 imports, 0 anchors, 1 label
    starts at
      src/index.js
    most needed
      src/utils/cart.js  needed by 3
      src/auth.js  needed by 1
    "###);
    let again = site.data(&["scan"]);
    assert_eq!((again["parsed"].as_u64(), again["reused"].as_u64()), (Some(0), Some(7)));
    site.write("src/auth.js", "export function login() {\n  return false;\n}\n");
    let third = site.data(&["scan"]);
    assert_eq!((third["parsed"].as_u64(), third["reused"].as_u64()), (Some(1), Some(6)));
    assert_eq!(third["most_needed"][0]["path"], "src/utils/cart.js");
    assert_eq!(third["most_needed"][0]["dependants"], 3);
}

#[test]
fn nothing_is_written_into_the_project() {
    let shop = shop();
    shop.checkpoint("one");
    let before = testkit::Photo::of(&shop.root());
    shop.vib(&["scan"]).ok();
    before.assert_same(&testkit::Photo::of(&shop.root()));
}

#[test]
fn an_empty_project_and_odd_files_are_no_trouble() {
    let empty = empty();
    assert_eq!(empty.data(&["scan"])["files"], 0);
    empty.write("bad.js", "function (((\n");
    empty.write("data.bin", b"\0\x01\xff");
    empty.write("app.js", "a();".repeat(10_000));
    empty.write(".env", "API_KEY=abc\n");
    let report = empty.data(&["scan"]);
    assert_eq!((report["files"].as_u64(), report["syntax_errors"].as_u64()), (Some(4), Some(1)));
    assert_eq!(report["unread"][0]["path"], "app.js");
    assert_eq!(report["unread"][0]["why"], "minified");
}
