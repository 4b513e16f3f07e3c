// A day of a documentation team in three browsers: an admin, a writer and a reviewer who make a space, fill it, propose
// a change, discuss it live, resolve a conflict, merge and publish; a visitor reads the result.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { zip } from "#test/features/imports/files.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { cameraOf, chromiumPath, closePages, openBrowser } from "#test/support/browser.ts";
import { followEmail, openInbox } from "#test/support/inbox.ts";
import { createWorld } from "#test/support/world.ts";

if (!chromiumPath) console.warn("Skipped: Chromium is not installed, and CHROMIUM_PATH is not set.");

const writerEmail = "writer@example.com";
const reviewerEmail = "reviewer@example.com";

/** A red square of one pixel. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

const archive = zip({
  "README.md": "# Anemometer\n\nMeasures the wind. Begin with [mounting](mounting.md).",
  "mounting.md": "# Mounting\n\nMount it ten metres above the ground.\n\nTighten both screws.",
  "reading.md": "# Reading\n\nIt answers in metres per second.",
});

describe.skipIf(!chromiumPath)("a day of a documentation team", { timeout: 240_000 }, () => {
  const inbox = openInbox();
  let app: TestApp;
  let browser: Browser;
  const wrong: string[] = [];
  const shoot = cameraOf("day");

  beforeAll(async () => {
    app = await testApp({ mail: inbox.mail });
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await closePages(browser);
    await app.close();
  });

  /** Another person with a browser of their own. */
  async function open(name: string): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
    const page = await context.newPage();
    page.on("pageerror", ({ message }) => wrong.push(`${name}: ${message}`));
    page.on("console", (line) => line.type() === "error" && wrong.push(`${name}: ${line.text()}`));
    return page;
  }

  const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).first().click();

  /** What the last form did, on the page after it. */
  const says = (page: Page, notice: string) => page.locator(".form-notice", { hasText: notice }).waitFor();

  /** Loads a change request, and waits until it listens to changes. */
  async function listen(page: Page, address: string) {
    const isListening = page.waitForResponse((answer) => answer.url().endsWith("?changes"));
    await page.goto(address);
    await isListening;
  }

  async function accept(page: Page, email: string, organizationId: string) {
    await followEmail(page, await inbox.next(email));
    await page.getByLabel("Your e-mail address").fill(email);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
    await followEmail(page, await inbox.next(email));
    await press(page, "Sign in");
    await press(page, "Accept");
    await page.waitForURL(`${app.url}/app/orgs/${organizationId}`);
  }

  test("leads from an empty organization to a page that a visitor reads", async () => {
    const { organization, admin: adminUser } = await createWorld(app.database).organization();
    const { cookie } = await signIn(app, { userId: adminUser.id });
    const [admin, writer, reviewer] = [await open("admin"), await open("writer"), await open("reviewer")];
    const [name = "", value = ""] = cookie.split("=");
    await admin.context().addCookies([{ name, value, url: app.url }]);

    // The admin makes a space of an archive.
    await admin.goto(`${app.url}/app`);
    await shoot(admin, "first-steps");
    await admin.getByLabel("Title").fill("Anemometer");
    await admin.getByLabel("Begin with").selectOption("import");
    await press(admin, "Create the space");
    await says(admin, "The space was created.");
    await admin
      .getByLabel("A ZIP archive")
      .setInputFiles({ name: "docs.zip", mimeType: "application/zip", buffer: archive });
    await press(admin, "Import the archive");
    await admin.getByText("Imported docs.zip: 3 pages").waitFor();
    await shoot(admin, "imported");
    await admin.getByRole("link", { name: "Show the pages" }).click();
    await admin.waitForURL(/\/pages\/pag_\w+$/);
    const space = admin.url().replace(/\/pages\/.*/, "");

    // Two people are invited and accept.
    await admin.goto(`${app.url}/app/orgs/${organization.id}/invitations`);
    for (const [email, role] of [
      [writerEmail, "EDIT"],
      [reviewerEmail, "REVIEW"],
    ] as const) {
      await admin.getByLabel("E-mail address").fill(email);
      await admin.locator("form", { hasText: "E-mail address" }).getByLabel("Role").selectOption(role);
      await press(admin, "Invite");
      await admin.getByRole("cell", { name: email }).waitFor();
    }
    await accept(writer, writerEmail, organization.id);
    await accept(reviewer, reviewerEmail, organization.id);

    // The writer proposes a change, with a picture.
    await writer.goto(space);
    await writer
      .getByRole("navigation", { name: "Pages", exact: true })
      .getByRole("link", { name: "Mounting" })
      .click();
    await press(writer, "Edit");
    const text = writer.getByLabel("Text, in Markdown");
    await text.fill((await text.inputValue()).replace("ten metres", "at least ten metres"));
    await writer
      .getByLabel("Add images and other files")
      .setInputFiles({ name: "Mast.png", mimeType: "image/png", buffer: picture });
    await press(writer, "Add to the text");
    await writer.locator("textarea[data-caret]").waitFor();
    expect(await text.inputValue()).toMatch(/at least ten metres[^]*!\[Mast\]\(file:fil_/);
    await shoot(writer, "editing");
    await press(writer, /^Save to #1/);
    await says(writer, "Saved.");
    const request = writer.url().replace(/\/pages\/.*/, "");
    await writer.goto(request);
    await writer.getByText("Change the subject").click();
    await writer.getByLabel("Subject").fill("Say how high the mast is");
    await press(writer, "Save");
    await press(writer, "Ready for review");
    await writer.getByLabel("Ask for a review").selectOption({ label: "reviewer" });
    await press(writer, "Request");
    await shoot(writer, "change-request");

    // The reviewer comments on a block, which the writer sees at once, and answers.
    await listen(writer, request);
    await reviewer.goto(`${app.url}/app`);
    await shoot(reviewer, "waiting-for-review");
    await reviewer.locator("main").getByRole("link", { name: "#1 Say how high the mast is" }).click();
    await reviewer.getByRole("link", { name: "Comments in the text" }).click();
    await reviewer.getByRole("link", { name: /^Comment on Mount it at least/ }).click();
    const comment = reviewer.locator("li:target").getByLabel("Your comment");
    await comment.pressSequentially("Is that enough, @wri");
    await reviewer.getByRole("option", { name: "writer" }).waitFor();
    await reviewer.keyboard.press("Enter");
    await comment.pressSequentially("?");
    await reviewer.locator("li:target").getByRole("button", { name: "Comment" }).click();
    await says(reviewer, "Your comment was sent.");
    await shoot(reviewer, "comment-on-block");
    await writer.locator(".said-text", { hasText: "Is that enough" }).waitFor();
    await listen(reviewer, request);
    await writer.getByText("1 other looks at this: reviewer").waitFor();
    await writer.locator("summary", { hasText: "Reply" }).click();
    await writer.getByLabel("Your reply").fill("In open country, yes.");
    await press(writer, "Reply");
    await reviewer.locator(".reply", { hasText: "In open country, yes." }).waitFor();
    await shoot(reviewer, "conversation");

    // The admin changes the same sentence in the main content; the writer chooses.
    await admin.goto(space);
    await admin.getByRole("navigation", { name: "Pages", exact: true }).getByRole("link", { name: "Mounting" }).click();
    await admin.getByText("Other ways to edit").click();
    await admin.getByRole("link", { name: "Edit without a review" }).click();
    const main = admin.getByLabel("Text, in Markdown");
    await main.fill((await main.inputValue()).replace("ten metres", "twelve metres"));
    await press(admin, "Save to the main content");
    await says(admin, "Saved.");
    await writer.reload();
    await writer.getByRole("heading", { name: "1 conflict with the main content" }).waitFor();
    await shoot(writer, "conflict");
    await writer.getByRole("radio", { name: "This change request" }).check();
    await press(writer, "Resolve");
    await writer.getByText("No conflicts with the main content.").waitFor();

    // The reviewer approves, which the writer sees, and merges.
    await listen(writer, request);
    await reviewer.reload();
    await press(reviewer, "Approve");
    await writer.locator("aside .badge", { hasText: "Approved" }).waitFor();
    await press(reviewer, "Merge");
    await reviewer.locator("aside .done").waitFor();
    await writer.locator("aside .done").waitFor();
    await shoot(writer, "merged");

    // The admin publishes, and a visitor reads.
    await admin.goto(`${app.url}/app/orgs/${organization.id}/sites`);
    await admin.getByLabel("Title").fill("Harbour Docs");
    await press(admin, "Create site");
    await press(admin, "Publish");
    await shoot(admin, "published");
    const address = await admin.locator(".site-state .address").getAttribute("href");
    const visitor = await open("visitor");
    await visitor.goto(address ?? "");
    await visitor.getByRole("link", { name: "mounting", exact: true }).click();
    await visitor.getByText("at least ten metres").waitFor();
    const width = visitor.getByAltText("Mast").evaluate(async (image: HTMLImageElement) => {
      await image.decode(); // it is loaded
      return image.naturalWidth;
    });
    expect(await width).toBe(1);
    await shoot(visitor, "visitor");
    expect(wrong).toEqual([]);
  });
});
