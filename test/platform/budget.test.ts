// The budget of an operation: documents that multiply rows, values or texts beyond it are refused as a whole, with a
// remedy. At the small size the responses within the budget are shorter.
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { newId } from "#src/base/ids.ts";
import { Budget, operationAllowance } from "#src/db/connection/budget.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { giveContent } from "#test/features/content/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { openEventStream } from "#test/live/event-stream.ts";
import { settled } from "#test/live/outbox.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";
import { multiplyRows } from "#test/support/limits.ts";
import { isFullSize, sized } from "#test/support/runs.ts";

const { app, world } = await useApp();

const aliases = (count: number, field: string) => times(count, (index) => `a${index}: ${field}`).join(" ");
const tooMuch = (what: string) => ({
  data: undefined,
  errors: [{ message: expect.stringContaining(`more than ${what}`) as string, extensions: { code: "INVALID_INPUT" } }],
});
const tooManyCharacters = tooMuch("64000000 characters of text");
const tooManyValues = tooMuch("2000000 values");

/** A space with a page `big` of half a million characters, and one that includes that text three times. */
async function spaceOfTexts() {
  const { space, editor } = await world.space();
  const as = app.as(editor.token);
  const reusableContentId = newId("ReusableContent");
  const markdown = `${"x".repeat(99)}\n`.repeat(4_990);
  await editAs(
    as,
    { spaceId: space.id },
    { createReusableContent: { reusableContentId, title: "Long", markdown } },
    newPage("Inc", { markdown: `{{ reusable:${reusableContentId} }}\n\n`.repeat(3) }).edit,
  );
  await editAs(as, { spaceId: space.id }, newPage("Big", { markdown }).edit);
  const ask = (path: string, fields: string) =>
    as.graphql(`{ space(id: "${space.id}") { content { page(by: { path: "${path}" }) { ${fields} } } } }`);
  return { as, space, editor, ask };
}

describe("the text budget", () => {
  let texts: Awaited<ReturnType<typeof spaceOfTexts>>;
  beforeAll(async () => void (texts = await spaceOfTexts()));

  test("refuses one page selected too many times and returns it below the limit", async () => {
    const { ask } = texts;
    expect(await ask("big", aliases(1000, "markdown"))).toMatchObject(tooManyCharacters);
    const evaluated = "markdown(evaluated: true)";
    expect((await ask("inc", aliases(3000, evaluated))).errors).toMatchObject([
      { extensions: { code: "GRAPHQL_PARSE_FAILED" } }, // by its tokens
    ]);
    expect(await ask("inc", aliases(1200, evaluated))).toMatchObject(tooManyCharacters);
    expect(await ask("big", aliases(1000, "document"))).toMatchObject(tooManyCharacters);
    expect((await ask("inc", aliases(sized(5, 20), evaluated))).errors).toBeUndefined();
    expect((await ask("big", aliases(sized(20, 100), "markdown"))).errors).toBeUndefined();
  });

  test("counts texts of comments", async () => {
    const { space, reader } = await world.space();
    await world.insert((rows) =>
      times(50, () => addComment(rows, { spaceId: space.id, postedById: reader.id, markdown: "x".repeat(60_000) })),
    );
    const bodies = (count: number) =>
      `{ space(id: "${space.id}") { comments { nodes { body { ${aliases(count, "markdown")} } } } } }`;
    expect((await app.as(reader.token).graphql(bodies(sized(1, 5)))).errors).toBeUndefined();
    expect(await app.as(reader.token).graphql(bodies(30))).toMatchObject(tooManyCharacters);
    const { space: one } = await app
      .as(reader.token)
      .query<{ space: { comments: { nodes: [{ id: string }] } } }>(
        `{ space(id: "${space.id}") { comments(first: 1) { nodes { id } } } }`,
      );
    const byId = `{ comment(id: "${one.comments.nodes[0].id}") { ${aliases(1100, "body { markdown }")} } }`;
    expect(await app.as(reader.token).graphql(byId)).toMatchObject(tooManyCharacters);
  });

  test("counts texts in a mutation payload; the mutation is still committed", async () => {
    const { as, space } = texts;
    const edit = `mutation ($input: EditContentInput!) { editContent(input: $input) { revision { page(by: { path: "big" }) { ${aliases(200, "markdown")} } } } }`;
    const input = { contentOf: { spaceId: space.id }, edits: [newPage("More").edit] };
    expect(await as.graphql(edit, { input })).toMatchObject(tooManyCharacters);
    const { space: now } = await as.query<{ space: { content: { page: object | null } } }>(
      `{ space(id: "${space.id}") { content { page(by: { path: "more" }) { title } } } }`,
    );
    expect(now.content.page).toEqual({ title: "More" });
  });

  test("refuses a subscription message beyond the budget, and the stream continues", async () => {
    const { as, space, editor } = texts;
    await settled(app.database.pool);
    const query = `subscription { spaceEvents(of: { spaceId: "${space.id}" }) { __typename
      ... on SpaceContentEdited { revision { page(by: { path: "big" }) { ${aliases(20, "markdown")} } } } } }`;
    const stream = await openEventStream(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${editor.token}` },
      body: JSON.stringify({ query }),
    });
    await stream.next(); // Ready
    for (const title of ["One", "Two"]) {
      await editAs(as, { spaceId: space.id }, newPage(title).edit);
      let data = "The page does not exist";
      // Earlier events of the space may still arrive: its first revisions have no page `big`.
      while (data.includes("The page does not exist")) ({ data = "" } = (await stream.next()) ?? {});
      expect(data.length).toBeLessThan(10_000);
      expect(data).toContain("more than 4000000 characters of text");
    }
    await stream.close();
  });
});

describe("the budget of rows times fields", () => {
  test("refuses more values than the budget at any depth", async () => {
    const { space, editor } = await world.space();
    await giveContent(
      app.database,
      space.revisionId,
      times(800, (index) => `Page ${index}`),
    );
    await world.insert((rows) => times(800, () => addComment(rows, { spaceId: space.id, postedById: editor.id })));
    const ask = (selection: string, more = "") =>
      app.as(editor.token).graphql(`{ space(id: "${space.id}") { ${selection} } } ${more}`);
    expect(await ask(`content { allPages { ${aliases(3000, "title")} } }`)).toMatchObject(tooManyValues);
    expect(await ask(`comments(first: 800) { nodes { ${aliases(3000, "id")} } }`)).toMatchObject(tooManyValues);
    expect(
      await ask(`comments(first: 800) { edges { node { postedBy { ${aliases(3000, "displayName")} } } } }`),
    ).toMatchObject(tooManyValues);
    const fragment = `fragment F on Comment { ${aliases(300, "id")} }`;
    expect(await ask(aliases(30, "comments(first: 800) { nodes { ...F } }"), fragment)).toMatchObject(tooManyValues);
    const few = aliases(sized(50, 300), "id");
    expect((await ask(`comments(first: 800) { nodes { ${few} } }`)).errors).toBeUndefined();
  });
});

test.each([
  ["by a plan", ""],
  ["field by field", aliases(1001, "id")],
])("nested lists stop at the first row over the budget with one error: %s", async (_way, more) => {
  if (!isFullSize) onTestFinished(multiplyRows(8));
  const { organization, admin } = await world.organization();
  await world.insert((rows) => times(40, () => addSpace(rows, { organizationId: organization.id })));
  const levels = "organization { spaces(first: 1000) { nodes { ".repeat(3);
  const lists = `spaces(first: 1000) { nodes { ${levels} id ${"} } } ".repeat(3)} } }`;
  const check = vi.spyOn(Budget.prototype, "check");
  const { errors, data } = await app.as(admin.token).graphql(`{ organizations { nodes { ${more} ${lists} } } }`);
  const refused = check.mock.results.filter(({ type }) => type === "throw").length;
  check.mockRestore();
  expect([data, errors]).toMatchObject([undefined, [{ message: expect.stringContaining("more than 100000 rows") }]]);
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(10);
});

test("measures a response of many short texts before sending it", async () => {
  const budget = new Budget({ ...operationAllowance, characters: 1_000_000 });
  budget.takeRows(1000, 10);
  await budget.checkAnswer({ rows: times(1000, () => ({ text: "x".repeat(900) })) });
  const long = budget.checkAnswer({ rows: times(1000, () => ({ text: "x".repeat(1100) })) });
  await expect(long).rejects.toThrow("characters");
  budget.restart();
  expect(() => budget.check()).not.toThrow();
});
