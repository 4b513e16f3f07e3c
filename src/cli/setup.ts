// `npm run setup`: creates the first organization of an empty database and its admin, and prints a token.
import { createInterface } from "node:readline/promises";
import { newId } from "#src/base/ids.ts";
import { systemClock } from "#src/base/time.ts";
import { firstAdmin } from "#src/cli/database/first-admin.ts";
import { runCommand } from "#src/cli/command.ts";
import type { Database } from "#src/db/connection/database.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = "npm run -s setup -- --organization <title> --email <address> [--name <display name>] [--yes]";

const about = `Creates the first organization of an empty database and its admin, and prints an API token of the admin, and only the token.
docgraph may be running or not; the database is the one that 'npm start' uses (DATA_DIR or DATABASE_URL). If an organization
already exists, nothing is changed, and it is named instead. On a terminal, missing options are asked for.

  --organization   The title of the organization.
  --email          The e-mail address of its admin, which they sign in with.
  --name           The display name of the admin; by default the part of the address before the @.
  --yes            Creates the tables even if the database has tables of other software.
  --help           Prints this text.
`;

const options = {
  organization: { type: "string" },
  email: { type: "string" },
  name: { type: "string" },
  yes: { type: "boolean", default: false },
} as const;

await runCommand({ usage, about, options }, async (values) => {
  const title = values.organization ?? (await ask("Title of the organization"));
  const address = values.email ?? (await ask("E-mail address of its admin"));
  const { checkEmail } = await import("#src/domain/input.ts");
  const { email, local } = checkEmail("--email", address);
  const { readConfig } = await import("#src/config/config.ts");
  const { contextOf } = await import("#src/cli/database/as-user.ts");
  const { withDatabase } = await import("#src/cli/database/open-database.ts");
  const { createOrganization } = await import("#src/features/organizations/commands/organization.ts");
  const { createApiToken } = await import("#src/features/tokens/commands.ts");
  const config = readConfig();
  const make = async (database: Database) => {
    const there = await whatIsThere(database);
    if (there) return say(there);
    const admin = { id: newId("User"), email, displayName: values.name ?? local, createdAt: systemClock.now() };
    // The user may exist, if an earlier run was interrupted.
    await database.prisma.user.createMany({ data: [admin], skipDuplicates: true });
    const context = await contextOf(config, database, email);
    const { id } = await createOrganization(context, { title });
    const { token } = await createApiToken(context, { name: "setup", expiresAt: null });
    const made = `Created the organization "${title}" (${id}) with ${email} as its admin`;
    say(`${made}, and an API token for them, which is shown only once:`);
    return `${token}\n`;
  };
  return withDatabase(config, (database) => alone(database, () => make(database)), { isShared: values.yes });
});

/** The answer of the person at the terminal. Throws {@link UsageError} without a terminal. */
async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(`usage: ${usage}`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(`${question}: `)).trim();
  } finally {
    lines.close();
  }
}

/** Prints to stderr: stdout has only the token. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Concurrent runs, such as several machines starting, are safe: the first creates the organization. */
async function alone<Result>({ pool }: Database, work: () => Promise<Result>): Promise<Result> {
  const session = await pool.connect();
  try {
    await session.query("select pg_advisory_lock(hashtext('docgraph setup'))");
    return await work();
  } finally {
    session.release(true); // the end of the session releases the lock
  }
}

/** A description of the existing organization; null if missing. */
async function whatIsThere(database: Database): Promise<string | null> {
  const { prisma } = database;
  const first = await prisma.organization.findFirst({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  if (!first) return null;
  const others = (await prisma.organization.count()) - 1;
  const admin = await firstAdmin(database, first.id).catch(() => "<email>");
  return [
    `An organization already exists, so nothing was changed: "${first.title}" (${first.id})${others > 0 ? ` and ${others} more` : ""}.`,
    `A token for its admin:          npm run -s token -- ${admin}`,
    "Another person in it:           npm run -s invite -- <email> --organization " + first.id,
    "Another organization:           the mutation createOrganization",
  ].join("\n");
}
