// `npm run invite -- <email> --organization <id or host name>`: makes a member, while docgraph runs or not.
import { DomainError } from "#src/base/errors.ts";
import { firstAdmin } from "#src/cli/database/first-admin.ts";
import { runCommand } from "#src/cli/command.ts";
import type { Database } from "#src/db/connection/database.ts";
import { Role } from "#src/generated/prisma/enums.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = "npm run -s invite -- <email> --organization <id or host name> [--role <role>] [--as <email>]";

const about = `Makes the person with that e-mail address a member of an organization; who is not known yet becomes a user.
Works while docgraph runs and while it does not, on the database that 'npm start' uses (DATA_DIR or DATABASE_URL). No e-mail
is sent, and nobody has to accept: they sign in at /sign-in, or by the link that npm run -s login prints, or with a token of npm run -s token.

  --organization   Its id, or its host name.
  --role           One of ${Object.values(Role).join(", ")}, or guest; the default role of the organization when left out.
  --as             Who invites, and whose rights count; the first admin of the organization when left out.
  --help           This text.
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
    return `${email} is a member now (${id}). A link to sign in: npm run -s login -- ${email}\n`;
  });
});

function roleOf(text: string | undefined): Role | null | undefined {
  if (text === undefined) return undefined;
  if (text === "guest") return null;
  const role = Object.values(Role).find((one) => one === text);
  if (!role) throw new UsageError(`--role wants one of ${Object.values(Role).join(", ")} or guest, not ${text}`);
  return role;
}

async function idOf({ prisma }: Database, name: string): Promise<string> {
  const organization = await prisma.organization.findFirst({ where: { OR: [{ id: name }, { hostname: name }] } });
  if (!organization) throw new DomainError("NOT_FOUND", `there is no organization with the id or host name ${name}`);
  return organization.id;
}
