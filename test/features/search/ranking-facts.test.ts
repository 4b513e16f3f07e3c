// What a hit says about itself: its relevance, its position in the whole list, and the pages above it.
import { expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();
const { organization, space, editor } = await world.space();
const as = app.as(editor.token);

const group = newPage("Instruments", { type: "GROUP" });
const manual = newPage("Manual", { parentId: group.pageId, markdown: "Nothing to find." });
const best = newPage("Tide tide gauge", {
  parentId: manual.pageId,
  description: "Measures the tide",
  markdown: "# Tide\n\nThe tide rises.\n\n# Ebb\n\nThe tide falls, and later on a tide comes again.",
});
const others = times(5, (index) => newPage(`Note ${index}`, { markdown: `${"word ".repeat(index)} tide` }));
await editAs(as, { spaceId: space.id }, ...[group, manual, best, ...others].map(({ edit }) => edit));

interface Hit {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly score: number;
  readonly rank: number;
  readonly ancestors: readonly { readonly title: string }[];
  readonly sections: readonly { readonly score: number }[];
}

interface Results<Item> {
  readonly items: readonly Item[];
  readonly next?: { readonly page: string };
}

const isSorted = (scores: readonly number[]) => scores.every((score, at) => at === 0 || score <= (scores[at - 1] ?? 0));

test("hits have a score, and a rank that goes on from page to page", async () => {
  const found: Hit[] = [];
  for (let query = "&limit=4"; query !== "";) {
    const { body } = await as.rest<Results<Hit>>("GET", `/v1/spaces/${space.id}/search?query=tide${query}`);
    found.push(...body.items);
    query = body.next ? `&limit=4&page=${body.next.page}` : "";
  }
  expect(found.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(isSorted(found.map(({ score }) => score)) && found.every(({ score }) => score > 0)).toBe(true);
  const [first] = found;
  expect(first).toMatchObject({
    id: best.pageId,
    description: "Measures the tide",
    ancestors: [{ title: "Instruments" }, { title: "Manual" }],
  });
  expect(first?.sections.length).toBe(2);
  expect(isSorted(first?.sections.map(({ score }) => score) ?? [])).toBe(true);
  expect(found.slice(1).map(({ description, ancestors }) => [description, ancestors])).toEqual(
    times(5, () => ["", []]),
  );
});

test("spaces in the search of an organization have the score of their best page", async () => {
  const path = `/v1/orgs/${organization.id}/search?query=tide`;
  const { body } = await as.rest<Results<{ type: string; score: number; pages: readonly Hit[] }>>("GET", path);
  const [only] = body.items;
  expect([only?.type, only?.score]).toEqual(["space", only?.pages[0]?.score]);
});

test("hits of a change request have the ancestors of its draft", async () => {
  const create = `mutation ($id: ID!) { createChangeRequest(input: { spaceId: $id, subject: "Rename" }) { changeRequest { id } } }`;
  const made = await as.query<{ createChangeRequest: { changeRequest: { id: string } } }>(create, { id: space.id });
  const changeRequestId = made.createChangeRequest.changeRequest.id;
  await editAs(as, { changeRequestId }, { updatePage: { pageId: group.pageId, title: "Devices" } });
  const search = `query ($id: ID!) {
    search(in: { changeRequestId: $id }, text: "gauge") { nodes { rank ancestors { pageId title } } }
  }`;
  expect(await as.query<object>(search, { id: changeRequestId })).toEqual({
    search: {
      nodes: [
        {
          rank: 1,
          ancestors: [
            { pageId: group.pageId, title: "Devices" },
            { pageId: manual.pageId, title: "Manual" },
          ],
        },
      ],
    },
  });
});
