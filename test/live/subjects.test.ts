// Streams of several subjects, and of some kinds: they continue while any subject is left, and report invalid
// arguments.
import { expect, test, vi } from "vitest";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addPersonIn } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { done, listen } from "#test/live/kinds.ts";
import { settled } from "#test/live/outbox.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

async function makeScene() {
  const scene = await world.changeRequest();
  const { organization, space, editor, admin } = scene;
  const more = await world.insert((rows) => {
    const other = addSpace(rows, { organizationId: organization.id });
    const third = addSpace(rows, { organizationId: organization.id });
    return { other, third, request: addChangeRequest(rows, { space: other, createdById: editor.id }) };
  });
  const does = (name: string, input: Record<string, unknown>) => done(app, admin.token, name, input);
  return { ...scene, ...more, does, ids: [space.id, more.other.id] };
}

interface Refusal {
  readonly message: string;
  readonly extensions: { readonly code: string; readonly details?: readonly { readonly path: string }[] };
}

const quoted = (ids: readonly string[]) => JSON.stringify(ids);

test("a stream of several spaces survives the deletion of one and ends with the last one", async () => {
  const { admin, space, other, third, ids, does } = await makeScene();
  const stream = await listen(app, admin, `spaceEvents(of: { spaceIds: ${quoted([...ids, space.id])} })`);
  await does("updateSpace", { spaceId: third.id, title: "Elsewhere" });
  await stream.delivers(does("updateSpace", { spaceId: other.id, title: "Here" }), {
    __typename: "SpaceSettingsChanged",
    facts: { spaceId: other.id },
  });
  await stream.delivers(does("deleteSpace", { spaceId: other.id }), { __typename: "SpaceDeleted" });
  await stream.delivers(does("restoreSpace", { spaceId: other.id }), { __typename: "SpaceRestored" });
  await stream.delivers(does("deleteSpace", { spaceId: space.id }), { __typename: "SpaceDeleted" });
  // It continues with the other one; events after a deletion arrive once its rights were checked.
  await stream.delivers(does("updateSpace", { spaceId: other.id, title: "Left" }), {
    __typename: "SpaceSettingsChanged",
  });
  await stream.delivers(does("deleteSpace", { spaceId: other.id }), { __typename: "SpaceDeleted" });
  expect(await stream.raw.receive()).toMatchObject({ type: "error", payload: [{ extensions: { code: "NOT_FOUND" } }] });
});

test("a deletion during the rights check of a stream is delivered", async () => {
  const { admin, space, ids, other, does } = await makeScene();
  await using late = await testApp({ beside: app, pollMs: 20 }); // the mutations do not wait for the gate
  const field = (spaceIds: readonly string[]) => `spaceEvents(of: { spaceIds: ${quoted(spaceIds)} })`;
  const both = await listen(late, admin, field(ids));
  const second = await listen(late, admin, field([other.id]));
  const { database } = late;
  const [gate, looks] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const query = database.vital.query.bind(database.vital);
  using _ = vi.spyOn(database.vital, "query").mockImplementation(async (statement, options) => {
    if (statement.text.includes("with ordinality")) {
      looks.resolve();
      await gate.promise;
    }
    return query(statement, options);
  });
  await both.delivers(does("deleteSpace", { spaceId: space.id }), { __typename: "SpaceDeleted" });
  await looks.promise;
  await does("deleteSpace", { spaceId: other.id });
  gate.resolve();
  for (const stream of [both, second]) {
    await stream.delivers(Promise.resolve(), { __typename: "SpaceDeleted", facts: { spaceId: other.id } });
    expect(await stream.raw.receive()).toMatchObject({
      type: "error",
      payload: [{ extensions: { code: "NOT_FOUND" } }],
    });
  }
});

test("a stream that is catching up receives the deletion that ends it", async () => {
  const { admin, space, does } = await makeScene();
  const { eventCursor: after } = await app.as(admin.token).query<{ eventCursor: string }>("{ eventCursor }");
  await does("updateSpace", { spaceId: space.id, title: "Missed" });
  await settled(app.database.pool);
  await using late = await testApp({ beside: app, pollMs: 20 }); // has not seen that event, and reads it again
  const { database } = late;
  const isReplay = ({ text }: { text: string }) => text.includes('"o"."spaceId" = any');
  const gate = Promise.withResolvers<void>();
  const query = database.query.bind(database);
  const replays = vi.spyOn(database, "query").mockImplementation(async (statement, options) => {
    if (isReplay(statement)) await gate.promise;
    return query(statement, options);
  });
  const stream = await listen(late, admin, `spaceEvents(of: { spaceId: "${space.id}" })`, { after });
  await stream.delivers(does("deleteSpace", { spaceId: space.id }), { __typename: "SpaceDeleted" });
  expect(await stream.raw.receive()).toMatchObject({ type: "error", payload: [{ extensions: { code: "NOT_FOUND" } }] });
  expect(replays.mock.calls.some(([statement]) => isReplay(statement))).toBe(true);
  gate.resolve();
});

test("a stream of one or several change requests receives events of those only", async () => {
  const { editor, space, other, changeRequest, request, does } = await makeScene();
  const one = await listen(app, editor, `changeRequestEvents(of: { changeRequestId: "${changeRequest.id}" })`);
  const both = await listen(
    app,
    editor,
    `changeRequestEvents(of: { changeRequestIds: ${quoted([changeRequest.id, request.id])} })`,
  );
  const comments = await listen(
    app,
    editor,
    `commentEvents(of: { changeRequestIds: ${quoted([changeRequest.id, request.id])} })`,
  );
  await does("createChangeRequest", { spaceId: space.id });
  const actor = expect.anything() as object;
  const renames = (changeRequestId: string) => does("updateChangeRequest", { changeRequestId, subject: "Springs" });
  const received = (changeRequestId: string) => ({
    __typename: "ChangeRequestSubjectChanged",
    actor,
    facts: { changeRequestId },
  });
  await both.delivers(renames(request.id), received(request.id));
  await both.delivers(renames(changeRequest.id), received(changeRequest.id));
  await one.delivers(Promise.resolve(), received(changeRequest.id));
  const text = { markdown: "Hello" };
  await does("createComment", { contentOf: { spaceId: other.id }, text });
  await comments.delivers(does("createComment", { contentOf: { changeRequestId: request.id }, text }), {
    __typename: "CommentPosted",
    actor,
    facts: { changeRequestId: request.id },
  });
  await both.end(2);
  await one.end(1);
  await comments.end(1);
});

test("a stream filtered by kinds receives only those, live and after a cursor", async () => {
  const { admin, space, other, ids, does } = await makeScene();
  const moves = await listen(app, admin, `spaceEvents(of: { spaceIds: ${quoted(ids)} }, kinds: [SPACE_MOVED])`);
  const all = await listen(app, admin, `spaceEvents(of: { spaceIds: ${quoted(ids)} })`);
  await all.delivers(does("updateSpace", { spaceId: other.id, title: "Here" }), { __typename: "SpaceSettingsChanged" });
  await all.delivers(does("moveSpace", { spaceId: space.id, parentId: null }), { __typename: "SpaceMoved" });
  await moves.delivers(Promise.resolve(), { __typename: "SpaceMoved" });
  expect(await all.end(2)).toEqual(["SpaceMoved", "SpaceSettingsChanged"]);
  expect(await moves.end(1)).toEqual(["SpaceMoved"]);
});

test("rights to an event are checked once for all subscribers with the same rights", async () => {
  const { organization, space, does } = await makeScene();
  const organizationId = organization.id;
  const members = await world.insert((rows) => times(3, () => addPersonIn(rows, { organizationId, role: "read" })));
  const field = `organizationEvents(of: { organizationId: "${organizationId}" })`;
  const streams = await Promise.all(members.map((member) => listen(app, member, field)));
  const spy = vi.spyOn(app.database, "query");
  const actor = expect.anything() as object;
  const received = { __typename: "SpaceSettingsChanged", actor };
  const renamed = does("updateSpace", { spaceId: space.id, title: "Together" });
  for (const stream of streams) await stream.delivers(renamed, received);
  const lookUps = spy.mock.calls.filter(([{ text }]) => text.includes('from "OutboxEvent" t where t.id = any'));
  spy.mockRestore();
  expect(lookUps).toHaveLength(1);
  for (const stream of streams) await stream.end(1);
});

test("refuses invalid subjects with the path of the error", async () => {
  const { admin, reader, ids, organization, elsewhere, space } = await makeScene();
  const refusal = async (token: string, field: string) => {
    const raw = await openKnown(app.url, token);
    raw.send({ id: "1", type: "subscribe", payload: { query: `subscription { ${field} { __typename } }` } });
    const { payload } = await raw.receive();
    raw.socket.terminate();
    // Schema violations are refused before the stream begins, with an `error` message.
    const [error] = Array.isArray(payload)
      ? (payload as Refusal[])
      : ((payload as { errors?: Refusal[] }).errors ?? []);
    return [error?.extensions.code, error?.extensions.details?.[0]?.path, error?.message];
  };
  const message = expect.any(String) as string;
  const refused = (field: string) => refusal(admin.token, field);
  expect(await refused("spaceEvents(of: { spaceIds: [] })")).toEqual([
    "INVALID_INPUT",
    "of/spaceIds",
    "of/spaceIds: must have 1 to 100 entries, and has 0.",
  ]);
  const many = times(101, (index) => `spc_${index}`);
  expect(await refused(`spaceEvents(of: { spaceIds: ${quoted(many)} })`)).toEqual([
    "INVALID_INPUT",
    "of/spaceIds",
    message,
  ]);
  for (const both of [`{ spaceId: "${space.id}", spaceIds: ${quoted(ids)} }`, "{}"])
    expect(await refused(`spaceEvents(of: ${both})`)).toEqual([
      "GRAPHQL_VALIDATION_FAILED",
      undefined,
      expect.stringMatching(/spaceEventsSubject.*exactly one/i) as string,
    ]);
  expect((await refused("commentEvents"))[0]).toBe("GRAPHQL_VALIDATION_FAILED");
  expect(await refused(`spaceEvents(of: { spaceId: "${space.id}" }, kinds: [SPACE_MOVED, COMMENT_POSTED])`)).toEqual([
    "INVALID_INPUT",
    "kinds/1",
    expect.stringContaining("CommentPosted is not sent by this subscription") as string,
  ]);
  expect(await refused(`spaceEvents(of: { spaceIds: ${quoted([...ids, "spc_none"])} })`)).toContain("NOT_FOUND");
  expect(
    await refused(`organizationEvents(of: { organizationIds: ${quoted([organization.id, elsewhere.id])} })`),
  ).toContain("NOT_FOUND");
  expect(await refusal(reader.token, `organizationEvents(of: { organizationId: "${elsewhere.id}" })`)).toContain(
    "NOT_FOUND",
  );
});
