// A provider as it is used by somebody who is not signed in yet: found by its id alone.
import type { Database } from "#src/db/connection/database.ts";
import type { Role, SamlProviderStatus } from "#src/generated/prisma/enums.ts";

/** A provider with all that signing in needs. */
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

/** The provider of an id, if people can sign in by it. */
export async function findProviderInUse({ prisma }: Database, id: string): Promise<ProviderInUse | null> {
  const provider = await prisma.samlProvider.findUnique({ where: { id } });
  if (!provider) return null;
  const { entityID, ssoURL, certificate } = provider;
  if (entityID === null || ssoURL === null || certificate === null) return null;
  return { ...provider, entityID, ssoURL, certificate };
}
