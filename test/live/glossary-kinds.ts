// The kinds of organization events about the glossary, each with the mutation that causes it.
import { done, listen } from "#test/live/kinds.ts";
import type { TestApp } from "#test/support/app.ts";
import type { World } from "#test/support/world.ts";

/** Adds, changes and deletes a term; returns the kinds of the events. */
export async function hearGlossary(app: TestApp, world: World): Promise<string[]> {
  const { organization, admin } = await world.organization();
  const organizationId = organization.id;
  const stream = await listen(app, admin, `organizationEvents(of: { organizationId: "${organizationId}" })`);
  const does = <Answer>(name: string, input: object) => done<Answer>(app, admin.token, name, { ...input });
  const made = await stream.delivers(
    does<{ glossaryTerm: { id: string } }>("createGlossaryTerm", {
      organizationId,
      term: "Tide",
      answer: "glossaryTerm { id }",
    }),
    { __typename: "GlossaryTermCreated", facts: { term: "Tide" } },
  );
  const glossaryTermId = made.glossaryTerm.id;
  const translations = [
    { language: "PT_BR", text: "maré" },
    { language: "DE", text: "Tide" },
  ];
  const change = { field: "translations", before: "", after: "de: Tide; pt-br: maré" };
  await stream.delivers(does("updateGlossaryTerm", { glossaryTermId, translations }), {
    __typename: "GlossaryTermChanged",
    facts: { glossaryTermId, term: "Tide", changes: [change] },
  });
  await stream.delivers(does("deleteGlossaryTerm", { organizationId, glossaryTermId }), {
    __typename: "GlossaryTermDeleted",
    facts: { glossaryTermId, term: "Tide" },
  });
  return stream.end(3);
}
