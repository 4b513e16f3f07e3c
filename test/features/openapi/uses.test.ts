// Uses of specifications in links, references and computed pages; and the events of specifications.
import { expect, test } from "vitest";
import { collectBlobs } from "#src/features/content/commands/collect-garbage.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addProcessedSpec, smallDocument } from "#test/features/openapi/factory.ts";
import { openDesk, text } from "#test/features/openapi/processing.ts";
import { done, kindsOf, listen } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("links to specifications are OK where these are visible, by slug and by id, and resolve to them", async () => {
  const { organization, space, admin, invitedGuest } = await world.space({ space: { visibility: "public" } });
  const elsewhere = await world.organization();
  const organizationId = organization.id;
  const { own, open, foreign } = await world.insert((rows) => ({
    own: addProcessedSpec(rows, { organizationId, slug: "own" }).spec,
    open: addProcessedSpec(rows, { organizationId, slug: "open", visibility: "public" }).spec,
    foreign: addProcessedSpec(rows, { organizationId: elsewhere.organization.id, slug: "foreign" }).spec,
  }));
  const names = ["own", own.id, "open", "none", "foreign", foreign.id];
  const markdown = names.map((name) => `[x](openapi:${name})`).join(" ");
  await editAs(app.as(admin.token), { spaceId: space.id }, newPage("Page", { markdown }).edit);
  const query = `{ space(id: "${space.id}") { links { nodes { status targetReference { spec openApiSpec { id } } } } } }`;
  interface Link {
    readonly status: string;
    readonly targetReference: { readonly spec: string; readonly openApiSpec: { readonly id: string } | null };
  }
  const links = async (token: string) => {
    const { space: found } = await app.as(token).query<{ space: { links: { nodes: Link[] } } }>(query);
    return found.links.nodes.map(({ status, targetReference: { openApiSpec } }) => [status, openApiSpec?.id ?? null]);
  };
  const broken = ["BROKEN", null];
  expect(await links(admin.token)).toEqual([["OK", own.id], ["OK", own.id], ["OK", open.id], broken, broken, broken]);
  expect(await links(invitedGuest.token)).toEqual([broken, broken, ["OK", open.id], broken, broken, broken]);
});

test("a specification with computed pages can be deleted only with force", async () => {
  const { organization, space, admin, creator } = await world.space({ space: { visibility: "private" } });
  const organizationId = organization.id;
  const { spec } = await world.insert((rows) => addProcessedSpec(rows, { organizationId, slug: "harbour" }));
  const as = app.as(admin.token);
  const computed = { type: "BUILTIN_OPENAPI", spec: "harbour", doc: "models" };
  await editAs(as, { spaceId: space.id }, newPage("Models", { type: "COMPUTED", computed }).edit);
  const whole = { type: "BUILTIN_OPENAPI", spec: spec.id };
  await editAs(as, { spaceId: space.id }, newPage("API", { type: "COMPUTED", computed: whole }).edit);
  const rest = await as.rest("DELETE", `/v1/orgs/${organizationId}/openapi/harbour`);
  const details = ["api", "models"].map((path) => ({
    path: "specSlug",
    message: `is used by the page ${path} of ${space.id}.`,
  }));
  const message = "2 pages are computed from this specification: delete these pages first, or set `force` in GraphQL.";
  expect(rest).toMatchObject({ status: 409, body: { error: { message, details } } });
  const unseen = await app.as(creator.token).rest("DELETE", `/v1/orgs/${organizationId}/openapi/harbour`);
  expect(unseen).toMatchObject({ status: 409, body: { error: { message } } });
  expect(unseen.body).not.toHaveProperty("error.details.0");
  const remove = `mutation ($input: DeleteOpenApiSpecInput!) { deleteOpenApiSpec(input: $input) { deletedId } }`;
  const input = { organizationId, slug: "harbour" };
  expect(await as.refusal(remove, { input })).toBe("CONFLICT");
  const forced = { input: { ...input, force: true } };
  expect(await as.query(remove, forced)).toEqual({ deleteOpenApiSpec: { deletedId: spec.id } });
  expect(await as.query(remove, forced)).toEqual({ deleteOpenApiSpec: { deletedId: null } });
  expect(await app.database.prisma.openApiSpecVersion.count({ where: { specId: spec.id } })).toBe(0);
});

test("bytes of specifications are kept in the store as long as the specifications exist", async () => {
  const { organization, creator } = await world.organization();
  const organizationId = organization.id;
  const desk = await openDesk(app, { organizationId, person: creator });
  const ownText = { ...smallDocument, info: { title: "Only here", version: "1" } }; // no other document has these bytes
  const { id } = await desk.put("harbour", text(ownText));
  const { blobs } = await app.database.prisma.openApiSpecVersion.findFirstOrThrow({ where: { specId: id } });
  const inTwoDays = { now: () => new Date(Date.now() + 2 * 24 * 60 * 60 * 1000) };
  const left = async () => {
    await collectBlobs(app.database, app.files, inTwoDays);
    return (await Promise.all(blobs.map((blob) => app.files.find(blob)))).filter((blob) => blob !== null).length;
  };
  expect(blobs.length).toBeGreaterThan(1);
  expect(await left()).toBe(blobs.length);
  await app.database.prisma.openApiSpec.deleteMany({ where: { id } });
  expect(await left()).toBe(0);
});

test("members receive an event for everything that happens to a specification, once", async () => {
  const { organization, creator, reader, outsider } = await world.organization();
  const organizationId = organization.id;
  const stream = await listen(app, creator, `openApiEvents(of: { organizationId: "${organizationId}" })`, {
    selection: `... on OpenApiSpecVersionAdded { openApiSpec { slug } version { number title } }`,
  });
  const named = { organizationId, slug: "harbour" };
  const does = (name: string, input: object) => done(app, creator.token, name, { ...named, ...input });
  const queued = { __typename: "OpenApiSpecProgressed", facts: { state: "PENDING", slug: "harbour" } };
  const taken = { __typename: "OpenApiSpecProgressed", actor: null, facts: { state: "PROGRESS" } };
  const processed = (facts: object) => ({ __typename: "OpenApiSpecProcessed", actor: null, facts });
  await stream.delivers(
    does("createOpenApiSpec", text(smallDocument)),
    { __typename: "OpenApiSpecCreated", facts: { slug: "harbour", sourceURL: null } },
    taken,
    {
      __typename: "OpenApiSpecVersionAdded",
      actor: null,
      facts: { number: 1 },
      openApiSpec: { slug: "harbour" },
      version: { number: 1, title: "Harbour" },
    },
    processed({ errorCode: null, versionId: expect.stringMatching(/^oav_/) }),
  );
  const url = "https://docs.example.com/openapi.json";
  await stream.delivers(
    does("putOpenApiSpec", { source: { url } }),
    queued,
    {
      __typename: "OpenApiSpecSettingsChanged",
      facts: { changes: [{ field: "sourceURL", before: null, after: url }] },
    },
    taken,
    { __typename: "OpenApiSpecFailed", actor: null, facts: { errorCode: "FETCH_ERROR" } },
    processed({ errorCode: "FETCH_ERROR", versionId: null }),
  );
  await stream.delivers(does("refreshOpenApiSpec", {}), queued, taken, processed({ errorCode: "FETCH_ERROR" }));
  await stream.delivers(does("updateOpenApiSpec", { visibility: "PUBLIC" }), {
    __typename: "OpenApiSpecSettingsChanged",
    facts: { changes: [{ field: "visibility", before: "PRIVATE", after: "PUBLIC" }] },
  });
  await does("updateOpenApiSpec", { visibility: "PUBLIC" }); // the present value
  const { openApiSpec } = await app
    .as(outsider.token)
    .query<{ openApiSpec: { id: string } }>(
      `{ openApiSpec(organizationId: "${organizationId}", slug: "harbour") { id } }`,
    );
  const farewell = { __typename: "OpenApiSpecDeleted", facts: { openApiSpecId: openApiSpec.id, slug: "harbour" } };
  await stream.delivers(does("deleteOpenApiSpec", {}), farewell);
  expect(await stream.end(14)).toEqual(kindsOf("openApiEvents"));
  const lasting = ["Created", "VersionAdded", "SettingsChanged", "Failed", "SettingsChanged", "Deleted"];
  const expected = lasting.map((kind) => ({ __typename: `OpenApiSpec${kind}` }));
  const activity = `{ organization(id: "${organizationId}") { activity { nodes { __typename } } } }`;
  const { organization: seen } = await app
    .as(reader.token)
    .query<{ organization: { activity: { nodes: object[] } } }>(activity);
  expect(seen.activity.nodes.toReversed()).toEqual(expected);
});
