// Indexes derived from texts: written once per text in the transaction that stores it, and filled in later if missing.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { sql } from "#src/db/connection/database.ts";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { defineIndex, type IndexKind, indexKinds } from "#src/features/content/commands/index-kinds.ts";
import { collectIndexes } from "#src/features/content/commands/collect-garbage.ts";
import { editAs, editDocument, newPage, restoreDocument } from "#test/features/content/edits.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

// Has its own database: the job derives the oldest texts of the whole database.
const { app, world } = await useApp({ own: true });
let as: Client;
let spaceId: string;
let derivedFrom: string[] = [];

/** The words of a text: as written, or in capitals for spaces whose title is in capitals. */
const words = defineIndex<{ place: number; word: string }>({
  name: "words of a test",
  version: 1,
  table: "TestWord",
  derive(markdown) {
    derivedFrom.push(markdown);
    return markdown.split(/\s+/).map((word, place) => ({ place, word }));
  },
  variant: sql`case when s.title = upper(s.title) then 'loud' else 'quiet' end`,
  columns: sql`place int, word text`,
  write: (parts) => sql`test_words as (insert into "TestWord" (hash, variant, place, word)
    select p.hash, p.variant, p.place, case p.variant when 'loud' then upper(p.word) else p.word end from ${parts} p)`,
});

beforeAll(async () => {
  const { editor, space } = await world.space();
  as = app.as(editor.token);
  spaceId = space.id;
  await app.database.pool
    .query(`create table "TestWord" (hash text collate "C" references "ContentDocument" on delete cascade,
    variant text, place int, word text, primary key (hash, variant, place))`);
});
afterAll(() => void (indexKinds as Map<string, IndexKind>).delete(words.name)); // other files do not have this table
beforeEach(() => void (derivedFrom = []));

/**
 * The texts of this file's database that were derived, in order. Kinds are of the process: the app of an earlier file
 * may write other texts.
 */
async function derivedHere(): Promise<string[]> {
  const { rows } = await app.database.pool.query<{ markdown: string }>(
    `select markdown from "ContentDocument" where markdown = any($1)`,
    [derivedFrom],
  );
  const here = new Set(rows.map(({ markdown }) => markdown));
  return derivedFrom.filter((text) => here.has(text));
}

async function wordsOf(markdown: string): Promise<string[]> {
  const { rows } = await app.database.pool.query<{ word: string }>(
    `select variant || ' ' || word as word from "TestWord" t join "ContentDocument" d using (hash)
      where d.markdown = $1 order by variant, place`,
    [markdown],
  );
  return rows.map(({ word }) => word);
}

test("an index is written once per text, whichever page has it, with the revision that adds it", async () => {
  const page = newPage("Page", { markdown: "one two" });
  await editAs(as, { spaceId }, page.edit, newPage("Other", { markdown: "one two" }).edit);
  expect(await wordsOf("one two")).toEqual(["quiet one", "quiet two"]);
  await editAs(as, { spaceId }, { updatePage: { pageId: page.pageId, title: "Renamed", slug: "renamed" } });
  expect(await derivedHere()).toEqual(["one two"]);
  await editAs(as, { spaceId }, newPage("Third", { markdown: "one two" }).edit);
  expect(await wordsOf("one two")).toEqual(["quiet one", "quiet two"]);
});

test("an index is written for each variant of the spaces with the text", async () => {
  await app.database.prisma.space.update({ where: { id: spaceId }, data: { title: "LOUD" } });
  await editAs(as, { spaceId }, newPage("Loud", { markdown: "one two" }).edit);
  expect(await wordsOf("one two")).toEqual(["loud ONE", "loud TWO", "quiet one", "quiet two"]);
});

test("an index is rewritten when its kind has another version, and missing ones are written later", async () => {
  await app.database.pool.query(`delete from "DerivedText" where kind = 'words of a test'; delete from "TestWord"`);
  await indexMissing(app.database);
  expect(await wordsOf("one two")).toEqual(["loud ONE", "loud TWO"]);
  derivedFrom = [];
  await indexMissing(app.database);
  expect(await derivedHere()).toEqual([]);
  const kind: { -readonly [Name in keyof IndexKind]: IndexKind[Name] } = words;
  kind.version = 2;
  await editAs(as, { spaceId }, newPage("Meanwhile", { markdown: "one two" }).edit); // which replaces the older one
  expect(await wordsOf("one two")).toEqual(["loud ONE", "loud TWO"]);
  derivedFrom = [];
  await indexMissing(app.database);
  expect(await derivedHere()).toEqual(["one two"]);
  expect(await wordsOf("one two")).toEqual(["loud ONE", "loud TWO"]);
});

test("texts are looked for without a transaction while all of them are indexed", async () => {
  await indexMissing(app.database);
  const refuse = (): never => {
    throw new Error("Prisma was used");
  };
  const reading = { ...app.database, prisma: new Proxy(app.database.prisma, { get: refuse }) };
  expect(await indexMissing(reading)).toBe(0);
  await app.database.pool.query(`delete from "DerivedText" where kind = 'words of a test'; delete from "TestWord"`);
  await expect(indexMissing(reading)).rejects.toThrow("Prisma was used");
  await indexMissing(app.database);
});

test("indexing continues after a writer's batch, and covers texts that only change requests have", async () => {
  const texts = Array.from({ length: 260 }, (_, number) => `text ${number}`); // more than a batch
  const revisionId = await editAs(as, { spaceId }, ...texts.map((markdown) => newPage(markdown, { markdown }).edit));
  const opened = await as.query<{ createChangeRequest: { changeRequest: { id: string } } }>(
    `mutation ($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) { changeRequest { id } } }`,
    { input: { spaceId, subject: "Draft" } },
  );
  const changeRequestId = opened.createChangeRequest.changeRequest.id;
  await editAs(as, { changeRequestId }, newPage("Draft", { markdown: "draft alone" }).edit);
  await indexMissing(app.database, { of: { revisionIds: [revisionId], spaceIds: [] } });
  expect((await derivedHere()).toSorted()).toEqual([...texts, "draft alone"].toSorted());
  await app.database.pool.query(`delete from "DerivedText" where kind = 'words of a test'; delete from "TestWord"`);
  const searched = vi.spyOn(app.database, "query");
  const batches: number[] = [];
  await indexMissing(app.database, { onProgress: (indexed) => batches.push(indexed) });
  expect(batches.length).toBeGreaterThan(1);
  const searches = searched.mock.calls.filter(([{ text }]) => text.includes("distinct d.hash"));
  expect(searches).toHaveLength(2); // of pages, and of change requests, however many batches
  searched.mockRestore();
  expect(await wordsOf("draft alone")).toEqual(["loud DRAFT", "loud ALONE"]);
  expect(await wordsOf("text 119")).toEqual(["loud TEXT", "loud 119"]);
});

test("an index is deleted once no content has its text, and written again when one has", async () => {
  const { changeRequestId, draft } = await openDraft("kept by a draft");
  const page = newPage("Going", { markdown: "brought back" });
  const before = await editAs(as, { spaceId }, page.edit, newPage("Staying", { markdown: "still there" }).edit);
  await editAs(as, { spaceId }, { deletePage: { pageId: page.pageId } });
  await collectIndexes(app.database);
  expect(await wordsOf("brought back")).toHaveLength(2); // it was stored today
  const { pool } = app.database;
  const age = () => pool.query(`update "ContentDocument" set "storedAt" = now() - interval '2 days'`);
  await age();
  expect(await collectIndexes(app.database)).toBeGreaterThan(0);
  expect(await wordsOf("brought back")).toEqual([]);
  expect([await wordsOf("still there"), await wordsOf(draft)].map(({ length }) => length)).toEqual([2, 4]);
  expect(await collectIndexes(app.database)).toBe(0);

  await as.query(restoreDocument, { input: { contentOf: { spaceId }, revisionId: before } });
  expect(await wordsOf("brought back")).toHaveLength(2);
  expect(await findTitles({ spaceId }, "brought")).toEqual(["Going"]);

  const turn = (status: string) =>
    as.query(
      `mutation ($input: UpdateChangeRequestInput!) { updateChangeRequest(input: $input) { changeRequest { id } } }`,
      { input: { changeRequestId, status } },
    );
  await turn("ARCHIVED");
  await age();
  await collectIndexes(app.database);
  expect(await wordsOf(draft)).toEqual([]);
  await turn("OPEN");
  await expect.poll(() => wordsOf(draft)).toHaveLength(4);
  expect(await findTitles({ changeRequestId }, "kept")).toEqual(["Draft page"]);
});

test("an index is written by the statement that stores the texts", async () => {
  const pages = times(10, (index) => newPage(`Costs ${index}`, { markdown: `costs ${index}` }));
  await editAs(as, { spaceId }, ...pages.map(({ edit }) => edit));
  const cost = (changed: number, of: (index: number) => object) =>
    as.statements(editDocument, {
      input: {
        contentOf: { spaceId },
        edits: pages.slice(0, changed).map(({ pageId }, index) => ({ updatePage: { pageId, ...of(index) } })),
      },
    });
  const titles = await cost(1, () => ({ title: "Renamed" }));
  expect(await cost(10, (index) => ({ title: `All renamed ${index}` }))).toBe(titles);
  expect(await cost(1, () => ({ markdown: "one other text" }))).toBe(titles);
  expect(await cost(10, (index) => ({ markdown: `other text ${index}` }))).toBe(titles);
});

async function openDraft(draft: string): Promise<{ changeRequestId: string; draft: string }> {
  const { createChangeRequest } = await as.query<{ createChangeRequest: { changeRequest: { id: string } } }>(
    `mutation ($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) { changeRequest { id } } }`,
    { input: { spaceId, subject: "Draft" } },
  );
  const changeRequestId = createChangeRequest.changeRequest.id;
  await editAs(as, { changeRequestId }, newPage("Draft page", { markdown: draft }).edit);
  return { changeRequestId, draft };
}

/** The titles of the pages that a search finds in a space or site. */
async function findTitles(place: object, text: string): Promise<string[]> {
  const { search } = await as.query<{ search: { nodes: { title: string }[] } }>(
    `query ($in: SearchPlace!, $text: String!) { search(text: $text, in: $in) { nodes { title } } }`,
    { in: place, text },
  );
  return search.nodes.map(({ title }) => title);
}
