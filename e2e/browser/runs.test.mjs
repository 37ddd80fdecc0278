// The board of runs: columns, a card with its evidence, a card that comes to the project and goes again, an answer; live, in Korean, narrow,
// with the keyboard only, without JavaScript.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { World, accessible, calm, closeBrowser, open, shop, shot } from "./world.mjs";

after(closeBrowser);

const vib = { vib: { model: "local/small" } };

/** A run's log, written line by line as whoever works on it does. */
class Run {
  constructor(world, name) {
    const projects = path.join(world.base, "state/projects");
    const project = fs.readdirSync(projects).map((id) => path.join(projects, id))
      .find((folder) => fs.existsSync(path.join(folder, "store.db")) && !fs.existsSync(path.join(folder, "lane_of")));
    this.folder = path.join(project, "runs", name);
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }
  write(event, fields) {
    const line = JSON.stringify({ at_ms: Date.now(), event, ...fields });
    fs.appendFileSync(path.join(this.folder, "events.jsonl"), `${line}\n`, { mode: 0o600 });
  }
  started(task, from, titles) {
    this.write("started", { task, from, by: [vib], attempts: 1, limits: {} });
    this.write("planned", { cards: titles.map((title, at) => ({ id: `c${at + 1}`, title, acceptance: ["the test passes"] })) });
  }
}

/** The id of a checkpoint that is made now, in the project or in a lane. */
function save(world, folder = ".") {
  return JSON.parse(world.vib("-C", folder, "checkpoint", "-m", "state", "--json")).data.checkpoint.id;
}

/** Two attempts in real lanes at one card, of which one is recommended; a card that is blocked; a run that asks. */
function twoRuns(world) {
  const run = new Run(world, "run1");
  run.started("Make prices exact", save(world), ["Round the total", "Update the manual", "Old idea"]);
  for (const [attempt, by, line] of [["a1", "claude-code", "return Math.round(sum * 100) / 100;"], ["a2", "codex", "return 0;"]]) {
    const lane = `run1-c1-${attempt}`;
    const { folder } = JSON.parse(world.vib("lane", "new", lane, "--json")).data;
    const before = save(world, folder);
    run.write("attempt_began", { card: "c1", attempt, by: { client: { name: by } }, lane, before });
    const file = path.join(folder, "src/cart.js");
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("return sum;", line));
    run.write("attempt_ended", {
      card: "c1", attempt, ended: "done", text: "All tests pass.", after: save(world, folder), tree: attempt,
      files: [{ path: "src/cart.js", added: 1, removed: 1 }], tokens: null, dollars: 0.21, milliseconds: 42_000,
    });
    run.write("checked", {
      card: "c1", attempt, tree: attempt, findings: [], weakened: attempt === "a2" ? ["test/cart.test.js"] : [],
      checks: [{ command: "npm test", status: attempt === "a2" ? "failed" : "passed", exit: 0, milliseconds: 900, tail: "12 tests ran" }],
    });
  }
  run.write("command_ran", { card: "c1", n: 3, command: "npm run build", exit: 1, milliseconds: 800, tail: "could not find <x>" });
  run.write("compared", { card: "c1", recommended: "a1", reasons: ["a1 passes the checks; a2 weakened a test"] });
  run.write("meta", { card: "c1", risk: "medium", note: "Prices are money.", assumptions: ["two decimals are enough"] });
  run.write("status", { card: "c1", status: "review" });
  run.write("status", { card: "c2", status: "blocked", code: "gate", why: "the check fails twice in the same way" });
  run.write("status", { card: "c3", status: "dropped" });
  const asks = new Run(world, "run2");
  asks.started("Write a manual", save(world), ["Introduction"]);
  asks.write("paused", { card: "c1", code: "question", why: "In which language?", options: ["English", "Korean"] });
  return run;
}

async function story(name, options, { keyboard = false } = {}) {
  const world = new World();
  try {
    shop(world);
    await world.serve();
    const page = await open(world, options);
    const scripts = options.javaScriptEnabled !== false;
    assert.equal(await page.locator(".waits").count(), 0, "home is calm while nothing waits");
    const run = twoRuns(world);
    const press = async (locator) => {
      if (!keyboard) return locator.click();
      await locator.focus();
      assert.ok(await locator.evaluate((node) => node.matches(":focus-visible")), "the focus can be seen");
      await page.keyboard.press("Enter");
    };
    // Home hears of it by itself.
    if (!scripts) await page.reload();
    await page.locator("#runs .waits").first().waitFor();
    if (scripts) await accessible(page, "home with a run that waits");
    await press(page.locator("nav.menu a[href$='/runs']"));
    await page.locator("#column-review").waitFor();
    assert.equal(await page.locator(".column").count(), 6);
    await shot(page, `${name}-runs-1-board`);
    if (scripts) {
      await accessible(page, "board");
      // A card that moves is seen without a reload.
      run.write("status", { card: "c2", status: "todo" });
      await page.locator(".column:has(#column-todo) .ticket", { hasText: "Update the manual" }).waitFor();
    }
    await press(page.locator(".ticket-title", { hasText: "Round the total" }));
    await page.locator("#attempts table").waitFor();
    await page.locator("#changes table.diff").waitFor();
    await shot(page, `${name}-runs-2-card`);
    if (scripts) await accessible(page, "card");
    // Bring it to the project: a look first, which changes nothing.
    await press(page.locator("#about button.primary"));
    await page.locator("#confirm").waitFor();
    assert.match(world.read("src/cart.js"), /return sum;/, "looking changes nothing");
    await shot(page, `${name}-runs-3-preview`);
    if (scripts) await accessible(page, "preview of a card");
    await press(page.locator("#confirm button.primary"));
    await page.locator("#job a[href*='/undo?what=']").waitFor();
    assert.match(world.read("src/cart.js"), /Math\.round/);
    await shot(page, `${name}-runs-4-applied`);
    if (scripts) await accessible(page, "applied");
    // And back.
    await page.goto(`${world.url}/runs/run1/c1`);
    await press(page.locator("#about form:has(input[value=revert]) button"));
    await press(page.locator("#confirm button.primary"));
    await page.locator("#job h2").waitFor();
    assert.match(world.read("src/cart.js"), /return sum;/);
    // The question, and its answer.
    await page.goto(`${world.url}/runs/run2`);
    await shot(page, `${name}-runs-5-question`);
    if (scripts) await accessible(page, "a run that asks");
    await press(page.locator("#paused button", { hasText: "Korean" }));
    await page.locator(".said").waitFor();
    await page.locator("#paused blockquote", { hasText: "Korean" }).waitFor();
    assert.match(fs.readFileSync(path.join(run.folder, "../run2/answer.json"), "utf8"), /"answer":"Korean"/);
    calm(page);
    await page.context().close();
  } finally {
    await world.end();
  }
}

test("the board, a card and its acts", () => story("wide", {}));
test("with the keyboard only", () => story("keyboard", {}, { keyboard: true }));
test("in Korean, dark, 390 pixels wide", () => story("narrow", { locale: "ko-KR", colorScheme: "dark", viewport: { width: 390, height: 844 } }));
test("without JavaScript", () => story("plain", { javaScriptEnabled: false }));
