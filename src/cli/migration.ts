// `npm run migration -- <name>`: generates the Prisma client, and writes the migration to the current models.
import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "#src/cli/command.ts";
import type { LockFault } from "#src/cli/database/online-migration.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = "npm run migration -- <name> | --check";

const about = `Formats the models in prisma/, generates the Prisma client, and writes the migration from the last one to the models. For example:
npm run migration -- add space icon

Gateways serve while it runs. Indexes of existing tables and the validation of foreign keys are written into a second migration
without a transaction. A change that locks a table for as long as it is large is refused, with what to write instead.

  --check    Checks the migrations since 1.0, also those that you wrote or changed yourself.
  --help     Prints this text.
`;

const options = { check: { type: "boolean", default: false } } as const;

const refusal =
  "The migration was not written: it would lock a table for as long as it is large, while gateways serve. Change the models " +
  "in steps, or write the migration yourself and run 'npm run migration -- --check'.";

const explain = ({ line, statement, remedy }: LockFault): string => `line ${line}: ${statement}\n  ${remedy}`;

await runCommand({ usage, about, options, takes: "optional-words" }, async ({ check }, words) => {
  if (check) return checkMigrations();
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

async function checkMigrations(): Promise<string> {
  const { lockFaults } = await import("#src/cli/database/online-migration.ts");
  const { readMigrations } = await import("#src/db/maintenance/migrate.ts");
  const [, ...files] = await readMigrations();
  const faults = files.flatMap(({ name, script }) => lockFaults(script).map((fault) => `${name}, ${explain(fault)}`));
  if (faults.length > 0) throw new UsageError(`these statements lock tables for long:\n${faults.join("\n")}`);
  return `${files.length} migrations lock no table for long.\n`;
}

async function writeMigration(title: string): Promise<void> {
  const { lockFaults, separateOnline } = await import("#src/cli/database/online-migration.ts");
  const { withByteOrder } = await import("#src/cli/database/schema-engine.ts");
  const { migrationsFolder } = await import("#src/db/maintenance/migrate.ts");
  const all = await difference();
  if (all === "") return console.log("The migrations match the models: there is nothing to write.");
  // Prisma wraps some changes of an enum in their own transaction; the runner wraps the whole file in one.
  const { script, after } = separateOnline(withByteOrder(all.replaceAll(/^(BEGIN|COMMIT);\n/gm, "")));
  const faults = lockFaults(script);
  if (faults.length > 0) throw new UsageError(`${refusal}\n\n${faults.map(explain).join("\n")}\n\n${script}`);
  const at = BigInt(await nextTimestamp());
  const scripts = [script, after].filter((text) => text.trim() !== "");
  for (const [index, text] of scripts.entries()) {
    const name = text === after && index > 0 ? `${title}_online` : title;
    const folder = join(migrationsFolder, `${at + BigInt(index)}_${name}`);
    await mkdir(folder);
    const file = join(folder, "migration.sql");
    await writeFile(file, text, { flag: "wx" });
    console.log(relative(process.cwd(), file));
  }
  console.log("\nReview it before you commit it, and add the checks that Prisma's models cannot express.");
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
