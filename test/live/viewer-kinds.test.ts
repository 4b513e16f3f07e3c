// Every kind of event of the viewer's account: each is delivered once and only to the viewer, and a replay is equal.
import { expect, test } from "vitest";
import { addPerson } from "#test/features/members/factory.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { done, kindsOf, listen } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("events of a profile and its tokens are sent only to their owner", async () => {
  const { viewer, other } = await world.insert((rows) => ({
    viewer: addPerson(rows, { displayName: "Ann" }),
    other: addPerson(rows),
  }));
  const stream = await listen(app, viewer, "viewerEvents()", {
    selection: "... on ApiTokenCreated { apiToken { name } } ... on ViewerProfileChanged { viewer { displayName } }",
  });
  const others = await listen(app, other, "viewerEvents()");
  const { token, id } = viewer;
  await stream.delivers(done(app, token, "updateViewer", { displayName: "Ann Lee" }), {
    __typename: "ViewerProfileChanged",
    facts: { organizationId: null, changes: [{ field: "displayName", before: "Ann", after: "Ann Lee" }] },
    viewer: { displayName: "Ann Lee" },
    actor: { id },
  });
  await stream.delivers(done(app, token, "updateViewer", { displayName: "Ann Lee" })); // changes nothing
  const made = await stream.delivers(
    done<{ apiToken: { id: string } }>(app, token, "createApiToken", { name: "CI", answer: "apiToken { id }" }),
    { __typename: "ApiTokenCreated", apiToken: { name: "CI" } },
  );
  await stream.delivers(done(app, token, "rotateApiToken", { apiTokenId: made.apiToken.id }), {
    __typename: "ApiTokenRotated",
    facts: { apiTokenId: made.apiToken.id },
  });
  await stream.delivers(done(app, token, "revokeApiToken", { apiTokenId: made.apiToken.id }), {
    __typename: "ApiTokenRevoked",
    facts: { apiTokenId: made.apiToken.id },
  });
  const sessionId = { current: "" };
  await stream.delivers(
    signIn(app, { userId: id }).then((opened) => (sessionId.current = opened.id)),
    { __typename: "SessionOpened" },
  );
  await stream.delivers(done(app, token, "revokeSession", { sessionId: sessionId.current }), {
    __typename: "SessionEnded",
    facts: { sessionId: sessionId.current },
  });
  await others.delivers(done(app, other.token, "createApiToken", { name: "Own" }), {
    __typename: "ApiTokenCreated",
  });
  await others.end(1);
  expect(await stream.end(6)).toEqual(kindsOf("viewerEvents"));
});
