// Commands that create organizations and change their settings, with the checks of host names and logos.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { inFigures } from "#src/base/limits.ts";
import { project } from "#src/db/reading/entity.ts";
import { takeAdvisoryLock } from "#src/domain/advisory-lock.ts";
import { change, changeIfAny, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkLine, checkText, checkWebAddress, given, ifGiven, oneOf, type Optional } from "#src/domain/input.ts";
import { enumValue, settingChanges } from "#src/events/event.ts";
import { mayCreateOrganization, mayUpdateOrganization } from "#src/features/organizations/access.ts";
import { checkEmailDomains, claimEmailDomains } from "#src/features/organizations/commands/email-domains.ts";
import { organizationEvents } from "#src/features/organizations/events.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { OrganizationType } from "#src/generated/prisma/enums.ts";
import type { OrganizationModel } from "#src/generated/prisma/models.ts";

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const host = new RegExp(`^${label}(?:\\.${label})*$`);
const maxHost = 253;

/** The title, 1 to 255 characters in one line, as e-mails and lists show it. INVALID_INPUT for others. */
function checkTitle(title: string): string {
  return checkLine("title", title, { min: 1, max: 255 });
}

/** The host name in lower case, of one or more labels; other scripts in ASCII form. INVALID_INPUT for others. */
function checkHostname(hostname: string): string {
  const name = checkText("hostname", hostname, { min: 1, max: maxHost }).toLowerCase();
  if (!host.test(name)) throw invalidInput("hostname", "must be a host name such as docs.example.com.");
  return name;
}

type Ids = { siteId: string; spaceId: string };

type Kind = Optional<Pick<OrganizationModel, "type" | "communityType">>;
type Settings = Kind & Optional<Pick<OrganizationModel, "hostname" | "emailDomains" | "defaultRole" | "useCase">>;

type OrganizationUpdate = Settings & { readonly organizationId: string } & Optional<
    Pick<OrganizationModel, "title" | "sso" | "ai" | "checksOutsideLinks">
  > &
  Optional<{ inviteLinksEnabled: boolean; logo: string; opensOn: Optional<Ids> }>;

/** The kind of an organization. INVALID_INPUT for `communityType` unless it is a community. */
function checkKind(
  { type, communityType }: Kind,
  before: OrganizationType,
): { type?: OrganizationType; communityType?: OrganizationModel["communityType"] } {
  const kind = ifGiven("type", type, (given) => given);
  if ((kind ?? before) === "community") return given({ type: kind, communityType });
  if (communityType != null) throw invalidInput("communityType", "may only be set for a community.");
  return given({ type: kind, communityType: kind && null });
}

/** INVALID_INPUT for default content of another organization, CONFLICT for a taken host name. */
export async function updateOrganization(context: Context, input: OrganizationUpdate): Promise<{ id: string }> {
  const { organizationId } = input;
  const { id, type } = await context.reader.found(organizations, organizationId, project(["type"]));
  await requireAllowed(context, mayUpdateOrganization, { organizationId });
  const content = input.opensOn ? checkOpensOn(input.opensOn) : input.opensOn === null ? noContent : undefined;
  const data = given({
    title: ifGiven("title", input.title, checkTitle),
    emailDomains: ifGiven("emailDomains", input.emailDomains, checkEmailDomains),
    hostname: ifGiven("hostname", input.hostname, checkHostname),
    defaultRole: input.defaultRole, // the viewer is an admin, so every role is allowed
    logoURL: input.logo == null ? input.logo : checkWebAddress("logo", input.logo),
    sso: ifGiven("sso", input.sso, asItIs),
    ai: ifGiven("ai", input.ai, asItIs),
    inviteLinks: ifGiven("inviteLinksEnabled", input.inviteLinksEnabled, asItIs),
    checksOutsideLinks: ifGiven("checksOutsideLinks", input.checksOutsideLinks, asItIs),
    defaultSiteId: content && content.siteId,
    defaultSpaceId: content && content.spaceId,
    useCase: input.useCase,
    ...checkKind(input, type),
  });
  if (Object.keys(data).length === 0) return { id };
  return changeIfAny(context, mayUpdateOrganization, { organizationId }, async (transaction) => {
    if (content && content !== noContent) await requireOwnContent(transaction, id, content);
    await transaction.$queryRaw`select from "Organization" where id = ${id} for no key update`;
    const before = await transaction.organization.findUniqueOrThrow({ where: { id }, omit: { visitorKey: true } });
    const changes = settingChanges(before, data, auditedColumns);
    if (changes.length === 0) return { result: { id }, events: [] };
    await transaction.organization.update({ where: { id }, data });
    const { emailDomains: domains } = data;
    if (domains) await claimEmailDomains(transaction, id, { domains, now: context.clock.now() });
    const event = { type: organizationEvents.updated, subjectId: id, organizationId: id, payload: { changes } };
    return { result: { id }, events: [event] };
  });
}

/** The settings in the form of events, without secrets. */
const auditedColumns = {
  title: "title",
  emailDomains: "emailDomains",
  hostname: "hostname",
  defaultRole: ["defaultRole", enumValue],
  logoURL: "logo",
  sso: "sso",
  ai: "ai",
  inviteLinks: "inviteLinksEnabled",
  checksOutsideLinks: "checksOutsideLinks",
  defaultSiteId: "defaultSiteId",
  defaultSpaceId: "defaultSpaceId",
  type: ["type", enumValue],
  useCase: ["useCase", enumValue],
  communityType: ["communityType", enumValue],
} as const;

const asItIs = (value: boolean) => value;

/** The default content of an organization, and its path in the input. */
type Content = { siteId: string | null; spaceId: string | null; path: string };

function checkOpensOn({ siteId, spaceId }: Optional<Ids>): Content {
  const [name] = oneOf("opensOn", { siteId, spaceId });
  return { siteId: siteId ?? null, spaceId: spaceId ?? null, path: `opensOn/${name}` };
}

const noContent: Content = { siteId: null, spaceId: null, path: "opensOn" };

/** INVALID_INPUT unless the item belongs to the organization and is not deleted. Locks it until the commit. */
async function requireOwnContent(transaction: Transaction, organizationId: string, content: Content): Promise<void> {
  const rows =
    content.siteId === null
      ? await transaction.$queryRaw<object[]>`select id from "Space"
          where id = ${content.spaceId} and "organizationId" = ${organizationId} and "deletedAt" is null for share`
      : await transaction.$queryRaw<object[]>`select id from "Site"
          where id = ${content.siteId} and "organizationId" = ${organizationId} for share`;
  const kind = content.siteId === null ? "space" : "site";
  if (rows.length === 0) throw invalidInput(content.path, `must be a ${kind} of the organization.`);
}

/** The default host name is derived from the title. CONFLICT for a taken given one, and beyond the quota. */
export async function createOrganization(
  context: Context,
  input: { title: string } & Settings,
): Promise<{ id: string }> {
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
      throw new DomainError("CONFLICT", "This host name is already taken: choose another one.");
    const member = { id: newId("OrganizationMember"), organizationId: id, userId, role: "admin" } as const;
    await transaction.organizationMember.create({ data: { ...member, joinedAt: createdAt } });
    const { emailDomains: domains } = settings;
    if (domains.length > 0) await claimEmailDomains(transaction, id, { domains, now: createdAt });
    const event = { type: organizationEvents.created, subjectId: id, organizationId: id, payload: { title } };
    return { result: { id }, events: [event] };
  });
}

/** Throws CONFLICT if the viewer has created the maximum number of organizations. */
async function requireOrganizationsLeft(
  transaction: Transaction,
  { viewer: { userId: createdById }, quotas: { organizations: most } }: Context,
): Promise<void> {
  await takeAdvisoryLock(transaction, `organizations of ${createdById}`); // counts must include concurrent creations
  const count = await transaction.organization.count({ where: { createdById } });
  if (count >= most)
    throw new DomainError(
      "CONFLICT",
      `You may create at most ${inFigures(most)} organizations, and have already created ${inFigures(count)}: use one of them.`,
    );
}

/** Inserts under the first free name; skips names that another transaction takes meanwhile. */
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

/** The title as one label of a host name: its ASCII letters and digits, joined by hyphens. */
function wordOf(title: string): string {
  const plain = title.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const word = plain.replaceAll(/[^a-z0-9]+/g, "-").slice(0, 48);
  return word.replaceAll(/^-+|-+$/g, "") || "organization";
}

/** The number of suffixes that one statement tries. */
const numbersAtOnce = 1000;

/** The word, then the word with the suffix 2, 3 and so on, without names that are taken at that time. Never ends. */
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
