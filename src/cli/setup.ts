// `npm run setup`: makes the first organization of an empty database and its admin, and prints a token.
import { createInterface } from "node:readline/promises";
import { newId } from "#src/base/ids.ts";
import { systemClock } from "#src/base/time.ts";
import { firstAdmin } from "#src/cli/database/first-admin.ts";
import { runCommand } from "#src/cli/command.ts";
import type { Database } from "#src/db/connection/database.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = "npm run -s setup -- --organization <title> --email <address> [--name <display name>] [--yes]";

const about = `Makes the first organization of an empty database and its admin, and prints an API token of theirs, and only the token.
Works while docgraph runs and while it does not, on the database that 'npm start' uses (DATA_DIR or DATABASE_URL). Where there
is an organization already it changes nothing and says what is there. On a terminal it asks for what is left out.

  --organization   The title of the organization.
  --email          The address of its admin, with which they sign in.
  --name           How the admin is shown; the part before the @ when left out.
  --yes            Makes the tables also in a database that holds those of others.
  --help           This text.
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
    // The user may exist, of a run that was interrupted.
    await database.prisma.user.createMany({ data: [admin], skipDuplicates: true });
    const context = await contextOf(config, database, email);
    const { id } = await createOrganization(context, { title });
    const { token } = await createApiToken(context, { name: "setup", expiresAt: null });
    const made = `Made the organization "${title}" (${id}), with ${email} as its admin`;
    say(`${made}, and an API token for them, which is not shown again:`);
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

/** Beside the token, which alone goes to the standard output. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Any number of these may be run at once, as by the start of several machines: the first of them makes it. */
async function alone<Result>({ pool }: Database, work: () => Promise<Result>): Promise<Result> {
  const session = await pool.connect();
  try {
    await session.query("select pg_advisory_lock(hashtext('docgraph setup'))");
    return await work();
  } finally {
    session.release(true); // its end gives the lock back
  }
}

/** The organization that was there first, for people; null if missing. */
async function whatIsThere(database: Database): Promise<string | null> {
  const { prisma } = database;
  const first = await prisma.organization.findFirst({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  if (!first) return null;
  const others = (await prisma.organization.count()) - 1;
  const admin = await firstAdmin(database, first.id).catch(() => "<email>");
  return [
    `There is an organization already, so nothing was changed: "${first.title}" (${first.id})${others > 0 ? ` and ${others} more` : ""}.`,
    `A token for its admin:          npm run -s token -- ${admin}`,
    "Another person in it:           npm run -s invite -- <email> --organization " + first.id,
    "Another organization:           the mutation createOrganization",
  ].join("\n");
}
