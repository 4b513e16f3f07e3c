// `npm run print`: writes the printed files; or prints what frontends have to know of the schema.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "#src/server/process/start-errors.ts";
import { clientFiles } from "#src/cli/printed/clients.ts";
import { runCommand } from "#src/cli/command.ts";
import { type PrintedFile, printedFiles } from "#src/cli/printed/files.ts";
import { schema } from "#src/schema.ts";

const usage = "npm run print [-- --clients [--into <folder>]]";

const about = `Writes the files of the project that are made of its code, such as schema.graphql.

  --clients     Prints what frontends with Apollo Client, urql, Relay and graphql-codegen have to know instead.
  --into        Writes what --clients prints into a folder, each file under its name.
  --help        This text.
`;

const options = { clients: { type: "boolean", default: false }, into: { type: "string" } } as const;

await runCommand({ usage, about, options }, async ({ into, clients }) => {
  if (into !== undefined && !clients) throw new UsageError(`--into is for --clients\nusage: ${usage}`);
  if (!clients) return writeAll(printedFiles(), fileURLToPath(new URL("../..", import.meta.url)));
  const files = clientFiles(schema);
  if (into !== undefined) return writeAll(files, into);
  return files.map(({ path, content }) => `#### ${path}\n${content}\n`).join("");
});

async function writeAll(files: readonly PrintedFile[], folder: string): Promise<void> {
  for (const { path, content } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}
