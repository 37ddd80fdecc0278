// What happened, step by step: the alarm, the strip, a step that is taken back while later work stays, and redo.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Agent, World, accessible, breakIt, calm, closeBrowser, open, shop, shot } from "./world.mjs";

after(closeBrowser);

async function story(name, options, { keyboard = false } = {}) {
  const world = new World();
  try {
    shop(world);
    await world.serve();
    const page = await open(world, options);
    assert.equal(await page.locator(".alarm").count(), 0, "a page with nothing wrong is calm");
    const agent = new Agent(world);
    breakIt(world, agent);
    agent.prompt("And now the discount");
    agent.edit("src/cart.js", "let sum = 0;", "let sum = 0; // discount");
    assert.ok(agent.refused("rm -rf ~"), "that is not let run");

    const press = async (locator) => {
      if (!keyboard) return locator.click();
      await locator.focus();
      assert.ok(await locator.evaluate((node) => node.matches(":focus-visible")), "the focus can be seen");
      await page.keyboard.press("Enter");
    };
    // The alarm comes by itself, and names the command and the request.
    const alarm = page.locator(".alarm");
    await alarm.getByText("3 files were lost").waitFor();
    // Waited for: the page may just be drawing itself anew.
    await alarm.getByText("npm run tidy").waitFor();
    await alarm.getByText("two decimals").waitFor();
    await page.locator(".dots a.lost").waitFor();
    await page.locator(".dots a.stopped").waitFor();
    await accessible(page, "home with an alarm");
    await shot(page, `${name}-1-home`);
    // Arrow keys walk along the strip.
    await page.locator(".strip a").first().focus();
    await page.keyboard.press("ArrowRight");
    const label = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    assert.match(label, /npm run tidy/, "the second step has the focus and a name");

    await press(alarm.getByRole("link", { name: "Look" }));
    await page.getByRole("heading", { name: /^Step s/ }).waitFor();
    await shot(page, `${name}-2-step`);
    await accessible(page, "step");
    await press(page.getByRole("link", { name: "Undo this step" }));
    await page.locator("#confirm").waitFor();
    assert.equal(world.read("src/pay.js"), null, "looking changes nothing");
    await accessible(page, "undo");
    await shot(page, `${name}-3-undo`);
    await press(page.locator("#confirm button.primary"));
    await page.getByRole("heading", { name: "You are back." }).waitFor();
    assert.match(world.read("src/pay.js"), /charge/);
    assert.match(world.read("README.md"), /small shop/);
    assert.match(world.read("src/cart.js"), /toFixed\(2\)/, "the good work stays");
    assert.match(world.read("src/cart.js"), /discount/, "so does what came later");
    assert.ok(await page.locator("#lesson textarea").isVisible(), "the question for a lesson");
    await accessible(page, "undone");
    await shot(page, `${name}-4-undone`);

    await press(page.locator("nav.menu a[href$='/history']"));
    await page.locator("#redo a").waitFor();
    const stopped = page.locator("article.entry", { hasText: "rm -rf ~" });
    await stopped.locator("details").evaluate((node) => { node.open = true; });
    assert.ok(await stopped.getByText("stopped by vib").isVisible());
    await accessible(page, "history");
    await shot(page, `${name}-5-history`);
    await press(page.locator("#redo a"));
    await press(page.locator("#confirm button.primary"));
    await page.getByRole("heading", { name: "You are back." }).waitFor();
    assert.equal(world.read("src/pay.js"), null, "redo is the way forward again");
    await page.goto(world.url);
    await page.locator(".alarm").waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} px wider than the screen`);
    calm(page);
    await page.context().close();
  } finally {
    await world.end();
  }
}

test("with a mouse", () => story("steps", {}));
test("in the dark", () => story("steps-dark", { colorScheme: "dark" }));
test("on a narrow screen, with the keyboard only", () => story("steps-390", { viewport: { width: 390, height: 844 } }, { keyboard: true }));

test("without JavaScript a request is folded, opened, and taken back", async () => {
  const world = new World();
  try {
    shop(world);
    const agent = new Agent(world);
    breakIt(world, agent);
    agent.prompt("And now the discount");
    agent.edit("src/cart.js", "let sum = 0;", "let sum = 0; // discount");
    await world.serve();
    const page = await open(world, { javaScriptEnabled: false });
    await page.goto(`${world.url}/history`);
    const entry = page.locator("article.entry", { hasText: "two decimals" });
    assert.equal(await entry.getByText("npm run tidy").isVisible(), false, "older requests are folded");
    await entry.locator("summary").click();
    assert.ok(await entry.getByText("npm run tidy").isVisible());
    await entry.getByRole("link", { name: /Undo this request/ }).click();
    await page.locator("#confirm button.primary").click();
    await page.getByRole("heading", { name: "You are back." }).waitFor();
    assert.match(world.read("src/pay.js"), /charge/);
    assert.match(world.read("src/cart.js"), /discount/, "later work stays");
    assert.doesNotMatch(world.read("src/cart.js"), /toFixed/);
    await page.context().close();
  } finally {
    await world.end();
  }
});
