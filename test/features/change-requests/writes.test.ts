// Creating and updating change requests: payloads, refusals, numbers and events.
import { describe, expect, test } from "vitest";
import { editAs, newPage, outline, readPages } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const fields =
  "id number status subject outdated revisionId revisionInitialId revisionMergedAncestorId createdBy { id } content { id pageCount }";
const create = `mutation ($input: CreateChangeRequestInput!) { createChangeRequest(input: $input) { changeRequest { ${fields} } } }`;
const update = `mutation ($input: UpdateChangeRequestInput!) { updateChangeRequest(input: $input) { changeRequest { ${fields} } } }`;

interface Fields {
  id: string;
  number: number;
  revisionId: string;
}
interface Answers {
  createChangeRequest: { changeRequest: Fields };
  updateChangeRequest: { changeRequest: Fields };
}

async function eventsOf(subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type, spaceId, actorId, payload }) => ({ type, spaceId, actorId, payload }));
}

describe("createChangeRequest", () => {
  test("creates a draft from the current main content with the next number", async () => {
    const { editor, space } = await world.changeRequest();
    const as = app.as(editor.token);
    const revisionId = await editAs(as, { spaceId: space.id }, newPage("Page").edit);
    const input = { spaceId: space.id, subject: " Better words ", agentTaskId: "task-1" };
    const { createChangeRequest } = await as.query<Answers>(create, { input });
    const { changeRequest } = createChangeRequest;
    expect(changeRequest).toMatchObject({
      number: 2,
      status: "DRAFT",
      subject: "Better words",
      outdated: false,
      revisionId,
      revisionInitialId: revisionId,
      revisionMergedAncestorId: null,
      createdBy: { id: editor.id },
      content: { id: revisionId, pageCount: 1 },
    });
    const task = `{ changeRequest(id: "${changeRequest.id}") { agentTaskId } }`;
    expect(await as.query(task)).toEqual({ changeRequest: { agentTaskId: "task-1" } });
    expect(await eventsOf(changeRequest.id)).toEqual([
      {
        type: "changeRequest.created",
        spaceId: space.id,
        actorId: editor.id,
        payload: { number: 2, subject: "Better words", agentTaskId: "task-1" },
      },
    ]);
  });

  test("edits in a change request do not change the main content, and edits of the main content make it outdated", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const { createChangeRequest } = await as.query<Answers>(create, { input: { spaceId: space.id } });
    const { id } = createChangeRequest.changeRequest;
    const mine = await editAs(as, { changeRequestId: id }, newPage("Mine").edit);
    const main = await editAs(as, { spaceId: space.id }, newPage("Main").edit);
    expect(outline(await readPages(as, mine))).toEqual(["mine"]);
    expect(outline(await readPages(as, main))).toEqual(["main"]);
    const { changeRequest } = await as.query<{ changeRequest: object }>(
      `{ changeRequest(id: "${id}") { outdated content { changeRequestId parents: parentRevisionIds } revisions { nodes { id } }
        space { revisions { nodes { id } } } } }`,
    );
    expect(changeRequest).toEqual({
      outdated: true,
      content: { changeRequestId: id, parents: [space.revisionId] },
      revisions: { nodes: [{ id: mine }] },
      space: { revisions: { nodes: [{ id: main }, { id: space.revisionId }] } },
    });
  });

  test("twenty concurrent creations get the numbers 1 to 20", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const made = await Promise.all(times(20, () => as.query<Answers>(create, { input: { spaceId: space.id } })));
    const numbers = made.map(({ createChangeRequest }) => createChangeRequest.changeRequest.number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(times(20, (index) => index + 1));
  });

  test("refuses subjects over the limit", async () => {
    const { editor, space } = await world.space();
    const tooLong = { input: { spaceId: space.id, subject: "x".repeat(101) } };
    expect(await app.as(editor.token).refusal(create, tooLong)).toBe("INVALID_INPUT");
  });
});

describe("updateChangeRequest", () => {
  test("changes subject and status for the author and for reviewers", async () => {
    const { editor, reviewer, changeRequest } = await world.changeRequest();
    const input = { changeRequestId: changeRequest.id, subject: "New", status: "ARCHIVED" };
    const byAuthor = await app.as(editor.token).query<Answers>(update, { input });
    expect(byAuthor.updateChangeRequest.changeRequest).toMatchObject({ subject: "New", status: "ARCHIVED" });
    const reopened = { changeRequestId: changeRequest.id, status: "OPEN" };
    const byReviewer = await app.as(reviewer.token).query<Answers>(update, { input: reopened });
    expect(byReviewer.updateChangeRequest.changeRequest).toMatchObject({ subject: "New", status: "OPEN" });
    expect((await eventsOf(changeRequest.id)).map(({ type, actorId }) => [type, actorId])).toEqual([
      ["changeRequest.updated", editor.id],
      ["changeRequest.statusChanged", editor.id],
      ["changeRequest.statusChanged", reviewer.id],
      ["changeRequest.opened", reviewer.id],
    ]);
  });

  test("without input or with unchanged values changes nothing and emits no event", async () => {
    const { editor, changeRequest } = await world.changeRequest();
    const input = { changeRequestId: changeRequest.id };
    await app.as(editor.token).query(update, { input });
    await app.as(editor.token).query(update, { input: { ...input, subject: changeRequest.subject, status: "OPEN" } });
    expect(await eventsOf(changeRequest.id)).toEqual([]);
  });

  test.each([{ status: "MERGED" }, { status: null }, { subject: null }, { subject: "x".repeat(101) }])(
    "refuses the input %o",
    async (fields) => {
      const { editor, changeRequest } = await world.changeRequest();
      const input = { changeRequestId: changeRequest.id, ...fields };
      expect(await app.as(editor.token).refusal(update, { input })).toBe("INVALID_INPUT");
    },
  );

  test("is a CONFLICT for a merged change request", async () => {
    const { editor, changeRequest } = await world.changeRequest({ changeRequest: { status: "merged" } });
    const input = { changeRequestId: changeRequest.id, subject: "Late" };
    expect(await app.as(editor.token).refusal(update, { input })).toBe("CONFLICT");
  });
});

test("change requests are created and updated in /v1 with 201 and 200", async () => {
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  const path = `/v1/spaces/${space.id}/change-requests`;
  expect(await as.rest("POST", path)).toMatchObject({ status: 201, body: { number: 1, status: "draft", subject: "" } });
  const body = { subject: "Words", status: "open" };
  expect(await as.rest("PATCH", `${path}/1`, { body })).toMatchObject({ status: 200, body });
});
