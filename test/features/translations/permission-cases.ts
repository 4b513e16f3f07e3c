// Permission cases of translations with their flags.
import type { PermissionCase, Fixture } from "#test/support/access/fixture.ts";

const named = ({ organization, translation }: Fixture) => ({
  organizationId: organization.id,
  translationId: translation.id,
});

const onTranslation = { allowedBy: ["translation.edit"], seen: ["organization", "translation"] } as const;

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "createTranslation",
    input: ({ organization, topSpace }) => ({
      organizationId: organization.id,
      language: "FR",
      source: { spaceId: topSpace.id },
    }),
    allowedBy: ["organization.createContent", "topSpace.access"],
    seen: ["organization", "topSpace"],
  },
  {
    mutation: "createTranslation",
    how: "in a collection",
    input: ({ organization, space }) => ({
      organizationId: organization.id,
      language: "FR",
      source: { spaceId: space.id },
    }),
    allowedBy: ["organization.createContent", "space.access", "collection.create"],
    seen: ["organization", "space"],
  },
  {
    mutation: "updateTranslation",
    input: (fixture) => ({ ...named(fixture), instructionsMarkdown: "Be brief." }),
    ...onTranslation,
  },
  { mutation: "runTranslation", input: named, ...onTranslation },
  {
    mutation: "createGlossaryTerm",
    input: ({ organization }) => ({ organizationId: organization.id, term: "Barometer" }),
    allowedBy: ["organization.createContent"],
    seen: ["organization"],
  },
  {
    mutation: "updateGlossaryTerm",
    input: ({ term }) => ({ glossaryTermId: term.id, term: "Barometer" }),
    allowedBy: ["term.edit"],
    seen: ["term"],
  },
  {
    mutation: "deleteGlossaryTerm",
    input: ({ organization, term }) => ({ organizationId: organization.id, glossaryTermId: term.id }),
    allowedBy: ["organization.createContent"],
    seen: ["organization"],
    deletes: "term",
  },
  { mutation: "deleteTranslation", input: named, ...onTranslation, deletes: "translation" },
];

export const nodes = { Translation: "translations.test.ts", GlossaryTerm: "glossary.test.ts" };
