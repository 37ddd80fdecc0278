// A slow connection, one that breaks, and pages that should not get in.

import assert from "node:assert/strict";
import http from "node:http";
import { after, test } from "node:test";
import { Agent, World, browser, closeBrowser, open, shop, shot } from "./world.mjs";

after(closeBrowser);

test("a slow connection still shows what happens", async () => {
  const world = new World();
  try {
    shop(world);
    await world.serve();
    const page = await open(world);
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 20_000, uploadThroughput: 10_000 });
    await page.goto(`${world.url}/history`);
    await page.locator("vib-live[state=on]").waitFor({ timeout: 60_000 });
    const agent = new Agent(world);
    agent.prompt("slowly, please");
    agent.edit("src/cart.js", "let sum = 0;", "let sum = 0; // slowly");
    await page.getByText("slowly, please").first().waitFor({ timeout: 60_000 });
    assert.deepEqual(page.errors, []);
  } finally {
    await world.end();
  }
});

test("a broken connection is said, nothing written is lost, and the page recovers", async () => {
  const world = new World();
  try {
    shop(world);
    await world.serve();
    const page = await open(world);
    await page.goto(`${world.url}/memory`);
    await page.locator("vib-live[state=on]").waitFor();
    await page.locator("#goal summary").click();
    await page.locator("#goal textarea").fill("do not lose me");
    await page.context().setOffline(true);
    await page.locator("#goal button.primary").click();
    await page.locator("#goal .wrong").waitFor();
    assert.equal(await page.locator("#goal textarea").inputValue(), "do not lose me");
    await shot(page, "broken");
    await page.context().setOffline(false);
    await page.locator("#goal button.primary").click();
    await page.locator("#goal .big").getByText("do not lose me").waitFor();
    // The server ends: the page says so.
    await world.stop();
    await page.locator("vib-live[state=off]").waitFor();
  } finally {
    await world.end();
  }
});

test("another site in the same browser gets nothing", async () => {
  const world = new World();
  const evil = http.createServer((_, answer) => answer.end("<!doctype html><title>evil</title><h1>evil</h1>"));
  try {
    shop(world);
    await world.serve();
    const page = await open(world);
    await new Promise((resolve) => evil.listen(0, "127.0.0.1", resolve));
    const attacker = await page.context().newPage();
    // The same host name and another port: cookies do not tell ports apart.
    await attacker.goto(`http://127.0.0.1:${evil.address().port}/`);
    const tries = await attacker.evaluate(async (url) => {
      const outcome = async (call) => { try { const answer = await call(); return answer.type === "opaque" ? "opaque" : answer.status; } catch { return "blocked"; } };
      return {
        read: await outcome(() => fetch(`${url}/api/status`, { credentials: "include" })),
        opaque: await outcome(() => fetch(`${url}/memory/intent`, { method: "POST", mode: "no-cors", credentials: "include", body: new URLSearchParams({ csrf: "x", text: "owned" }) })),
        json: await outcome(() => fetch(`${url}/api/memory`, { method: "POST", credentials: "include", headers: { "Content-Type": "application/json" }, body: "{}" })),
      };
    }, world.origin);
    assert.equal(tries.read, "blocked");
    assert.equal(tries.json, "blocked");
    await attacker.evaluate((url) => {
      const form = document.createElement("form");
      form.method = "post";
      form.action = `${url}/memory/intent`;
      form.innerHTML = '<input name="csrf" value="x"><input name="text" value="owned">';
      document.body.append(form);
      form.submit();
    }, world.origin);
    await attacker.waitForURL(/memory\/intent/);
    assert.match(await attacker.locator("h1").innerText(), /Another page tried/);
    const framed = await page.context().newPage();
    await framed.goto(`http://127.0.0.1:${evil.address().port}/`);
    await framed.evaluate((url) => { const frame = document.createElement("iframe"); frame.src = url; document.body.append(frame); }, world.origin);
    await framed.waitForTimeout(500);
    const inside = framed.frames().find((frame) => frame !== framed.mainFrame());
    assert.ok(!(await inside.content().catch(() => "")).includes("VibeLign · "), "not in a frame");
    await page.goto(`${world.url}/memory`);
    assert.equal(await page.getByText("owned").count(), 0);
    // A link that was used does not open a second browser.
    const second = await (await browser()).newContext();
    const stranger = await second.newPage();
    await stranger.goto(world.link);
    assert.match(await stranger.locator("h1").innerText(), /used already/);
  } finally {
    evil.close();
    await world.end();
  }
});

test("s11: another port of this machine is told nothing that opens the page", async () => {
  const world = new World();
  const seen = [];
  const evil = http.createServer((request, answer) => {
    seen.push({ url: request.url, headers: request.headers });
    answer.setHeader("Content-Type", "text/html");
    answer.end("<!doctype html><title>evil</title><h1>evil</h1>");
  });
  try {
    shop(world);
    await world.serve();
    const page = await open(world);
    const capability = world.url.split("/").at(-1);
    assert.match(capability, /^[0-9a-f]{64}$/);
    const csrf = await page.locator('meta[name="csrf"]').getAttribute("content");
    // Everything that leaves a cookie, if anything does.
    await page.goto(`${world.url}/history`);
    await page.getByRole("button", { name: "한국어" }).click();
    await page.locator('html[lang="ko"]').waitFor();
    await new Promise((resolve) => evil.listen(0, "127.0.0.1", resolve));
    const other = `http://127.0.0.1:${evil.address().port}`;
    // Typed, followed from the page itself, and fetched by a page of that port; and the other name of this machine.
    await page.goto(`${other}/typed`);
    await page.goto(`${world.url}/history`);
    await page.evaluate((to) => { location.href = to; }, `${other}/followed`);
    await page.waitForURL(/followed/);
    await page.evaluate(() => fetch("/fetched", { credentials: "include" }));
    await page.goBack();
    const opened = await page.context().newPage();
    await opened.goto(`${other}/second`);
    assert.deepEqual(seen.map((one) => one.url).filter((url) => url !== "/favicon.ico"), ["/typed", "/followed", "/fetched", "/second"]);
    const told = JSON.stringify(seen);
    assert.ok(!told.includes(capability) && !told.includes(csrf), told);
    const cookies = [...new Set(seen.flatMap((one) => (one.headers.cookie ?? "").split("; ").filter(Boolean)))];
    assert.deepEqual(cookies, ["vib_language=ko"], "the language, which opens nothing");
    // What that port has, used against the page from outside a browser, where no rule of browsers holds.
    const attempt = (method, path, body) => fetch(world.origin + path, {
      method, body, redirect: "manual",
      headers: { Cookie: cookies.join("; "), ...(body ? { "Content-Type": "application/x-www-form-urlencoded" } : {}) },
    }).then((answer) => answer.status);
    assert.deepEqual(await Promise.all([
      attempt("GET", "/"), attempt("GET", "/api/status"), attempt("GET", "/events"),
      attempt("POST", "/settings", "csrf=&name=guard.llm_command&value=evil&target=user"),
      attempt("POST", "/permissions/grant", "csrf=&client=evil&capability=recovery_apply&hours=8"),
    ]), [401, 401, 401, 401, 401]);
    assert.doesNotMatch(world.vib("config", "get", "guard.llm_command"), /evil/);
    // The person's page still works: reload, a second tab, a bookmark.
    await page.goto(`${world.url}/history`);
    await page.reload();
    assert.equal(await page.locator("h1").count(), 1);
    const tab = await page.context().newPage();
    await tab.goto(`${world.url}/settings`);
    await tab.locator("#set-retention-turns").waitFor();
    // Without the capability, as an old bookmark: what to do is said.
    const stale = await page.context().newPage();
    await stale.goto(`${world.origin}/history`);
    assert.match(await stale.locator("main").innerText(), /vib serve --open/);
  } finally {
    evil.close();
    await world.end();
  }
});

test("s11: a setting that runs a program needs the code, also without scripts", async () => {
  const world = new World();
  try {
    shop(world);
    await world.serve();
    const page = await open(world, { javaScriptEnabled: false });
    await page.goto(`${world.url}/settings`);
    await page.locator("#set-guard-llm_command").fill("my-judge --strict");
    await page.locator("form:has(#set-guard-llm_command) button").click();
    await page.locator("#confirm").getByText("my-judge --strict").first().waitFor();
    await page.reload();
    assert.doesNotMatch(world.vib("config", "get", "guard.llm_command"), /my-judge/);
    assert.match(world.screen, /guard\.llm_command.*my-judge --strict/);
    await page.locator("#confirm input[name=code]").fill(await world.code());
    await page.locator("#confirm button.primary").click();
    await page.locator(".said").waitFor();
    assert.match(world.vib("config", "get", "guard.llm_command"), /my-judge/);
  } finally {
    await world.end();
  }
});
