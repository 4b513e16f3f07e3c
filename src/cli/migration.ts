// `npm run migration -- <name>`: writes the migration that brings the committed ones to the working models. Needs no database and no download.
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { compareWithModels } from "#src/cli/schema-engine.ts";
import { startScratchPostgres } from "#src/db/embedded/scratch.ts";
import { migrate, migrationsFolder, readMigrations } from "#src/db/migrate.ts";

const name = process.argv
  .slice(2)
  .join("_")
  .toLowerCase()
  .replaceAll(/[^a-z0-9]+/g, "_");

if (name === "") {
  console.error("usage: npm run migration -- <name>   (for example: add space icon)");
  process.exitCode = 1;
} else {
  await writeMigration(name);
}

async function writeMigration(title: string): Promise<void> {
  const script = await difference();
  if (script === "") return console.log("The migrations agree with the models: nothing to write.");
  const folder = join(migrationsFolder, `${await nextTimestamp()}_${title}`);
  await mkdir(folder);
  const file = join(folder, "migration.sql");
  await writeFile(file, withoutTransactions(script), { flag: "wx" });
  console.log(
    `${relative(process.cwd(), file)}\n\nRead it before you commit it: give new id and position columns COLLATE "C", and add the checks that Prisma cannot say.`,
  );
}

async function difference(): Promise<string> {
  const server = await startScratchPostgres();
  try {
    await migrate(server.url);
    return (await compareWithModels(server.url)).script;
  } finally {
    await server.stop();
  }
}

/** Later than every migration that is there, even when a colleague's clock was ahead. */
async function nextTimestamp(): Promise<string> {
  const last = (await readMigrations()).at(-1)?.name.slice(0, 14) ?? "";
  const now = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return now > last ? now : String(BigInt(last) + 1n);
}

/** Prisma wraps some changes of an enum in a transaction of their own; the runner has one round the whole file. */
function withoutTransactions(script: string): string {
  return script.replaceAll(/^(BEGIN|COMMIT);\n/gm, "");
}
