// Reads of OpenID providers, which admins of the organization see, and of providers in use.
import type { Viewer } from "#src/access/viewer.ts";
import { gatewayProviderId, type OpenIdSettings } from "#src/base/open-id.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { SealedColumn, Secrets } from "#src/base/secrets.ts";
import type { Database } from "#src/db/connection/database.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { byTime } from "#src/db/reading/orders.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import { mayListOidcProviders } from "#src/features/oidc/access.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import type { OidcProviderModel } from "#src/generated/prisma/models.ts";

type OidcProviderRow = Stored<OidcProviderModel>;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    OidcProvider: OidcProviderRow;
  }
}

export const clientSecretColumn: SealedColumn = { table: "OidcProvider", column: "clientSecret" };

/** ID tokens of sessions, which providers want back at sign-out. */
export const idTokenColumn: SealedColumn = { table: "Session", column: "idToken" };

export const oidcProviders = entity<OidcProviderRow, Viewer>({
  kind: "OidcProvider",
  noun: "OpenID provider",
  visible: (viewer) => sql`t."organizationId" = any(${viewer.adminOf}::text[])`,
});

export const oidcProvidersOfOrganization: PageList<OidcProviderRow, Viewer> = {
  entity: oidcProviders,
  parent: sql`t."organizationId" = p.id`,
  policy: mayListOidcProviders,
  visible: "by its own rule",
  order: byTime("createdAt"),
};

/** A provider by which people sign in. */
export interface ProviderInUse extends OpenIdSettings {
  /** Its id, or that of the provider of the gateway in addresses. */
  readonly id: string;
  /** By which its subjects are known: its id, or the issuer of the provider of the gateway. */
  readonly source: string;
  /** Its organization; null for the provider of the whole gateway. */
  readonly of: { readonly organizationId: string; readonly role: Role | null; readonly teamId: string | null } | null;
}

interface FindProvider {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly openIdProvider?: OpenIdSettings | undefined;
}

/** The provider with an id in addresses; null if it does not exist. */
export async function findProviderInUse(
  { database, secrets, openIdProvider }: FindProvider,
  id: string,
): Promise<ProviderInUse | null> {
  if (id === gatewayProviderId)
    return openIdProvider ? { ...openIdProvider, id, source: openIdProvider.issuer, of: null } : null;
  if (!isIdOf("OidcProvider", id)) return null;
  const provider = await database.prisma.oidcProvider.findUnique({ where: { id } });
  if (!provider) return null;
  const { issuer, clientId, label, organizationId, defaultRole, defaultTeamId, clientSecret } = provider;
  return {
    id,
    source: id,
    issuer,
    clientId,
    label,
    clientSecret: clientSecret && secrets.open(clientSecretColumn, id, clientSecret),
    of: { organizationId, role: defaultRole, teamId: defaultTeamId },
  };
}
