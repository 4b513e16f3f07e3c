// Reading the diff of two revisions: base revision, visibility, pagination, limits and cost. At the small size contents
// reach lowered limits.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { newId } from "#src/base/ids.ts";
import { Budget } from "#src/db/connection/budget.ts";
import { giveContent, giveLevels } from "#test/features/content/factory.ts";
import { type Changes, readChanges, revisionChangesDocument, summary } from "#test/features/content/diffs.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addRevision } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { multiplyRows } from "#test/support/limits.ts";
import { isFullSize, sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

describe("the base of a diff", () => {
  test("is the first parent or any other revision of the space, in either direction", async () => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const one = await editAs(as, { spaceId: space.id }, newPage("One").edit);
    const two = await editAs(as, { spaceId: space.id }, newPage("Two").edit);
    const three = await editAs(as, { spaceId: space.id }, newPage("Three").edit);
    const read = async (id: string, since?: string) => {
      const changes = await readChanges(as, id, since === undefined ? {} : { since });
      return changes && [changes.revisionBeforeId, changes.revisionAfterId, ...summary(changes)];
    };
    expect(await read(three)).toEqual([two, three, "created: three"]);
    expect(await read(three, one)).toEqual([one, three, "created: two", "created: three"]);
    expect(await read(one, three)).toEqual([three, one, "deleted: two", "deleted: three"]);
    expect(await read(two, two)).toEqual([two, two]);
    expect(await read(one, space.revisionId)).toEqual([space.revisionId, one, "created: one"]);
  });

  test("is an empty content for a revision without a parent", async () => {
    const { space, reader } = await world.space();
    await giveContent(app.database, space.revisionId, ["One", "Two"]);
    const changes = await readChanges(app.as(reader.token), space.revisionId);
    expect(changes).toMatchObject({ revisionBeforeId: null, stats: { created: 2, linesAdded: 2 } });
  });
});

describe("visibility of a diff", () => {
  test("requires a role on the space; other users can compare only revisions that they see", async () => {
    const { space, editor, reader, outsider } = await world.space({ space: { visibility: "public" } });
    const as = app.as(editor.token);
    const first = await editAs(as, { spaceId: space.id }, newPage("First").edit);
    const second = await editAs(as, { spaceId: space.id }, newPage("Second").edit);
    const stranger = app.as(outsider.token);
    expect(await readChanges(app.as(reader.token), second)).toMatchObject({ stats: { created: 1 } });
    expect(await readChanges(stranger, second)).toBeNull();
    expect(await stranger.refusal(revisionChangesDocument, { id: second, since: first })).toBe("NOT_FOUND");
    expect(await stranger.query(revisionChangesDocument, { id: first })).toEqual({ node: null });
  });

  test("excludes revisions of another space, even for users who see both", async () => {
    const { space, reader, organization } = await world.space();
    const { space: other, admin } = await world.space();
    const elsewhere = await world.insert((rows) =>
      addRevision(rows, { spaceId: space.id, parents: [other.revisionId] }),
    );
    const as = app.as(reader.token);
    for (const since of [other.revisionId, newId("Revision"), space.id, "", "x'--"])
      expect(await as.refusal(revisionChangesDocument, { id: space.revisionId, since }), since).toBe("NOT_FOUND");
    expect(await readChanges(as, elsewhere.id)).toBeNull();
    await app.database.prisma.organizationMember.create({
      data: { id: newId("OrganizationMember"), organizationId: organization.id, userId: admin.id, role: "admin" },
    });
    const both = app.as(admin.token);
    expect(await readChanges(both, elsewhere.id)).toBeNull();
    expect(await both.refusal(revisionChangesDocument, { id: space.revisionId, since: other.revisionId })).toBe(
      "NOT_FOUND",
    );
  });

  test("a text with characters that PostgreSQL cannot store is INVALID_INPUT", async () => {
    const { space, reader } = await world.space();
    const given = { id: space.revisionId, since: "rev_\0" };
    expect(await app.as(reader.token).refusal(revisionChangesDocument, given)).toBe("INVALID_INPUT");
  });
});

describe("pagination of a diff", () => {
  const paged = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { node(id: $id) { ... on Revision { changes {
    stats { created } pages(first: $first, after: $after, last: $last, before: $before) {
      totalCount edges { cursor node { after { slug } } } pageInfo { hasNextPage hasPreviousPage endCursor } } } } } }`;
  interface Paged {
    node: {
      changes: {
        stats: { created: number };
        pages: {
          totalCount: number;
          edges: { cursor: string; node: { after: { slug: string } } }[];
          pageInfo: { hasNextPage: boolean; endCursor: string };
        };
      };
    };
  }

  test("reaches 1,100 changes page by page, with the total on each page", async () => {
    const { space, reader } = await world.space();
    const titles = times(1_100, (index) => `page-${index}`);
    await giveContent(app.database, space.revisionId, titles);
    const as = app.as(reader.token);
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const found: Paged = await as.query<Paged>(paged, { id: space.revisionId, first: 500, after });
      const { pages, stats } = found.node.changes;
      expect([pages.totalCount, stats.created]).toEqual([1_100, 1_100]);
      seen.push(...pages.edges.map((edge) => edge.node.after.slug));
      if (!pages.pageInfo.hasNextPage) break;
      after = pages.pageInfo.endCursor;
    }
    expect(seen).toEqual(titles);
    const { node } = await as.query<Paged>(paged, { id: space.revisionId, last: 2 });
    expect(node.changes.pages.edges.map((edge) => edge.node.after.slug)).toEqual(titles.slice(-2));
  });

  test.each([{ first: 0 }, { first: 1001 }, { first: 1, last: 1 }, { after: "x" }])("refuses %o", async (given) => {
    const { space, reader } = await world.space();
    expect(await app.as(reader.token).refusal(paged, { id: space.revisionId, ...given })).toBe("INVALID_INPUT");
  });
});

describe("limits of a diff", () => {
  test.each([-1, 101, 2 ** 31 - 1])("%i context lines are INVALID_INPUT", async (contextLines) => {
    const { space, reader } = await world.space();
    await giveContent(app.database, space.revisionId, ["One"]);
    const { errors } = await app
      .as(reader.token)
      .graphql(revisionChangesDocument, { id: space.revisionId, contextLines });
    expect(errors?.[0]?.extensions).toEqual({
      code: "INVALID_INPUT",
      details: [{ path: "contextLines", message: `must be from 0 to 100, and is ${contextLines}.` }],
    });
  });

  test("a text with more than 20,000 changed lines is counted but not shown, unlike others beside it", async () => {
    const { space, reader } = await world.space();
    const textOf = (index: number) => "x\n".repeat(20_001 - index);
    await giveLevels(app.database, space.revisionId, { count: 2, siblings: 2, textOf });
    const document = `query ($id: ID!) { node(id: $id) { ... on Revision { changes { pages { nodes {
      text { linesAdded hunks { lines { text } } } } } } } } }`;
    const { node } = await app.as(reader.token).query<{ node: { changes: Changes } }>(document, {
      id: space.revisionId,
    });
    const texts = node.changes.pages.nodes.map(({ text }) => text);
    expect(texts.map((text) => [text?.linesAdded, text?.hunks?.[0]?.lines.length])).toEqual([
      [20_001, undefined],
      [20_000, 20_000],
    ]);
  });

  test("texts that are too far apart are replaced as a whole", async () => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const count = sized(1_200, 5_000); // more than 1,001 reversed lines are too far apart
    const lines = times(count, (index) => `${index}\n`);
    const page = newPage("Page", { markdown: lines.join("") });
    await editAs(as, { spaceId: space.id }, page.edit);
    const turned = { updatePage: { pageId: page.pageId, markdown: lines.toReversed().join("") } };
    const changes = await readChanges(as, await editAs(as, { spaceId: space.id }, turned));
    expect(changes?.pages.nodes[0]?.text).toMatchObject({
      linesAdded: count,
      linesRemoved: count,
      hunks: [{ beforeStart: 1, beforeLines: count, afterStart: 1, afterLines: count }],
    });
  });

  test("more than 100,000 lines of hunks in total, or as many changes, are INVALID_INPUT", async () => {
    if (!isFullSize) onTestFinished(multiplyRows(10));
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const lineCount = sized(2_000, 20_000);
    const edits = times(6, (index) => newPage(`${index}`, { markdown: `${index}\n`.repeat(lineCount) }).edit);
    const id = await editAs(as, { spaceId: space.id }, ...edits);
    const { data, errors } = await as.graphql(revisionChangesDocument, { id });
    expect([data ?? null, errors?.map(({ extensions }) => extensions.code)]).toEqual([null, ["INVALID_INPUT"]]);
    const document = `query ($id: ID!, $first: Int) { node(id: $id) { ... on Revision { changes { stats { linesAdded }
      pages(first: $first) { nodes { text { hunks { lines { text } } } } } } } } }`;
    expect(await as.query(document, { id, first: 4 })).toMatchObject({
      node: { changes: { stats: { linesAdded: 6 * lineCount } } },
    });
    const many = times(101, (index) => `c${index}: changes { stats { created } }`).join(" ");
    const { space: big, reader } = await world.space();
    await giveContent(
      app.database,
      big.revisionId,
      times(sized(100, 1_000), (index) => `p${index}`),
    );
    const counted = `query ($id: ID!) { node(id: $id) { ... on Revision { ${many} } } }`;
    expect(await app.as(reader.token).refusal(counted, { id: big.revisionId })).toBe("INVALID_INPUT");
  });

  test("lines of texts of more than 64 MB are not counted, and everything else is reported", async () => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const part = sized(50, 1);
    if (!isFullSize) {
      const spy = vi
        .spyOn(Budget.prototype, "charactersLeft", "get")
        .mockReturnValue(Math.floor((16 * 1024 * 1024) / part));
      onTestFinished(() => spy.mockRestore());
    }
    const textOf = (index: number) => `${index}${"é".repeat(450_000 / part)}`;
    await giveLevels(app.database, space.revisionId, { count: 80, siblings: 80, textOf });
    const document = `query ($id: ID!) { space(id: $id) { content { changes { stats { created linesAdded }
      pages(first: 2) { nodes { text { linesAdded } } } } } } }`;
    const { data, errors } = await as.graphql(document, { id: space.id });
    expect(errors?.map(({ extensions, path }) => [extensions.code, path?.slice(-2)])).toEqual([
      ["INVALID_INPUT", ["stats", "linesAdded"]],
    ]);
    expect(data).toEqual({
      space: {
        content: {
          changes: {
            stats: { created: 80, linesAdded: null },
            pages: { nodes: times(2, () => ({ text: { linesAdded: 1 } })) },
          },
        },
      },
    });
  });
});

describe("SQL statements of a diff between revisions", () => {
  const document = revisionChangesDocument;

  test("the revision, its base, the pages of both and their texts: as many for 2 changed pages as for 20", async () => {
    for (const count of [2, 20]) {
      const { space, editor } = await world.space();
      const as = app.as(editor.token);
      const pages = times(count, (index) => newPage(`${count} ${index}`, { markdown: `${count} ${index}\n` }));
      await editAs(as, { spaceId: space.id }, ...pages.map(({ edit }) => edit));
      const edits = pages.map(({ pageId }) => ({ updatePage: { pageId, markdown: `${pageId}\n` } }));
      const id = await editAs(as, { spaceId: space.id }, ...edits);
      expect(await as.statements(document, { id })).toBe(4);
      expect(await as.statements(document, { id })).toBe(3); // the trees are cached by now
      const counted = `query ($id: ID!) { node(id: $id) { ... on Revision { changes { stats { edited linesAdded } } } } }`;
      expect(await as.statements(counted, { id })).toBe(2); // and so is the comparison of the texts
      const files = `query ($id: ID!) { node(id: $id) { ... on Revision { changes { createdFiles { totalCount nodes { name } } } } } }`;
      expect(await as.statements(files, { id })).toBe(2);
      const variables = `query ($id: ID!) { node(id: $id) { ... on Revision { changes { variables { name } } } } }`;
      expect(await as.statements(variables, { id })).toBe(2);
      const listed = `query ($id: ID!) { node(id: $id) { ... on Revision { changes { listed(first: 100) {
        changes { type page { title } file { name } attributes { name change { before after } } } more } } } } }`;
      expect(await as.statements(listed, { id })).toBe(3); // and the texts
    }
  });
});
