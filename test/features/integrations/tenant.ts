// Tenant table entry: a private integration of a tenant, installed, and one that is not installed.
import { newId } from "#src/base/ids.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { addInstalled, addIntegration } from "#test/features/integrations/factory.ts";
import { addSite } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import type { MakeTenantPart } from "#test/support/access/tenants.ts";

/** The URL that draws its blocks, and its responses. */
export const drawsTenants = "https://hooks.example.com/draw";
export const exampleDrawing: SafeFetch = (url) => {
  const body = Buffer.from(JSON.stringify({ type: "element", element: { type: "block" } }));
  return Promise.resolve({ url: String(url), status: 200, headers: new Headers(), body });
};

/** The space and the site of installations, by their ids. */
export const placesOf = new Map<string | undefined, { readonly spaceId: string; readonly siteId: string }>();

/** Its name is its id; the name of the other one ends with `.new`. */
export const part: MakeTenantPart = (rows, { organization, collection, admin }) => {
  const id = newId("Integration");
  const organizationId = organization.id;
  const integrationId = addIntegration(rows, { id, name: id, version: 2, organizationId, createdById: admin.id }).id;
  const version = { integrationId, number: 2, runtime: "v1" as const, manifest: {}, webhookUrl: drawsTenants };
  rows.add("IntegrationVersion", { id: newId("IntegrationVersion"), ...version });
  addIntegration(rows, { name: `${id}.new`, organizationId });
  const spaceId = addSpace(rows, { organizationId, parent: collection }).id;
  const siteId = addSite(rows, { organizationId, published: false }).id;
  const installed = addInstalled(rows, { organizationId, integrationId, spaceId, siteId });
  placesOf.set(installed.installation.id, { spaceId, siteId });
  return {
    Integration: id,
    IntegrationInstallation: installed.installation.id,
    IntegrationSpace: installed.integrationSpace.id,
    IntegrationSite: installed.integrationSite.id,
    IntegrationEvent: installed.integrationEvent.id,
  };
};
