// Visibility of installations of integrations, and of those on spaces and sites, in every list and lookup.
import { expect, test } from "vitest";
import { addInstalled, addIntegration } from "#test/features/integrations/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { People } from "#test/support/world.ts";

const { app, world } = await useApp();

const made = await world.everything({
  space: { visibility: "public" },
  site: { visibility: "public", published: true },
});
const [organizationId, siteId] = [made.organization.id, made.site.id];

/** On a space that everyone sees, and on one that only its admins see; on a site that everyone sees. */
const { integration, installed, closed } = await world.insert((rows) => {
  const integration = addIntegration(rows, { organizationId, visibility: "public" });
  const of = { integrationId: integration.id, organizationId, siteId, spaceId: made.space.id };
  const spaceId = addSpace(rows, { organizationId, visibility: "private", openToMembers: false }).id;
  const installed = addInstalled(rows, of);
  const { installationId } = installed.integrationSpace;
  const closed = rows.add("IntegrationSpace", { ...installed.integrationSpace, id: `isp_${"0".repeat(26)}`, spaceId });
  return { integration, installed, closed: { ...closed, installationId } };
});

const ids = {
  installation: installed.installation.id,
  space: installed.integrationSpace.id,
  site: installed.integrationSite.id,
  closed: closed.id,
};
type Thing = keyof typeof ids;

const ofInstallation = (selection: string) =>
  `{ node(id: "${ids.installation}") { ... on IntegrationInstallation { ${selection} } } }`;
const inIntegration = (list: string) => `{ integration(name: "${integration.name}") { ${list} { nodes { id } } } }`;

/** Ways, with the results for admins and for other members; all other users find nothing. */
const ways: readonly (readonly [way: string, document: string, byAdmins: Thing[], byMembers: Thing[]])[] = [
  [
    "node",
    `{ ${Object.values(ids)
      .map((id, index) => `_${index}: node(id: "${id}") { id }`)
      .join(" ")} }`,
    ["installation", "space", "site", "closed"],
    ["installation", "space", "site"],
  ],
  [
    "organization",
    `{ organization(id: "${organizationId}") { installations { nodes { id } } } }`,
    ["installation"],
    ["installation"],
  ],
  ["installations", inIntegration("installations"), ["installation"], ["installation"]],
  ["spaces of the integration", inIntegration("spaces"), ["space", "closed"], ["space"]],
  ["sites of the integration", inIntegration("sites"), ["site"], ["site"]],
  ["spaces of the installation", ofInstallation("spaces { nodes { id } }"), ["space", "closed"], ["space"]],
  ["sites of the installation", ofInstallation("sites { nodes { id } }"), ["site"], ["site"]],
  ["space", `{ space(id: "${made.space.id}") { integrations { nodes { id } } } }`, ["space"], ["space"]],
  ["closed space", `{ space(id: "${closed.spaceId}") { integrations { nodes { id } } } }`, ["closed"], []],
  ["site", `{ site(id: "${siteId}") { integrations { nodes { id } } } }`, ["site"], ["site"]],
  [
    "edge from a site",
    `{ node(id: "${ids.site}") { ... on IntegrationSite { installation { id } } } }`,
    ["installation"],
    ["installation"],
  ],
];

const others = ["creator", "reviewer", "editor", "commenter", "reader", "teamOwner"] as const;
const strangers = ["guest", "invitedGuest", "teamGuest", "disabled", "outsider"] as const;

async function findThings(name: keyof People, document: string): Promise<Thing[]> {
  const { data } = await app.as(made.people[name].token).graphql(document);
  const text = JSON.stringify(data ?? null);
  return (Object.keys(ids) as Thing[]).filter((thing) => text.includes(ids[thing]));
}

test.each(ways)(
  "installations read by %s are visible to admins and members only",
  async (_way, document, byAdmins, byMembers) => {
    expect(await findThings("admin", document)).toEqual(byAdmins);
    for (const name of others) expect([name, await findThings(name, document)]).toEqual([name, byMembers]);
    for (const name of strangers) expect([name, await findThings(name, document)]).toEqual([name, []]);
  },
);

test("installations count the spaces that the viewer may see", async () => {
  const count = async (name: keyof People) =>
    (await app.as(made.people[name].token).query(ofInstallation("spaceCount spaces { totalCount }")))["node"];
  expect(await count("admin")).toEqual({ spaceCount: 2, spaces: { totalCount: 2 } });
  expect(await count("reader")).toEqual({ spaceCount: 1, spaces: { totalCount: 1 } });
});

test("guests may not list the installations of an organization", async () => {
  const document = `{ organization(id: "${organizationId}") { installations { totalCount } } }`;
  const { errors } = await app.as(made.guest.token).graphql(document);
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(["FORBIDDEN"]);
});
