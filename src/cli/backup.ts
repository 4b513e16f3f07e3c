// `npm run backup -- <file>`: writes the database and the files into one archive, while docgraph runs or not.
import { runCommand, sayProgress, sizeOf } from "#src/cli/command.ts";

const usage = "npm run backup -- <file> [--force] [--allow-missing]";
const about = `Writes a consistent snapshot of the database that 'npm start' uses (DATA_DIR or DATABASE_URL) and its files into one archive.
docgraph may be running or not, and is not blocked. Restore the archive with: npm run restore -- <file>

The archive contains everything except the encryption key of secrets (SECRETS_KEY, or secrets.key in DATA_DIR): store that elsewhere.
It is a tar file compressed with zstd, readable by its owner only.

Files that are missing from the file storage, or whose bytes do not match their hash, are listed on stderr, and the exit code is 1.

  --force          Overwrites an existing file.
  --allow-missing  Exits with 0 although files are missing or damaged.
  --help           Prints this text.
`;

const options = {
  force: { type: "boolean", default: false },
  "allow-missing": { type: "boolean", default: false },
} as const;
await runCommand({ usage, about, options, takes: "one" }, async ({ force, "allow-missing": allowsMissing }, path) => {
  const { ArchiveError } = await import("#src/backup/archive.ts");
  const { lacksOf } = await import("#src/backup/blobs.ts");
  const { makeBackup } = await import("#src/backup/backup.ts");
  const { readConfig } = await import("#src/config/config.ts");
  const { withSource } = await import("#src/cli/database/open-database.ts");
  const { openFileStore } = await import("#src/files/open-store.ts");
  const config = readConfig();
  const begun = performance.now();
  const given = { files: await openFileStore(config), path, force, allowsMissing, onProgress: sayProgress() };
  const { rows, tables, bytes, files } = await withSource(config, (url) => makeBackup({ ...given, url }));
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  process.stdout.write(
    `Backed up ${rows} rows of ${tables} tables and ${files.count} files in ${seconds} s: ${path}, ${sizeOf(bytes)}.\n`,
  );
  const lacks = lacksOf(files);
  if (lacks === "") return;
  const sentence = `The archive is incomplete. ${lacks}.`;
  if (!allowsMissing) throw new ArchiveError(sentence);
  process.stderr.write(`${sentence}\n`);
});
