// The integrations of the edge-case world.
import { newId } from "#src/base/ids.ts";
import type { Rows } from "#src/demo/rows.ts";
import type { Scene } from "#test/features/change-requests/scene.ts";
import { addInstallation, addIntegration, addIntegrationEvent } from "#test/features/integrations/factory.ts";
import { edgeCaseTexts } from "#test/support/edge-case-texts.ts";
import { nextInstant } from "#test/support/rows.ts";

const [title = "", description = ""] = edgeCaseTexts;

const everything = {
  scopes: ["space:content:read", "site:visitor:auth", "openapi:write"],
  categories: ["visitor_auth", "other"],
  blocks: [
    { id: title, title, description, icon: description, urlUnfurl: [...edgeCaseTexts], markdown: { codeblock: title } },
    { id: "plain" },
  ],
  contentSources: [
    { id: title, configuration: { componentId: description } },
    { id: "plain", title },
  ],
  externalLinks: [{ url: "https://example.com/", label: title }],
  configurations: { account: { properties: { [title]: { type: "number", default: 1e21, enum: [-0, description] } } } },
  contentSecurityPolicy: "default-src 'none'",
  icon: "0".repeat(64),
  previewImages: ["1".repeat(64), "2".repeat(64)],
};

/** One with all properties, one with none, and a private one. */
export function addIntegrations(
  rows: Rows,
  { admin, space, organization: { id: organizationId } }: Scene,
  siteId: string,
): void {
  const given = { organizationId, createdById: admin.id };
  const found = { name: "tides", visibility: "public" as const, blockDomains: ["maps.example.com"], hasBlocks: true };
  const { id: integrationId } = addIntegration(rows, {
    ...given,
    ...found,
    ...everything,
    title,
    description,
    summary: title,
  });
  const configuration = { [title]: 1e21, [description]: description };
  const externalIds = [...edgeCaseTexts];
  const installation = {
    integrationId,
    organizationId,
    configuration,
    externalIds,
    status: "paused",
    runtime: "v2",
  } as const;
  const { id: installationId } = addInstallation(rows, { ...installation, createdById: admin.id });
  const on = { installationId, configuration, externalIds, createdAt: nextInstant() };
  rows.add("IntegrationSpace", { id: newId("IntegrationSpace"), spaceId: space.id, ...on });
  rows.add("IntegrationSite", { id: newId("IntegrationSite"), siteId, ...on });
  const logs = edgeCaseTexts.map((message) => ({ message, level: "warn", timestamp: "2036-03-02T12:00:00.000Z" }));
  addIntegrationEvent(rows, { installationId, payload: { previous: { configuration } }, logs });
  addIntegration(rows, { ...given, visibility: "unlisted", target: "site", runtime: "v2" });
  addIntegration(rows, { ...given, title: description });
}
