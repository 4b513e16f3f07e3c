// Automatic translation runs: on creation, and some time after a change of the source.
import { expect, test } from "vitest";
import { newPage } from "#test/features/content/edits.ts";
import { testEngine } from "#test/features/translations/engine.ts";
import { openDesk } from "#test/features/translations/running.ts";
import { listen } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";

const { translator, sent } = testEngine();
// Has its own database: the job runs everything that is due in the whole database.
const { app, world } = await useApp({ own: true, pollMs: 20, translator, translationMs: 50 });

test("a translation runs when it is created, and after edits of its source", async () => {
  const { organization, space, admin } = await world.space();
  const stream = await listen(app, admin, `translationEvents(of: { spaceId: "${space.id}" })`);
  const opening = openDesk(app, { organizationId: organization.id, spaceId: space.id, person: admin });
  const actor = null;
  const desk = await stream.delivers(
    opening,
    { __typename: "TranslationCreated" },
    { __typename: "TranslationProgressed", actor, facts: { status: "RUNNING" } },
    { __typename: "TranslationCompleted", actor, facts: { words: 0, pages: 0 } },
  );
  await stream.delivers(
    desk.edit(newPage("Harbour").edit),
    { __typename: "TranslationProgressed", actor, facts: { status: "RUNNING" } },
    { __typename: "TranslationProgressed", actor, facts: { donePages: 0, pages: 1 } },
    { __typename: "TranslationCompleted", actor, facts: { words: 1, pages: 1 } },
  );
  stream.raw.socket.terminate();
  expect(sent).toEqual(["Harbour"]);
  expect((await desk.pages()).map(({ title }) => title)).toEqual(["HARBOUR"]);
});
