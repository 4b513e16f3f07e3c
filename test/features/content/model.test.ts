// Content against a plain model: after any sequence of edits the tree equals the one in plain arrays, and storage
// grows only by the path to the change.
import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { type Edit, editAs, editDocument, newPage, readPages, type Tree } from "#test/features/content/edits.ts";
import type { HttpClient } from "#test/support/client.ts";
import { useApp } from "#test/support/app.ts";
import { runs } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

// Has its own database: counts rows of whole tables.
const { app, world } = await useApp({ own: true });

/** A page of the model. */
interface Plain {
  pageId: string;
  title: string;
  slug: string;
  markdown: string;
  pages: Plain[];
}

/** One step, which identifies pages by their index among all present pages. */
interface Step {
  readonly kind: "create" | "update" | "move" | "delete";
  readonly page: number;
  readonly parent: number;
  readonly beside: number;
  readonly text: string;
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom("create", "create", "create", "update", "move", "move", "delete"),
    page: fc.nat(100),
    parent: fc.nat(100),
    beside: fc.nat(100),
    text: fc.constantFrom("a", "b", "c", "d"),
  }),
  { minLength: 1, maxLength: 12 },
);

const all = (pages: readonly Plain[]): Plain[] => pages.flatMap((page) => [page, ...all(page.pages)]);
const levelOf = (top: Plain[], page: Plain): Plain[] =>
  [top, ...all(top).map(({ pages }) => pages)].find((level) => level.includes(page)) ?? [];
const depth = (pages: readonly Plain[]): number => Math.max(0, ...pages.map((page) => 1 + depth(page.pages)));

/** The edit of a step in the present state, or null if the gateway must refuse it; also applies it to the model. */
function take(top: Plain[], { kind, page: at, parent: under, beside, text }: Step): Edit | null {
  const known = all(top);
  const page = known[at % (known.length || 1)];
  const parent = under % 3 === 0 ? undefined : known[under % (known.length || 1)];
  if (kind === "create") return create(parent, top, text);
  if (!page) return null;
  const level = levelOf(top, page);
  if (kind === "delete") {
    level.splice(level.indexOf(page), 1);
    return { deletePage: { pageId: page.pageId } };
  }
  if (kind === "update") {
    if (level.some((other) => other !== page && other.slug === text)) return null;
    Object.assign(page, { title: text.toUpperCase(), slug: text, markdown: `${text}\n` });
    return { updatePage: { pageId: page.pageId, title: page.title, slug: text, markdown: page.markdown } };
  }
  const target = parent?.pages ?? top;
  const isBelow = parent && [page, ...all(page.pages)].includes(parent);
  if (isBelow || target.some((other) => other !== page && other.slug === page.slug)) return null;
  level.splice(level.indexOf(page), 1);
  const neighbour = target[beside % (target.length + 1)];
  target.splice(neighbour ? target.indexOf(neighbour) : target.length, 0, page);
  const place = neighbour && { beforePageId: neighbour.pageId };
  return { movePage: { pageId: page.pageId, parentId: parent?.pageId ?? null, ...(place && { place }) } };
}

function create(parent: Plain | undefined, top: Plain[], text: string): Edit {
  const siblings = parent?.pages ?? top;
  const pageId = newId("Page");
  const taken = new Set(siblings.map(({ slug }) => slug));
  let slug = text;
  for (let number = 2; taken.has(slug); number++) slug = `${text}-${number}`;
  siblings.push({ pageId, title: text, slug, markdown: text, pages: [] });
  return { createPage: { pageId, title: text, markdown: text, ...(parent && { parentId: parent.pageId }) } };
}

const plain = (pages: readonly Tree[]): Plain[] =>
  pages.map(({ pageId, title, slug, markdown, pages: below }) => ({
    pageId,
    title,
    slug,
    markdown: markdown ?? "",
    pages: plain(below ?? []),
  }));

/** Rows of pages, levels and texts. */
async function countRows() {
  const { contentPage, contentTree, contentDocument } = app.database.prisma;
  return { pages: await contentPage.count(), trees: await contentTree.count(), texts: await contentDocument.count() };
}

interface Changes {
  readonly space: {
    readonly revisions: {
      readonly nodes: readonly {
        readonly id: string;
        readonly changes: {
          readonly pages: { readonly nodes: readonly { pageId: string; kinds: string[]; move: string | null }[] };
        };
      }[];
    };
  };
}

/** The changed pages in each revision of a space by its diff, without those that were only reordered. */
async function changedByDiffs(as: HttpClient, spaceId: string): Promise<string[]> {
  const document = `{ space(id: "${spaceId}") { revisions { nodes { id changes { pages { nodes { pageId kinds move } } } } } } }`;
  const { space } = await as.query<Changes>(document);
  return space.revisions.nodes.flatMap(({ id, changes }) =>
    changes.pages.nodes
      .filter(({ kinds, move }) => move !== "ORDER" || kinds.length > 1)
      .map(({ pageId }) => `${id} ${pageId}`),
  );
}

/** The same, as stored for page histories. */
async function changedAsKept(contentId: string): Promise<string[]> {
  const rows = await app.database.prisma.changedPage.findMany({ where: { contentId } });
  return rows.map(({ revisionId, pageId }) => `${revisionId} ${pageId}`);
}

test("any sequence of edits, one by one and as a batch, gives the model's tree and page histories", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const { editor, space, organization } = await world.space();
      const as = app.as(editor.token);
      const top: Plain[] = [];
      const edits: Edit[] = [];
      let revisionId = space.revisionId;
      for (const step of sequence) {
        const before = structuredClone(top);
        const edit = take(top, step);
        if (!edit) continue;
        if (depth(top) > 6) {
          top.splice(0, top.length, ...before); // deeper than the test's document reads
          continue;
        }
        edits.push(edit);
        revisionId = await editAs(as, { spaceId: space.id }, edit);
        expect(plain(await readPages(as, revisionId))).toEqual(top);
      }
      const twin = await world.space();
      const other = await editAs(app.as(twin.editor.token), { spaceId: twin.space.id }, ...edits);
      expect(plain(await readPages(app.as(twin.editor.token), other))).toEqual(top);
      expect(organization.id).not.toBe(twin.organization.id);
      for (const [client, { id }] of [[as, space] as const, [app.as(twin.editor.token), twin.space] as const])
        expect((await changedAsKept(id)).toSorted()).toEqual((await changedByDiffs(client, id)).toSorted());
    }),
    { numRuns: runs(40) },
  );
});

test("an edit stores one text and the path to its page, a move two levels, a copy and a revert nothing", async () => {
  const { creator, space } = await world.space();
  const as = app.as(creator.token);
  const top = times(10, (index) => newPage(`Part ${index}`));
  const below = top.flatMap(({ pageId: parentId }) => times(9, (index) => newPage(`Page ${index}`, { parentId })));
  const deep = newPage("Deep", { parentId: below[0]?.pageId });
  const pages = [...top, ...below, deep].map(({ edit }) => edit);
  const full = await editAs(as, { spaceId: space.id }, ...pages);

  const growth = async (work: () => Promise<unknown>) => {
    const before = await countRows();
    await work();
    const after = await countRows();
    return [after.pages - before.pages, after.trees - before.trees, after.texts - before.texts];
  };
  const edit = (...edits: Edit[]) => editAs(as, { spaceId: space.id }, ...edits);
  const change = { updatePage: { pageId: deep.pageId, markdown: "Changed\n" } };
  expect(await growth(() => edit(change))).toEqual([3, 3, 1]); // the page, the two around it, and the level of each
  const move = { movePage: { pageId: below[5]?.pageId, parentId: top[9]?.pageId } };
  expect(await growth(() => edit({ updatePage: { pageId: below[5]?.pageId, slug: "moving" } }, move))).toEqual([
    3, 3, 0,
  ]);
  const restore = `mutation ($input: RestoreRevisionInput!) { restoreRevision(input: $input) { revision { id } } }`;
  const input = { contentOf: { spaceId: space.id }, revisionId: full };
  expect(await growth(() => as.query(restore, { input }))).toEqual([0, 0, 0]);
  const duplicate = `mutation { duplicateSpace(input: { spaceId: "${space.id}" }) { space { content { pageCount } } } }`;
  expect(
    await growth(async () => {
      const { duplicateSpace } = await as.query<{ duplicateSpace: object }>(duplicate);
      expect(duplicateSpace).toEqual({ space: { content: { pageCount: 101 } } });
    }),
  ).toEqual([0, 0, 0]);
  const none = {
    input: { contentOf: { spaceId: space.id }, edits: [{ updatePage: { pageId: newId("Page"), title: "x" } }] },
  };
  expect(await growth(() => as.refusal(editDocument, none))).toEqual([0, 0, 0]);
});
