// The budget of an operation: what multiplies rows, values or texts until they fill the memory is refused as a whole,
// and says what to ask less of.
import { describe, expect, onTestFinished, test, vi } from "vitest";
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
import { isFullSize } from "#test/support/runs.ts";

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

describe("texts", () => {
  test("of one page, asked for many times, are refused beyond the budget, and given below it", async () => {
    const { ask } = await spaceOfTexts();
    expect(await ask("big", aliases(1000, "markdown"))).toMatchObject(tooManyCharacters);
    const evaluated = "markdown(evaluated: true)";
    expect((await ask("inc", aliases(3000, evaluated))).errors).toMatchObject([
      { extensions: { code: "GRAPHQL_PARSE_FAILED" } }, // by its tokens
    ]);
    expect(await ask("inc", aliases(1200, evaluated))).toMatchObject(tooManyCharacters);
    expect(await ask("big", aliases(1000, "document"))).toMatchObject(tooManyCharacters);
    expect((await ask("inc", aliases(20, evaluated))).errors).toBeUndefined();
    expect((await ask("big", aliases(100, "markdown"))).errors).toBeUndefined();
  });

  test("of comments count too", async () => {
    const { space, reader } = await world.space();
    await world.insert((rows) =>
      times(50, () => addComment(rows, { spaceId: space.id, postedById: reader.id, markdown: "x".repeat(60_000) })),
    );
    const bodies = (count: number) =>
      `{ space(id: "${space.id}") { comments { nodes { body { ${aliases(count, "markdown")} } } } } }`;
    expect((await app.as(reader.token).graphql(bodies(5))).errors).toBeUndefined();
    expect(await app.as(reader.token).graphql(bodies(30))).toMatchObject(tooManyCharacters);
    const { space: one } = await app
      .as(reader.token)
      .query<{ space: { comments: { nodes: [{ id: string }] } } }>(
        `{ space(id: "${space.id}") { comments(first: 1) { nodes { id } } } }`,
      );
    const byId = `{ comment(id: "${one.comments.nodes[0].id}") { ${aliases(1100, "body { markdown }")} } }`;
    expect(await app.as(reader.token).graphql(byId)).toMatchObject(tooManyCharacters);
  });

  test("in the payload of a mutation count too; it is done nevertheless", async () => {
    const { as, space } = await spaceOfTexts();
    const edit = `mutation ($input: EditContentInput!) { editContent(input: $input) { revision { page(by: { path: "big" }) { ${aliases(200, "markdown")} } } } }`;
    const input = { contentOf: { spaceId: space.id }, edits: [newPage("More").edit] };
    expect(await as.graphql(edit, { input })).toMatchObject(tooManyCharacters);
    const { space: now } = await as.query<{ space: { content: { page: object | null } } }>(
      `{ space(id: "${space.id}") { content { page(by: { path: "more" }) { title } } } }`,
    );
    expect(now.content.page).toEqual({ title: "More" });
  });

  test("in a message of a subscription are refused there, and the stream goes on", async () => {
    const { as, space, editor } = await spaceOfTexts();
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
      // What the space was made with may still be on its way: there is no page `big` in the first of its revisions.
      while (data.includes("The page does not exist")) ({ data = "" } = (await stream.next()) ?? {});
      expect(data.length).toBeLessThan(10_000);
      expect(data).toContain("more than 4000000 characters of text");
    }
    await stream.close();
  });
});

describe("rows times fields", () => {
  test("are refused beyond the budget, wherever the fields are", async () => {
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
    expect((await ask(`comments(first: 800) { nodes { ${aliases(300, "id")} } }`)).errors).toBeUndefined();
  });
});

test.each([
  ["by a plan", ""],
  ["field by field", aliases(1001, "id")],
])("lists within lists end at the first row too many, not each of them with an error: %s", async (_way, more) => {
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

test("an answer of many short texts is measured before it is sent", async () => {
  const budget = new Budget({ ...operationAllowance, characters: 1_000_000 });
  budget.takeRows(1000, 10);
  await budget.checkAnswer({ rows: times(1000, () => ({ text: "x".repeat(900) })) });
  const long = budget.checkAnswer({ rows: times(1000, () => ({ text: "x".repeat(1100) })) });
  await expect(long).rejects.toThrow("characters");
  budget.restart();
  expect(() => budget.check()).not.toThrow();
});
