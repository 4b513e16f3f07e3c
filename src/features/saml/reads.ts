// Reads of SAML providers, which admins of the organization see; the ways to sign in are public.
import DataLoader from "dataloader";
import type { Viewer } from "#src/access/viewer.ts";
import { closedIf } from "#src/access/viewers.ts";
import { notFound } from "#src/base/errors.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { mayListSamlProviders } from "#src/features/saml/access.ts";
import { nameRefusals } from "#src/features/saml/model/person.ts";
import type { Role, SamlProviderStatus } from "#src/generated/prisma/enums.ts";
import type { SamlProviderModel } from "#src/generated/prisma/models.ts";

type SamlProviderRow = Stored<SamlProviderModel>;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    SamlProvider: SamlProviderRow;
  }
}

export const samlProviders = entity<SamlProviderRow, Viewer>({
  kind: "SamlProvider",
  noun: "SAML provider",
  texts: ["certificate"],
  visible: (viewer) => sql`t."organizationId" = any(${viewer.adminOf}::text[])`,
});

export const samlProvidersOfOrganization: PageList<SamlProviderRow, Viewer> = {
  entity: samlProviders,
  parent: sql`t."organizationId" = p.id`,
  policy: mayListSamlProviders,
  visible: "by its own rule",
  order: byTime("createdAt"),
};

export type SsoLogin = { readonly id: string; readonly label: string };

/** An organization of the viewer that this session or token cannot access, since it requires single sign-on. */
export interface ClosedMembership {
  readonly organizationId: string;
  readonly title: string;
  readonly logins: readonly SsoLogin[];
}

/** The limit of listed closed memberships. */
const maxClosed = 100;

/** The limit of providers on a login page. */
const maxLogins = 100;

/** The providers of the organization `o` that are ready for sign-in, by any protocol, as JSON, oldest first. */
const loginsOf = sql`(select coalesce(json_agg(json_build_object('id', l.id, 'label', l.label) order by l."createdAt", l.id), '[]')
  from (select id, label, "createdAt" from "SamlProvider" t where t."organizationId" = o.id and t."entityID" is not null
    and t."ssoURL" is not null and t.certificate is not null
    union all select id, label, "createdAt" from "OidcProvider" t
      where t."organizationId" = o.id and t."activatedAt" is not null
    order by "createdAt", id limit ${maxLogins}::int) l)`;

/**
 * The providers of an organization, oldest first: public, since a login page needs them before a sign-in.
 * Without any, NOT_FOUND for outsiders, so that they cannot learn whether the organization exists.
 */
export async function findSsoLogins(
  { database, viewer }: Context,
  organizationId: string,
): Promise<readonly SsoLogin[]> {
  const [found] = await database.query<{ logins: SsoLogin[] }>(sql`
    select ${loginsOf} as logins from "Organization" o where o.id = ${organizationId}`);
  if (!found || (found.logins.length === 0 && !viewer.memberships.has(organizationId))) throw notFound("organization");
  return found.logins;
}

/** The viewer's memberships that are closed until they sign in by single sign-on, by title, with the ways to do so. */
export async function findClosedMemberships({
  database,
  viewer: { userId, organizations, onlyIn },
}: Pick<Context, "database" | "viewer">): Promise<readonly ClosedMembership[]> {
  return database.query<ClosedMembership>(sql`
    select o.id as "organizationId", o.title, ${loginsOf} as logins
    from "OrganizationMember" m join "Organization" o on o.id = m."organizationId"
    where m."userId" = ${userId} and not m.disabled and o.id <> all(${organizations}::text[])
      and o.id = coalesce(${onlyIn}, o.id) and ${closedIf(sql`true`)}
    order by o.title, o.id limit ${maxClosed}::int`);
}

/** How long a refusal is a warning, in milliseconds. */
const warnedMs = 7 * 24 * 3_600_000;

/** Warnings about the names that a provider sends: of the last week, and members who are probably one person. */
export function findNameWarnings(
  context: Context,
  provider: { id: string; organizationId: string },
): Promise<string[]> {
  const load = async (providers: readonly { id: string; organizationId: string }[]) => {
    const since = new Date(context.clock.now().getTime() - warnedMs).toISOString();
    const rows = await context.database.query<{ id: string; reasons: string[]; names: string[] }>(sql`
      select u.id, array(select distinct a.payload->>'reason' from "AuditEntry" a
          where a."organizationId" = u."organizationId" and a.type = 'signIn.refused' and a."createdAt" > ${since}::timestamptz
            and a.payload->>'providerId' = u.id and a.payload->>'reason' = any(${Object.values(nameRefusals)}::text[])) as reasons,
        array(select min(i."nameId") from "SamlIdentity" i where i."providerId" = u.id and i."nameId" like '%@%'
          group by lower(i."nameId") having count(*) > 1 order by 1 limit 10) as names
      from unnest(${providers.map(({ id }) => id)}::text[], ${providers.map((one) => one.organizationId)}::text[]) u(id, "organizationId")`);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return providers.map(({ id }) => {
      const { reasons = [], names = [] } = byId.get(id) ?? {};
      return [
        ...reasons.map((reason) => `A sign-in was refused: ${reason}.`),
        ...names.map((name) => `Several members have the name ${name} in other letters: remove all but one.`),
      ];
    });
  };
  const loader = context.reader.once(findNameWarnings, "", () => new DataLoader(load, { cacheKeyFn: ({ id }) => id }));
  return loader.load(provider);
}

export interface ProviderInUse {
  readonly id: string;
  readonly organizationId: string;
  readonly label: string;
  readonly entityID: string;
  readonly ssoURL: string;
  readonly logoutURL: string | null;
  readonly certificate: string;
  readonly defaultTeamId: string | null;
  readonly defaultRole: Role | null;
  readonly status: SamlProviderStatus;
}

/** The provider with an id, if it is ready for sign-in. */
export async function findProviderInUse({ prisma }: Database, id: string): Promise<ProviderInUse | null> {
  const provider = await prisma.samlProvider.findUnique({ where: { id } });
  if (!provider) return null;
  const { entityID, ssoURL, certificate } = provider;
  if (entityID === null || ssoURL === null || certificate === null) return null;
  return { ...provider, entityID, ssoURL, certificate };
}
