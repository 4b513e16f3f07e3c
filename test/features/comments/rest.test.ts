// The /v1 operations that change comments and replies: bodies, statuses and error paths; their effects are tested
// in GraphQL.
import { describe, expect, it } from "vitest";
import { newId } from "#src/base/ids.ts";
import { textOfNode } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { kinds } from "#test/features/comments/discussion.ts";
import { giveContent } from "#test/features/content/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

const table = "| Port |\n| --- |\n| Kiel |\n";
/** The cell of Kiel: its row and column keys. */
const rows = fromMarkdown(table).nodes[0]?.nodes ?? [];
const row = rows.find((one) => textOfNode(one) === "Kiel");
const [cell] = row?.object === "block" ? row.nodes : [];
const definition = cell?.object === "block" ? String(cell.data["definition"]) : "";
const tableCell = { record: row?.key ?? "", definition };

interface Answer {
  readonly id: string;
  readonly body: { readonly markdown: string };
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly details?: readonly { readonly path: string }[];
  };
}

const call = ({ token }: Person, method: string, path: string, body?: unknown) =>
  app.as(token).rest<Answer>(method, path, body === undefined ? {} : { body });

/** The status of a response with the paths of its error details. */
const statusOf = async (answer: ReturnType<typeof call>) => {
  const { status, body } = await answer;
  return [status, ...(body?.error?.details ?? []).map(({ path }) => path)].join(" ");
};

const instant = expect.stringMatching(/^\d{4}-.*Z$/);
const permissions = { view: true, edit: true, reply: true, delete: true };

describe.each(kinds)("comments on a %s", (kind) => {
  async function makeFixture() {
    const made = await world.changeRequest();
    const below = kind === "space" ? "" : `/change-requests/${made.changeRequest.number}`;
    return { ...made, path: `/v1/spaces/${made.space.id}${below}/comments` };
  }

  it("are posted, changed and deleted: 200, 205, and 204 for a missing one", async () => {
    const { path, space, changeRequest, commenter, reader } = await makeFixture();
    const revision = kind === "space" ? space.revisionId : changeRequest.revisionId;
    const [page = ""] = await giveContent(app.database, revision, ["Why"], table);
    const posted = await call(commenter, "POST", path, {
      body: { markdown: "Why?" },
      page,
      tableCell,
    });
    const target = {
      space: space.id,
      ...(kind === "change request" && { changeRequest: changeRequest.id }),
      revision,
      page: { id: page, title: "Why", createdAt: instant, updatedAt: instant, path: "why", outdated: false },
      tableCell,
    };
    expect([posted.status, posted.body]).toEqual([
      200,
      {
        object: "comment",
        id: posted.body.id,
        postedBy: expect.objectContaining({ id: commenter.id }) as unknown,
        postedAt: instant,
        body: { markdown: "Why?" },
        reactions: [],
        replies: 0,
        repliers: [],
        status: "open",
        target,
        urls: { location: expect.stringContaining(posted.body.id) as unknown },
        permissions,
      },
    ]);
    const one = `${path}/${posted.body.id}`;
    expect((await call(reader, "GET", one)).body).toMatchObject({ id: posted.body.id, body: { markdown: "Why?" } });
    const changes = {
      body: { markdown: "Why not?" },
      resolved: true,
      addedReactions: ["🎉"],
      removedReactions: ["👍"],
    };
    const changed = await call(commenter, "PUT", one, changes);
    expect([changed.status, changed.body]).toMatchObject([
      200,
      {
        body: { markdown: "Why not?" },
        editedAt: instant,
        status: "resolved",
        resolvedAt: instant,
        resolvedBy: { id: commenter.id },
        reactions: [{ emoji: "🎉", count: 1, users: [{ user: { id: commenter.id }, reactedAt: instant }] }],
      },
    ]);
    expect((await call(commenter, "PUT", one, { body: {} })).body).toEqual(changed.body);
    expect(await statusOf(call(commenter, "DELETE", one))).toBe("205");
    expect(await statusOf(call(commenter, "DELETE", one))).toBe("204");
    expect(await statusOf(call(commenter, "PUT", one, {}))).toBe("404");
  });

  it("are refused with the path of the invalid field", async () => {
    const { path, commenter } = await makeFixture();
    const { body: comment } = await call(commenter, "POST", path, { body: { markdown: "x" } });
    const document = { object: "document", nodes: [] };
    for (const [body, places] of [
      [{}, "/body"],
      [{ body: {} }, "/body"],
      [{ body: null }, "/body"],
      [{ body: "x" }, "/body"],
      [{ body: { markdown: " " } }, "/body/markdown"],
      [{ body: { document } }, "/body/document"],
      [{ body: { document: { object: "page" } } }, "/body/document"],
      [{ body: { markdown: "x" }, tableCell: { record: "r" } }, "/tableCell/definition"],
      [{ body: { markdown: "x" }, tableCell: { record: "r", definition: "" } }, "/tableCell/definition"],
      [{ body: { markdown: "x" }, page: null }, "/page"],
      [{ body: { markdown: "x" }, page: newId("Page") }, "/page"],
      [{ body: { markdown: "x" }, node: "key-1" }, "/node"],
    ] as const)
      expect(await statusOf(call(commenter, "POST", path, body)), JSON.stringify(body)).toBe(`400 ${places}`);
    for (const [body, places] of [
      [{ body: { document } }, "/body/document"],
      [{ addedReactions: ["👍", "yes"] }, "/addedReactions/1"],
      [{ removedReactions: null }, "/removedReactions"],
      [{ resolved: "yes" }, "/resolved"],
    ] as const)
      expect(await statusOf(call(commenter, "PUT", `${path}/${comment.id}`, body))).toBe(`400 ${places}`);
  });

  it("are not found under another parent, which the error of an update says", async () => {
    const [made, other] = [await world.comment(), await world.comment()];
    const spaces = (of: { space: { id: string } }) => `/v1/spaces/${of.space.id}`;
    const inChangeRequest = (of: typeof made) => `${spaces(of)}/change-requests/${of.changeRequest.id}`;
    const [own, elsewhere] = kind === "space" ? [spaces, inChangeRequest] : [inChangeRequest, spaces];
    const { id } = kind === "space" ? made.spaceComment : made.comment;
    const body = { body: { markdown: "x" } };
    const where = kind === "space" ? "the main content" : `the change request ${made.changeRequest.id}`;
    const astray = `${elsewhere(made)}/comments/${id}`;
    const refusal = (await call(made.admin, "PUT", astray, body)).body.error;
    expect(refusal?.message).toContain(`This comment is on ${where} of the space ${made.space.id}, not at the path`);
    for (const path of [astray, `${own(other)}/comments/${id}`, `${own(made)}/comments/${newId("Comment")}`]) {
      expect(await statusOf(call(made.admin, "PUT", path, body)), path).toBe("404");
      expect(await statusOf(call(made.admin, "DELETE", path)), path).toBe(path.includes(made.space.id) ? "204" : "404");
      expect(await statusOf(call(made.admin, "POST", `${path}/replies`, body)), path).toBe("404");
    }
    expect(await statusOf(call(made.admin, "DELETE", `${own(made)}/comments/${id}`))).toBe("205");
  });

  it("accept replies: 200 with each", async () => {
    const { path, commenter } = await makeFixture();
    const { body: comment } = await call(commenter, "POST", path, { body: { markdown: "x" } });
    const replies = `${path}/${comment.id}/replies`;
    const posted = await call(commenter, "POST", replies, { body: { markdown: "Indeed" } });
    expect([posted.status, posted.body]).toEqual([
      200,
      {
        object: "comment-reply",
        id: posted.body.id,
        postedBy: expect.objectContaining({ id: commenter.id }) as unknown,
        postedAt: instant,
        body: { markdown: "Indeed" },
        reactions: [],
        urls: { location: expect.stringContaining(`/replies/${posted.body.id}`) as unknown },
        permissions,
      },
    ]);
    expect((await call(commenter, "GET", `${replies}/${posted.body.id}`)).body).toEqual(posted.body);
    expect(await statusOf(call(commenter, "POST", replies, {}))).toBe("400 /body");
  });
});

it("POST, PUT and DELETE of replies to comments on a space return 200, 205, and 204 for a missing one", async () => {
  const { space, spaceComment, commenter } = await world.comment();
  const comments = `/v1/spaces/${space.id}/comments`;
  const replies = `${comments}/${spaceComment.id}/replies`;
  const { body: reply } = await call(commenter, "POST", replies, { body: { markdown: "x" } });
  const one = `${replies}/${reply.id}`;
  const changed = await call(commenter, "PUT", one, { body: { markdown: "y" }, addedReactions: ["🎉"] });
  expect([changed.status, changed.body]).toMatchObject([
    200,
    { body: { markdown: "y" }, editedAt: instant, reactions: [{ emoji: "🎉", count: 1 }] },
  ]);
  expect((await call(commenter, "PUT", one)).body).toEqual(changed.body);
  expect(await statusOf(call(commenter, "PUT", one, { resolved: true }))).toBe("400 /resolved");
  expect(await statusOf(call(commenter, "PUT", one, { addedReactions: ["no"] }))).toBe("400 /addedReactions/0");
  expect(await statusOf(call(commenter, "DELETE", one))).toBe("205");
  expect(await statusOf(call(commenter, "DELETE", one))).toBe("204");
  expect(await statusOf(call(commenter, "DELETE", `${comments}/${newId("Comment")}/replies/${reply.id}`))).toBe("404");
  const { body: another } = await call(commenter, "POST", comments, { body: { markdown: "x" } });
  const { body: kept } = await call(commenter, "POST", replies, { body: { markdown: "x" } });
  const astray = `${comments}/${another.id}/replies/${kept.id}`;
  expect(await statusOf(call(commenter, "PUT", astray, { body: { markdown: "y" } }))).toBe("404");
  expect(await statusOf(call(commenter, "DELETE", astray))).toBe("204");
  expect(await statusOf(call(commenter, "DELETE", `${replies}/${kept.id}`))).toBe("205");
});
