// Relay: the real relay-compiler accepts the schema, with refetchable fragments and connections in both directions.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { lexicographicSortSchema, printSchema } from "graphql";
import { expect, test } from "vitest";
import { schema } from "#src/schema.ts";

const compiler = fileURLToPath(new URL("../../node_modules/.bin/relay-compiler", import.meta.url));

const source = `
graphql\`
  fragment source_reviews on Space
    @refetchable(queryName: "sourceReviewsQuery")
    @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
    changeRequests(first: $count, after: $cursor) @connection(key: "source_changeRequests") {
      edges { node { id number subject ...source_comments } }
    }
  }
\`;
graphql\`
  fragment source_comments on ChangeRequest
    @refetchable(queryName: "sourceCommentsQuery")
    @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
    comments(last: $count, before: $cursor) @connection(key: "source_comments") { edges { node { id } } }
  }
\`;
graphql\`
  fragment source_text on Page @refetchable(queryName: "sourceTextQuery") { title markdown }
\`;
graphql\`
  mutation sourceDeleteMutation($input: DeleteSpaceInput!, $connections: [ID!]!) {
    deleteSpace(input: $input) { deletedId @deleteEdge(connections: $connections) }
  }
\`;
graphql\`
  query sourceQuery($id: ID!) {
    node(id: $id) { id __typename ...source_reviews @alias }
    organizations(first: 10) { edges { node { id title } } pageInfo { hasNextPage } }
  }
\`;
graphql\`
  mutation sourceMutation($input: CreateApiTokenInput!) { createApiToken(input: $input) { token apiToken { id } } }
\`;
`;

test("relay-compiler accepts the schema", async () => {
  const folder = await mkdtemp(join(tmpdir(), "docgraph-relay-"));
  try {
    await mkdir(join(folder, "src"));
    await writeFile(join(folder, "package.json"), "{}");
    await writeFile(join(folder, "schema.graphql"), printSchema(lexicographicSortSchema(schema)));
    await writeFile(
      join(folder, "relay.config.json"),
      JSON.stringify({ src: "src", schema: "schema.graphql", language: "typescript", eagerEsModules: true }),
    );
    await writeFile(join(folder, "src", "source.ts"), source);
    const { stdout, stderr } = await promisify(execFile)(compiler, [join(folder, "relay.config.json")], {
      cwd: folder,
    });
    expect(stdout + stderr).toMatch(/compiled documents/i);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);
