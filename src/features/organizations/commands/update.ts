// Changing the settings of an organization, and their checks: host names, the logo.
import { invalidInput } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import { changeIfAny, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkLine, checkText, checkWebAddress, given, ifGiven, oneOf, type Optional } from "#src/domain/input.ts";
import { mayUpdateOrganization } from "#src/features/organizations/access.ts";
import { checkEmailDomains, claimEmailDomains } from "#src/features/organizations/commands/email-domains.ts";
import { enumValue, settingChanges } from "#src/events/event.ts";
import { organizationEvents } from "#src/features/organizations/events.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { CommunityType, OrganizationType, OrganizationUseCase, Role } from "#src/generated/prisma/enums.ts";

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const host = new RegExp(`^${label}(?:\\.${label})*$`);
const maxHost = 253;

/** The title, 1 to 255 characters of one line: e-mails and lists show it so. INVALID_INPUT for any other. */
export function checkTitle(title: string): string {
  return checkLine("title", title, { min: 1, max: 255 });
}

/** The host name in lower case, of one label or several. INVALID_INPUT for others; other scripts come in ASCII form. */
export function checkHostname(hostname: string): string {
  const name = checkText("hostname", hostname, { min: 1, max: maxHost }).toLowerCase();
  if (!host.test(name)) throw invalidInput("hostname", "must be a host name such as docs.example.com.");
  return name;
}

interface Ids {
  siteId: string;
  spaceId: string;
}

/** A field of an input that may be left out, or be null. */
export type Maybe<Value> = Value | null | undefined;

interface OrganizationUpdate {
  organizationId: string;
  title?: Maybe<string>;
  emailDomains?: Maybe<string[]>;
  hostname?: Maybe<string>;
  defaultRole?: Maybe<Role>;
  opensOn?: Maybe<Optional<Ids>>;
  logo?: Maybe<string>;
  sso?: Maybe<boolean>;
  ai?: Maybe<boolean>;
  inviteLinksEnabled?: Maybe<boolean>;
  checksOutsideLinks?: Maybe<boolean>;
  type?: Maybe<OrganizationType>;
  useCase?: Maybe<OrganizationUseCase>;
  communityType?: Maybe<CommunityType>;
}

/** The kind of an organization. INVALID_INPUT for the kind of a community where it is none. */
export function checkKind(
  { type, communityType }: { type?: Maybe<OrganizationType>; communityType?: Maybe<CommunityType> },
  before: OrganizationType,
): { type?: OrganizationType; communityType?: CommunityType | null } {
  const kind = ifGiven("type", type, (given) => given);
  if ((kind ?? before) === "community") return given({ type: kind, communityType });
  if (communityType != null) throw invalidInput("communityType", "must be given for a community only.");
  return given({ type: kind, communityType: kind && null });
}

/**
 * Changes the given settings; null clears those that may be empty. INVALID_INPUT for default content that is not of the
 * organization, CONFLICT for a host name that is taken.
 */
export async function updateOrganization(context: Context, input: OrganizationUpdate): Promise<{ id: string }> {
  const { organizationId } = input;
  const { id, type } = await context.reader.found(organizations, organizationId, project(["type"]));
  await requireAllowed(context, mayUpdateOrganization, { organizationId });
  const content = input.opensOn ? checkOpensOn(input.opensOn) : input.opensOn === null ? noContent : undefined;
  const data = given({
    title: ifGiven("title", input.title, checkTitle),
    emailDomains: ifGiven("emailDomains", input.emailDomains, checkEmailDomains),
    hostname: ifGiven("hostname", input.hostname, checkHostname),
    defaultRole: input.defaultRole, // the viewer is admin, and so no role is above their own
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

/** The settings as events tell them; none is a secret. */
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

/** What an organization opens on, and the place in the input that says so. */
interface Content {
  siteId: string | null;
  spaceId: string | null;
  path: string;
}

function checkOpensOn({ siteId, spaceId }: Optional<Ids>): Content {
  const [name] = oneOf("opensOn", { siteId, spaceId });
  return { siteId: siteId ?? null, spaceId: spaceId ?? null, path: `opensOn/${name}` };
}

const noContent: Content = { siteId: null, spaceId: null, path: "opensOn" };

/** INVALID_INPUT unless the item is of the organization and not deleted; it stays so until the commit. */
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
