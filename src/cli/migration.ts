// `npm run migration -- <name>`: generates the Prisma client, and writes the migration to the current models.
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "#src/cli/command.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = "npm run migration -- <name>";

const about = `Formats the models in prisma/, generates the Prisma client, and writes the migration from the last one to the models. For example:
npm run migration -- add space icon

  --help     Prints this text.
`;

await runCommand({ usage, about, options: {}, takes: "words" }, async (_, words) => {
  const name = words.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
  if (!/[a-z0-9]/.test(name)) throw new UsageError(`usage: ${usage}`);
  prisma("format");
  prisma("generate", "--no-hints");
  await writeMigration(name);
});

/** Runs a command of Prisma. Exits if the models are invalid, which Prisma explains. */
function prisma(command: string, ...options: readonly string[]): void {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const words = ["node_modules/prisma-cli/build/index.js", command, "--config", "prisma/prisma.config.ts", ...options];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
  if (status === 0) return;
  console.error(stderr);
  process.exit(status ?? 1);
}

async function writeMigration(title: string): Promise<void> {
  const { withByteOrder } = await import("#src/cli/database/schema-engine.ts");
  const { migrationsFolder } = await import("#src/db/maintenance/migrate.ts");
  const script = await difference();
  if (script === "") return console.log("The migrations match the models: there is nothing to write.");
  const folder = join(migrationsFolder, `${await nextTimestamp()}_${title}`);
  await mkdir(folder);
  const file = join(folder, "migration.sql");
  // Prisma wraps some changes of an enum in their own transaction; the runner wraps the whole file in one.
  const statements = script.replaceAll(/^(BEGIN|COMMIT);\n/gm, "");
  await writeFile(file, withByteOrder(statements), { flag: "wx" });
  console.log(
    `${relative(process.cwd(), file)}\n\nReview it before you commit it, and add the checks that Prisma's models cannot express.`,
  );
}

async function difference(): Promise<string> {
  const { startScratchPostgres } = await import("#src/db/embedded/scratch.ts");
  const { migrate } = await import("#src/db/maintenance/migrate.ts");
  const { compareWithModels } = await import("#src/cli/database/schema-engine.ts");
  const server = await startScratchPostgres();
  try {
    await migrate(server.url);
    return (await compareWithModels(server.url)).script;
  } finally {
    await server.stop();
  }
}

/** Later than every existing migration, even if a colleague's clock was ahead. */
async function nextTimestamp(): Promise<string> {
  const { readMigrations } = await import("#src/db/maintenance/migrate.ts");
  const last = (await readMigrations()).at(-1)?.name.slice(0, 14) ?? "";
  const now = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return now > last ? now : String(BigInt(last) + 1n);
}
