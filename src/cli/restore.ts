// `npm run restore -- <file>`: brings a backup back, into an empty database.
import { runCommand, sayProgress } from "#src/cli/command.ts";

const usage = "npm run restore -- <file> [--skip-damaged-files]";
const about = `Brings back what npm run backup has written, into the empty database that DATA_DIR or DATABASE_URL names, and into its files.
The archive is checked to its end before anything is written; the rows are there all at once or not at all, so that one that is
interrupted can be run again. An archive of an earlier release is brought up to date.

The secrets need the key of the gateway that was backed up: set SECRETS_KEY, or copy its secrets.key into DATA_DIR.
Subscribers get Resync, since the events of another database are others.

  --skip-damaged-files  Restores all but the files whose bytes are not those that were backed up; without it they stop everything.
  --help                This text.
`;

const options = { "skip-damaged-files": { type: "boolean", default: false } } as const;
await runCommand({ usage, about, options, takes: "one" }, async ({ "skip-damaged-files": skipsDamagedFiles }, path) => {
  const { restoreBackup } = await import("#src/backup/restore.ts");
  const { readConfig } = await import("#src/config/config.ts");
  const { withSource } = await import("#src/cli/database/open-database.ts");
  const { openFileStore } = await import("#src/files/open-store.ts");
  const config = readConfig();
  const begun = performance.now();
  const given = { files: await openFileStore(config), path, skipsDamagedFiles, onProgress: sayProgress() };
  const restored = await withSource(config, (url) => restoreBackup({ ...given, url }));
  const { rows, tables, files: count, lacking, madeAt } = restored;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  process.stdout.write(
    `Restored ${rows} rows of ${tables} tables and ${count} files in ${seconds} s, as they were at ${madeAt}.\n`,
  );
  if (lacking > 0) process.stderr.write(`${lacking} of the files that the database names are not in the archive.\n`);
});
