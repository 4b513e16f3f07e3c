// Links to headings by the names that other tools and authors give them: their status, repairs, merges.
import { describe, expect, test } from "vitest";
import { editAs, newPage, readPages } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

describe("links to headings", () => {
  // The page of a report (docgraph as an outside client meets it): what other tools and authors name its headings.
  const target = [
    '### Section header <a href="#space-header" id="space-header"></a>',
    "## dispatch(action)",
    "## markdown_extensions",
    "## Why isn't it?",
    "## Response",
    "## Response",
    "## Custom {#my-id}",
    "Text",
    '<a id="free"></a>',
  ].join("\n\n");
  const names = [
    "space-header",
    "dispatchaction",
    "markdown_extensions",
    "why-isnt-it",
    "response-1",
    "response_1",
  ].concat(["my-id", "free", "Dispatch%20Action", "user-content-my-id"]);
  const own = [
    "space-header",
    "dispatch-action",
    "markdown-extensions",
    "why-isn-t-it",
    "response-2",
    "response-2",
  ].concat(["my-id", "free", "dispatch-action", "my-id"]);

  test("are OK by any of their names, and repairs write the name of docgraph", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const page = newPage("Target", { markdown: `${target}\n\n[own](#dispatchaction)` });
    const links = names.map((name) => `[x](page:${page.pageId}#${name})`);
    const source = newPage("Source", { markdown: `${links.join(" ")} [y](target.md#dispatchaction)` });
    await editAs(as, { spaceId: space.id }, page.edit, source.edit);
    const { space: read } = await as.query<{ space: { links: { totalCount: number } } }>(
      `{ space(id: "${space.id}") { links(status: BROKEN) { totalCount } } }`,
    );
    expect(read.links.totalCount).toBe(0);
    const { repairLinks } = await as.query<{ repairLinks: { revision: { id: string }; repairedLinkCount: number } }>(
      `mutation { repairLinks(input: {contentOf: {spaceId: "${space.id}"}}) { revision { id } repairedLinkCount } }`,
    );
    const pages = await readPages(as, repairLinks.revision.id);
    const repaired = own.map((name) => `[x](page:${page.pageId}#${name})`);
    expect(pages.map(({ markdown }) => markdown)).toEqual([
      `${target}\n\n[own](#dispatch-action)`,
      `${repaired.join(" ")} [y](page:${page.pageId}#dispatch-action)`,
    ]);
    expect(repairLinks.repairedLinkCount).toBe(9);
  });

  test("do not stop a merge that refuses broken links", async () => {
    const { changeRequest, reviewer } = await world.changeRequest();
    const as = app.as(reviewer.token);
    const page = newPage("Target", { markdown: `${target}\n\n${names.map((name) => `[x](#${name})`).join(" ")}` });
    await editAs(as, { changeRequestId: changeRequest.id }, page.edit);
    const merged = await as.graphql(
      `mutation { mergeChangeRequest(input: {changeRequestId: "${changeRequest.id}", refuseBrokenLinks: true}) { changeRequest { status } } }`,
    );
    expect(merged.data).toEqual({ mergeChangeRequest: { changeRequest: { status: "MERGED" } } });
  });
});
