// The configuration of the usual GraphQL clients for the schema: the files of `npm run print -- --clients`.
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";
import { apolloModule, dataTypes, graphcacheModule, graphcacheSchema, identityOf } from "#src/cli/printed/stores.ts";
import type { PrintedFile } from "#src/cli/printed/files.ts";

/** Our scalars in TypeScript; readers have to check those without a single form. */
const scalars = { DateTime: "string", JSON: "unknown", RichDocument: "unknown", Upload: "File" } as const;

/** The files for frontends, by their names in one folder. */
export function clientFiles(schema: GraphQLSchema): PrintedFile[] {
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  return [
    { path: "schema.graphql", content: `${printSchema(lexicographicSortSchema(schema))}\n` },
    { path: "apollo.ts", content: apolloModule(schema) },
    { path: "graphcache.ts", content: graphcacheModule(schema) },
    { path: "graphcache.schema.json", content: graphcacheSchema(schema) },
    { path: "relay.ts", content: relayModule(schema) },
    { path: "relay.config.json", content: json(relayConfig) },
    { path: "codegen.json", content: json(codegenConfig) },
  ];
}

/** For relay-compiler, beside the `package.json` of a frontend whose folder `docgraph` has the other files. */
const relayConfig = {
  src: "src",
  schema: "docgraph/schema.graphql",
  language: "typescript",
  eagerEsModules: true,
  customScalarTypes: scalars,
};

/** For graphql-codegen, in the same folder. */
const codegenConfig = {
  schema: "docgraph/schema.graphql",
  documents: "src/**/*.{ts,tsx}",
  generates: { "src/graphql/": { preset: "client", config: { scalars, useTypeImports: true } } },
};

/** The module for `new Environment(…)` of Relay, which by default uses the `id` of any object as its key. */
function relayModule(schema: GraphQLSchema): string {
  const withId = dataTypes(schema).filter((type) => "id" in type.getFields());
  const named = (identity: string) =>
    JSON.stringify(withId.filter((type) => identityOf(type) === identity).map(({ name }) => name));
  return `// Made by \`npm run print -- --clients\` of docgraph. Make it again after a change of the schema.

/** Objects whose id is that of another node. */
const withIdOfOther = new Set(${named("type and id")});

/** Objects whose id is not unique: they are kept in their parent. */
const parts = new Set(${named("part")});

/** The key of an object in the store; null for one without a key. */
export function getDataID({ id }: { readonly id?: unknown }, type: string): string | null {
  if (typeof id !== "string" || parts.has(type)) return null;
  return withIdOfOther.has(type) ? \`\${type}:\${id}\` : id;
}
`;
}
