// Both formats of comment and reply bodies, Markdown and rich documents, as input and output, in GraphQL and in /v1.
import { describe, expect, it } from "vitest";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { commentOf, createComment, done, kinds, refused, updateComment } from "#test/features/comments/discussion.ts";
import { addComment, addReply } from "#test/features/comments/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";
import { isFullSize } from "#test/support/runs.ts";
import { divideLimits } from "#test/support/limits.ts";

const { app, world } = await useApp();

const text = (of: string, ...marks: string[]) => ({
  object: "text",
  leaves: [{ object: "leaf", text: of, marks: marks.map((type) => ({ object: "mark", type })) }],
});
const documentWith = (...nodes: object[]) => ({
  object: "document",
  nodes: nodes.map((node) => ({ object: "block", type: "paragraph", nodes: [node] })),
});

describe("a comment body given as a document", () => {
  it("is stored as Markdown and returned in both formats", async () => {
    const { space, commenter } = await world.space();
    const body = { document: documentWith(text("So "), text("bold", "bold")) };
    const { comment } = await done(app, commenter, createComment, { contentOf: { spaceId: space.id }, text: body });
    const markdown = "So&#x20;\n\n**bold**";
    expect(comment.body).toEqual({ markdown });
    expect(
      await app.as(commenter.token).query(`{ comment(id: "${comment.id}") { body { markdown document } } }`),
    ).toEqual({ comment: { body: { markdown, document: fromMarkdown(markdown) } } });
  });

  it("changes nothing if it is sent as it was read, however its Markdown was written", async () => {
    const made = await world.comment();
    const on = commentOf("space", made);
    const markdown = "Title\n===\n* a\n* __b__ $x_1$\n\n\n~~~\nc\n~~~";
    await done(app, made.commenter, updateComment, { ...on, text: { markdown } });
    const body = { document: fromMarkdown(markdown) };
    expect((await done(app, made.commenter, updateComment, { ...on, text: body })).comment.body).toEqual({ markdown });
  });

  it("changes nothing if its content is the same", async () => {
    const made = await world.comment();
    const on = commentOf("change request", made);
    await done(app, made.commenter, updateComment, { ...on, text: { markdown: "Some *text*" } });
    const { comment: before } = await done(app, made.commenter, updateComment, on);
    const body = { document: fromMarkdown("Some *text*") };
    expect((await done(app, made.commenter, updateComment, { ...on, text: body })).comment).toEqual(before);
  });

  it.each([
    [
      "a mark without a type",
      documentWith({ object: "text", leaves: [{ text: "x", marks: [{}] }] }),
      "text/document/nodes/0/nodes/0/leaves/0/marks/0/type",
    ],
    ["no text", documentWith(text(" ")), "text.document"],
    ["only settings and no text", { ...documentWith(text("")), data: { theme: "dark" } }, "text.document"],
    ["a text over the limit", documentWith(text("x".repeat(65_537))), "text.document"],
  ])("with %s is refused", async (_what, document, path) => {
    const { space, commenter } = await world.space();
    const input = { contentOf: { spaceId: space.id }, text: { document } };
    expect(await refused(app, commenter, createComment, input)).toBe(`INVALID_INPUT ${path}`);
  });

  it("is refused beside Markdown, and null in its place too", async () => {
    const { space, commenter } = await world.space();
    for (const given of [
      { markdown: "x", document: documentWith(text("x")) },
      { document: null },
      { markdown: null, document: null },
    ])
      expect(await refused(app, commenter, createComment, { contentOf: { spaceId: space.id }, text: given })).toMatch(
        /^INVALID_INPUT(?:,INVALID_INPUT)*$/, // one for each invalid part
      );
  });
});

it("documents of any number of comments take no statement more than Markdown, and one hostile text does not fail the list", async () => {
  if (!isFullSize) divideLimits(6);
  const made = await world.space();
  const hostile = `${"- ".repeat(12_000)}x`;
  const here = { spaceId: made.space.id, postedById: made.commenter.id };
  await world.insert((rows) => {
    for (const markdown of [hostile, ...times(20, () => "*Fine*")]) addComment(rows, { ...here, markdown });
  });
  const list = (form: string) =>
    `{ space(id: "${made.space.id}") { comments(first: 50) { nodes { body { ${form} } } } } }`;
  const as = app.as(made.commenter.token);
  expect(await as.statements(list("document"))).toBe(await as.statements(list("markdown")));
  const { space } = await as.query<{ space: { comments: { nodes: { body: object }[] } } }>(list("document"));
  const bodies = space.comments.nodes.map(({ body }) => body);
  expect(
    bodies.filter((body) => JSON.stringify(body) === JSON.stringify({ document: fromMarkdown("*Fine*") })),
  ).toHaveLength(20);
  expect(bodies).toContainEqual({
    document: expect.objectContaining({
      nodes: [expect.objectContaining({ type: "markdown", data: { source: hostile } })],
    }),
  });
});

describe.each(kinds)("comment bodies in /v1 on a %s", (kind) => {
  const markdown = "Some **text**";
  const inForm = { markdown: { markdown }, document: { document: fromMarkdown(markdown) } };

  async function makeFixture() {
    const made = await world.comment();
    const { space, changeRequest, commenter } = made;
    const here = { spaceId: space.id, ...(kind === "change request" && { changeRequestId: changeRequest.id }) };
    const { comment, reply } = await world.insert((rows) => {
      const postedById = commenter.id;
      const post = addComment(rows, { ...here, postedById, markdown });
      return { comment: post, reply: addReply(rows, { commentId: post.id, postedById, markdown }) };
    });
    const below = kind === "space" ? "" : `/change-requests/${changeRequest.id}`;
    const path = `/v1/spaces/${space.id}${below}/comments`;
    return { as: app.as(commenter.token), path, one: `${path}/${comment.id}`, reply: reply.id };
  }
  type Fixture = Awaited<ReturnType<typeof makeFixture>>;
  interface Read {
    readonly id: string;
    readonly body: object;
    readonly items?: readonly { readonly body: object }[];
  }

  const reads: [what: string, path: (fixture: Fixture) => string][] = [
    ["a comment", ({ one }) => one],
    ["a list of comments", ({ path }) => path],
    ["a reply", ({ one, reply }) => `${one}/replies/${reply}`],
    ...(kind === "space"
      ? []
      : [["a list of replies", ({ one }: Fixture) => `${one}/replies`] as [string, (fixture: Fixture) => string]]),
  ];

  it.each(reads)(
    "are returned for %s in exactly the requested format, by default as Markdown",
    async (_what, pathOf) => {
      const made = await makeFixture();
      const bodyIn = async (search: string) => {
        const { body } = await made.as.rest<Read>("GET", `${pathOf(made)}${search}`);
        return body.items ? body.items[0]?.body : body.body;
      };
      expect(await bodyIn("")).toEqual(inForm.markdown);
      expect(await bodyIn("?format=markdown")).toEqual(inForm.markdown);
      expect(await bodyIn("?format=document")).toEqual(inForm.document);
      for (const search of ["?format=html", "?format=", "?format=markdown&format=document"])
        expect((await made.as.rest("GET", `${pathOf(made)}${search}`)).status).toBe(400);
    },
  );

  it("are accepted as documents and returned as Markdown if the format is unknown", async () => {
    const { as, path, one } = await makeFixture();
    const body = { document: fromMarkdown(markdown) };
    const replies = kind === "space" ? `${one}/replies` : `${one}/replies?format=document`;
    for (const [method, target, form] of [
      ["POST", path, "markdown"],
      ["PUT", one, "markdown"],
      ["POST", replies, kind === "space" ? "markdown" : "document"],
    ] as const) {
      const answer = await as.rest<Read>(method, target, { body: { body } });
      expect([answer.status, answer.body.body]).toEqual([200, inForm[form]]);
    }
  });

  it("have the path of the invalid part in the error of a document", async () => {
    const { as, path, one } = await makeFixture();
    const document = {
      object: "document",
      nodes: [{ object: "block", type: "list-tasks", nodes: [{ object: "block" }] }],
    };
    for (const [method, target] of [
      ["POST", path],
      ["PUT", one],
      ["POST", `${one}/replies`],
    ] as const) {
      const answer = await as.rest<{ error: object }>(method, target, { body: { body: { document } } });
      const details = [{ path: "/body/document/nodes/0/nodes/0/type", message: "must be given." }];
      expect(answer.body.error).toMatchObject({ code: 400, details });
    }
  });
});
