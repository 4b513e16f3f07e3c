// Operations over graphql-transport-ws: results, errors, ids and concurrency.
import { beforeAll, describe, expect, test } from "vitest";
import { ask, listen, posted, ready, subscribe } from "#test/live/messages.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
});

const post = (text: string) =>
  app.as(token).rest("POST", `/v1/spaces/${spaceId}/comments`, { body: { body: { markdown: text } } });

describe("WebSocket operations", () => {
  test("a query is answered by next and complete", async () => {
    const { send, receive, socket } = await openKnown(app.url, token);
    send(ask("q", "{ viewer { __typename } }"));
    expect(await receive()).toEqual({ id: "q", type: "next", payload: { data: { viewer: { __typename: "User" } } } });
    expect(await receive()).toEqual({ id: "q", type: "complete" });
    socket.terminate();
  });

  test("an authenticated client may send a message of nearly 100 KB", async () => {
    const { send, receive, socket } = await openKnown(app.url, token);
    send(ask("q", `{ viewer { __typename } } #${"x".repeat(99_000)}`));
    expect(await receive()).toMatchObject({ id: "q", type: "next" });
    socket.terminate();
  });

  test.each([
    ["a syntax error", "{", "GRAPHQL_PARSE_FAILED"],
    ["an unknown field", "{ nothing }", "GRAPHQL_VALIDATION_FAILED"],
    [
      "two root fields",
      `subscription { a: commentEvents(of: { spaceId: "x" }) { __typename } b: commentEvents(of: { spaceId: "x" }) { __typename } }`,
      "GRAPHQL_VALIDATION_FAILED",
    ],
  ])("%s gets an error message, and the socket stays open", async (_name, query, code) => {
    const { send, receive, socket } = await openKnown(app.url, token);
    send(ask("1", query));
    expect(await receive()).toMatchObject({ id: "1", type: "error", payload: [{ extensions: { code } }] });
    send({ type: "ping" });
    expect(await receive()).toEqual({ type: "pong" });
    socket.terminate();
  });

  test.each([
    ["nothing to listen to", {}, "INVALID_INPUT"],
    ["a space that is not there", { space: "spc_01h000000000000000000000000" }, "NOT_FOUND"],
    ["an invalid cursor", { space: "own", after: "x" }, "INVALID_INPUT"],
    ["a variable of another type", { space: ["x", "y"] }, "INVALID_INPUT"],
  ])("a refused subscription gets its error as a result: %s", async (_name, variables, code) => {
    const { send, receive, socket } = await openKnown(app.url, token);
    const given = "space" in variables && variables.space === "own" ? { ...variables, space: spaceId } : variables;
    send(ask("1", listen, { variables: given }));
    expect(await receive()).toMatchObject({ id: "1", type: "next", payload: { errors: [{ extensions: { code } }] } });
    expect(await receive()).toEqual({ id: "1", type: "complete" });
    socket.terminate();
  });

  test("concurrent operations are distinguished by their ids, which may be any text", async () => {
    const { send, receive, socket } = await openKnown(app.url, token);
    const ids = ["a", `"}{\\ 😀`];
    for (const id of ids) {
      send(subscribe(id, spaceId));
      expect(await receive()).toMatchObject(ready(id));
    }
    await post("for both");
    const received = [await receive(), await receive()].toSorted(
      (one, other) => ids.indexOf(one.id ?? "") - ids.indexOf(other.id ?? ""),
    );
    expect(received).toMatchObject(ids.map((id) => posted(id, "for both")));
    socket.terminate();
  });

  test("an id in use closes the socket with 4409 and is free again after complete", async () => {
    const { send, receive, closed } = await openKnown(app.url, token);
    send(subscribe("1", spaceId));
    expect(await receive()).toMatchObject(ready("1"));
    send({ id: "1", type: "complete" });
    send(subscribe("1", spaceId));
    expect(await receive()).toMatchObject(ready("1"));
    send(subscribe("1", spaceId));
    expect(await closed).toEqual({ code: 4409, reason: "Subscriber for 1 already exists" });
  });

  test("the same id twice at the same time closes the socket with 4409", async () => {
    const { send, closed } = await openKnown(app.url, token);
    send(subscribe("1", spaceId));
    send(subscribe("1", spaceId));
    expect(await closed).toMatchObject({ code: 4409 });
  });

  test("complete stops the messages of its operation only", async () => {
    const { send, receive, socket } = await openKnown(app.url, token);
    for (const id of ["1", "2"]) {
      send(subscribe(id, spaceId));
      expect(await receive()).toMatchObject(ready(id));
    }
    send({ id: "1", type: "complete" });
    send({ type: "ping" });
    expect(await receive()).toEqual({ type: "pong" });
    await post("for the second");
    expect(await receive()).toMatchObject(posted("2", "for the second"));
    send({ type: "ping" });
    expect(await receive()).toEqual({ type: "pong" });
    socket.terminate();
  });

  test("complete right after subscribe or for an unknown id is ignored", async () => {
    const { send, receive, socket } = await openKnown(app.url, token);
    send(subscribe("1", spaceId));
    send({ id: "1", type: "complete" });
    send({ id: "unknown", type: "complete" });
    send(ask("2", "{ viewer { __typename } }"));
    for (;;) {
      const message = await receive();
      if (message.id === "2") break;
    }
    socket.terminate();
  });

  test("the 101st subscription is refused until another one ends", async () => {
    const { send, receive, socket } = await openKnown(app.url, token);
    for (let id = 1; id <= 100; id++) {
      send(subscribe(`${id}`, spaceId));
      expect(await receive()).toMatchObject(ready(`${id}`));
    }
    send(subscribe("101", spaceId));
    expect(await receive()).toMatchObject({
      id: "101",
      type: "error",
      payload: [{ extensions: { code: "RATE_LIMITED" } }],
    });
    send({ id: "7", type: "complete" });
    send(subscribe("101", spaceId));
    expect(await receive()).toMatchObject(ready("101"));
    socket.terminate();
  });
});
