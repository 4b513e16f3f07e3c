// Garbage collection removes everything unreferenced and nothing else, also during concurrent writes. The small size
// removes fewer rows, and has fewer runs.
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { collectBlobs, collectContent } from "#src/features/content/commands/collect-garbage.ts";
import { purgeDeletedSpaces } from "#src/features/spaces/jobs.ts";
import { collect, contentCounts, missing, passTwoDays } from "#test/features/content/collecting.ts";
import { editAs, editDocument, newPage, readPages, restoreDocument } from "#test/features/content/edits.ts";
import { giveLevels } from "#test/features/content/factory.ts";
import { textFile, uploadAs, uploadDocument } from "#test/features/content/uploads.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { post } from "#test/live/requests.ts";
import { openStream } from "#test/live/stream.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

/** A fixed time, so that the same edits create the same rows in every space. */
const clock = { now: () => new Date("2026-06-15T12:00:00.000Z") };

// Has its own database: the clock decides which contents of the whole database are removed.
const { app, world } = await useApp({ own: true, clock });
beforeEach(async () => {
  await purgeAll();
  await passTwoDays(app);
  await collect(app);
});

/**
 * Purges spaces as the job does a week after their deletion. The job skips rows that are locked at that time, such as
 * by the indexing of pages: it is repeated until all are deleted.
 */
async function purge(...ids: readonly string[]): Promise<void> {
  const where = { id: { in: [...ids] } };
  const { space } = app.database.prisma;
  await space.updateMany({ where, data: { deletedAt: new Date("2026-06-01T12:00:00.000Z") } });
  do await purgeDeletedSpaces(app.database, clock);
  while ((await space.count({ where })) > 0);
}

async function purgeAll(): Promise<void> {
  const spaces = await app.database.prisma.space.findMany({ select: { id: true } });
  await purge(...spaces.map(({ id }) => id));
}

const nothing = { ContentPage: 0, ContentTree: 0, ContentDocument: 0, ContentFileList: 0, ContentFile: 0, blobs: 0 };

/** A space with pages on two levels, a file, and a reusable content. */
async function fullSpace(as: Client, space: { id: string }, text: string): Promise<void> {
  const top = newPage("Top", { markdown: text });
  await editAs(
    as,
    { spaceId: space.id },
    top.edit,
    newPage("Below", { parentId: top.pageId, markdown: `${text} below` }).edit,
    { createReusableContent: { title: "Shared", markdown: `${text} shared` } },
  );
  await uploadAs(as, { spaceId: space.id, file: textFile(`${text}.txt`) });
}

describe("garbage collection", () => {
  test("removes all content of a purged space within a day, and its files are not found", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    await fullSpace(as, space, "mine");
    const { file } = await uploadAs(as, { spaceId: space.id, file: textFile("last.txt") });
    await passTwoDays(app);
    const before = await contentCounts(app);
    await collect(app);
    expect(await contentCounts(app)).toEqual(before);
    expect((await fetch(file.downloadURL)).status).toBe(200);
    await purge(space.id);
    await collect(app);
    expect(await contentCounts(app)).toEqual(nothing);
    expect((await fetch(file.downloadURL)).status).toBe(404);
  });

  test("keeps content of a purged space that others share, and content of others", async () => {
    const { editor, space, organization, collection } = await world.space();
    const as = app.as(editor.token);
    const other = await world.insert((rows) => addSpace(rows, { organizationId: organization.id, parent: collection }));
    await fullSpace(as, other, "theirs");
    await uploadAs(as, { spaceId: other.id, file: textFile("same.txt", "the same bytes") });
    const before = await contentCounts(app);
    await fullSpace(as, space, "theirs");
    await uploadAs(as, { spaceId: space.id, file: textFile("same.txt", "the same bytes") });
    await purge(space.id);
    await passTwoDays(app);
    await collect(app);
    expect(await contentCounts(app)).toEqual(before);
    expect(await missing(app)).toEqual([]);
  });

  test("keeps content that a copy shares with a purged space", async () => {
    const { creator, space } = await world.space();
    const as = app.as(creator.token);
    await fullSpace(as, space, "mine");
    const { space: original } = await as.query<{ space: { revisionId: string } }>(
      `{ space(id: "${space.id}") { revisionId } }`,
    );
    const pages = await readPages(as, original.revisionId);
    const { duplicateSpace } = await as.query<{ duplicateSpace: { space: { revisionId: string } } }>(
      `mutation ($id: ID!) { duplicateSpace(input: { spaceId: $id }) { space { revisionId } } }`,
      { id: space.id },
    );
    await purge(space.id);
    await passTwoDays(app);
    await collect(app);
    expect(await missing(app)).toEqual([]);
    expect(await readPages(as, duplicateSpace.space.revisionId)).toEqual(pages);
  });
});

test("keeps content stored within a day, with everything that it refers to", async () => {
  const { editor, space } = await world.space();
  await fullSpace(app.as(editor.token), space, "young");
  const before = await contentCounts(app);
  await purge(space.id);
  await collect(app);
  expect(await contentCounts(app)).toEqual(before);
});

test("treats content that is stored again as new", async () => {
  const { editor, space, organization, collection } = await world.space();
  const as = app.as(editor.token);
  const page = newPage("Page", { markdown: "Text" });
  await editAs(as, { spaceId: space.id }, page.edit);
  await passTwoDays(app);
  await purge(space.id);
  const other = await world.insert((rows) => addSpace(rows, { organizationId: organization.id, parent: collection }));
  const revisionId = await editAs(as, { spaceId: other.id }, page.edit);
  const [document] = await app.database.prisma.contentDocument.findMany();
  expect(Date.now() - Number(document?.storedAt)).toBeLessThan(24 * 60 * 60 * 1000);
  await collect(app);
  expect(await readPages(as, revisionId)).toMatchObject([{ title: "Page", markdown: "Text" }]);
});

test("keeps history and the content of change requests", async () => {
  const { editor, space, changeRequest } = await world.changeRequest();
  const as = app.as(editor.token);
  const page = newPage("Page", { markdown: "One" });
  await editAs(as, { spaceId: space.id }, page.edit);
  await editAs(as, { spaceId: space.id }, { deletePage: { pageId: page.pageId } });
  await fullSpace(as, space, "old");
  await editAs(as, { changeRequestId: changeRequest.id }, newPage("Proposed", { markdown: "Two" }).edit);
  await uploadAs(as, { changeRequestId: changeRequest.id, file: textFile("proposed.txt") });
  const before = await contentCounts(app);
  await passTwoDays(app);
  await collect(app);
  expect(await contentCounts(app)).toEqual(before);
});

test("removes bytes stored for a refused change after a day", async () => {
  const blob = await app.files.receive([Buffer.from("nobody's")], 100);
  await blob.keep();
  await collect(app);
  expect(await contentCounts(app)).toEqual({ ...nothing, blobs: 1 });
  await passTwoDays(app);
  await collect(app);
  expect(await contentCounts(app)).toEqual(nothing);
});

test("keeps bytes that are uploaded again during their removal", async () => {
  const { editor, space } = await world.space();
  const blob = await app.files.receive([Buffer.from("coming back")], 100);
  await blob.keep();
  await passTwoDays(app);
  let upload: Promise<unknown> | undefined;
  let isOver = false;
  const isOverOrWaits = async () => {
    const { rowCount } = await app.database.pool.query(
      `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    );
    return isOver || rowCount === 1;
  };
  const files = {
    list: () => app.files.list(),
    delete: (hash: string) => app.files.delete(hash),
    /** The upload runs as far as it can between the check of the blob and its removal. */
    async find(hash: string) {
      const found = await app.files.find(hash);
      const file = textFile("back.txt", "coming back");
      upload ??= uploadAs(app.as(editor.token), { spaceId: space.id, file }).finally(() => (isOver = true));
      while (!(await isOverOrWaits()));
      return found;
    },
  };
  expect(await collectBlobs(app.database, files, { now: () => new Date() })).toBe(1);
  await upload;
  expect(await missing(app)).toEqual([]);
});

test("removes more rows than one statement takes", async () => {
  const { space } = await world.space();
  const textOf = (index: number) => `Text ${index}`;
  await giveLevels(app.database, space.revisionId, { count: sized(1_001, 3_000), siblings: 3_000, textOf });
  await purge(space.id);
  await passTwoDays(app);
  await collect(app);
  expect(await contentCounts(app)).toEqual(nothing);
});

test("runs every night", () => {
  const jobs = features.flatMap((feature) => feature.jobs ?? []);
  expect(jobs.find(({ name }) => name === "content.collect")?.schedule).toBe("30 3 * * *");
});

describe("garbage collection during writes", () => {
  /** The same few pages, texts and files everywhere, so that one space stores again what another loses. */
  const pages = times(3, (index) => newPage(`Page ${index}`));
  const text = fc.constantFrom("One", "Two", "Three");
  const some = fc.nat(5);
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ make: fc.subarray([0, 1, 2], { minLength: 1 }), text }) },
    { weight: 3, arbitrary: fc.record({ purge: some }) },
    fc.record({ edit: some, page: fc.nat(2), text }),
    fc.record({ upload: some, text }),
    fc.record({ duplicate: some }),
    fc.record({ restore: some }),
  );
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  /**
   * A writer in its own spaces. Refusals because something was deleted or conflicts are not
   * failures.
   */
  async function write(
    as: Client,
    place: { id: string; organizationId: string },
    steps: readonly Step[],
  ): Promise<void> {
    const spaces: { id: string; revisionId: string }[] = [];
    const attempt = async (document: string, input: object) => {
      const { errors } = await as.graphql(document, { input });
      expect(errors?.filter(({ extensions }) => !["NOT_FOUND", "CONFLICT"].includes(extensions.code))).toBeOneOf([
        undefined,
        [],
      ]);
    };
    for (const one of steps) {
      if ("make" in one) {
        const space = await world.insert((rows) =>
          addSpace(rows, { organizationId: place.organizationId, parent: { ...place, ancestors: [] } }),
        );
        spaces.push(space);
        const edits = one.make.map((index) => ({
          createPage: { ...pages[index]?.edit["createPage"], markdown: one.text },
        }));
        await attempt(editDocument, { contentOf: { spaceId: space.id }, edits });
        continue;
      }
      const [index] = Object.values(one);
      const space = spaces[Number(index) % Math.max(1, spaces.length)];
      if (!space) continue;
      const spaceId = space.id;
      if ("purge" in one) await purge(spaces.splice(spaces.indexOf(space), 1)[0]?.id ?? "");
      if ("upload" in one)
        await attempt(uploadDocument, { contentOf: { spaceId }, file: textFile("file.txt", one.text) });
      if ("restore" in one) await attempt(restoreDocument, { contentOf: { spaceId }, revisionId: space.revisionId });
      if ("edit" in one) {
        const edit = { updatePage: { pageId: pages[one.page]?.pageId, markdown: one.text } };
        await attempt(editDocument, { contentOf: { spaceId }, edits: [edit] });
      }
      if ("duplicate" in one)
        await attempt(`mutation ($input: DuplicateSpaceInput!) { duplicateSpace(input: $input) { space { id } } }`, {
          spaceId,
        });
    }
  }

  test("never removes referenced content and removes everything else in the end", { timeout: 120_000 }, async () => {
    const { creator, collection } = await world.space();
    const as = app.as(creator.token);
    const scripts = fc.array(fc.array(step, { minLength: 3, maxLength: 8 }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(scripts, async (writers) => {
        let isWriting = true;
        const writing = Promise.all(writers.map((steps) => write(as, collection, steps))).finally(() => {
          isWriting = false;
        });
        const collecting = (async () => {
          while (isWriting) {
            await passTwoDays(app);
            await collect(app);
          }
        })();
        await Promise.all([writing, collecting]);
        expect(await missing(app)).toEqual([]);
        await purgeAll();
        await passTwoDays(app);
        await collect(app);
        expect(await contentCounts(app)).toEqual(nothing);
      }),
      { numRuns: sized(2, 25) },
    );
  });
});

test("garbage collection does not delay subscription events", async () => {
  const { admin, editor, space } = await world.space();
  const stream = await openStream(app.url, admin.token, { space: space.id });
  expect(await stream.next()).toMatchObject({ __typename: "Ready" });
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold('lock table "ContentFileList"');
  const collecting = collectContent(app.database);
  await locks.waiters(1, "%insert into unreachable%");
  const commentId = await post(app, editor.token, space.id);
  expect(await stream.nextEvent()).toMatchObject({ __typename: "CommentPosted", commentId });
  await locks.release();
  expect(await collecting).toBe(0);
  stream.end();
});
