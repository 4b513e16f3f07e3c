// What the applications need beside their sources: the files that `npm run print -- --clients` prints, typed documents,
// the types of /v1 and Relay's artifacts.
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { codegen } from "@graphql-codegen/core";
import * as typedDocumentNode from "@graphql-codegen/typed-document-node";
import * as typescriptOperations from "@graphql-codegen/typescript-operations";
import { parse, printSchema } from "graphql";
import { clientFiles } from "#src/cli/printed/clients.ts";
import { schema } from "#src/schema.ts";
import { codeOf, readPage } from "#test/support/documentation.ts";

export const run = promisify(execFile);

const project = fileURLToPath(new URL("../..", import.meta.url));

/** A program of the packages. */
export const program = (name: string): string => join(project, "node_modules/.bin", name);

/** The applications, by the names of their folders, with the files that they begin with. */
export const applications = {
  apollo: "main.tsx",
  urql: "main.tsx",
  relay: "main.tsx",
  "openapi-fetch": "main.ts",
  live: "main.ts",
} as const;

/** Puts the applications and the code of frontends.md into a folder, with all that is generated for them. */
export async function generate(folder: string, description: object): Promise<void> {
  const isSource = (path: string) => !/(?:clients\.test|generate|build)\.ts$/.test(path);
  await cp(join(project, "test/clients"), folder, { recursive: true, filter: isSource });
  await symlink(join(project, "node_modules"), join(folder, "node_modules"));
  await mkdir(join(folder, "docgraph"));
  const printed = codeOf(readPage("src/docs/frontends.md"), "tsx");
  for (const [index, code] of printed.entries()) await writeFile(join(folder, `printed-${index}.tsx`), code);
  const files = clientFiles(schema);
  for (const { path, content } of files) await writeFile(join(folder, "docgraph", path), content);
  const contentOf = (name: string) => JSON.parse(files.find(({ path }) => path === name)?.content ?? "{}") as object;
  await Promise.all([
    typedDocuments(folder, contentOf("codegen.json") as CodegenConfig),
    relayArtifacts(folder, contentOf("relay.config.json")),
    typesOf(folder, description),
  ]);
}

interface CodegenConfig {
  readonly generates: Readonly<Record<string, { readonly config: Record<string, unknown> }>>;
}

/** As graphql-codegen makes them of its configuration. */
async function typedDocuments(folder: string, { generates }: CodegenConfig): Promise<void> {
  const location = "documents.graphql";
  const document = parse(await readFile(join(folder, location), "utf8"));
  const text = await codegen({
    filename: "documents.ts",
    schema: parse(printSchema(schema)),
    schemaAst: schema,
    documents: [{ location, document }],
    config: Object.values(generates)[0]?.config ?? {},
    plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
    pluginMap: { typescriptOperations, typedDocumentNode },
  });
  await writeFile(join(folder, "documents.ts"), text);
}

async function relayArtifacts(folder: string, config: object): Promise<void> {
  await writeFile(join(folder, "package.json"), "{}");
  await writeFile(join(folder, "relay.config.json"), JSON.stringify({ ...config, src: "relay" }));
  await run(program("relay-compiler"), ["relay.config.json"], { cwd: folder });
}

/** As openapi-typescript makes them. It needs the API that TypeScript had before 7, which ts-morph brings along. */
async function typesOf(folder: string, description: object): Promise<void> {
  const url = import.meta.resolve("@ts-morph/common/dist/typescript.js");
  registerHooks({
    resolve: (name, context, next) => (name === "typescript" ? { url, shortCircuit: true } : next(name, context)),
  });
  const { default: openapiTS, astToString } = await import("openapi-typescript");
  await writeFile(join(folder, "v1.ts"), astToString(await openapiTS(JSON.stringify(description))));
}
