// What a script sees beside its event: its integration, its installation, and its installation at the place of the
// event, each with its configuration; as the context of `handle`, and as the environment of a worker.
import { isRecord } from "#src/base/json.ts";
import { identifier, sql } from "#src/db/connection/database.ts";
import { signInScope } from "#src/features/integrations/model/terms.ts";
import { provideSigningKey } from "#src/features/sites/commands/signing-key.ts";
import type { RunHost, Runnable } from "#src/features/integrations/commands/runs/runnable.ts";

type Event = Readonly<Record<string, unknown>>;

interface Place {
  readonly level: "space" | "site";
  readonly id: string;
  readonly status: string;
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** The texts of a run, both in JSON. */
interface Surroundings {
  readonly context: string;
  readonly environment: string;
}

/** Where a worker reaches the gateway, and its token. */
interface ApiOfWorker {
  readonly endpoint: string;
  readonly token: string;
}

/** What a worker in the sandbox gives its client: calls are answered as the installation, whatever the token says. */
const tokenOfCalls = "answered-as-the-installation";

/** Reads the installation at the place of the event, if it has one. */
export async function surroundingsOf(
  host: RunHost,
  runnable: Runnable,
  event: Event,
  api: ApiOfWorker = { endpoint: host.addresses().publicUrl, token: tokenOfCalls },
): Promise<Surroundings> {
  const { installationId, name, title, version, status, configuration, secrets, organizationId } = runnable;
  const { endpoint } = host.addresses();
  const publicEndpoint = endpoint(name, installationId);
  const place = await placeOf(host, installationId, event);
  const integration = { name, version, title, urls: { publicEndpoint: publicEndpoint.replace(/\/[^/]*$/, "") } };
  const installation = { id: installationId, status, configuration, urls: { publicEndpoint } };
  const urls = place && { publicEndpoint: `${publicEndpoint}/${place.level}s/${place.id}` };
  const signingSecrets = await signingSecretsOf(host, runnable, place);
  const inPlace = place && { id: place.id, status: place.status, configuration: place.configuration, urls };
  const own = { configuration, secrets, integration, installation };
  const target = { organization: organizationId };
  const environment = {
    integration,
    installation: { ...installation, integration: name, target },
    ...(place && {
      [`${place.level}Installation`]: {
        integration: name,
        installation: installationId,
        [place.level]: place.id,
        ...inPlace,
      },
    }),
    secrets,
    signingSecrets,
    apiEndpoint: api.endpoint,
    apiTokens: { integration: api.token, installation: api.token },
  };
  return {
    context: JSON.stringify({ ...own, signingSecrets, ...(place && { [place.level]: inPlace }) }),
    environment: JSON.stringify(environment),
  };
}

/** The key that signs tokens of visitors of the site, for an installation that signs them in. */
async function signingSecretsOf(host: RunHost, { scopes }: Runnable, place: Place | null): Promise<object> {
  if (place?.level !== "site" || !scopes.includes(signInScope)) return {};
  return { siteInstallation: await provideSigningKey(host, place.id) };
}

const tables = {
  space: { table: "IntegrationSpace", column: "spaceId" },
  site: { table: "IntegrationSite", column: "siteId" },
} as const;

/** The installation on the space or site that an event names; null if it names none, or is not installed there. */
async function placeOf({ database }: RunHost, installationId: string, event: Event): Promise<Place | null> {
  const named = placeIn(event);
  if (!named) return null;
  const { table, column } = tables[named.level];
  const rows = await database.query<Omit<Place, "level" | "id">>(sql`
    select p.status::text, p.configuration from ${identifier(table)} p
    where p."installationId" = ${installationId} and ${identifier("p", column)} = ${named.id}`);
  const [row] = rows;
  return row ? { ...named, ...row } : null;
}

/** The place in an event about content or a setup, in the context of a drawing, or in the path of a public request. */
function placeIn({ spaceId, siteId, context, request }: Event): Pick<Place, "level" | "id"> | null {
  if (typeof spaceId === "string") return { level: "space", id: spaceId };
  if (typeof siteId === "string") return { level: "site", id: siteId };
  if (isRecord(context)) return placeIn({ spaceId: context["spaceId"], siteId: context["siteId"] });
  const path = isRecord(request) ? String(request["path"]) : "";
  const [, level, id] = /^\/(space|site)s\/(\w{10,40})(?:\/|$)/.exec(path) ?? [];
  return level !== undefined && id !== undefined ? { level: level as Place["level"], id } : null; // by the pattern
}
