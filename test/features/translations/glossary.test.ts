// The glossary of an organization: terms with fixed translations, and permissions.
import { expect, test } from "vitest";
import { newPage } from "#test/features/content/edits.ts";
import { testEngine } from "#test/features/translations/engine.ts";
import { openDesk, runTranslations } from "#test/features/translations/running.ts";
import { type Client, useApp } from "#test/support/app.ts";

// Has its own database: each run translates everything that is due in the whole database.
const { app, world } = await useApp({ own: true });

/** Runs wait ten seconds for more changes. */
const later = { now: () => new Date(Date.now() + 20_000) };

interface Term {
  readonly id: string;
  readonly term: string;
  readonly translations: readonly { readonly language: string; readonly text: string }[];
}

const shown = "id term translations { language text }";

/** Runs a mutation on terms; returns the term, or the errors. */
async function runMutation(as: Client, name: string, input: object): Promise<Term> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const answer = name.startsWith("delete") ? "deletedId" : `glossaryTerm { ${shown} }`;
  const done = await as.query<Record<string, { glossaryTerm: Term }>>(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${answer} } }`,
    { input },
  );
  return done[name]?.glossaryTerm as Term; // undefined after a deletion
}

async function refusal(as: Client, name: string, input: object) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { errors } = await as.graphql(`mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`, {
    input,
  });
  return errors?.[0]?.extensions;
}

test("glossary terms are kept or translated in their case, and a change of one sends only segments with it", async () => {
  const { organization, space, admin } = await world.space();
  const { translator, sent } = testEngine();
  const organizationId = organization.id;
  const desk = await openDesk(app, { organizationId, spaceId: space.id, person: admin });
  const run = async () => {
    const before = sent.length;
    await runTranslations(app, translator, later);
    return sent.slice(before);
  };
  const text = "A barometer hangs here.\n\nBAROMETER and Barometer.\n\nNothing else.\n";
  await desk.edit(newPage("Start", { markdown: text }).edit);
  await run();
  const kept = await runMutation(desk.as, "createGlossaryTerm", { organizationId, term: "  Barometer " });
  expect(kept).toEqual({ id: expect.stringMatching(/^gls_/) as string, term: "Barometer", translations: [] });
  expect(await run()).toEqual(['A <x id="1"/> hangs here.', '<x id="1"/> and <x id="2"/>.']);
  expect((await desk.pages())[0]?.markdown).toBe(
    "A barometer HANGS HERE.\n\nBAROMETER AND Barometer.\n\nNOTHING ELSE.\n",
  );

  const translations = [{ language: "ES", text: "barómetro" }];
  const { id: glossaryTermId } = kept;
  expect(await runMutation(desk.as, "updateGlossaryTerm", { glossaryTermId, translations })).toMatchObject({
    translations,
  });
  expect(await run()).toHaveLength(2);
  expect((await desk.pages())[0]?.markdown).toBe(
    "A barómetro HANGS HERE.\n\nBARÓMETRO AND Barómetro.\n\nNOTHING ELSE.\n",
  );
  await runMutation(desk.as, "updateGlossaryTerm", { glossaryTermId, translations }); // which changes nothing
  expect([await run(), (await desk.see()).stats.runs]).toEqual([[], 3]);

  await runMutation(desk.as, "deleteGlossaryTerm", { organizationId, glossaryTermId });
  expect(await run()).toEqual([]); // as at first, which the translation memory has
  expect((await desk.pages())[0]?.markdown).toBe(text.toUpperCase());
});

test("a glossary term that changes during a run causes another run", async () => {
  const { organization, space, admin } = await world.space();
  const organizationId = organization.id;
  const desk = await openDesk(app, { organizationId, spaceId: space.id, person: admin });
  await desk.edit(newPage("Start").edit);
  const { translator } = testEngine();
  const { engine } = translator;
  let isFirst = true;
  const slow: typeof engine = {
    ...engine,
    async translate(texts, request) {
      if (isFirst) await runMutation(desk.as, "createGlossaryTerm", { organizationId, term: "start" });
      isFirst = false;
      return engine.translate(texts, request);
    },
  };
  await runTranslations(app, { ...translator, engine: slow });
  expect((await desk.pages()).map(({ title }) => title)).toEqual(["START"]);
  await runTranslations(app, translator, later);
  expect((await desk.pages()).map(({ title }) => title)).toEqual(["Start"]);
});

test("members read the glossary and creators change it; each term is unique", async () => {
  const { organization, admin, creator, reader, guest } = await world.organization();
  const organizationId = organization.id;
  const as = app.as(creator.token);
  await runMutation(as, "createGlossaryTerm", { organizationId, term: "Pressure gauge" });
  const glossary = `query ($id: ID!) { organization(id: $id) { glossary { totalCount nodes { term permissions { edit } organization { id } } } } }`;
  const seenBy = async ({ token }: { token: string }) =>
    (await app.as(token).graphql(glossary, { id: organizationId })).data;
  const list = (edit: boolean) => ({
    organization: {
      glossary: {
        totalCount: 1,
        nodes: [{ term: "Pressure gauge", permissions: { edit }, organization: { id: organizationId } }],
      },
    },
  });
  expect([await seenBy(admin), await seenBy(reader)]).toEqual([list(true), list(false)]);
  expect(await seenBy(guest)).toEqual({ organization: { glossary: { totalCount: 0, nodes: [] } } });

  const other = await runMutation(as, "createGlossaryTerm", { organizationId, term: "Tide" });
  const same = { code: "CONFLICT", details: [{ path: "term" }] };
  expect(await refusal(as, "createGlossaryTerm", { organizationId, term: "pressure  GAUGE" })).toMatchObject(same);
  expect(await refusal(as, "updateGlossaryTerm", { glossaryTermId: other.id, term: "PRESSURE GAUGE" })).toMatchObject(
    same,
  );
  const bad = (input: object) => refusal(as, "createGlossaryTerm", { organizationId, term: "New", ...input });
  const at = (path: string) => ({ code: "INVALID_INPUT", details: [{ path }] });
  expect(await bad({ term: " " })).toMatchObject(at("term"));
  expect(await bad({ term: "a".repeat(101) })).toMatchObject(at("term"));
  expect(await bad({ translations: [{ language: "ES", text: "" }] })).toMatchObject(at("translations/0/text"));
  const twice = [
    { language: "ES", text: "a" },
    { language: "ES", text: "b" },
  ];
  expect(await bad({ translations: twice })).toMatchObject(at("translations/1/language"));
  const terms = Array.from({ length: 998 }, (_, index) => ({
    id: `gls_full${index}`,
    organizationId,
    term: `${index}`,
  }));
  await app.database.prisma.glossaryTerm.createMany({ data: terms });
  expect(await bad({})).toEqual({ code: "CONFLICT" });
});
