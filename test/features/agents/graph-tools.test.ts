// The MCP server over the whole graph: agents with an API token read, comment and propose edits, with the rights and
// the scope of the token.
import { describe, expect, it } from "vitest";
import { addToken } from "#test/features/tokens/factory.ts";
import { clients } from "#test/features/agents/clients.ts";
import { makeSiteForAgents } from "#test/features/agents/scene.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { readPage } from "#test/support/documentation.ts";

const { app, world } = await useApp();
const address = `${app.url}/mcp`;

const withToken = (token: string) => ({ authorization: `Bearer ${token}` });

/** A space with two pages, and a change request that edits one of them. */
async function makeContent() {
  const made = await world.comment();
  const [start, limits] = [
    newPage("Start", { markdown: "Welcome, {{ name }}.\n" }),
    newPage("Rate limits", { markdown: "At most sixty requests a minute.\n" }),
  ];
  await editAs(app.as(made.editor.token), { spaceId: made.space.id }, start.edit, limits.edit);
  return { ...made, start, limits };
}

describe.each(clients)("a client of %s", (_name, connect) => {
  it("finds and reads what its token may read", async () => {
    const { space, reader, outsider, limits } = await makeContent();
    await using agent = await connect(address, withToken(reader.token));
    expect(agent.server).toMatchObject({ name: "docgraph" });
    const json = async (name: string, input: Record<string, unknown> = {}) => {
      const { texts, isError } = await agent.call(name, input);
      expect([isError, texts.length]).toEqual([false, 1]);
      return JSON.parse(texts[0] ?? "") as Record<string, unknown>;
    };
    expect(JSON.stringify(await json("list_spaces"))).toContain(space.id);
    const { pages, revisionId } = await json("list_pages", { spaceId: space.id });
    expect(pages).toMatchObject([{ path: "start" }, { path: "rate-limits", pageId: limits.pageId }]);
    for (const place of [{}, { spaceId: space.id }])
      expect(JSON.stringify(await json("search_pages", { query: "sixty requests", ...place }))).toContain(
        `"pageId":"${limits.pageId}"`,
      );
    const read = await agent.call("read_page", { spaceId: space.id, path: "start" });
    expect(JSON.parse(read.texts[0] ?? "")).toMatchObject({ revisionId, page: { title: "Start" } });
    expect(read.texts[1]).toBe("Welcome, {{ name }}.\n");
    expect(await agent.call("read_page", { spaceId: space.id, pageId: limits.pageId })).toMatchObject({
      texts: [expect.any(String), "At most sixty requests a minute.\n"],
    });
    await using other = await connect(address, withToken(outsider.token));
    expect((await other.call("list_spaces")).texts.join()).not.toContain(space.id);
    expect((await other.call("search_pages", { query: "sixty requests" })).texts.join()).not.toContain(limits.pageId);
    expect(await other.call("list_pages", { spaceId: space.id })).toEqual({
      isError: true,
      texts: ["NOT_FOUND: The space does not exist or is not visible to you."],
    });
  });

  it("proposes edits, and reads and discusses a change request", async () => {
    const { space, editor, start, limits } = await makeContent();
    await using agent = await connect(address, withToken(editor.token));
    const json = async <Data>(name: string, input: Record<string, unknown>): Promise<Data> => {
      const { texts, isError } = await agent.call(name, input);
      expect(isError, texts.join()).toBe(false);
      return JSON.parse(texts.join()) as Data;
    };
    const edits = [
      { updatePage: { pageId: limits.pageId, markdown: "At most seventy requests a minute.\n" } },
      { createPage: { title: "Quotas", markdown: "New\n", place: { afterPageId: start.pageId } } },
    ];
    const input = { spaceId: space.id, subject: "Raise the limit", edits, agentTaskId: "task-1" };
    const { updateChangeRequest } = await json<{ updateChangeRequest: { changeRequest: { id: string } } }>(
      "open_change_request",
      input,
    );
    const { id } = updateChangeRequest.changeRequest;
    expect(updateChangeRequest.changeRequest).toMatchObject({
      subject: "Raise the limit",
      status: "OPEN",
      changes: { stats: { created: 1, edited: 1, moved: 0, deleted: 0 } },
    });
    const listed = await json("list_change_requests", { spaceId: space.id, statuses: ["OPEN"] });
    expect(listed).toMatchObject({ space: { changeRequests: { totalCount: 2, nodes: [{ id }, {}] } } });
    expect(await json("read_change_request", { changeRequestId: id })).toMatchObject({
      subject: "Raise the limit",
      changes: {
        pages: {
          nodes: [
            { kinds: ["CREATED"], after: { title: "Quotas" } },
            {
              kinds: ["EDITED"],
              text: "@@ -1,1 +1,1 @@\n-At most sixty requests a minute.\n+At most seventy requests a minute.\n",
            },
          ],
        },
      },
    });
    const more = [{ deletePage: { pageId: start.pageId } }];
    await json("edit_change_request", { changeRequestId: id, edits: more, message: "Clean up" });
    const ofRequest = await agent.call("read_page", { changeRequestId: id, path: "rate-limits" });
    expect(ofRequest.texts[1]).toBe("At most seventy requests a minute.\n");
    const comment = { changeRequestId: id, pageId: limits.pageId, text: "Is it **enough**?" };
    const { createComment } = await json<{ createComment: { comment: { id: string } } }>("add_comment", comment);
    await json("reply_to_comment", { commentId: createComment.comment.id, text: "It is." });
    expect(await json("list_comments", { changeRequestId: id })).toMatchObject({
      comments: {
        nodes: [{ body: { markdown: "Is it **enough**?" }, replies: { nodes: [{ body: { markdown: "It is." } }] } }],
      },
    });
    const text = await agent.call("read_page", { spaceId: space.id, path: "rate-limits" });
    expect(text.texts[1]).toBe("At most sixty requests a minute.\n");
  });

  it("leaves no open change request behind if its edits are refused", async () => {
    const { space, editor, start } = await makeContent();
    await using agent = await connect(address, withToken(editor.token));
    const refused = async (...edits: object[]) => {
      const { isError, texts } = await agent.call("open_change_request", { spaceId: space.id, subject: "Bad", edits });
      expect(isError).toBe(true);
      return texts.join();
    };
    expect(await refused({ updatePage: { pageId: "pag_00000000000000000000000000", title: "No" } })).toMatch(
      /^NOT_FOUND/,
    );
    expect(await refused({ deletePage: { pageId: start.pageId }, movePage: { pageId: start.pageId } })).toMatch(
      /^INVALID_INPUT/,
    );
    expect(await refused()).toContain("edits");
    const bad = await app.database.prisma.changeRequest.findMany({ where: { spaceId: space.id, subject: "Bad" } });
    expect(bad.map(({ status }) => status)).toEqual(["archived", "archived"]);
  });

  it("writes nothing with a token that may only read, or without the role", async () => {
    const { space, changeRequest, editor, reader, comment } = await makeContent();
    const readOnly = await world.insert((rows) => addToken(rows, { userId: editor.id, scope: "read" }));
    const text = "No";
    const edits = [{ createPage: { title: "No" } }];
    for (const token of [readOnly.token, reader.token]) {
      await using agent = await connect(address, withToken(token));
      expect((await agent.call("list_pages", { spaceId: space.id })).isError).toBe(false);
      for (const [name, input] of Object.entries({
        add_comment: { spaceId: space.id, text },
        reply_to_comment: { commentId: comment.id, text },
        open_change_request: { spaceId: space.id, subject: "No", edits },
        edit_change_request: { changeRequestId: changeRequest.id, edits },
      }))
        expect(await agent.call(name, input)).toEqual({
          isError: true,
          texts: [expect.stringMatching(/^FORBIDDEN: /)],
        });
    }
    await using any = await connect(address, withToken(readOnly.token));
    expect((await any.tools()).filter(({ isReadOnly }) => !isReadOnly).map(({ name }) => name)).toEqual([
      "add_comment",
      "reply_to_comment",
      "open_change_request",
      "edit_change_request",
    ]);
  });

  it("needs a valid token", async () => {
    await expect(connect(address)).rejects.toThrow(/401|UNAUTHENTICATED|Unauthorized/);
    await expect(connect(address, withToken("dg_unknown"))).rejects.toThrow(/401|UNAUTHENTICATED|Unauthorized/);
    const answer = await fetch(address, { method: "POST", body: "{}" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });
});

it("the documentation names every tool", async () => {
  const { reader, siteId } = await makeSiteForAgents(app, world);
  const { text } = readPage("src/docs/agents.md");
  const connect = clients[0][1];
  for (const server of [address, `${app.url}/published/${siteId}/mcp`]) {
    await using agent = await connect(server, withToken(reader.token));
    const names = (await agent.tools()).map(({ name }) => name);
    expect(names.filter((name) => !text.includes(`| \`${name}\` `))).toEqual([]);
  }
});
