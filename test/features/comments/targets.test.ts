// Comment targets: pages of the content at the time of posting, shown by the content at the time of reading.
import { describe, expect, it } from "vitest";
import { newId } from "#src/base/ids.ts";
import { guideWith, move, setScene, update } from "#test/features/change-requests/scene.ts";
import { createComment, done, type Kind, kinds, placeOf, refused } from "#test/features/comments/discussion.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { type Edit, editAs, newPage, restoreDocument } from "#test/features/content/edits.ts";
import { giveContent } from "#test/features/content/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { type Person, times } from "#test/support/world.ts";

const { app, world } = await useApp();

const markdown = "# Tides\n\nHigh water comes twice a day.\n\nLow water comes between.\n";

/** A content with the page "Tides" below "Sea" and another page beside it. */
async function makeFixture(kind: Kind) {
  const made = await world.changeRequest();
  const { space, changeRequest } = made;
  const target = kind === "space" ? { spaceId: space.id } : { changeRequestId: changeRequest.id };
  const editor = app.as(made.editor.token);
  const edit = (...edits: readonly Edit[]) => editAs(editor, target, ...edits);
  const [sea, wind] = [newPage("Sea"), newPage("Wind", { markdown: "Blows.\n" })];
  const tides = newPage("Tides", { markdown, parentId: sea.pageId, emoji: "🌊" });
  const revisionId = await edit(sea.edit, wind.edit, tides.edit);
  const restore = (revision: string) =>
    editor.query(restoreDocument, { input: { contentOf: target, revisionId: revision } });
  const ids = { sea: sea.pageId, wind: wind.pageId, tides: tides.pageId };
  return { ...made, place: placeOf(kind, made), edit, restore, ids, revisionId };
}

const body = { markdown: "Is that so?" };

async function post({ place, commenter }: { place: object; commenter: Person }, target: object): Promise<string> {
  return (await done(app, commenter, createComment, { ...place, text: body, ...target })).comment.id;
}

interface Page {
  readonly pageId: string;
  readonly title: string | null;
  readonly path: string | null;
  readonly outdated: boolean;
}

async function pageOf(commentId: string, { token }: Person): Promise<Page> {
  const { comment } = await app
    .as(token)
    .query<{ comment: { target: { page: Page } } }>(
      `query ($id: ID!) { comment(id: $id) { target { page { pageId title path outdated } } } }`,
      { id: commentId },
    );
  return comment.target.page;
}

describe.each(kinds)("a page of a %s", (kind) => {
  it("as a comment target is shown in its present state, with the revision that was commented on", async () => {
    const made = await makeFixture(kind);
    const id = await post(made, { pageId: made.ids.tides });
    const document = `query ($id: ID!) { comment(id: $id) { target { revisionId page { pageId title emoji icon createdAt updatedAt path outdated } } } }`;
    const instant: unknown = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await app.as(made.reader.token).query(document, { id })).toEqual({
      comment: {
        target: {
          revisionId: made.revisionId,
          page: {
            pageId: made.ids.tides,
            title: "Tides",
            emoji: "🌊",
            icon: null,
            createdAt: instant,
            updatedAt: instant,
            path: "sea/tides",
            outdated: false,
          },
        },
      },
    });
  });

  it("as a comment target is followed when renamed and moved, and marks comments outdated when its text changes", async () => {
    const made = await makeFixture(kind);
    const { tides, sea, wind } = made.ids;
    const id = await post(made, { pageId: tides });
    const before = { pageId: tides, title: "Tides", path: "sea/tides", outdated: false };
    await made.edit({ updatePage: { pageId: wind, markdown: "Howls.\n" } });
    expect(await pageOf(id, made.reader)).toEqual(before);
    await made.edit(
      { updatePage: { pageId: tides, title: "Ebb and flow" } },
      { movePage: { pageId: tides, parentId: wind } },
      { updatePage: { pageId: sea, title: "Ocean", slug: "ocean" } },
    );
    const moved = { ...before, title: "Ebb and flow", path: "wind/tides" };
    expect(await pageOf(id, made.reader)).toEqual(moved);
    await made.edit({ updatePage: { pageId: tides, markdown: "" } });
    expect(await pageOf(id, made.reader)).toEqual({ ...moved, outdated: true });
    await made.edit({ updatePage: { pageId: tides, markdown } });
    expect(await pageOf(id, made.reader)).toEqual(moved);
  });

  it("as a comment target is shown in its last state after its deletion, and in its present state once restored", async () => {
    const made = await makeFixture(kind);
    const { tides, sea } = made.ids;
    const id = await post(made, { pageId: tides });
    const known = { pageId: tides, title: "Tides", path: "sea/tides", outdated: false };
    const revision = await made.edit({ updatePage: { pageId: tides, title: "Renamed" } });
    await made.edit({ deletePage: { pageId: sea } });
    expect(await pageOf(id, made.reader)).toEqual({ ...known, outdated: true });
    await made.restore(revision);
    expect(await pageOf(id, made.reader)).toEqual({ ...known, title: "Renamed" });
  });

  it("is refused as a comment target unless the current content has it", async () => {
    const made = await makeFixture(kind);
    const { wind } = made.ids;
    const other = await makeFixture(kind === "space" ? "change request" : "space");
    await made.edit({ deletePage: { pageId: wind } });
    for (const page of [wind, other.ids.tides, newId("Page"), "tides", made.space.id])
      expect(await refused(app, made.commenter, createComment, { ...made.place, text: body, pageId: page })).toBe(
        "INVALID_INPUT pageId",
      );
    const { errors } = await app
      .as(made.commenter.token)
      .graphql(createComment, { input: { ...made.place, text: body, pageId: wind } });
    expect(errors?.[0]?.message).toContain(wind);
  });
});

it("comments on a change request target its pages; comments on the space target the main pages", async () => {
  const made = await makeFixture("space");
  const { changeRequest, editor, commenter, space, ids } = made;
  const onChange = placeOf("change request", made);
  expect(await refused(app, commenter, createComment, { ...onChange, text: body, pageId: ids.tides })).toBe(
    "INVALID_INPUT pageId",
  );
  const { pageId, edit } = newPage("Draft");
  await editAs(app.as(editor.token), { changeRequestId: changeRequest.id }, edit);
  const id = await post({ place: onChange, commenter }, { pageId: pageId });
  expect(await pageOf(id, commenter)).toMatchObject({ title: "Draft", outdated: false });
  const onSpace = { contentOf: { spaceId: space.id }, text: body, pageId };
  expect(await refused(app, commenter, createComment, onSpace)).toBe("INVALID_INPUT pageId");
});

it("comments follow the main content through a merge, and those on the change request keep its content", async () => {
  const scene = await setScene(app, world);
  const { commenter, changeRequestId, ids, space, reader } = scene;
  await scene.mine(update(ids.guide, { markdown: guideWith({ 2: "TWO" }) }));
  const target = { pageId: ids.guide };
  const posted = await post({ place: { contentOf: { changeRequestId } }, commenter }, target);
  const postedOnMain = await post({ place: { contentOf: { spaceId: space.id } }, commenter }, target);
  await scene.main(update(ids.guide, { title: "Handbook", slug: "handbook" }), move(ids.faq, ids.guide));
  await scene.merged();
  const known = { pageId: ids.guide, title: "Guide", path: "guide", outdated: false };
  expect(await pageOf(posted, reader)).toEqual(known);
  expect(await pageOf(postedOnMain, reader)).toEqual({ ...known, title: "Handbook", path: "handbook", outdated: true });
  const listed = `{ changeRequest(id: "${scene.changeRequestId}") { status commentCount comments { nodes { id } } } }`;
  expect(await app.as(reader.token).query(listed)).toEqual({
    changeRequest: { status: "MERGED", commentCount: 1, comments: { nodes: [{ id: posted }] } },
  });
});

it("the target of a page that no known revision has shows what is left of it", async () => {
  const { space, editor, reader } = await world.space();
  const pageId = newId("Page");
  const comment = await world.insert((rows) => addComment(rows, { spaceId: space.id, postedById: editor.id, pageId }));
  expect(await pageOf(comment.id, reader)).toEqual({ pageId, title: null, path: null, outdated: true });
});

describe("comments on a review", () => {
  it("are its reviewer's and outlive the review", async () => {
    const made = await world.changeRequest();
    const { changeRequest, commenter, reader } = made;
    const review = await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: commenter.id }));
    const place = placeOf("change request", made);
    const id = await post({ place, commenter }, { reviewId: review.id });
    const path = `/v1/spaces/${made.space.id}/change-requests/${changeRequest.id}/comments/${id}`;
    const target = async () => (await app.as(reader.token).rest<{ target: object }>("GET", path)).body.target;
    expect(await target()).toMatchObject({ review: review.id });
    await app.database.prisma.review.delete({ where: { id: review.id } });
    expect(await target()).not.toHaveProperty("review");
    expect(await refused(app, commenter, createComment, { ...place, text: body, reviewId: review.id })).toBe(
      "INVALID_INPUT reviewId",
    );
  });

  it("must be on the viewer's own review of the same change request", async () => {
    const [made, other] = [await world.changeRequest(), await world.changeRequest()];
    const { changeRequest, commenter, editor, space } = made;
    const reviews = await world.insert((rows) => [
      addReview(rows, { changeRequest, reviewerId: editor.id }),
      addReview(rows, { changeRequest: other.changeRequest, reviewerId: commenter.id }),
    ]);
    for (const review of [...reviews.map(({ id }) => id), newId("Review"), "", "\0", null])
      expect(
        await refused(app, commenter, createComment, {
          ...placeOf("change request", made),
          text: body,
          reviewId: review,
        }),
      ).toBe("INVALID_INPUT reviewId");
    const own = await world.insert((rows) => addReview(rows, { changeRequest, reviewerId: commenter.id }));
    const onSpace = { contentOf: { spaceId: space.id }, text: body, reviewId: own.id };
    expect(await refused(app, commenter, createComment, onSpace)).toBe("INVALID_INPUT reviewId");
  });
});

describe("SQL statements of comment targets", () => {
  const list = (fields: string) =>
    `query ($id: ID!, $first: Int!) { space(id: $id) { comments(first: $first) { nodes { target { ${fields} } } } } }`;

  it("a list takes as many for two comments as for twenty, with present and deleted pages", async () => {
    const made = await makeFixture("space");
    const { tides, wind } = made.ids;
    await post(made, { pageId: wind });
    await made.edit({ deletePage: { pageId: wind } });
    const { revisionId, commenter } = made;
    await world.insert((rows) =>
      times(20, (index) =>
        addComment(rows, {
          spaceId: made.space.id,
          postedById: commenter.id,
          revisionId,
          pageId: index % 2 === 0 ? tides : wind,
        }),
      ),
    );
    const cost = (fields: string, first: number) =>
      app.as(commenter.token).statements(list(fields), { id: made.space.id, first });
    await cost("page { title }", 20); // so that the pages of both contents are cached
    // The space and its comments; the current content; the earlier content.
    for (const [fields, due] of [
      ["page { pageId }", 2],
      ["spaceId revisionId tableCell { record }", 2],
      ["page { outdated }", 3],
      ["page { pageId title path outdated }", 4],
    ] as const)
      expect([await cost(fields, 2), await cost(fields, 20)], fields).toEqual([due, due]);
  });

  it("posting on a page takes one more than without, for its content", async () => {
    const made = await makeFixture("space");
    const cost = (target: object) =>
      app.as(made.commenter.token).statements(createComment, { input: { ...made.place, text: body, ...target } });
    const whole = await cost({});
    const onPage = { pageId: made.ids.tides };
    expect([await cost(onPage), await cost(onPage), await cost({})]).toEqual([whole + 1, whole + 1, whole]);
  });

  it("many lists take as many as one, on spaces and on change requests", async () => {
    const { organization, collection, commenter, space } = await world.space();
    const spaces = await world.insert((rows) =>
      times(20, () => addSpace(rows, { organizationId: organization.id, parent: collection })),
    );
    const document = (some: readonly { id: string }[]) =>
      `{ ${some.map(({ id }, index) => `s${index}: space(id: "${id}") { comments { nodes { target { page { title outdated } } } } }`).join(" ")} }`;
    for (const { id, revisionId } of [space, ...spaces]) {
      const [pageId = ""] = await giveContent(app.database, revisionId, ["Page"]);
      await world.insert((rows) => addComment(rows, { spaceId: id, postedById: commenter.id, pageId, revisionId }));
    }
    // The spaces, their comments, their contents, and the pages of contents that are not cached yet.
    expect(await app.as(commenter.token).statements(document([space]))).toBe(4);
    expect(await app.as(commenter.token).statements(document(spaces))).toBe(4);
    expect(await app.as(commenter.token).statements(document(spaces))).toBe(3);
  });
});
