// A page in other languages: linked from each of them, marked when its source is newer, and at a fixed cost. At the
// small size of a few pages.
import { expect, test } from "vitest";
import { newPage } from "#test/features/content/edits.ts";
import { testEngine } from "#test/features/translations/engine.ts";
import { openDesk, runTranslations } from "#test/features/translations/running.ts";
import { useApp } from "#test/support/app.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const inOthers = "pageId title outdated translations { language outdated page { pageId title } translation { id } }";

test("a page lists its translations in other languages, and which of them are behind the source", async () => {
  const { organization, space, admin, guest } = await world.space();
  const [{ translator }, organizationId] = [testEngine(), organization.id];
  const desk = await openDesk(app, { organizationId, spaceId: space.id, person: admin });
  const create = `mutation ($input: CreateTranslationInput!) { createTranslation(input: $input) { translation { id result { spaceId } } } }`;
  const { createTranslation } = await desk.as.query<{
    createTranslation: { translation: { id: string; result: { spaceId: string } } };
  }>(create, { input: { organizationId, language: "FR", source: { spaceId: space.id } } });
  const french = createTranslation.translation;
  const [first, second] = [newPage("First"), newPage("Second")];
  await desk.edit(first.edit, second.edit);
  await runTranslations(app, translator);

  const pagesOf = async (id: string, token = admin.token) => {
    const query = `query ($id: ID!) { space(id: $id) { content { pages { ${inOthers} } } } }`;
    const { space: read } = await app
      .as(token)
      .query<{ space: { content: { pages: { pageId: string }[] } } }>(query, { id });
    return read.content.pages;
  };
  const [spanishFirst] = await pagesOf(desk.targetId);
  const [frenchFirst] = await pagesOf(french.result.spaceId);
  const english = {
    language: "EN",
    outdated: false,
    page: { pageId: first.pageId, title: "First" },
    translation: null,
  };
  const made = (language: string, pageId: string | undefined, id: string, outdated = false) => ({
    language,
    outdated,
    page: { pageId, title: "FIRST" },
    translation: { id },
  });
  const spanish = (outdated = false) => made("ES", spanishFirst?.pageId, desk.id, outdated);
  const inFrench = (outdated = false) => made("FR", frenchFirst?.pageId, french.id, outdated);
  expect((await pagesOf(space.id))[0]).toMatchObject({ outdated: false, translations: [spanish(), inFrench()] });
  expect(spanishFirst).toMatchObject({ title: "FIRST", outdated: false, translations: [english, inFrench()] });
  expect(frenchFirst).toMatchObject({ outdated: false, translations: [english, spanish()] });

  await desk.edit({ updatePage: { pageId: first.pageId, markdown: "More." } });
  expect((await pagesOf(space.id))[0]).toMatchObject({
    outdated: false,
    translations: [spanish(true), inFrench(true)],
  });
  expect(await pagesOf(desk.targetId)).toMatchObject([
    { outdated: true, translations: [english, inFrench(true)] },
    { title: "SECOND", outdated: false },
  ]);
  await runTranslations(app, translator);
  expect((await pagesOf(space.id))[0]).toMatchObject({ translations: [spanish(), inFrench()] });

  // Users who see only one of the spaces see no other translations.
  const grant = `mutation ($input: SetGrantInput!) { setGrant(input: $input) { __typename } }`;
  await desk.as.query(grant, {
    input: { target: { spaceId: desk.targetId }, holder: { userId: guest.id }, role: "READ" },
  });
  expect(await pagesOf(desk.targetId, guest.token)).toMatchObject([{ translations: [] }, { translations: [] }]);
});

test("translations of pages take the same statements for any number of pages", async () => {
  const { organization, space, admin } = await world.space();
  const desk = await openDesk(app, { organizationId: organization.id, spaceId: space.id, person: admin });
  await desk.edit(...times(sized(6, 30), (index) => newPage(`Page ${index}`).edit));
  await runTranslations(app, testEngine().translator);
  const all = `{ space(id: "${desk.targetId}") { content { allPages { ${inOthers} } } } }`;
  const one = `{ space(id: "${desk.targetId}") { content { page(by: { path: "page-1" }) { ${inOthers} } } } }`;
  await desk.as.query(all); // which caches the trees
  expect(await desk.as.statements(all)).toBe(await desk.as.statements(one));
});
