// `npm run documents -- "src/**/*.graphql"`: makes the manifest of a frontend's documents, for TRUSTED_DOCUMENTS_FILES.
import { glob, readFile, writeFile } from "node:fs/promises";
import { runCommand } from "#src/cli/command.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = 'npm run -s documents -- "src/**/*.graphql" [more] [--out documents.json] [--typenames]';

const about = `Makes one manifest of all operations in the files that fit, each with the fragments that it uses, in whatever file these are.
The ids are the SHA-256 of the documents: clients send them as documentId (sha256:...), or by Apollo's protocol. Files *.json
are read as manifests: Apollo's, Relay's (persistConfig) and those of graphql-codegen; their ids stay.
What is not valid in the schema is told with its file and line, and nothing is written.

  --out         The file that is written; documents.json when left out.
  --typenames   Has all selections below the top ask for __typename, as Apollo Client and urql do.
  --help        This text.
`;

const options = {
  out: { type: "string", default: "documents.json" },
  typenames: { type: "boolean", default: false },
} as const;

await runCommand({ usage, about, options, takes: "several" }, async ({ out, typenames }, _argument, patterns) => {
  const files = await filesOf(patterns, out);
  // The schema is only loaded where there is something to read.
  const [{ collectDocuments }, { writeManifest }] = await Promise.all([
    import("#src/cli/collect-documents.ts"),
    import("#src/graph/documents/manifests.ts"),
  ]);
  const entries = collectDocuments(files, typenames);
  await writeFile(out, writeManifest(entries));
  return `${entries.length} operations of ${files.length} files: ${out}\n`;
});

/** The files that fit; what this command writes is none of them. */
async function filesOf(patterns: readonly string[], out: string) {
  const paths = new Set<string>();
  for (const pattern of patterns) {
    const before = paths.size;
    for await (const path of glob(pattern, { exclude: ["**/node_modules/**"] })) if (path !== out) paths.add(path);
    if (paths.size === before) throw new UsageError(`no file fits ${pattern}\nusage: ${usage}`);
  }
  return Promise.all([...paths].toSorted().map(async (path) => ({ path, content: await readFile(path, "utf8") })));
}
