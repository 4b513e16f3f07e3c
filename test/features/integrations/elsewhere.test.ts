// Changes by a publisher apply in every organization that has the integration installed, with an event in each.
import { expect, test } from "vitest";
import { useInstallations } from "#test/features/integrations/installing.ts";
import { done } from "#test/live/kinds.ts";

const { app, scene } = await useInstallations();

/** An integration that is installed by its publisher and in another organization, on a space and a site of each. */
async function installedTwice() {
  const [own, other] = [await scene(), await scene()];
  for (const { newSpace, newSite } of [own, other]) await Promise.all([newSpace(), newSite()]);
  const { id: theirs } = await own.install();
  const input = { integrationName: own.integration.name, organizationId: other.organizationId };
  const answer = "installation { id spaces { nodes { id } } sites { nodes { id } } }";
  type Nodes = { readonly nodes: { readonly id: string }[] };
  const { installation } = await done<{ installation: { id: string; spaces: Nodes; sites: Nodes } }>(
    app,
    other.admin.token,
    "installIntegration",
    { ...input, answer },
  );
  const [onSpace, onSite] = [installation.spaces.nodes[0]?.id ?? "", installation.sites.nodes[0]?.id ?? ""];
  return { own, other, theirs, id: installation.id, onSpace, onSite };
}

const last = async (id: string) => (await app.eventsOf(id)).at(-1);

test("deleting an integration emits an event in each organization; only the publisher's has actor and IP address", async () => {
  const { own, other, theirs, id } = await installedTwice();
  await done(app, own.admin.token, "deleteIntegration", { integrationName: own.integration.name, answer: "deletedId" });
  expect(await last(theirs)).toMatchObject({ type: "integrationInstallation.deleted", actorId: own.admin.id });
  expect(await last(id)).toMatchObject({
    type: "integrationInstallation.deleted",
    organizationId: other.organizationId,
    actorId: null,
  });
  const entries = await app.database.prisma.auditEntry.findMany({
    where: {
      type: "integrationInstallation.deleted",
      organizationId: { in: [own.organizationId, other.organizationId] },
    },
  });
  const ofEach = entries.map(({ organizationId, actorId, address }) => [organizationId, actorId, address !== null]);
  expect(new Set(ofEach.map((one) => JSON.stringify(one)))).toEqual(
    new Set([
      JSON.stringify([own.organizationId, own.admin.id, true]),
      JSON.stringify([other.organizationId, null, false]),
    ]),
  );
});

test("an integration republished for another target leaves the spaces or sites that it no longer targets at once", async () => {
  const { own, other, id, onSpace, onSite } = await installedTwice();
  const publication = { name: own.integration.name, organizationId: own.organizationId, title: "Tides" };
  const code = { script: "export const handle = () => null;" };
  await done(app, own.admin.token, "publishIntegration", {
    ...publication,
    code,
    target: "SITE",
    answer: "__typename",
  });
  const { installation } = await app
    .as(other.admin.token)
    .query<{ installation: object }>(
      `{ installation: node(id: "${id}") { ... on IntegrationInstallation { spaceCount sites { nodes { id } } } } }`,
    );
  expect(installation).toEqual({ spaceCount: 0, sites: { nodes: [{ id: onSite }] } });
  expect(await last(onSpace)).toMatchObject({ type: "integrationSpace.deleted", actorId: null });
  const narrower = { ...publication, code, target: "ORGANIZATION", answer: "__typename" };
  await done(app, own.admin.token, "publishIntegration", narrower);
  expect(await last(onSite)).toMatchObject({ type: "integrationSite.deleted" });
});
