// `npm run verify -- [<file>]`: checks an archive, or the file storage against its database, without writing anything.
import type { Config } from "#src/config/config.ts";
import { runCommand, sayProgress, sizeOf } from "#src/cli/command.ts";

const usage = "npm run verify -- [<file>]";
const about = `Checks an archive of npm run backup without restoring it: it is whole, each file in it has the bytes that its hash says, and this
release can restore it. Without a file it checks the file storage against the database that DATA_DIR or DATABASE_URL names: each
file that the database references is there, with the bytes that its hash says. docgraph may be running or not.

Exits with 1 if anything is missing or damaged, and lists it.

  --help  Prints this text.
`;

await runCommand({ usage, about, options: {}, takes: "optional" }, async (_, path) => {
  if (path !== "") return verifyArchive(path);
  const { readConfig } = await import("#src/config/config.ts");
  return verifyStore(readConfig());
});

async function verifyArchive(path: string): Promise<string> {
  const { ArchiveError } = await import("#src/backup/archive.ts");
  const { checkArchive, damageOf, knownMigrations } = await import("#src/backup/check-archive.ts");
  const { lacksOf } = await import("#src/backup/blobs.ts");
  const say = sayProgress();
  let read = 0;
  const { manifest, summary, damaged } = await checkArchive(path, (bytes) => say(`${sizeOf((read += bytes))} checked`));
  await knownMigrations(manifest);
  if (damaged.length > 0) throw new ArchiveError(damageOf(damaged));
  const { missing, count } = summary.files;
  const lacks = lacksOf({ missing, damaged: { count: 0, hashes: [] } });
  if (lacks !== "") throw new ArchiveError(`the archive is whole, but when it was made ${lacks}`);
  const rows = Object.values(summary.tables).reduce((sum, table) => sum + table.rows, 0);
  return `The archive is whole: ${rows} rows and ${count} files, as they were at ${manifest.madeAt}.\n`;
}

async function verifyStore(config: Config): Promise<string> {
  const { ArchiveError } = await import("#src/backup/archive.ts");
  const { lacksOf, verifyFiles } = await import("#src/backup/blobs.ts");
  const { DatabaseClient } = await import("#src/db/connection/client.ts");
  const { withSource } = await import("#src/cli/database/open-database.ts");
  const { openFileStore } = await import("#src/files/open-store.ts");
  const files = await openFileStore(config);
  const say = sayProgress();
  const found = await withSource(config, async (url) => {
    const client = new DatabaseClient({ connectionString: url, application_name: "docgraph verify" });
    await client.connect();
    try {
      return await verifyFiles({ client, files }, (count) => say(`${count} files checked`));
    } finally {
      await client.end();
    }
  });
  const lacks = lacksOf(found);
  if (lacks !== "") throw new ArchiveError(`${found.count} files were read. ${lacks}`);
  return `The file storage is whole: ${found.count} files, ${sizeOf(found.bytes)}.\n`;
}
