// Every page in every look: dark, narrow, Korean, Chinese, without JavaScript. Nothing overflows, nothing is inaccessible.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Agent, PAGES, World, accessible, breakIt, calm, closeBrowser, open, shop, shot } from "./world.mjs";

const world = new World();
before(async () => {
  shop(world);
  breakIt(world, new Agent(world));
});
after(async () => {
  await closeBrowser();
  await world.end();
});

const LOOKS = {
  dark: { colorScheme: "dark" },
  narrow: { viewport: { width: 390, height: 800 } },
  "narrow-dark": { viewport: { width: 390, height: 800 }, colorScheme: "dark" },
  korean: { locale: "ko-KR" },
  chinese: { locale: "zh-CN" },
};

for (const [name, options] of Object.entries(LOOKS)) {
  test(name, async () => {
    await world.serve();
    const page = await open(world, options);
    for (const path of PAGES) {
      await page.goto(world.url + path);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${path} is ${wide} px wider than the screen`);
      await accessible(page, `${name} ${path}`);
      await shot(page, `look-${name}-${path.slice(1).replace(/[^a-z0-9]+/g, "-") || "home"}`);
    }
    calm(page);
    await page.context().close();
    await world.stop();
  });
}

test("without JavaScript everything can be read, and forms work", async () => {
  await world.serve();
  const page = await open(world, { javaScriptEnabled: false });
  for (const path of PAGES) {
    await page.goto(world.url + path);
    assert.ok((await page.locator("main h1").innerText()).length > 0, path);
  }
  await page.goto(`${world.url}/memory`);
  await page.locator("#goal summary").click();
  await page.locator("#goal textarea").fill("Works without scripts");
  await page.locator("#goal button.primary").click();
  await page.locator("#goal").getByText("Works without scripts").first().waitFor();
  await page.goto(`${world.url}/recovery`);
  await page.locator("#ways a.button").first().click();
  await page.locator("#confirm button.primary").click();
  await page.getByRole("heading", { name: "You are back." }).waitFor();
  await shot(page, "look-no-script");
  await page.context().close();
  await world.stop();
});
