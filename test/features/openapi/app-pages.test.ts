// The pages of OpenAPI specifications in the application, over HTTP.
import { expect, test } from "vitest";
import { smallDocument } from "#test/features/openapi/factory.ts";
import { openDesk } from "#test/features/openapi/processing.ts";
import { documentWith, fixtureMaker } from "#test/features/openapi/scene.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();
const makeFixture = fixtureMaker({ app, world });

test("a creator adds a specification by its text, with its warnings, and a refused one keeps its fields", async () => {
  const { organization, creator, reader, guest } = await world.organization();
  const path = `/app/orgs/${organization.id}/specifications`;
  const own = await readerOf(app, creator);
  expect(textOf((await own.read(path)).body)).toContain("Add the first one below.");
  const refused = await own.send(path, "create", { slug: "Not a slug", url: "https://example.com/api.json", text: "" });
  expect(refused.status).toBe(400);
  expect(refused.body).toMatch(/value="Not a slug"[\s\S]*value="https:\/\/example.com\/api.json"/);
  const text = JSON.stringify({ ...smallDocument, servers: "none" });
  const desk = await openDesk(app, { organizationId: organization.id, person: creator });
  const sending = own.send(path, "create", { slug: "harbour", url: "", text });
  await desk.after(sending, "harbour");
  const made = await sending;
  expect([made.status, made.to]).toEqual([
    303,
    expect.stringMatching(/^\/app\/openapi\/oas_\w+$|^\/app\/openapi\/\w+$/),
  ]);
  expect(textOf((await own.read(made.to ?? "")).body)).toMatch(/\d+ warnings? about version 1/);
  const listed = await (await readerOf(app, reader)).read(path);
  expect(textOf(listed.body)).toContain("harbour");
  expect(listed.body).not.toContain("Add a specification");
  expect(textOf((await (await readerOf(app, guest)).read(path)).body)).toContain("No specifications yet.");
  expect((await (await readerOf(app, reader)).send(path, "create", { slug: "mine", text: "{}" })).status).toBe(403);
});

test("a specification shows its versions, and what the latest and any other one changed", async () => {
  const { spec, reader } = await makeFixture();
  const ship = { schemas: { Ship: { type: "object", properties: { name: { type: "integer" } } } } };
  const second = await spec.version(documentWith("", { components: ship }));
  await spec.version(documentWith("", { components: ship, paths: { "/planes": { get: { responses: {} } } } }));
  const { read } = await readerOf(app, reader);
  const latest = textOf((await read(`/app/openapi/${spec.id}`)).body);
  expect(latest).toContain("What version 3 changed");
  expect(latest).toContain("/planes");
  const chosen = textOf((await read(`/app/openapi/${spec.id}?version=${second}`)).body);
  expect(chosen).toContain("What version 2 changed Since version 1: 1 change, 1 breaking");
  expect(chosen).not.toContain("Check now");
});

test("an editor puts a page that is computed from it into a space", async () => {
  const { spec, space, editor } = await makeFixture();
  const { read, send } = await readerOf(app, editor);
  const path = `/app/openapi/${spec.id}`;
  expect((await read(path)).body).toContain(`<option value="${space.id}"`);
  const made = await send(path, "page", { spec: spec.id, title: "Reference", place: space.id });
  expect([made.status, made.to]).toEqual([303, expect.stringMatching(`^/app/spaces/${space.id}/pages/pag_`)]);
  expect(textOf((await read(made.to ?? "")).body)).toContain("Reference");
});

test("a creator changes its visibility and source, and deletes it; others may not", async () => {
  const { spec, organization, creator, reader, outsider } = await makeFixture();
  const path = `/app/openapi/${spec.id}`;
  const known = { organizationId: organization.id, slug: "harbour" };
  const [own, other, foreign] = await Promise.all([creator, reader, outsider].map((one) => readerOf(app, one)));
  if (!own || !other || !foreign) throw new Error("Nobody is signed in.");
  expect((await foreign.read(path)).status).toBe(404);
  expect((await other.send(path, "visibility", { ...known, visibility: "PUBLIC" })).status).toBe(403);
  expect((await own.send(path, "visibility", { ...known, visibility: "PUBLIC" })).status).toBe(303);
  const seen = await foreign.read(path);
  expect([seen.status, seen.body.includes("app-tabs"), seen.body.includes("Another source")]).toEqual([
    200,
    false,
    false,
  ]);
  const changed = await own.send(path, "source", { ...known, url: "", text: JSON.stringify(documentWith("New")) });
  expect([changed.status, changed.to]).toEqual([303, path]);
  const deleted = await own.send(path, "delete", known);
  expect([deleted.status, deleted.to]).toEqual([303, `/app/orgs/${organization.id}/specifications`]);
  expect((await own.read(path)).status).toBe(404);
});
