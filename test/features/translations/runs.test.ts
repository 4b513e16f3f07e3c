// Runs of translations: the translated space, changed segments, manual changes, and errors.
import { expect, test } from "vitest";
import { EngineError } from "#src/base/translator.ts";
import { newPage } from "#test/features/content/edits.ts";
import { testEngine } from "#test/features/translations/engine.ts";
import { openDesk, runTranslations } from "#test/features/translations/running.ts";
import { useApp } from "#test/support/app.ts";
import { shareOfMainThread } from "#test/support/main-thread.ts";

// Has its own database: the job runs everything that is due in the whole database.
const { app, world } = await useApp({ own: true });

/** A space whose admin creates a translation, and an engine that translates it. */
async function openScene(options: Parameters<typeof testEngine> = []) {
  const { organization, space, admin } = await world.space();
  const engine = testEngine(...options);
  const desk = await openDesk(app, { organizationId: organization.id, spaceId: space.id, person: admin });
  const { sent } = engine;
  return {
    ...desk,
    organization,
    space,
    admin,
    sent,
    /** Runs due translations; returns the texts that the engine received. */
    async run(): Promise<string[]> {
      const before = sent.length;
      await runTranslations(app, engine.translator);
      return sent.slice(before);
    },
  };
}

const texts = (pages: readonly { title: string; markdown: string | null }[]) =>
  Object.fromEntries(pages.map(({ title, markdown }) => [title, markdown]));

test("a translation run creates one revision: the same tree with separate pages and unchanged structure", async () => {
  const scene = await openScene();
  const guide = newPage("First steps", { description: "What to do", markdown: "Open **the box**.\n" });
  const setup = newPage("Set up", {
    parentId: guide.pageId,
    markdown: `Go [back](page:${guide.pageId}) or [out](https://example.com/a).\n\n\`\`\`sh\nnpm start\n\`\`\`\n\nUse \`code\` and {{version}}.\n`,
  });
  const out = newPage("See also", { type: "LINK", target: `page:${setup.pageId}` });
  await scene.edit(guide.edit, setup.edit, out.edit);
  await scene.run();
  const [start, below] = await scene.pages();
  expect(await scene.pages()).toEqual([
    {
      pageId: expect.stringMatching(/^pag_/) as string,
      title: "FIRST STEPS",
      path: "first-steps",
      description: "WHAT TO DO",
      markdown: "OPEN **THE BOX**.\n",
    },
    {
      pageId: expect.stringMatching(/^pag_/) as string,
      title: "SET UP",
      path: "first-steps/set-up",
      description: null,
      markdown: `GO [BACK](page:${start?.pageId}) OR [OUT](https://example.com/a).\n\n\`\`\`sh\nnpm start\n\`\`\`\n\nUSE \`code\` AND {{version}}.\n`,
    },
    expect.objectContaining({ title: "SEE ALSO", path: "see-also", markdown: null }),
  ]);
  expect([start?.pageId, below?.pageId]).not.toContain(guide.pageId);
  const { revisions } = (
    await scene.as.query<{ space: { revisions: { nodes: { type: string }[] } } }>(
      `{ space(id: "${scene.targetId}") { revisions { nodes { type } } } }`,
    )
  ).space;
  expect(revisions.nodes.map(({ type }) => type)).toEqual(["UPDATE", "INITIAL"]);
  expect(await scene.see()).toMatchObject({
    status: "COMPLETED",
    error: null,
    warnings: [],
    progress: { pages: 3, donePages: 3 },
    stats: { runs: 1, totalWords: 18, totalPages: 3, latestWords: 18, latestPages: 3 },
    result: { spaceId: scene.targetId, revisionId: expect.stringMatching(/^rev_/) as string },
  });
});

test("a translation run sends only changed segments, and keeps slugs", async () => {
  const scene = await openScene();
  const page = newPage("Harbour", { markdown: "One line.\n\nAnother line.\n" });
  await scene.edit(page.edit, newPage("Docks", { markdown: "Another line.\n" }).edit);
  expect(await scene.run()).toEqual(["Harbour", "One line.", "Another line.", "Docks"]);
  expect(await scene.run()).toEqual([]); // none is due
  const first = await scene.see();
  await scene.edit({
    updatePage: { pageId: page.pageId, title: "Port", markdown: "One more line.\n\nAnother line.\n" },
  });
  expect(await scene.run()).toEqual(["Port", "One more line."]);
  expect((await scene.pages()).map(({ title, path }) => [title, path])).toEqual([
    ["PORT", "harbour"],
    ["DOCKS", "docks"],
  ]);
  expect(await scene.see()).toMatchObject({
    stats: { runs: 2, totalWords: first.stats.totalWords + 4, totalPages: 3, latestWords: 4, latestPages: 1 },
  });
  await scene.edit({ deletePage: { pageId: page.pageId } });
  expect(await scene.run()).toEqual([]);
  expect(texts(await scene.pages())).toEqual({ DOCKS: "ANOTHER LINE.\n" });
});

test("a translation run keeps manual changes, and proposes the source's changes there in a change request", async () => {
  const scene = await openScene();
  const page = newPage("Page", { markdown: "First.\n\nSecond.\n\nThird.\n\nFourth.\n" });
  await scene.edit(page.edit);
  await scene.run();
  const [made] = await scene.pages();
  const pageId = made?.pageId ?? "";
  await scene.editTarget({ updatePage: { pageId, markdown: "PRIMERO.\n\nSECOND.\n\nTHIRD.\n\nFOURTH.\n" } });
  await scene.edit({ updatePage: { pageId: page.pageId, markdown: "First.\n\nSecond.\n\nThird.\n\nFifth.\n" } });
  await scene.run();
  expect(texts(await scene.pages())).toEqual({ PAGE: "PRIMERO.\n\nSECOND.\n\nTHIRD.\n\nFIFTH.\n" });
  expect(await scene.changeRequests()).toMatchObject([{ status: "MERGED" }]);
  await scene.edit({ updatePage: { pageId: page.pageId, markdown: "Beginning.\n\nSecond.\n\nLast.\n\nFifth.\n" } });
  await scene.run();
  expect(texts(await scene.pages())).toEqual({ PAGE: "PRIMERO.\n\nSECOND.\n\nLAST.\n\nFIFTH.\n" });
  const [left] = await scene.changeRequests();
  expect(left).toMatchObject({ status: "OPEN", subject: "Update of the translation" });
  expect(texts(await scene.pagesOf(left?.id ?? ""))).toEqual({ PAGE: "BEGINNING.\n\nSECOND.\n\nLAST.\n\nFIFTH.\n" });
  expect(await scene.run()).toEqual([]);
});

test("a failed translation run reports the reason, keeps finished segments, and continues later", async () => {
  let isUp = false;
  const answer = (text: string) => {
    if (!isUp && text === "Second") throw new EngineError("The translation engine is away: start it.", "UNAVAILABLE");
    return text.toUpperCase();
  };
  const scene = await openScene([answer]);
  await scene.edit(newPage("First").edit, newPage("Second").edit);
  expect(await scene.run()).toEqual(["First", "Second"]);
  const failed = await scene.see();
  const next = failed.nextRunAt?.slice(0, 16).replace("T", " ");
  expect(failed).toMatchObject({
    status: "FAILED",
    error: `The translation engine is away: start it. The next run is at ${next} UTC.`,
    errorCode: "UNAVAILABLE",
    stats: { runs: 1, totalWords: 1, totalPages: 1 },
  });
  expect(await scene.pages()).toEqual([]);
  isUp = true;
  expect(await scene.run()).toEqual([]); // it waits
  const named = { organizationId: scene.organization.id, translationId: scene.id };
  await scene.as.query(`mutation ($input: RunTranslationInput!) { runTranslation(input: $input) { __typename } }`, {
    input: named,
  });
  expect(await scene.run()).toEqual(["Second"]);
  expect(await scene.see()).toMatchObject({
    status: "COMPLETED",
    error: null,
    errorCode: null,
    stats: { runs: 2, totalWords: 2 },
  });
});

test("segments that the engine breaks stay in the source language, and are reported", async () => {
  const scene = await openScene([(text) => (text.startsWith("Press") ? "PULSE" : text.toUpperCase())]);
  await scene.edit(newPage("Keys", { markdown: "Press `Enter` now.\n\nWait.\n" }).edit);
  expect(await scene.run()).toHaveLength(4); // the bad answer is requested once more
  expect(texts(await scene.pages())).toEqual({ KEYS: "Press `Enter` now.\n\nWAIT.\n" });
  expect((await scene.see()).warnings).toEqual([{ page: "Keys", message: 'Not translated: Press <x id="1"/> now.' }]);
});

test("an organization cannot translate more words a month than the gateway allows", async () => {
  const scene = await openScene([undefined, 3]);
  await scene.edit(newPage("One two").edit, newPage("Three four").edit);
  expect(await scene.run()).toEqual(["One two"]);
  expect(await scene.see()).toMatchObject({
    status: "FAILED",
    error: expect.stringContaining("TRANSLATION_WORDS") as string,
    errorCode: "CONFLICT",
    stats: { totalWords: 2 },
  });
});

test("a translation does not run without autoUpdate, or without an engine", async () => {
  const scene = await openScene();
  await scene.edit(newPage("One").edit);
  await runTranslations(app, undefined);
  expect(await scene.see()).toMatchObject({ status: "PENDING" });
  await scene.run();
  const input = { organizationId: scene.organization.id, translationId: scene.id, autoUpdate: false };
  await scene.as.query(
    `mutation ($input: UpdateTranslationInput!) { updateTranslation(input: $input) { __typename } }`,
    {
      input,
    },
  );
  await scene.edit(newPage("Two").edit);
  expect(await scene.run()).toEqual([]);
});

test("links to headings lead to the translated headings", async () => {
  const scene = await openScene([(text) => text.replaceAll("Set up", "Instalar").replaceAll("Start", "Empezar")]);
  const guide = newPage("Guide", {
    markdown: "# Start\n\n## Set up\n\n## Set up\n\nAs [here](#set-up-2), not [there](#no).\n",
  });
  const link = `[how](page:${guide.pageId}#set-up), [out](https://example.com/#set-up)`;
  const other = newPage("Other", { markdown: `${link}\n\n\`[no](#set-up)\`\n` });
  const leads = newPage("Leads", { type: "LINK", target: `page:${guide.pageId}#start` });
  await scene.edit(guide.edit, other.edit, leads.edit);
  await scene.run();
  const [first, second] = await scene.pages();
  expect(first?.markdown).toContain("As [here](#instalar-2), not [there](#no).");
  expect(second?.markdown).toBe(
    `[how](page:${first?.pageId}#instalar), [out](https://example.com/#set-up)\n\n\`[no](#set-up)\`\n`,
  );
  const target = `{ space(id: "${scene.targetId}") { content { page(by: { path: "leads" }) { target { pageId anchor } } } } }`;
  expect(await scene.as.query(target)).toEqual({
    space: { content: { page: { target: { pageId: first?.pageId, anchor: "empezar" } } } },
  });
});

test("segments unused for 180 days are removed from the translation memory", async () => {
  const scene = await openScene();
  const { organization } = scene;
  const kept = () => app.database.prisma.translationSegment.count({ where: { organizationId: organization.id } });
  const { translator } = testEngine();
  const runIn = (days: number) =>
    runTranslations(app, translator, { now: () => new Date(Date.now() + days * 24 * 3_600_000) });
  const page = newPage("Start", { markdown: "One line." });
  await scene.edit(page.edit);
  await runIn(0);
  await scene.edit({ updatePage: { pageId: page.pageId, markdown: "One line.\n\nAnother line." } });
  expect(await kept()).toBe(2);
  await runIn(100); // which needs the first two again
  await runIn(190);
  expect(await kept()).toBe(3);
  await runIn(281);
  expect(await kept()).toBe(0);
});

test("translating a text that is slow to parse leaves the process to others", async () => {
  const scene = await openScene();
  const slow = `${"1. ".repeat(1_200)}Last words\n`;
  await scene.edit(newPage("Slow", { markdown: slow }).edit);
  const { share } = await shareOfMainThread(() => scene.run());
  expect(await scene.see()).toMatchObject({ status: "COMPLETED" });
  expect(share).toBeLessThan(0.5);
});
