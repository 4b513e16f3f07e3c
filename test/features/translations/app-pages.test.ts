// The pages of translations and of the glossary in the application, over HTTP.
import { expect, test } from "vitest";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTranslation } from "#test/features/translations/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();

test("a creator translates a space, and a refused form keeps its fields", async () => {
  const { organization, space, creator, reader } = await world.space();
  const path = `/app/orgs/${organization.id}/translations`;
  const own = await readerOf(app, creator);
  const fields = { space: space.id, from: "EN", language: "EN", instructions: "Be polite." };
  const refused = await own.send(path, "create", fields);
  expect(refused.status).toBe(400);
  expect(refused.body).toContain("Be polite.</textarea>");
  const made = await own.send(path, "create", { ...fields, language: "ES", autoUpdate: "on" });
  expect([made.status, made.to?.startsWith(`${path}/`)]).toEqual([303, true]);
  const shown = textOf((await own.read(made.to ?? "")).body);
  expect(shown).toContain(`${space.title} in Spanish Waiting`);
  const listed = textOf((await (await readerOf(app, reader)).read(path)).body);
  expect(listed).toContain("English → Spanish");
  expect(listed).not.toContain("Translate a space");
});

test("a failed translation says why, and is run again, changed and deleted", async () => {
  const { organization, space, creator, reader } = await world.space();
  const translation = await world.insert((rows) =>
    addTranslation(rows, {
      organizationId: organization.id,
      resultSpaceId: addSpace(rows, { organizationId: organization.id }).id,
      sourceSpaceId: space.id,
      createdById: creator.id,
      status: "failed",
      error: "The engine is <b>away</b>.",
      warnings: [{ page: "Formulas", message: "The engine breaks it." }],
    }),
  );
  const root = `/app/orgs/${organization.id}/translations`;
  const path = `${root}/${translation.id}`;
  const [own, other] = [await readerOf(app, creator), await readerOf(app, reader)];
  const { body } = await other.read(path);
  expect(body).toContain("The engine is &#60;b&#62;away&#60;/b&#62;.");
  expect(textOf(body)).toContain("Formulas The engine breaks it.");
  expect(body).not.toContain("Try again now");
  expect((await other.send(path, "run")).status).toBe(403);
  expect((await own.read(path)).body).toContain("Try again now");
  expect([
    (await own.send(path, "run")).to,
    (await own.send(path, "settings", { instructions: "Be\r\nbrief." })).to,
  ]).toEqual([path, path]);
  const row = await app.database.prisma.translation.findUniqueOrThrow({ where: { id: translation.id } });
  expect(row).toMatchObject({ status: "pending", instructions: "Be\nbrief.", autoUpdate: false });
  const deleted = await own.send(path, "delete");
  expect([deleted.status, deleted.to]).toEqual([303, root]);
  expect((await own.read(path)).status).toBe(404);
});

test("the glossary is edited term by term, with translations in several languages", async () => {
  const { organization, creator, reader } = await world.organization();
  const path = `/app/orgs/${organization.id}/glossary`;
  const { read, send, session } = await readerOf(app, creator);
  const post = (...fields: [string, string][]) =>
    fetch(app.url + path, {
      method: "POST",
      redirect: "manual",
      headers: { accept: "text/html", cookie: session?.cookie ?? "", origin: app.url },
      body: new URLSearchParams(fields),
    });
  const german: [string, string][] = [
    ["language", "DE"],
    ["text", "Hafen"],
  ];
  const none: [string, string][] = [
    ["language", ""],
    ["text", ""],
  ];
  expect((await post(["form", "create"], ["term", "harbour"], ...german, ...none)).status).toBe(303);
  const twice = await post(["form", "create"], ["term", "harbour"], ...german);
  expect([twice.status, (await twice.text()).includes(`value="Hafen"`)]).toEqual([409, true]);
  expect(textOf((await read(path)).body)).toContain("harbour German: Hafen");
  const { id } = await app.database.prisma.glossaryTerm.findFirstOrThrow({
    where: { organizationId: organization.id },
  });
  expect((await read(`${path}?edit=${id}`)).body).toMatch(/<option value="DE" selected/);
  const french: [string, string][] = [
    ["language", "FR"],
    ["text", "port"],
  ];
  expect((await post(["form", "update"], ["glossaryTermId", id], ["term", "Harbour"], ...french)).status).toBe(303);
  expect(textOf((await read(path)).body)).toContain("Harbour French: port");
  const { body } = await (await readerOf(app, reader)).read(path);
  expect([body.includes("Harbour"), body.includes(`name="form"`)]).toEqual([true, false]);
  expect((await send(path, "delete", { glossaryTermId: id })).status).toBe(303);
  expect(textOf((await read(path)).body)).toContain("The glossary is empty.");
});
