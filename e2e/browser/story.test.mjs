// The whole story: an agent breaks files, the page shows it live, a person looks, goes back, and returns to before.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Agent, World, accessible, breakIt, calm, closeBrowser, open, shop, shot } from "./world.mjs";

after(closeBrowser);

const GOOD_CART = "toFixed(2)";

async function story(name, options, words, { keyboard = false } = {}) {
  const world = new World();
  try {
    shop(world);
    await world.serve();
    const page = await open(world, options);
    await page.getByText(words.live).waitFor();
    const agent = new Agent(world);
    const began = Date.now();
    breakIt(world, agent);
    // It appears by itself.
    await page.locator("#changed").getByText("src/login.js").waitFor();
    const seen = Date.now() - began;
    await page.locator("#risk .tag.bad, #risk .tag.warn").first().waitFor();
    assert.ok(await page.locator("#doing").getByText("two decimals").isVisible());
    await shot(page, `${name}-1-live`);

    const press = async (locator) => {
      if (!keyboard) return locator.click();
      await locator.focus();
      assert.ok(await locator.evaluate((node) => node.matches(":focus-visible")), "the focus can be seen");
      await page.keyboard.press("Enter");
    };
    await press(page.locator("nav.menu a[href$='/recovery']"));
    await page.locator("#happened").getByText("src/pay.js").first().waitFor();
    await accessible(page, "recovery");
    await shot(page, `${name}-2-ways`);
    await press(page.locator("#ways a.button").first());
    await page.locator("#confirm").waitFor();
    assert.ok(await page.getByText(words.saved).isVisible());
    assert.equal(world.read("src/pay.js"), null, "looking changes nothing");
    await accessible(page, "preview");
    await shot(page, `${name}-3-preview`);
    await press(page.locator("#confirm button.primary"));
    await page.getByRole("heading", { name: words.done }).waitFor();
    assert.match(world.read("src/pay.js"), /charge/);
    assert.match(world.read("src/login.js"), /fetch/);
    assert.match(world.read("README.md"), /small shop/);
    assert.match(world.read("src/cart.js"), new RegExp(GOOD_CART.replace(/[()]/g, "\\$&")), "the good work stays");
    await accessible(page, "result");
    await shot(page, `${name}-4-result`);
    await press(page.locator("#job a[href$='/recovery/preview?to=before']"));
    await press(page.locator("#confirm button.primary"));
    await page.getByRole("heading", { name: words.done }).waitFor();
    assert.equal(world.read("src/pay.js"), null, "as it was before going back");
    assert.equal(world.read("README.md"), "");
    calm(page);
    await page.context().close();
    return seen;
  } finally {
    await world.end();
  }
}

const ENGLISH = { live: "Live", saved: "The state of now is saved first.", done: "You are back." };
const KOREAN = { live: "실시간", saved: "지금 상태를 먼저 저장해요.", done: "되돌렸어요." };

test("with a mouse", async () => {
  const seen = await story("story", {}, ENGLISH);
  console.log(`# the agent's six hook calls and the page together: ${seen} ms`);
});
test("in Korean", () => story("story-ko", { locale: "ko-KR" }, KOREAN));
test("in the dark", () => story("story-dark", { colorScheme: "dark" }, ENGLISH));
test("on a narrow screen", () => story("story-380", { viewport: { width: 380, height: 800 } }, ENGLISH));
test("with the keyboard only", () => story("story-keys", {}, ENGLISH, { keyboard: true }));
