// Mentions on pages of the main content of a space, from the revision that adds them.
import { describe, expect, it } from "vitest";
import { type Edit, editAs, editDocument, newPage, restoreDocument } from "#test/features/content/edits.ts";
import { done, listen } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

type Made = Awaited<ReturnType<typeof world.space>>;

const naming = (...people: readonly { readonly id: string }[]) => ({
  markdown: people.map(({ id }) => `[@somebody](user:${id})`).join(" and ") + " know this.\n",
});

interface Mention {
  readonly pageId: string | null;
  readonly page: { readonly title: string; readonly revision: { readonly id: string } } | null;
  readonly comment: object | null;
}

const document = `{ viewer { mentions { totalCount nodes { id pageId page { title revision { id } } space { id } comment { id } reply { id } } } } }`;

async function mentionsOf({ token }: Person): Promise<readonly Mention[]> {
  const { viewer } = await app.as(token).query<{ viewer: { mentions: { nodes: Mention[] } } }>(document);
  return viewer.mentions.nodes;
}

const pagesOf = async (who: Person) => (await mentionsOf(who)).map(({ pageId }) => pageId);

/** The mentioned users in events, each with the page. */
async function mentionedIn({ space }: Made) {
  const events = await app.eventsIn(space.id);
  return events.flatMap(({ type, payload }) => {
    const { pageId, userId } = payload as Record<string, string>;
    return type === "mention.onPage" ? [[pageId, userId]] : [];
  });
}

async function makeSpace(given: Parameters<typeof world.space>[0] = {}) {
  const made = await world.space(given);
  const edit = (who: Person, ...edits: Edit[]) => editAs(app.as(who.token), { spaceId: made.space.id }, ...edits);
  return { ...made, edit };
}

describe("a mention on a page", () => {
  it("is listed for the mentioned user from the edit on, with one event", async () => {
    const made = await makeSpace();
    const { reader, editor, admin, space, edit } = made;
    const stream = await listen(app, reader, `spaceEvents(of: { spaceId: "${space.id}" })`, {
      selection: "... on UserMentionedOnPage { user { id } space { id } }",
    });
    const { pageId, edit: create } = newPage("Tides", naming(reader, editor));
    const actor = { id: admin.id };
    const mentioned = {
      __typename: "UserMentionedOnPage",
      actor,
      facts: { pageId, userId: reader.id, spaceId: space.id },
    };
    await stream.delivers(
      edit(admin, create),
      { __typename: "SpaceContentEdited", actor },
      { ...mentioned, user: { id: reader.id }, space: { id: space.id } },
      { ...mentioned, facts: { pageId, userId: editor.id } },
    );
    const revisionId = await edit(admin, { updatePage: { pageId, title: "Neaps", ...naming(editor, reader) } });
    expect(await mentionsOf(reader)).toMatchObject([
      {
        pageId,
        page: { title: "Neaps", revision: { id: revisionId } },
        space: { id: space.id },
        comment: null,
        reply: null,
      },
    ]);
    expect(await mentionedIn(made)).toEqual([
      [pageId, reader.id],
      [pageId, editor.id],
    ]);
    stream.raw.socket.terminate();
  });

  it("is removed with its link or page, and returns with a restored revision", async () => {
    const made = await makeSpace();
    const { reader, editor, admin, space, edit } = made;
    const [one, other] = [newPage("One", naming(reader)), newPage("Other", naming(reader, editor))];
    const revisionId = await edit(admin, one.edit, other.edit);
    await edit(admin, { updatePage: { pageId: other.pageId, ...naming(editor) } });
    expect(await pagesOf(reader)).toEqual([one.pageId]);
    await edit(admin, { deletePage: { pageId: one.pageId } });
    expect([await pagesOf(reader), await pagesOf(editor)]).toEqual([[], [other.pageId]]);
    const input = { contentOf: { spaceId: space.id }, revisionId };
    await app.as(admin.token).query(restoreDocument, { input });
    expect(new Set(await pagesOf(reader))).toEqual(new Set([one.pageId, other.pageId]));
    expect((await mentionedIn(made)).filter(([, userId]) => userId === editor.id)).toHaveLength(1);
  });

  it("counts after a merge and not before", async () => {
    const made = await makeSpace();
    const { reader, admin, space, edit } = made;
    const before = newPage("Before", naming(reader));
    await edit(admin, before.edit);
    const { changeRequest } = await done<{ changeRequest: { id: string } }>(app, admin.token, "createChangeRequest", {
      spaceId: space.id,
      answer: "changeRequest { id }",
    });
    const changeRequestId = changeRequest.id;
    const { pageId, edit: create } = newPage("After", naming(reader));
    await editAs(app.as(admin.token), { changeRequestId }, create);
    expect(await pagesOf(reader)).toEqual([before.pageId]);
    await done(app, admin.token, "mergeChangeRequest", { changeRequestId });
    expect(await pagesOf(reader)).toEqual([pageId, before.pageId]);
    expect(await mentionedIn(made)).toEqual([
      [before.pageId, reader.id],
      [pageId, reader.id],
    ]);
  });

  it("is not made for users without access or for the author; unchanged pages make no new mentions", async () => {
    const made = await makeSpace({ space: { visibility: "public" } });
    const { outsider, guest, disabled, admin, editor, invitedGuest, edit } = made;
    const page = newPage("Tides", naming(outsider, guest, disabled, editor, invitedGuest));
    await edit(editor, page.edit);
    await edit(admin, { updatePage: { pageId: page.pageId, title: "Neaps" } });
    await edit(admin, {
      updatePage: { pageId: page.pageId, markdown: `More: ${naming(outsider, editor, invitedGuest).markdown}` },
    });
    const code = newPage("Code", { markdown: `\`[x](user:${editor.id})\`\n` });
    await edit(admin, code.edit, { movePage: { pageId: page.pageId, parentId: code.pageId } });
    expect(await mentionedIn(made)).toEqual([[page.pageId, invitedGuest.id]]);
    expect(await pagesOf(editor)).toEqual([]);
  });

  it("is visible only to the mentioned user while they have a role on the space", async () => {
    const { reader, admin, edit, organization } = await makeSpace();
    await edit(admin, newPage("Tides", naming(reader)).edit);
    expect(await mentionsOf(admin)).toEqual([]);
    expect(await pagesOf(reader)).toHaveLength(1);
    await done(app, admin.token, "removeMember", { organizationId: organization.id, userId: reader.id });
    expect(await pagesOf(reader)).toEqual([]);
  });
});

it("takes the same number of statements for any number of people and pages", async () => {
  const { reader, editor, reviewer, admin, space, edit } = await makeSpace();
  await edit(admin, newPage("First").edit);
  const cost = (...edits: Edit[]) =>
    app.as(admin.token).statements(editDocument, { input: { contentOf: { spaceId: space.id }, edits } });
  const nobody = await cost(newPage("Nobody", { markdown: "Nobody\n" }).edit);
  const one = await cost(newPage("One", naming(reader)).edit);
  expect(one).toBe(nobody + 1);
  expect(
    await cost(newPage("All", naming(reader, editor, reviewer)).edit, newPage("More", naming(reader, editor)).edit),
  ).toBe(one);
  const both = `{ viewer { mentions(first: 2) { nodes { page { title } } } } }`;
  const all = `{ viewer { mentions(first: 20) { nodes { page { title } } } } }`;
  await app.as(reader.token).query(all); // the tree is cached from here on
  expect(await app.as(reader.token).statements(all)).toBe(await app.as(reader.token).statements(both));
});
