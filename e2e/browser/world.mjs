// A project in a world of its own, `vib serve` for it, a scripted agent that goes through `vib hook`, and a real browser.

import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import assert from "node:assert/strict";

const require = createRequire(import.meta.url);
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const root = path.resolve(import.meta.dirname, "../..");
export const VIB = process.env.VIB_UNDER_TEST ?? path.join(root, "target/debug/vib");
export const SHOTS = process.env.VIB_SHOTS ?? path.join(root, "target/browser-shots");
fs.mkdirSync(SHOTS, { recursive: true });

/** Pages that every test of looks goes through. */
export const PAGES = [
  "/", "/memory", "/history", "/checkpoints", "/recovery", "/lessons", "/permissions", "/spirals", "/audit", "/settings", "/diff", "/runs",
  "/step/s2", "/request/r1", "/undo?what=s2", "/history/src/pay.js",
];

let shared;
/** One browser for all tests of a file. */
export async function browser() {
  const programs = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const executablePath = process.env.CHROMIUM ?? programs.find((program) => fs.existsSync(program));
  assert.ok(executablePath, "Chromium is needed: install the package `chromium`, or set CHROMIUM");
  shared ??= await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  return shared;
}
export async function closeBrowser() {
  await shared?.close();
  shared = undefined;
}

export class World {
  constructor() {
    this.base = fs.mkdtempSync(path.join(os.tmpdir(), "vib-browser-"));
    this.root = path.join(this.base, "shop");
    fs.mkdirSync(this.root);
    fs.mkdirSync(path.join(this.base, "home"));
    this.env = {
      PATH: process.env.PATH, HOME: path.join(this.base, "home"), TZ: "UTC", LANG: "en_US.UTF-8",
      VIBELIGN_STATE: path.join(this.base, "state"), VIBELIGN_CONFIG: path.join(this.base, "config"),
    };
  }
  write(file, text) {
    const target = path.join(this.root, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
  }
  read(file) {
    const target = path.join(this.root, file);
    return fs.existsSync(target) ? fs.readFileSync(target, "utf8") : null;
  }
  remove(file) { fs.rmSync(path.join(this.root, file)); }
  vib(...args) { return execFileSync(VIB, args, { cwd: this.root, env: this.env, encoding: "utf8" }); }
  /** Starts the server on a terminal of its own; resolves with its first link. */
  async serve() {
    const command = `'${VIB}' serve --json`;
    this.server = spawn("script", ["--quiet", "--flush", "--return", "--command", command, "/dev/null"], {
      cwd: this.root, env: this.env, stdio: ["ignore", "pipe", "inherit"],
    });
    this.screen = "";
    const line = await new Promise((resolve, reject) => {
      this.server.stdout.on("data", (data) => { this.screen += data; if (this.screen.includes("\n")) resolve(this.screen); });
      this.server.on("exit", () => reject(new Error(`vib serve ended: ${this.screen}`)));
    });
    const { data } = JSON.parse(line.split("\n")[0]);
    this.link = data.url;
    this.pid = JSON.parse(fs.readFileSync(data.token_file, "utf8")).pid;
    this.origin = `http://127.0.0.1:${data.port}`;
    // Where the page is, is known when it was opened; see `open`.
    this.url = this.origin;
    return this.link;
  }
  /** The code that the terminal shows last. */
  async code() {
    for (let tries = 0; tries < 100; tries += 1) {
      const codes = [...this.screen.matchAll(/Code: (\S+)/g)];
      if (codes.length > (this.codes ?? 0)) { this.codes = codes.length; return codes.at(-1)[1]; }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`no code on the terminal: ${this.screen}`);
  }
  async stop() {
    const server = this.server;
    if (server && server.exitCode === null) {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      process.kill(this.pid, "SIGTERM");
      await ended;
    }
  }
  async end() {
    await this.stop();
    fs.rmSync(this.base, { recursive: true, force: true });
  }
}

/** An agent: every step goes through `vib hook claude-code`, with the payloads that the real client sends. */
export class Agent {
  constructor(world, session = "02ad4774-b601-44fd-b8a0-0840308e13a3") {
    this.world = world;
    this.session = session;
    this.calls = 0;
    this.hook("SessionStart", { source: "startup" });
  }
  hook(event, more) {
    const payload = {
      session_id: this.session, transcript_path: path.join(this.world.base, "none.jsonl"), cwd: this.world.root,
      prompt_id: this.prompt_id ?? "p0", permission_mode: "default", hook_event_name: event, ...more,
    };
    return execFileSync(VIB, ["hook", "claude-code"], { cwd: this.world.root, env: this.world.env, input: JSON.stringify(payload), encoding: "utf8" });
  }
  prompt(text) {
    this.prompt_id = `prompt-${++this.calls}`;
    this.hook("UserPromptSubmit", { prompt: text });
  }
  edit(file, before, after) {
    const target = path.join(this.world.root, file);
    const tool_input = { file_path: target, old_string: before, new_string: after, replace_all: false };
    const tool_use_id = `toolu_${++this.calls}`;
    this.hook("PreToolUse", { tool_name: "Edit", tool_input, tool_use_id });
    this.world.write(file, this.world.read(file).replace(before, after));
    this.hook("PostToolUse", { tool_name: "Edit", tool_input, tool_response: { filePath: target }, tool_use_id });
  }
  /** A command of the agent; what it does is done here. */
  command(command, effect) {
    const tool_input = { command, description: "scripted" };
    const tool_use_id = `toolu_${++this.calls}`;
    this.hook("PreToolUse", { tool_name: "Bash", tool_input, tool_use_id });
    effect();
    this.hook("PostToolUse", { tool_name: "Bash", tool_input, tool_response: { stdout: "", stderr: "", interrupted: false }, tool_use_id });
  }
  /** A command that vib does not let run; says whether it was refused. */
  refused(command) {
    const tool_input = { command, description: "scripted" };
    const answer = this.hook("PreToolUse", { tool_name: "Bash", tool_input, tool_use_id: `toolu_${++this.calls}` });
    return answer.includes("deny");
  }
  stop() { this.hook("Stop", { stop_hook_active: false }); }
}

/** A page in a context of its own. Errors on its console are collected; `calm` fails the test if there were any. */
export async function open(world, options = {}) {
  const context = await (await browser()).newContext({ locale: "en-US", viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  page.errors = [];
  page.on("console", (message) => { if (message.type() === "error") page.errors.push(`${message.text()} ${message.location().url}`); });
  page.on("pageerror", (error) => page.errors.push(String(error)));
  await page.goto(world.link);
  await page.waitForURL(/\/k\/[0-9a-f]{64}\/$/);
  world.url = page.url().replace(/\/$/, "");
  page.setDefaultTimeout(15_000);
  return page;
}

export function calm(page) {
  assert.deepEqual(page.errors, [], "errors on the console");
}

/** No violation of WCAG level A or AA. */
export async function accessible(page, what) {
  await page.evaluate(axe);
  const result = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] } }));
  const found = result.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ") + " " + (node.failureSummary ?? "")).join(" | ")}`);
  assert.deepEqual(found, [], what);
}

export async function shot(page, name) {
  await page.screenshot({ path: path.join(SHOTS, `${name}.png`) });
}

/** A small shop that works, with a goal, a decision and a lesson. */
export function shop(world) {
  world.write("src/cart.js", "export function total(items) {\n  let sum = 0;\n  for (const item of items) {\n    sum += item.price * item.count;\n  }\n  return sum;\n}\n");
  world.write("src/pay.js", "import { total } from './cart.js';\n\nexport function pay(items, card) {\n  return card.charge(total(items));\n}\n");
  world.write("src/login.js", "export function login(name, word) {\n  return fetch('/login', { method: 'POST', body: JSON.stringify({ name, word }) });\n}\n");
  world.write("README.md", "# Shop\n\nA small shop.\n");
  world.vib("init", "--yes");
  world.vib("checkpoint", "-m", "the shop works");
}

/** What the agent of the story does: one good edit, then a command that spoils three files. */
export function breakIt(world, agent) {
  agent.prompt("Show prices with two decimals, please");
  agent.edit("src/cart.js", "return sum;", "return Number(sum.toFixed(2));");
  agent.command("npm run tidy", () => {
    world.remove("src/pay.js");
    world.remove("src/login.js");
    world.write("README.md", "");
  });
  agent.stop();
}
