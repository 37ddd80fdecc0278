//! The whole story, offline: a small project, and what a scripted model does with it. `vib run --demo` tells it.

use serde_json::json;

use crate::script::{Script, Turn};

/// The project's check.
pub const CHECK: &str = "python3 run_tests.py";

/// The files of the project.
pub const FILES: &[(&str, &str)] = &[
    ("README.md", "# Corner shop\n\nA cart and a receipt.\n"),
    (
        "cart.py",
        "def total(items):\n    return sum(price * count for price, count in items)\n\n\ndef receipt(items):\n    return f\"Total: {total(items)}\"\n",
    ),
    (
        "test_cart.py",
        "from cart import receipt, total\n\n\ndef test_total():\n    assert total([(10, 2), (5, 1)]) == 25\n    assert total([]) == 0\n\n\n\
         def test_receipt():\n    assert receipt([(10, 1)]) == \"Total: 10\"\n",
    ),
    (
        "run_tests.py",
        "import sys\nimport test_cart\n\nfailed = 0\nfor name, test in sorted(vars(test_cart).items()):\n    if name.startswith(\"test_\"):\n        \
         try:\n            test()\n            print(\"ok\", name)\n        except AssertionError:\n            failed = 1\n            print(\"FAIL\", \
         name)\nsys.exit(failed)\n",
    ),
];

/// What the first run is about.
pub const FIRST: &str = "Give a discount of 10 from 100 on, and thank on the receipt";
/// What the second one is about.
pub const SECOND: &str = "Make the total of a cart faster";

fn call(name: &str, input: serde_json::Value) -> Turn {
    Turn::call(name, input)
}

fn edit(diff: &str) -> Turn {
    call("EDIT_DIFF", json!({"diff": diff}))
}

fn done(summary: &str) -> Turn {
    call("DONE", json!({"summary": summary}))
}

/// Two cards: a diff that does not fit is refused and written anew; who says "done" while a test fails is told which.
pub fn first() -> Script {
    let guessed = "--- a/cart.py\n+++ b/cart.py\n@@ -1,2 +1,3 @@\n def total(items):\n-    return sum(item.price for item in items)\n\
                   +    sum = sum(item.price for item in items)\n+    return sum - 10\n";
    let discount = "--- a/cart.py\n+++ b/cart.py\n@@ -1,2 +1,3 @@\n def total(items):\n-    return sum(price * count for price, count in items)\n\
                    +    full = sum(price * count for price, count in items)\n+    return full - 10 if full >= 100 else full\n";
    let tested = "--- a/test_cart.py\n+++ b/test_cart.py\n@@ -4,3 +4,4 @@\n def test_total():\n     assert total([(10, 2), (5, 1)]) == 25\n\
                  +    assert total([(60, 2)]) == 110\n     assert total([]) == 0\n";
    let breaks = "--- a/cart.py\n+++ b/cart.py\n@@ -6,2 +6,2 @@\n def receipt(items):\n-    return f\"Total: {total(items)}\"\n\
                  +    return f\"Sum: {total(items)}\\nThank you!\"\n";
    let repairs = "--- a/cart.py\n+++ b/cart.py\n@@ -6,2 +6,2 @@\n def receipt(items):\n-    return f\"Sum: {total(items)}\\nThank you!\"\n\
                   +    return f\"Total: {total(items)}\"\n+\n+\n+def farewell(items):\n+    return receipt(items) + \"\\nThank you!\"\n";
    Script::new()
        .with("plan", [
            call("GREP", json!({"q": "def "})),
            call("PLAN", json!({"cards": [
                {"title": "A discount of 10 from 100 on", "acceptance": ["120 becomes 110", "less than 100 stays as it is"]},
                {"title": "Thank on the receipt"}]})),
        ])
        .with("c1/executor", [
            edit(guessed),
            call("READ", json!({"path": "cart.py"})),
            edit(discount),
            edit(tested),
            call("TEST", json!({})),
            done("From 100 on, 10 less; a test says so."),
        ])
        .with("c1/reviewer", [call("META", json!({"risk": "low", "note": "The change is small and has a test.",
                                                   "assumptions": ["the discount is an amount, not a share"]}))])
        .with("c2/executor", [
            edit(breaks),
            done("All done, all tests pass."),
            edit(repairs),
            done("The receipt stays as it was; `farewell` thanks."),
        ])
        .with("c2/reviewer", [call("META", json!({"risk": "medium", "note": "Nobody calls `farewell` yet.", "assumptions": []}))])
}

/// Two attempts at one card: both say that all tests pass. One made the test check less.
pub fn second() -> Script {
    let wrong = "--- a/cart.py\n+++ b/cart.py\n@@ -1,3 +1,3 @@\n def total(items):\n-    full = sum(price * count for price, count in items)\n\
                 +    full = sum(price for price, _ in items)\n     return full - 10 if full >= 100 else full\n";
    let weaker = "--- a/test_cart.py\n+++ b/test_cart.py\n@@ -4,4 +4,2 @@\n def test_total():\n-    assert total([(10, 2), (5, 1)]) == 25\n\
                  -    assert total([(60, 2)]) == 110\n     assert total([]) == 0\n";
    let right = "--- a/cart.py\n+++ b/cart.py\n@@ -1,3 +1,5 @@\n def total(items):\n-    full = sum(price * count for price, count in items)\n\
                 +    full = 0\n+    for price, count in items:\n+        full += price * count\n     return full - 10 if full >= 100 else full\n";
    Script::new()
        .with("c1/a1/executor", [edit(wrong), edit(weaker), done("Much faster now. All tests pass.")])
        .with("c1/a2/executor", [edit(right), done("A plain loop. All tests pass.")])
}
