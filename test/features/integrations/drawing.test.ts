// Drawing blocks is read-only: a script cannot write through a query or GET, whatever its scopes.
import lzString from "lz-string";
import { expect, test } from "vitest";
import { installed } from "#test/features/integrations/runs.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { done } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";
import { recordWrites } from "#test/support/write-recorder.ts";

// Has its own database: all tables are watched for writes.
const { app, world } = await useApp({ own: true, deliveryMs: null });

const drawing = `export async function handle(event, { api }) {
  const path = "/v1/spaces/" + event.context.spaceId;
  const { status } = await api.rest("GET", path);
  const made = await api.rest("POST", path + "/comments", { body: { markdown: "Drawn" } });
  const again = await api.graphql("mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }",
    { input: { contentOf: { spaceId: event.context.spaceId }, text: "Drawn" } });
  const text = [status, made.status, again.errors?.[0]?.extensions.code].join(" ");
  return { type: "element", element: { type: "block", children: [{ type: "text", children: [text] }] } };
}`;

test("a script that draws a block reads by its scopes and writes nothing, for any viewer and kind of request", async () => {
  const block = { id: "tide", markdown: { codeblock: "tide" }, urlUnfurl: ["https://tides.example.com/"] };
  const scopes = ["space:content:write"];
  const scene = await installed(
    { app, world },
    {
      script: drawing,
      integration: { scopes, blocks: [block], hasBlocks: true, blockDomains: ["tides.example.com"] },
    },
  );
  const { space, admin, integration, installation } = scene;
  await done(app, admin.token, "editContent", {
    contentOf: { spaceId: space.id },
    edits: [{ createPage: { title: "Page", markdown: "```tide\n1\n```" } }],
  });
  const { token } = await world.insert((rows) => addToken(rows, { userId: admin.id, scope: "read" }));
  const context = { spaceId: space.id };
  const request = lzString.compressToEncodedURIComponent(JSON.stringify({ componentId: "tide", props: {}, context }));
  const path = `/v1/integrations/${integration.name}/render?request=${request}`;
  const named = `integrationName: "${integration.name}"`;
  const written = await recordWrites(app.database);
  for (const client of [app.as(admin.token), app.as(token)]) {
    const answers = [
      (await client.rest("GET", path)).body,
      await client.query(`{ renderIntegration(${named}, request: "${request}") { element } }`),
      await client.query(
        `{ renderIntegrationBlock(${named}, componentId: "tide", context: { spaceId: "${space.id}" }) { element } }`,
      ),
      await client.query(
        `{ space(id: "${space.id}") { unfurledLink(url: "https://tides.example.com/1") { element } } }`,
      ),
      await client.query(`{ space(id: "${space.id}") { content { allPages { document(renderBlocks: true) } } } }`),
    ];
    for (const answer of answers) expect(JSON.stringify(answer)).toContain('["200 403 FORBIDDEN"]');
  }
  expect(await written()).toEqual([]);
  await app.database.pool.query(`update "IntegrationInstallation" set scopes = '{}' where id = $1`, [installation.id]);
  expect(JSON.stringify((await app.as(token).rest("GET", path)).body)).toContain('["404 403 FORBIDDEN"]');
});
