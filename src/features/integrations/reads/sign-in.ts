// The installation that signs in the visitors of a site, and where they begin.
import { Links } from "#src/base/public-urls.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Gateway } from "#src/features/feature.ts";
import { signInScope } from "#src/features/integrations/model/terms.ts";

/** Below the public endpoint of an installation on a site. */
export const signInPath = "/~sign-in";

interface Found {
  readonly name: string;
  readonly installationId: string;
}

type Needed = Pick<Gateway, "database" | "publicUrl" | "integrationsUrl">;

/** Makes the function that finds the address at which an integration signs in the visitors of a site. */
export function signInFinder({ database, publicUrl, integrationsUrl }: Needed): Gateway["visitorSignIn"] {
  return async (siteId) => {
    const [found] = await database.query<Found>(sql`
      select n.name, i.id as "installationId" from "IntegrationSite" s
        join "IntegrationInstallation" i on i.id = s."installationId"
        join "Integration" n on n.id = i."integrationId"
      where s."siteId" = ${siteId} and s.status = 'active' and i.status = 'active' and i.scopes @> array[${signInScope}]
      order by s."createdAt", s.id limit 1`);
    if (!found) return null;
    const links = new Links({ publicUrl: publicUrl(), integrationsUrl });
    return `${links.endpoint(found.name, found.installationId)}/sites/${siteId}${signInPath}`;
  };
}
