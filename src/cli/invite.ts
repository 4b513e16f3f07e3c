// `npm run invite -- <email> --organization <id or host name>`: adds a member; docgraph may be running.
import { DomainError } from "#src/base/errors.ts";
import { firstAdmin } from "#src/cli/database/first-admin.ts";
import { runCommand } from "#src/cli/command.ts";
import type { Database } from "#src/db/connection/database.ts";
import { Role } from "#src/generated/prisma/enums.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = "npm run -s invite -- <email> --organization <id or host name> [--role <role>] [--as <email>]";

const about = `Adds the person with that e-mail address to an organization, and creates the user if needed.
docgraph may be running or not; the database is the one that 'npm start' uses (DATA_DIR or DATABASE_URL). No e-mail is
sent, and nothing has to be accepted: they sign in at /sign-in, with a link of npm run -s login, or with a token of npm run -s token.

  --organization   Its id, its host name, or the first part of that.
  --role           One of ${Object.values(Role).join(", ")}, or guest; by default the default role of the organization.
  --as             The user who invites, with their rights; by default the first admin of the organization.
  --help           Prints this text.
`;

const options = { organization: { type: "string" }, role: { type: "string" }, as: { type: "string" } } as const;

await runCommand({ usage, about, options, takes: "one" }, async (values, email) => {
  const { organization } = values;
  if (!organization) throw new UsageError(`usage: ${usage}`);
  const role = roleOf(values.role);
  const { readConfig } = await import("#src/config/config.ts");
  const { contextOf } = await import("#src/cli/database/as-user.ts");
  const { withDatabase } = await import("#src/cli/database/open-database.ts");
  const { addMember } = await import("#src/features/members/commands.ts");
  const config = readConfig();
  return withDatabase(config, async (database) => {
    const organizationId = await idOf(database, organization);
    const inviter = values.as ?? (await firstAdmin(database, organizationId));
    const { id } = await addMember(await contextOf(config, database, inviter), { organizationId, email, role });
    return `${email} is now a member (${id}). For a link to sign in: npm run -s login -- ${email}\n`;
  });
});

function roleOf(text: string | undefined): Role | null | undefined {
  if (text === undefined) return undefined;
  if (text === "guest") return null;
  const role = Object.values(Role).find((one) => one === text);
  if (!role) throw new UsageError(`--role must be one of ${Object.values(Role).join(", ")} or guest, but is ${text}`);
  return role;
}

async function idOf({ prisma }: Database, name: string): Promise<string> {
  const hostname = name.toLowerCase();
  const named = await prisma.organization.findFirst({ where: { OR: [{ id: name }, { hostname }] } });
  if (named) return named.id;
  const where = { hostname: { startsWith: `${hostname}.` } };
  const isLabel = /^[a-z\d-]+$/.test(hostname);
  const [only, other] = isLabel ? await prisma.organization.findMany({ where, take: 2 }) : [];
  if (other) throw new UsageError(`several organizations have a host name that begins with ${hostname}.: give an id`);
  if (!only) throw new DomainError("NOT_FOUND", `no organization has the id or host name ${name}`);
  return only.id;
}
