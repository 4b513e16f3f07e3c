// `npm run documents -- "src/**/*.graphql"`: makes the manifest of a frontend's documents, for TRUSTED_DOCUMENTS_FILES.
import { glob, readFile, writeFile } from "node:fs/promises";
import { runCommand } from "#src/cli/command.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = 'npm run -s documents -- "src/**/*.graphql" [more] [--out documents.json] [--typenames]';

const about = `Makes one manifest of all operations in the matching files, each with the fragments that it uses, from any of the files.
The ids are the SHA-256 of the documents: clients send them as documentId (sha256:...), or by Apollo's protocol. Files *.json
are read as manifests of Apollo, Relay (persistConfig) or graphql-codegen, and keep their ids.
Invalid documents are listed with file and line, and nothing is written.

  --out         The file to write; by default documents.json.
  --typenames   Adds __typename to all selections below the top, as Apollo Client and urql do.
  --help        Prints this text.
`;

const options = {
  out: { type: "string", default: "documents.json" },
  typenames: { type: "boolean", default: false },
} as const;

await runCommand({ usage, about, options, takes: "several" }, async ({ out, typenames }, _argument, patterns) => {
  const files = await filesOf(patterns, out);
  // The schema is only loaded if there are files to read.
  const [{ collectDocuments }, { writeManifest }] = await Promise.all([
    import("#src/cli/printed/collect-documents.ts"),
    import("#src/graph/documents/manifests.ts"),
  ]);
  const entries = collectDocuments(files, typenames);
  await writeFile(out, writeManifest(entries));
  return `${entries.length} operations of ${files.length} files: ${out}\n`;
});

/** The matching files, without the one that this command writes. */
async function filesOf(patterns: readonly string[], out: string) {
  const paths = new Set<string>();
  for (const pattern of patterns) {
    const before = paths.size;
    for await (const path of glob(pattern, { exclude: ["**/node_modules/**"] })) if (path !== out) paths.add(path);
    if (paths.size === before) throw new UsageError(`no file matches ${pattern}\nusage: ${usage}`);
  }
  return Promise.all([...paths].toSorted().map(async (path) => ({ path, content: await readFile(path, "utf8") })));
}
