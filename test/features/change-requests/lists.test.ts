// Filters and orders of change requests, revisions and reviews, in a space and across an organization.
import { beforeAll, describe, expect, test } from "vitest";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addRevision, addSpace } from "#test/features/spaces/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { readList } from "#test/support/list-reader.ts";
import type { World } from "#test/support/world.ts";

const { app, world } = await useApp();
let made: Awaited<ReturnType<World["space"]>>;
let client: Client;

beforeAll(async () => {
  made = await world.space();
  const { organization, space, editor, creator, reviewer, commenter } = made;
  client = app.as(creator.token);
  await world.insert((rows) => {
    const at = (day: number, changed: number) => ({
      createdAt: `2026-03-0${day}T00:00:00Z`,
      updatedAt: `2026-04-0${changed}T00:00:00Z`,
    });
    const draft = addChangeRequest(rows, {
      space,
      createdById: editor.id,
      subject: "Draft of 100%",
      status: "draft",
      ...at(4, 1),
    });
    const open = addChangeRequest(rows, { space, createdById: creator.id, subject: "Open one", ...at(3, 4) });
    addChangeRequest(rows, { space, createdById: editor.id, subject: "Archived", status: "archived", ...at(2, 3) });
    addChangeRequest(rows, { space, createdById: editor.id, subject: "Merged", status: "merged", ...at(1, 2) });
    addReview(rows, { changeRequest: open, reviewerId: reviewer.id, status: "changes_requested" });
    addReview(rows, { changeRequest: open, reviewerId: commenter.id });
    addReview(rows, { changeRequest: draft, reviewerId: commenter.id });
    addRevision(rows, { spaceId: space.id, type: "import", authorId: creator.id, createdAt: "2025-01-01T00:00:00Z" });
    const elsewhere = addSpace(rows, { organizationId: organization.id });
    addChangeRequest(rows, { space: elsewhere, createdById: creator.id, subject: "Elsewhere", ...at(5, 5) });
  });
});

const subjects = (given: string) => readList(client, ["Space", made.space.id], `changeRequests${given}`, "subject");
const [draft, open, archived, merged] = ["Draft of 100%", "Open one", "Archived", "Merged"];

describe("Space.changeRequests", () => {
  test.each([
    ["", [merged, archived, open, draft]],
    ["(statuses: [OPEN, DRAFT])", [open, draft]],
    ["(statuses: [])", []],
    ["(mine: true)", [open]],
    ["(mine: false)", [merged, archived, draft]],
    ['(subject: "ONE")', [open]],
    ['(subject: "0%")', [draft]],
    ["(reviewStatus: CHANGES_REQUESTED)", [open]],
    ["(reviewStatus: PENDING)", [draft]],
    ["(reviewStatus: NONE)", [merged, archived]],
    ['(updatedSince: "2026-04-03T00:00:00Z")', [archived, open]],
    ["(orderBy: { field: NUMBER })", [draft, open, archived, merged]],
    ["(orderBy: { field: CREATED_AT })", [merged, archived, open, draft]],
    ["(orderBy: { field: UPDATED_AT, direction: DESC })", [open, archived, merged, draft]],
    ["(mine: false, statuses: [DRAFT, MERGED], orderBy: { field: NUMBER })", [draft, merged]],
  ])("lists matching change requests for arguments: %s", async (given, expected) => {
    expect(await subjects(given)).toEqual(expected);
  });

  test("filters by author, by contributors in any order, and by reviewer", async () => {
    const { editor, creator, reviewer, commenter, reader } = made;
    expect(await subjects(`(authorIds: ["${editor.id}", "${reader.id}"])`)).toEqual([merged, archived, draft]);
    expect(await subjects(`(contributorId: "${creator.id}")`)).toEqual([open]);
    expect(await subjects(`(contributorId: "${editor.id}", mine: false, subject: "r")`)).toEqual([
      merged,
      archived,
      draft,
    ]);
    expect(await subjects(`(contributorId: "${editor.id}", orderBy: { field: UPDATED_AT })`)).toEqual([
      draft,
      merged,
      archived,
    ]);
    expect(await subjects(`(contributorId: "${editor.id}", orderBy: { field: NUMBER })`)).toEqual([
      draft,
      archived,
      merged,
    ]);
    expect(await subjects(`(reviewerId: "${reviewer.id}")`)).toEqual([open]);
    expect(await subjects(`(reviewerId: "${commenter.id}", orderBy: { field: NUMBER })`)).toEqual([draft, open]);
    expect(await subjects(`(reviewerId: "${reader.id}")`)).toEqual([]);
  });
});

test("Organization.changeRequests takes the same filters and orders as Space.changeRequests", async () => {
  const all = (given: string) =>
    readList(client, ["Organization", made.organization.id], `changeRequests${given}`, "subject");
  expect(await all("")).toEqual(["Elsewhere", draft, open, archived, merged]);
  expect(await all("(statuses: [OPEN], orderBy: { field: UPDATED_AT })")).toEqual([open, "Elsewhere"]);
  expect(await all(`(mine: true, spaceIds: ["${made.space.id}"])`)).toEqual([open]);
  expect(await all("(reviewStatus: PENDING)")).toEqual([draft]);
  expect(
    await readList(
      client,
      ["User", made.editor.id],
      "changeRequests(statuses: [MERGED, DRAFT], orderBy: { field: CREATED_AT })",
      "subject",
    ),
  ).toEqual([merged, draft]);
});

test("revisions can be filtered by kind, author and time, and sorted in either direction", async () => {
  const { space, creator, editor } = made;
  const types = (given: string) => readList(client, ["Space", space.id], `revisions(${given})`, "type");
  expect(await types("orderBy: { field: CREATED_AT }")).toEqual(["IMPORT", "INITIAL", "MERGE"]);
  expect(await types("orderBy: { field: CREATED_AT, direction: DESC }")).toEqual(["MERGE", "INITIAL", "IMPORT"]);
  expect(await types("types: [IMPORT, MERGE]")).toEqual(["MERGE", "IMPORT"]);
  expect(await types(`authorIds: ["${creator.id}"]`)).toEqual(["IMPORT"]);
  expect(await types(`authorIds: ["${editor.id}"]`)).toEqual([]);
  expect(await types('createdSince: "2025-06-01T00:00:00Z"')).toEqual(["MERGE", "INITIAL"]);
});

test("reviews can be filtered by state and reviewer", async () => {
  const [found] = await readList(client, ["Space", made.space.id], 'changeRequests(subject: "open")');
  const reviews = (given: string) => readList(client, ["ChangeRequest", found ?? ""], `reviews${given}`, "status");
  expect(await reviews("")).toEqual(["CHANGES_REQUESTED", "REQUESTED"]);
  expect(await reviews("(statuses: [REQUESTED, APPROVED])")).toEqual(["REQUESTED"]);
  expect(await reviews("(statuses: [])")).toEqual([]);
  expect(await reviews(`(reviewerId: "${made.reviewer.id}")`)).toEqual(["CHANGES_REQUESTED"]);
});
