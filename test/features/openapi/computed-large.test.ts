// Computed pages of a specification that takes longer than the response waits: they are added after it, all at once.
import { expect, test } from "vitest";
import { editDocument, newPage } from "#test/features/content/edits.ts";
import { largeDocument } from "#test/features/openapi/large.ts";
import { from, giveSpec } from "#test/features/openapi/specs.ts";
import { listen } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";
import { runs } from "#test/support/runs.ts";

/** Like gateways, but responses do not wait. */
const { app, world } = await useApp({ requestTimeoutMs: 15_000, patienceMs: 1 });

/** 5,000 operations at full size. */
const size = { operations: runs(5_000, 1_000), models: 1, tags: 20 };
/** The page itself, one for each tag, operation and model, and that of the models. */
const whole = 1 + size.tags + size.operations + 1 + size.models;

/** An organization with a specification of many operations, and an editor of one of its spaces. */
async function makeFixture() {
  const { organization, space, editor } = await world.space();
  await giveSpec({ app, world }, { organizationId: organization.id, slug: "large" }, largeDocument(size));
  const read = async (token = editor.token) => {
    const { space: found } = await app.as(token).query<{
      space: { revisionId: string; content: { allPages: { path: string; markdown: string }[] } };
    }>(`query ($id: ID!) { space(id: $id) { revisionId content { allPages { path markdown } } } }`, { id: space.id });
    return { revisionId: found.revisionId, pages: found.content.allPages };
  };
  return { space, editor, read };
}

test(
  "computed pages of many operations are created after the response, with an event of their space",
  { timeout: 120_000 },
  async () => {
    const { space, editor, read } = await makeFixture();
    const stream = await listen(app, editor, `spaceEvents(of: { spaceId: "${space.id}" })`);
    const edit = newPage("API", from("large")).edit;
    const began = performance.now();
    const { editContent } = await app
      .as(editor.token)
      .query<{ editContent: { revision: { id: string } } }>(editDocument, {
        input: { contentOf: { spaceId: space.id }, edits: [edit] },
      });
    const revisionId = editContent.revision.id;
    expect(await read()).toEqual({ revisionId, pages: [{ path: "api", markdown: "" }] });
    const edited = { __typename: "SpaceContentEdited" };
    await stream.delivers(
      Promise.resolve(),
      { ...edited, facts: { revisionId } },
      { ...edited, actor: null, facts: { revisionId, revisionBeforeId: revisionId } },
    );
    console.info(`${size.operations} operations: pages after ${Math.round(performance.now() - began)} ms`);
    const made = await read();
    expect([made.revisionId, made.pages.length]).toEqual([revisionId, whole]);
    expect(made.pages.filter(({ markdown }) => markdown === "")).toEqual([]);
    const last = made.pages.find(({ path }) => path.endsWith(`/operation${size.operations - 1}`));
    expect(last?.markdown.includes(`/things/${size.operations - 1}`)).toBe(true);
    expect(await stream.end(2)).toEqual(["SpaceContentEdited"]);
  },
);
