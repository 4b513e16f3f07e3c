// Scenes with integrations that run: a script in the storage, an installation on a space, and pending events.
import { vi } from "vitest";
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import {
  addInstallation,
  addIntegration,
  addIntegrationEvent,
  manifestOf,
} from "#test/features/integrations/factory.ts";
import type { TestApp } from "#test/support/app.ts";
import type { World } from "#test/support/world.ts";

interface Given {
  /** A complete script. */
  readonly script?: string;
  readonly webhookUrl?: string;
  readonly integration?: Partial<Prisma.IntegrationCreateManyInput>;
  readonly installation?: Partial<Prisma.IntegrationInstallationCreateManyInput>;
  /** Events to deliver, in order, besides the id of the space. */
  readonly events?: readonly Record<string, unknown>[];
}

/** An organization with a space, and its integration that is installed there. */
export async function installed({ app, world }: { app: TestApp; world: World }, given: Given) {
  const scene = await world.space();
  const blob = given.script === undefined ? null : await app.files.receive([Buffer.from(given.script)], 1_000_000);
  await blob?.keep();
  const made = await world.insert((rows) => {
    const organizationId = scene.organization.id;
    const integration = addIntegration(rows, { organizationId, ...given.integration });
    const installation = addInstallation(rows, {
      integrationId: integration.id,
      organizationId,
      integration,
      ...given.installation,
    });
    const version = {
      id: newId("IntegrationVersion"),
      integrationId: integration.id,
      number: 2,
      runtime: "v1" as const,
    };
    const { webhookUrl = null } = given;
    rows.add("IntegrationVersion", {
      ...version,
      manifest: manifestOf(integration),
      script: blob?.hash ?? null,
      webhookUrl,
    });
    const of = { installationId: installation.id };
    rows.add("IntegrationSpace", { id: newId("IntegrationSpace"), ...of, spaceId: scene.space.id, status: "active" });
    const events = (given.events ?? []).map((payload) =>
      addIntegrationEvent(rows, { ...of, createdAt: new Date(), payload: { spaceId: scene.space.id, ...payload } }),
    );
    return { integration, installation, events };
  });
  const enqueue = (event: Partial<Prisma.IntegrationEventCreateManyInput>) =>
    world.insert((rows) =>
      addIntegrationEvent(rows, { installationId: made.installation.id, createdAt: new Date(), ...event }),
    );
  return { ...scene, ...made, enqueue };
}

/** The events of an installation in order, once there are `count`, and the first ones (by default all) were tried. */
export function settled(app: TestApp, installationId: string, first = Infinity, count = 0) {
  return vi.waitFor(
    async () => {
      const where = { installationId };
      const events = await app.database.prisma.integrationEvent.findMany({ where, orderBy: { sequence: "asc" } });
      const waiting = events.slice(0, first).filter((event) => event.status === "pending" && event.tries === 0);
      if (events.length < count) throw new Error(`There are only ${events.map(({ type }) => type).join(", ")}`);
      if (waiting.length > 0) throw new Error(`${waiting.length} events wait: ${JSON.stringify(events[0]?.logs)}`);
      return events;
    },
    { timeout: 50_000, interval: 50 },
  );
}
