// The integration of the demo: times of high water, drawn in pages and answered at an address.
import { createHash } from "node:crypto";
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { Organizations } from "#src/demo/organizations.ts";
import type { People } from "#src/demo/people.ts";
import type { Rows } from "#src/demo/rows.ts";
import type { Sites } from "#src/demo/sites.ts";
import type { Spaces } from "#src/demo/spaces.ts";

const script = `export async function handle(event, context) {
  const port = event.props?.port ?? context.configuration.port ?? "Brest";
  const label = "High water at " + port;
  if (event.type === "fetch") return { status: 200, headers: { "content-type": "text/plain" }, body: label };
  if (event.type !== "ui_render") return null;
  return { type: "element", element: { type: "block", children: [{ type: "text", children: [label] }] } };
}
`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
  <path d="M2 12q5 -6 10 0t10 0" fill="none" stroke="#0369a1" stroke-width="2"/>
</svg>
`;

const published = {
  title: "Tide times",
  description: "Shows when the water is high.",
  summary: "Put a port into a page, and readers see **today's** high water.",
  scopes: ["space:content:read"],
  categories: ["content"],
  blocks: [
    {
      id: "tide",
      title: "Tide",
      description: "High water at a port",
      icon: "water",
      urlUnfurl: ["https://tides.example.com/ports/"],
      markdown: { codeblock: "tide", body: "port" },
    },
  ],
  contentSources: [
    { id: "almanac", title: "Almanac", description: "A page a month", configuration: { componentId: "months" } },
  ],
  externalLinks: [{ url: "https://tides.example.com/", label: "How times are found" }],
  configurations: {
    account: {
      properties: { port: { type: "string", title: "Port", default: "Brest", enum: ["Brest", "Saint-Malo"] } },
      required: ["port"],
    },
  },
  contentSecurityPolicy: "default-src 'none'",
};

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

interface Around {
  readonly organizations: Organizations;
  readonly people: People;
  readonly spaces: Spaces;
  readonly sites: Sites;
}

/** Adds the integration, and answers the texts that are to be kept in the file storage. */
export function addIntegrations(rows: Rows, { organizations, people, spaces, sites }: Around): Buffer[] {
  const [id, createdById, createdAt] = [newId("Integration"), people.mara, at(40, "14:30")];
  rows.add("Integration", {
    ...published,
    id,
    name: "tide-times",
    organizationId: organizations.harbour.id,
    visibility: "public",
    blockDomains: ["tides.example.com"],
    hasBlocks: true,
    hasContentSources: true,
    icon: hashOf(icon),
    blobs: [hashOf(icon)],
    createdById,
    createdAt,
    updatedAt: createdAt,
  });
  const scriptSize = Buffer.byteLength(script);
  const version = { integrationId: id, number: 1, runtime: "v1", createdById, createdAt } as const;
  const run = { script: hashOf(script), scriptSize, manifest: published };
  rows.add("IntegrationVersion", { id: newId("IntegrationVersion"), ...version, ...run });
  const place = { organizationId: organizations.harbour.id, spaceId: spaces["wave-buoy"].id, siteId: sites.docs };
  addInstallation(rows, { ...place, integrationId: id, createdById });
  return [script, icon].map((text) => Buffer.from(text));
}

/** Installs it where it is published, on a space and a site. */
function addInstallation(
  rows: Rows,
  {
    spaceId,
    siteId,
    ...given
  }: { spaceId: string; siteId: string } & Record<"organizationId" | "integrationId" | "createdById", string>,
): void {
  const [installationId, time] = [newId("IntegrationInstallation"), at(41, "09:10")];
  const [status, times] = ["active", { createdAt: time, updatedAt: time }] as const;
  const selected = { spaceSelection: "selected", siteSelection: "selected" } as const;
  const configuration = { port: "Saint-Malo" };
  const installation = { id: installationId, status, configuration, externalIds: ["team-7"], ...given };
  const { scopes, contentSecurityPolicy } = published;
  const agreed = { runtime: "v1", scopes, contentSecurityPolicy } as const;
  rows.add("IntegrationInstallation", { ...agreed, ...installation, ...selected, ...times });
  rows.add("IntegrationSpace", { id: newId("IntegrationSpace"), installationId, spaceId, status, ...times });
  rows.add("IntegrationSite", { id: newId("IntegrationSite"), installationId, siteId, status, ...times });
  const { organizationId, integrationId } = given;
  rows.add("IntegrationEvent", {
    id: newId("IntegrationEvent"),
    installationId,
    type: "installation_setup",
    payload: { organizationId, integrationId, status, previous: { status: "pending", configuration: {} } },
    status: "success",
    sequence: 0,
    tries: 1,
    durationMs: 4,
    logs: [{ level: "info", message: "High water at Saint-Malo", timestamp: time.toISOString() }],
    createdAt: time,
    nextTryAt: time,
    finishedAt: time,
  });
}
