// The pages of integrations and installations in the application, over HTTP.
import { expect, test } from "vitest";
import { addInstalled, addIntegration } from "#test/features/integrations/factory.ts";
import { useApp } from "#test/support/app.ts";
import { declaredSettings } from "#test/support/app-pages.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();

/** A public integration of another organization, with declared settings for organizations and spaces. */
async function makeIntegration() {
  const made = await world.site();
  const integration = await world.insert((rows) =>
    addIntegration(rows, {
      organizationId: made.elsewhere.id,
      visibility: "public",
      title: "Word <b>count</b>",
      scopes: ["space:content:read"],
      configurations: { ...declaredSettings, space: { properties: { depth: { type: "number", default: 2 } } } },
    }),
  );
  return { ...made, integration, root: `/app/integrations/${integration.name}` };
}

test("an admin finds and installs an integration, sets what it needs, and uninstalls it", async () => {
  const { organization, admin, reader, guest, integration, root } = await makeIntegration();
  const list = `/app/orgs/${organization.id}/integrations`;
  const own = await readerOf(app, admin);
  const found = await own.read(`${list}?search=${integration.name.toUpperCase()}&category=`);
  expect(found.body).toContain(`href="${root}?for=${organization.id}"`);
  expect(textOf((await own.read(`${list}?category=MARKETING`)).body)).toContain("No integration matches.");
  const page = textOf((await own.read(root)).body);
  expect(page).toContain("Word &#60;b&#62;count&#60;/b&#62;");
  expect(page).toContain("Space content read");
  const fields = {
    organizationId: organization.id,
    version: "1",
    spaceSelection: "SELECTED",
    siteSelection: "SELECTED",
  };
  const installed = await own.send(root, "install", fields);
  expect([installed.status, installed.to?.startsWith(`${root}/installations/`)]).toEqual([303, true]);
  const path = installed.to ?? "";
  expect(textOf((await own.read(path)).body)).toContain("Needs settings");
  const of = path.split("/").at(-1) ?? "";
  const wrong = await own.send(path, "settings", {
    of,
    "setting:number:limit": "many",
    "setting:string:channel": "news",
  });
  expect(wrong.status).toBe(400);
  expect(wrong.body).toContain(`value="many"`);
  const settings = {
    of,
    "setting:number:limit": "5",
    "setting:string:channel": "news",
    "setting:boolean:quiet": "true",
  };
  expect((await own.send(path, "settings", settings)).to).toBe(path);
  const { configuration } = await app.database.prisma.integrationInstallation.findUniqueOrThrow({ where: { id: of } });
  expect(configuration).toEqual({ limit: 5, channel: "news", quiet: true });
  const seen = await (await readerOf(app, reader)).read(path);
  expect([seen.status, seen.body.includes(`name="form"`)]).toEqual([200, false]);
  expect((await (await readerOf(app, reader)).send(path, "pause")).status).toBe(403);
  expect((await (await readerOf(app, guest)).read(list)).status).toBe(404);
  expect(textOf((await own.read(list)).body)).toContain("Word &#60;b&#62;count&#60;/b&#62; Active");
  expect((await own.send(path, "uninstall")).to).toBe(list);
  expect((await own.read(path)).status).toBe(404);
});

test("an admin pauses an installation, puts it on spaces, and retries an event", async () => {
  const { organization, admin, space, site, integration, root } = await makeIntegration();
  const ids = { integrationId: integration.id, organizationId: organization.id, spaceId: space.id, siteId: site.id };
  const { installation, integrationSpace, integrationSite, integrationEvent } = await world.insert((rows) =>
    addInstalled(rows, ids),
  );
  const path = `${root}/installations/${installation.id}`;
  const { read, send } = await readerOf(app, admin);
  const shown = (await read(`${path}?status=FAILURE`)).body;
  expect(textOf(shown)).toContain("Failed 3 tries, 12 ms");
  expect(shown).toContain(`name="event" value="${integrationEvent.id}"`);
  expect(textOf((await read(`${path}?status=SUCCESS`)).body)).toContain("No event.");
  expect((await send(path, "retry", { event: integrationEvent.id })).to).toBe(`${path}#events`);
  const event = await app.database.prisma.integrationEvent.findUniqueOrThrow({ where: { id: integrationEvent.id } });
  expect(event.status).toBe("pending");
  const sent = [
    await send(path, "pause"),
    await send(path, "resume"),
    await send(path, "space", { of: integrationSpace.id, "setting:number:depth": "3" }),
    await send(path, "removeSite", { of: integrationSite.id }),
    await send(path, "addSite", { place: site.id }),
    await send(path, "removeSpace", { of: integrationSpace.id }),
    await send(path, "addSpace", { place: space.id }),
    await send(path, "places", { spaceSelection: "ALL" }),
    await send(path, "pin", { version: "1" }),
    await send(path, "pin"),
    await send(path, "agree", { version: "1" }),
  ];
  expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 303));
  const stale = await send(path, "agree", { version: "7" });
  expect([stale.status, stale.body.includes(`role="alert"`)]).toEqual([409, true]);
  expect((await read(`/app/integrations/none/installations/${installation.id}`)).status).toBe(200);
  expect((await read(`${root}/installations/${space.id}`)).status).toBe(404);
});
