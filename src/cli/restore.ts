// `npm run restore -- <file>`: brings a backup back, into an empty database.
import { parseArgs } from "node:util";
import { restoreBackup } from "#src/backup/restore.ts";
import { readConfig } from "#src/base/config.ts";
import { withSource } from "#src/cli/open-database.ts";
import { sayProgress } from "#src/cli/progress.ts";
import { openFileStore } from "#src/files/open-store.ts";
import { explain, UsageError } from "#src/server/start-errors.ts";

const usage = "usage: npm run restore -- <file>";
const help = `${usage}

Brings back what npm run backup has written, into the empty database that DATA_DIR or DATABASE_URL names, and into its files.
The archive is checked to its end before anything is written; the rows are there all at once or not at all, so that one that is
interrupted can be run again. An archive of an earlier release is brought up to date.

The secrets need the key of the gateway that was backed up: set SECRETS_KEY, or copy its secrets.key into DATA_DIR.
Subscribers get Resync, since the events of another database are others.

  --help     This text.
`;

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" } },
  });
  const [path, ...rest] = positionals;
  if (values.help) process.stdout.write(help);
  else if (!path || rest.length > 0) throw new UsageError(usage);
  else await restore(path);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

async function restore(path: string): Promise<void> {
  const config = readConfig();
  const begun = performance.now();
  const files = await openFileStore(config);
  const restored = await withSource(config, (url) => restoreBackup({ url, files, path, onProgress: sayProgress() }));
  const { rows, tables, files: count, madeAt } = restored;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  process.stdout.write(
    `Restored ${rows} rows of ${tables} tables and ${count} files in ${seconds} s, as they were at ${madeAt}.\n`,
  );
}
