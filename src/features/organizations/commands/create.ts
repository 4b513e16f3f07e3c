// Creating organizations.
import { DomainError } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { inFigures } from "#src/base/limits.ts";
import { change, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { takeAdvisoryLock } from "#src/domain/advisory-lock.ts";
import { mayCreateOrganization } from "#src/features/organizations/access.ts";
import { checkEmailDomains, claimEmailDomains } from "#src/features/organizations/commands/email-domains.ts";
import { checkHostname, checkKind, checkTitle, type Maybe } from "#src/features/organizations/commands/update.ts";
import { organizationEvents } from "#src/features/organizations/events.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { CommunityType, OrganizationType, OrganizationUseCase, Role } from "#src/generated/prisma/enums.ts";

interface NewOrganization {
  readonly title: string;
  readonly hostname?: Maybe<string>;
  readonly emailDomains?: Maybe<string[]>;
  readonly defaultRole?: Maybe<Role>;
  readonly type?: Maybe<OrganizationType>;
  readonly useCase?: Maybe<OrganizationUseCase>;
  readonly communityType?: Maybe<CommunityType>;
}

/**
 * Makes an organization with the viewer as its admin. Without a host name, one is made of the title, with a number if
 * taken. CONFLICT for a given host name that is taken, and beyond the quota.
 */
export async function createOrganization(context: Context, input: NewOrganization): Promise<{ id: string }> {
  const title = checkTitle(input.title);
  const hostname = input.hostname == null ? null : checkHostname(input.hostname);
  const id = newId("Organization");
  const settings = {
    emailDomains: input.emailDomains ? checkEmailDomains(input.emailDomains) : [],
    defaultRole: input.defaultRole ?? null,
    useCase: input.useCase ?? null,
    ...checkKind({ ...input, type: input.type ?? "business" }, "business"),
  };
  const { userId } = context.viewer;
  const createdAt = context.clock.now();
  return change(context, mayCreateOrganization, null, async (transaction) => {
    await requireOrganizationsLeft(transaction, context);
    const names = hostname === null ? freeNames(transaction, wordOf(title)) : [hostname];
    if (!(await insertNamed(transaction, { id, title, createdAt, createdById: userId, ...settings }, names)))
      throw new DomainError("CONFLICT", "This host name is taken: choose another one.");
    const member = { id: newId("OrganizationMember"), organizationId: id, userId, role: "admin" } as const;
    await transaction.organizationMember.create({ data: { ...member, joinedAt: createdAt } });
    const { emailDomains: domains } = settings;
    if (domains.length > 0) await claimEmailDomains(transaction, id, { domains, now: createdAt });
    const event = { type: organizationEvents.created, subjectId: id, organizationId: id, payload: { title } };
    return { result: { id }, events: [event] };
  });
}

/** Throws CONFLICT where the viewer has created as many organizations as a user may. */
async function requireOrganizationsLeft(
  transaction: Transaction,
  { viewer: { userId: createdById }, quotas: { organizations: most } }: Context,
): Promise<void> {
  await takeAdvisoryLock(transaction, `organizations of ${createdById}`); // so that all are counted
  const count = await transaction.organization.count({ where: { createdById } });
  if (count >= most)
    throw new DomainError(
      "CONFLICT",
      `You may create at most ${inFigures(most)} organizations, and have created ${inFigures(count)}: use one of them.`,
    );
}

/** Inserts under the first free name: one that another transaction takes meanwhile is skipped, without an error. */
async function insertNamed(
  transaction: Transaction,
  row: Omit<Prisma.OrganizationCreateManyInput, "hostname">,
  names: Iterable<string> | AsyncIterable<string>,
): Promise<boolean> {
  for await (const hostname of names) {
    const { count } = await transaction.organization.createMany({ data: [{ ...row, hostname }], skipDuplicates: true });
    if (count > 0) return true;
  }
  return false;
}

/** The title as one label of a host name: its ASCII letters and digits, with hyphens for everything between. */
function wordOf(title: string): string {
  const plain = title.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const word = plain.replaceAll(/[^a-z0-9]+/g, "-").slice(0, 48);
  return word.replaceAll(/^-+|-+$/g, "") || "organization";
}

/** How many numbers one statement looks through. */
const numbersAtOnce = 1000;

/** The word, then the word with 2, 3 ... behind it: those that nobody has when they are asked for. Never ends. */
async function* freeNames(transaction: Transaction, word: string): AsyncGenerator<string> {
  for (let number = 1; ;) {
    const [free] = await transaction.$queryRaw<{ name: string; number: number }[]>`
      select n.name, n.number from (
        select case number when 1 then ${word}::text else ${word}::text || '-' || number end as name, number
        from generate_series(${number}::int, ${number + numbersAtOnce - 1}::int) number) n
      where not exists (select from "Organization" o where o.hostname = n.name)
      order by n.number limit 1`;
    if (free) yield free.name;
    number = free ? free.number + 1 : number + numbersAtOnce;
  }
}
