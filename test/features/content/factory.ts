// Gives revisions content in tests, without the gateway's commands.
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { quotas } from "#src/base/limits.ts";
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { addFiles, newFile } from "#src/features/content/commands/files.ts";
import { storeContent } from "#src/features/content/commands/write-content.ts";
import { Draft } from "#src/features/content/model/draft.ts";
import { hashText } from "#src/features/content/model/content-state.ts";
import { emptyTree } from "#src/features/content/model/page.ts";
import { nextInstant } from "#test/support/rows.ts";

const addPage = (draft: Draft, title: string, parentId: string | null, text = `# ${title}\n`): string =>
  draft.create({ pageId: newId("Page"), type: "document", title, fields: {}, text }, { parentId, position: {} });

/**
 * Adds sibling documents with these titles to a revision without documents, with the titles as texts unless others
 * are given; returns their ids.
 */
export async function giveContent(
  database: Pick<Database, "prisma">,
  revisionId: string,
  titles: readonly string[],
  text?: string,
): Promise<string[]> {
  const draft = new Draft(emptyTree, nextInstant());
  const pageIds = titles.map((title) => addPage(draft, title, null, text));
  await store(database, revisionId, draft);
  return pageIds;
}

/**
 * Adds a number of documents to a revision without documents, in chapters of three levels; returns their ids in
 * tree order.
 */
export async function giveTree(
  database: Pick<Database, "prisma">,
  revisionId: string,
  count: number,
): Promise<string[]> {
  const draft = new Draft(emptyTree, nextInstant());
  const pageIds: string[] = [];
  let chapter: string | null = null;
  let section: string | null = null;
  for (let index = 0; index < count; index++) {
    const parentId: string | null = index % 100 === 0 ? null : index % 10 === 0 ? chapter : section;
    const pageId = addPage(draft, `Page ${index}`, parentId);
    pageIds.push(pageId);
    if (index % 100 === 0) chapter = pageId;
    if (index % 10 === 0) section = pageId;
  }
  await store(database, revisionId, draft);
  return pageIds;
}

/**
 * Adds a number of documents to a revision without documents, with as many siblings as possible on every level: the
 * top is filled before the first page gets children, and so on. Returns their ids in that order. `textOf` returns the
 * text for a number.
 */
export async function giveLevels(
  database: Pick<Database, "prisma">,
  revisionId: string,
  of: { count: number; siblings: number; textOf: (index: number) => string },
): Promise<string[]> {
  const draft = new Draft(emptyTree, nextInstant());
  const pageIds: string[] = [];
  for (let index = 0; index < of.count; index++) {
    const parentId = pageIds[Math.floor(index / of.siblings) - 1] ?? null;
    pageIds.push(addPage(draft, `Page ${index}`, parentId, of.textOf(index)));
  }
  await store(database, revisionId, draft);
  return pageIds;
}

async function store({ prisma }: Pick<Database, "prisma">, revisionId: string, draft: Draft): Promise<void> {
  const content = draft.finish();
  await prisma.$transaction(async (transaction) => {
    await storeContent(transaction, content);
    await transaction.revision.update({ where: { id: revisionId }, data: { treeHash: content.treeHash } });
    await transaction.$queryRaw`select move_present_pages(s.id, null, ${content.treeHash})::text from "Space" s where s."revisionId" = ${revisionId}`;
  });
}

/**
 * Adds text files with these names to a revision; returns their ids. Creates only the rows, without
 * bytes.
 */
export async function giveFiles(
  { prisma }: Pick<Database, "prisma">,
  revisionId: string,
  names: readonly string[],
): Promise<string[]> {
  return prisma.$transaction(async (transaction) => {
    const { filesHash } = await transaction.revision.findUniqueOrThrow({ where: { id: revisionId } });
    const made = names.map((name) => {
      const head = Buffer.from(name);
      const hash = createHash("sha256").update(head).digest("hex");
      const stream = () => Readable.from([head]);
      const unkept = { read: async () => head, stream, keep: () => Promise.resolve(), drop: () => Promise.resolve() };
      return newFile(name, { hash, size: head.length, head, ...unkept });
    });
    const files = await Promise.all(made);
    const added = await addFiles(transaction, { quotas, clock: { now: nextInstant } }, { filesHash, files });
    await transaction.revision.update({ where: { id: revisionId }, data: { filesHash: added.filesHash } });
    return added.files.map(({ fileId }) => fileId);
  });
}

/** Gives revisions, and spaces that show them, the pages and files of another revision. */
export async function giveSameContent(
  { pool }: Pick<Database, "pool">,
  from: string,
  revisionIds: readonly string[],
): Promise<void> {
  await pool.query(
    `update "Revision" r set "treeHash" = f."treeHash", "filesHash" = f."filesHash" from "Revision" f
      where f.id = $1 and r.id = any($2)`,
    [from, revisionIds],
  );
  await pool.query(
    `select move_present_pages(s.id, null, r."treeHash")::text
      from "Space" s join "Revision" r on r.id = s."revisionId" where r.id = any($1)`,
    [revisionIds],
  );
}

/** Stores texts that are not used by a page yet; returns their hashes. */
export async function storeTexts({ prisma }: Pick<Database, "prisma">, ...texts: readonly string[]): Promise<string[]> {
  const documents = new Map(texts.map((text) => [hashText(text), text]));
  const none = { treeHash: null, pages: new Map(), trees: new Map() };
  await prisma.$transaction((transaction) => storeContent(transaction, { ...none, documents }));
  return texts.map(hashText);
}
