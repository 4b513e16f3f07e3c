// An organization without installations: its events are not looked at, until it has one.
import { afterEach, expect, test, vi } from "vitest";
import { commentEvents } from "#src/features/comments/events.ts";
import { ConcernedOrganizations } from "#src/features/integrations/commands/runs/concerned.ts";
import { setupEvents } from "#src/features/integrations/events.ts";
import { addIntegration } from "#test/features/integrations/factory.ts";
import { done } from "#test/live/kinds.ts";
import { post } from "#test/live/requests.ts";
import { useApp } from "#test/support/app.ts";

const hour = 3_600_000;
const { app, world } = await useApp({ deliveryMs: hour, pollMs: 20 }); // deliveries are due after events only

afterEach(() => void vi.restoreAllMocks());

const comment = { type: commentEvents.created };

/** The types of the events that an installation gets. */
async function receivedBy(installationId: string): Promise<string[]> {
  const events = await app.database.prisma.integrationEvent.findMany({
    where: { installationId },
    orderBy: { sequence: "asc" },
  });
  return events.map(({ type }) => type);
}

test("its events are not looked at, and once it has an installation they are delivered soon", async () => {
  const learn = vi.spyOn(ConcernedOrganizations.prototype, "learn");
  const look = vi.spyOn(ConcernedOrganizations.prototype, "has");
  const { space, organization, admin } = await world.space();
  const { name: integrationName } = await world.insert((rows) =>
    addIntegration(rows, { organizationId: organization.id, scopes: ["space:content:read"] }),
  );
  const wasLearnt = () => learn.mock.calls.findIndex(([, organizations]) => organizations.has(organization.id));
  const answers = () =>
    look.mock.calls.flatMap(([{ organizationId }], index) =>
      organizationId === organization.id ? [look.mock.results[index]?.value as boolean] : [],
    );
  await post(app, admin.token, space.id);
  await expect.poll(wasLearnt).toBeGreaterThanOrEqual(0);
  await learn.mock.results[wasLearnt()]?.value;
  await post(app, admin.token, space.id);
  await expect.poll(answers).toEqual([true, false]);
  const input = { integrationName, organizationId: organization.id, spaceSelection: "ALL" };
  const { installation } = await done<{ installation: { id: string } }>(app, admin.token, "installIntegration", {
    ...input,
    answer: "installation { id }",
  });
  await expect.poll(() => receivedBy(installation.id)).toContain("installation_setup");
  await post(app, admin.token, space.id);
  await expect.poll(() => receivedBy(installation.id)).toContain("comment_created");
});

test("an installation made while organizations are looked up is not missed", async () => {
  const { organization } = await world.organization();
  const organizationId = organization.id;
  const organizations = new ConcernedOrganizations();
  const learning = organizations.learn(app.database, new Set([organizationId]));
  expect(organizations.has({ type: setupEvents.installation, organizationId })).toBe(true);
  await learning;
  expect(organizations.has({ ...comment, organizationId })).toBe(true);
  await organizations.learn(app.database, new Set([organizationId]));
  expect(organizations.has({ ...comment, organizationId })).toBe(false);
});
