// `npm run restore -- <file>`: restores a backup into an empty database.
import { runCommand, sayProgress } from "#src/cli/command.ts";

const usage = "npm run restore -- <file> [--skip-damaged-files]";
const about = `Restores an archive of npm run backup into the empty database that DATA_DIR or DATABASE_URL names, and into its file storage.
The whole archive is checked before anything is written, and the rows are committed in one transaction, so that an interrupted
run can be repeated. An archive of an earlier release is migrated.

Secrets need the encryption key of the original gateway: set SECRETS_KEY, or copy its secrets.key into DATA_DIR.
Subscribers receive Resync, since the restored database has other events.

  --skip-damaged-files  Restores everything except files whose bytes do not match their hash; without it, they abort the restore.
  --help                Prints this text.
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
  if (lacking > 0)
    process.stderr.write(`${lacking} of the files that the database references are missing from the archive.\n`);
});
