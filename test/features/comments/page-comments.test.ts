// The comments on a page in the application: each beside its block, in spaces and change requests.
import { expect, test } from "vitest";
import { pageCommentsPages } from "#src/features/comments/pages/page-comments.ts";
import { setScene, update } from "#test/features/change-requests/scene.ts";
import { elementsIn, textOf, visitAs } from "#test/features/change-requests/visits.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const guide = "# The guide\n\nMount the mast.\n\n- Upright\n- Earthed\n\n![Mast](https://example.com/mast.png)";

/** A change request with a guide, and the ways to look at its comments. */
async function makeGuide() {
  const scene = await setScene(app, world);
  await scene.mine(update(scene.ids.guide, { markdown: guide }));
  await scene.main(update(scene.ids.guide, { markdown: guide }));
  const root = `/app/spaces/${scene.space.id}`;
  const pages = { space: root, changeRequest: `${root}/change-requests/${scene.changeRequestId}` };
  const paths = {
    space: `${pages.space}/pages/${scene.ids.guide}/comments`,
    changeRequest: `${pages.changeRequest}/pages/${scene.ids.guide}/comments`,
  };
  return { ...scene, pages, paths };
}

/** The link that chooses the block with a text. */
const linkOn = (body: string, text: string): string =>
  new RegExp(`href="([^"]*)"[^>]*>Comment<span class="hidden"> on ${text}`).exec(body)?.[1]?.replace(/#.*/, "") ?? "";

const valueOf = (body: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(body)?.[1] ?? "";

test("a commenter chooses a block, and the comment is shown beside it", async () => {
  const { paths, commenter, reader, ids, mine, main } = await makeGuide();
  for (const [place, change] of [
    ["space", main],
    ["changeRequest", mine],
  ] as const) {
    const visit = await visitAs(app, commenter);
    const { body } = await visit.read(paths[place]);
    expect(elementsIn(body, "p", 'class="block-text"').map(textOf)).toEqual([
      "The guide",
      "Mount the mast.",
      "Upright",
      "Earthed",
      "Mast",
    ]);
    const chosen = await visit.read(linkOn(body, "Earthed"));
    const fields = { page: ids.guide, block: valueOf(chosen.body, "block"), text: "Says who?" };
    const sent = await visit.send(paths[place], "comment", fields);
    expect([sent.status, sent.notice]).toEqual([303, "Your comment was sent."]);
    expect(sent.location).toMatch(new RegExp(`^${paths[place]}#cmt_`));
    const shown = await (await visitAs(app, reader)).read(paths[place]);
    expect(textOf(shown.body)).toMatch(/Earthed Commenter [\d-]+ [\d:]+ UTC Says who\?.* Mast/);
    expect(shown.body).not.toContain('name="form" value="comment"');
    await change(update(ids.guide, { markdown: guide.replace("Earthed", "Grounded") }));
    expect(textOf((await visit.read(paths[place])).body)).toContain(
      "On the page as a whole Outdated on a part that has changed since Earthed Commenter",
    );
  }
});

test("a comment on a block of another page is refused, and its text is kept", async () => {
  const { paths, commenter, ids } = await makeGuide();
  const visit = await visitAs(app, commenter);
  const refused = await visit.send(paths.space, "comment", { page: ids.guide, block: "missing", text: "Where?" });
  expect(refused.status).toBe(400);
});

test("replies and reactions of a page lead back to it", async () => {
  const { paths, commenter, editor, ids } = await makeGuide();
  const [one, other] = [await visitAs(app, commenter), await visitAs(app, editor)];
  const sent = await one.send(paths.space, "comment", { page: ids.guide, text: "On all of it" });
  const comment = sent.location?.split("#")[1] ?? "";
  const reply = await other.send(paths.space, "reply", {
    comment,
    text: "Yes",
    mention: `Commenter (${commenter.id})`,
  });
  expect(reply.location).toMatch(new RegExp(`^${paths.space}#rpl_`));
  expect((await other.send(paths.space, "react", { id: comment, add: "👀" })).location).toBe(
    `${paths.space}#${comment}`,
  );
  const { body } = await one.read("/app");
  const anchor = reply.location?.split("#")[1];
  expect(textOf(elementsIn(body, "li", `href="${paths.space}#${anchor}"`)[0] ?? "")).toMatch(/^Guide .*, by Editor,/);
});

test("comments are hidden from people who only see the published content", async () => {
  const { paths, outsider, guest } = await makeGuide();
  for (const person of [outsider, guest])
    for (const path of Object.values(paths)) expect((await (await visitAs(app, person)).read(path)).status).toBe(404);
});

test("the page takes the same number of statements for 2 and for 50 comments", async () => {
  const counts = [];
  for (const size of [2, 50]) {
    const { space, ids, changeRequestId, admin } = await makeGuide();
    const on = { spaceId: space.id, postedById: admin.id, pageId: ids.guide };
    await world.insert((rows) => [
      ...times(size, () => addComment(rows, { ...on, markdown: "On it" })),
      ...times(size, () => addComment(rows, { ...on, changeRequestId, markdown: "On it" })),
    ]);
    const ofSpace = { space: space.id, page: ids.guide, after: null };
    const given = { ...ofSpace, changeRequest: changeRequestId };
    const took = [];
    for (const { query } of pageCommentsPages)
      took.push(await app.as(admin.token).statements(query, query.includes("$changeRequest") ? given : ofSpace));
    counts.push(took);
  }
  expect(counts[1]).toEqual(counts[0]);
});

test("the links to a PDF lead to that of the space, of the page, and of the change request", async () => {
  const { pages, ids, reader, outsider } = await makeGuide();
  const [visit, other] = [await visitAs(app, reader), await visitAs(app, outsider)];
  for (const root of Object.values(pages))
    for (const path of [`${root}/pdf`, `${root}/pages/${ids.guide}/pdf`]) {
      const { status, location } = await visit.read(path);
      expect([path, status, location]).toEqual([path, 307, expect.stringMatching(/\/files\/pdf_\w+\/.*\.pdf$/)]);
      expect((await other.read(path)).status).toBe(404);
    }
});
