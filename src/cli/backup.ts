// `npm run backup -- <file>`: writes the database and the files into one archive, while docgraph runs or not.
import { makeBackup } from "#src/backup/backup.ts";
import { readConfig } from "#src/base/config.ts";
import { runCommand } from "#src/cli/command.ts";
import { withSource } from "#src/cli/open-database.ts";
import { sayProgress, sizeOf } from "#src/cli/progress.ts";
import { openFileStore } from "#src/files/open-store.ts";

const usage = "npm run backup -- <file> [--force]";
const about = `Writes the database that 'npm start' uses (DATA_DIR or DATABASE_URL) and its files into one archive, as they are at one moment.
Works while docgraph runs and while it does not; nobody waits for it. npm run restore -- <file> brings it back.

The archive holds everything but the key of the secrets (SECRETS_KEY, or secrets.key in DATA_DIR): keep that elsewhere.
It is a tar file, compressed with zstd, which only its owner may read.

  --force    Writes over a file that is there.
  --help     This text.
`;

const options = { force: { type: "boolean", default: false } } as const;
await runCommand({ usage, about, options, takes: "one" }, ({ force }, path) => backUp(path, force));

async function backUp(path: string, force: boolean): Promise<void> {
  const config = readConfig();
  const begun = performance.now();
  const files = await openFileStore(config);
  const made = await withSource(config, (url) => makeBackup({ url, files, path, force, onProgress: sayProgress() }));
  const { rows, tables, files: count, bytes } = made;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  process.stdout.write(
    `Backed up ${rows} rows of ${tables} tables and ${count} files in ${seconds} s: ${path}, ${sizeOf(bytes)}.\n`,
  );
}
