// Managing translations in /v1 and GraphQL: visibility, refusals, and deletion.
import { expect, test } from "vitest";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { addGrant } from "#test/features/members/factory.ts";
import { addTranslation } from "#test/features/translations/factory.ts";
import { listen } from "#test/live/kinds.ts";
import { testApp, useApp } from "#test/support/app.ts";

// Has its own database: the job runs everything that is due in the whole database.
const { app, world } = await useApp({ own: true, pollMs: 20 });
const made = await world.space({ space: { title: "A handbook with a title of fifty characters, all" } });
const { organization, space, creator, editor, outsider } = made;
const organizationId = organization.id;
const asCreator = app.as(creator.token);
const asAdmin = app.as(made.admin.token);
const path = `/v1/orgs/${organizationId}/translations`;

interface Translation {
  readonly id: string;
  readonly result: { readonly space: string };
}

const create = (body: object) => asCreator.rest<Translation>("POST", path, { body });

test("the five operations on translations in /v1 create, list, return, change and delete", async () => {
  const instructions = fromMarkdown("Write to the reader **directly**.\n");
  const { status, body } = await create({ language: "pt-br", source: { space: space.id }, instructions });
  expect(status).toBe(201);
  expect(body).toEqual({
    object: "translation",
    id: expect.stringMatching(/^trl_/),
    status: "pending",
    source: { space: space.id, language: "en" },
    language: "pt-br",
    instructions: expect.objectContaining({ object: "document" }),
    result: { space: expect.stringMatching(/^spc_/), language: "pt-br" },
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    stats: {
      runs: 0,
      totalWords: 0,
      totalPages: 0,
      totalDuration: 0,
      latestRunDuration: 0,
      latestPages: 0,
      latestWords: 0,
    },
    permissions: { view: true, edit: true },
    urls: { location: `${app.url}${path}/${body.id}` },
  });
  const item = `${path}/${body.id}`;
  expect((await asCreator.rest("GET", path)).body).toMatchObject({ items: [body] });
  expect((await asCreator.rest("GET", item)).body).toEqual(body);
  const ran = { totalSeconds: 3.6, latestSeconds: 0.2 };
  await app.database.prisma.translation.update({ where: { id: body.id }, data: ran });
  const inSeconds = { stats: { totalDuration: 4, latestRunDuration: 0 } };
  expect((await asCreator.rest("GET", item)).body).toMatchObject(inSeconds);
  const other = { instructions: fromMarkdown("Be brief.\n") };
  const updated = await asCreator.rest<Translation>("PUT", item, { body: other });
  expect(updated.body).toMatchObject({ id: body.id, instructions: { nodes: [expect.anything()] } });
  expect((await asCreator.rest("DELETE", item)).status).toBe(205);
  expect((await asCreator.rest("DELETE", item)).status).toBe(204);
  expect((await asCreator.rest("GET", item)).status).toBe(404);
  const kept = await asCreator.rest("GET", `/v1/spaces/${body.result.space}`);
  expect(kept.body).toMatchObject({ title: "A handbook with a title of fifty character (pt-br)" });
});

test("a translated space has the visibility of its source, and is searched in its language", async () => {
  const { admin, space: closed, organization: at } = await world.space({ space: { visibility: "private" } });
  const document = `mutation ($input: CreateTranslationInput!) { createTranslation(input: $input) { translation {
    language result { revision { id } space { visibility openToMembers searchLanguage } } } } }`;
  const input = { organizationId: at.id, language: "ES", source: { spaceId: closed.id, language: "DE" } };
  const granted = { organizationId: at.id, spaceId: closed.id, userId: admin.id, role: "admin" } as const;
  await world.insert((rows) => addGrant(rows, granted));
  const { createTranslation } = await app.as(admin.token).query<{ createTranslation: object }>(document, { input });
  expect(createTranslation).toMatchObject({
    translation: {
      language: "ES",
      result: { revision: null, space: { visibility: "PRIVATE", openToMembers: false, searchLanguage: "SPANISH" } },
    },
  });
});

test("an impossible translation is refused with the reason", async () => {
  const source = { space: space.id };
  const refused = async (body: object) => {
    const { status, body: answer } = await asCreator.rest<{ error: object }>("POST", path, { body });
    return { status, ...answer.error };
  };
  expect((await create({ language: "fr", source })).status).toBe(201);
  expect(await refused({ language: "fr", source })).toMatchObject({
    status: 409,
    message: "The space is already translated into this language.",
  });
  expect(await refused({ language: "en", source })).toMatchObject({
    status: 400,
    message: expect.stringContaining("must differ from the source language"),
  });
  expect(await refused({ language: "xx", source })).toMatchObject({ status: 400 });
  expect(await refused({ language: "de" })).toMatchObject({ status: 400 });
  const long = fromMarkdown("word ".repeat(2_001));
  expect(await refused({ language: "de", source, instructions: long })).toMatchObject({ status: 400 });
});

test("without an engine no translation is created, and the error names the setting", async () => {
  await using bare = await testApp({ beside: app, translator: undefined });
  const body = { language: "it", source: { space: space.id } };
  const { status, body: answer } = await bare.as(creator.token).rest("POST", path, { body });
  expect({ status, answer }).toMatchObject({
    status: 409,
    answer: { error: { message: expect.stringContaining("TRANSLATION_URL") } },
  });
});

test("users with a role on the source see a translation, and creators change it", async () => {
  const translation = await world.insert((rows) =>
    addTranslation(rows, { organizationId, sourceSpaceId: space.id, createdById: creator.id, language: "nl" }),
  );
  const ask = `{ node(id: "${translation.id}") { ... on Translation { permissions { view edit } } } }`;
  const seen = async ({ token }: { token: string }) => (await app.as(token).graphql<{ node: object }>(ask)).data?.node;
  expect(await seen(creator)).toEqual({ permissions: { view: true, edit: true } });
  expect(await seen(editor)).toEqual({ permissions: { view: true, edit: false } });
  for (const person of [outsider, made.guest]) expect(await seen(person)).toBeNull();
});

test("a translation emits events from its creation to its deletion", async () => {
  const stream = await listen(app, creator, `translationEvents(of: { spaceId: "${space.id}" })`);
  const { body } = await stream.delivers(create({ language: "sv", source: { space: space.id } }), {
    __typename: "TranslationCreated",
    facts: { language: "SV", spaceId: space.id, resultSpaceId: expect.stringMatching(/^spc_/) as string },
  });
  const named = { organizationId, translationId: body.id };
  const does = (name: string, input: object) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    return asCreator.query(`mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`, {
      input: { ...named, ...input },
    });
  };
  await stream.delivers(does("updateTranslation", { autoUpdate: false }), {
    __typename: "TranslationSettingsChanged",
    facts: { changes: [{ field: "autoUpdate", before: true, after: false }] },
  });
  await stream.delivers(does("updateTranslation", { autoUpdate: false })); // changes nothing
  await stream.delivers(does("runTranslation", {}), {
    __typename: "TranslationProgressed",
    facts: { status: "PENDING" },
  });
  await expect(does("deleteTranslation", { deleteResult: true })).rejects.toThrow(
    "Only admins of the space may delete it.",
  );
  const deletion = `mutation ($input: DeleteTranslationInput!) { deleteTranslation(input: $input) { deletedId } }`;
  await stream.delivers(asAdmin.query(deletion, { input: { ...named, deleteResult: true } }), {
    __typename: "TranslationDeleted",
    actor: { id: made.admin.id },
    facts: { translationId: body.id },
  });
  expect((await asCreator.rest("GET", `/v1/spaces/${body.result.space}`)).status).toBe(404);
  stream.raw.socket.terminate();
});
