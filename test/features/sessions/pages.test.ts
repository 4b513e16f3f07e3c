// The page of the sessions of a user over HTTP.
import { expect, test } from "vitest";
import { signIn } from "#test/features/sessions/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();
const path = "/app/me/sessions";

test("lists the sessions of the user alone, and ends one of them", async () => {
  const { reader, editor } = await world.organization();
  const origin = { address: "192.0.2.7", agent: "Example <1>" };
  const other = await signIn(app, { userId: reader.id, origin });
  const foreign = await signIn(app, { userId: editor.id });
  const me = await readerOf(app, reader);
  const { body } = await me.read(path);
  expect(textOf(body)).toContain("192.0.2.7 · by a link sent by e-mail");
  expect(body).toContain("Example &#60;1&#62;");
  expect(body.match(/This browser/g)).toHaveLength(1);
  expect(body).not.toContain(foreign.id);
  const ended = await me.send(path, "end", { sessionId: other.id });
  expect([ended.status, ended.to]).toEqual([303, path]);
  expect((await me.read(path)).body).not.toContain(other.id);
  expect((await me.send(path, "end", { sessionId: foreign.id })).status).toBe(404);
});

test("signs out from every page of the account", async () => {
  const { reader } = await world.organization();
  const me = await readerOf(app, reader);
  expect((await me.read(path)).body).toContain(`action="/auth/sign-out"`);
  const out = await me.send("/auth/sign-out", "");
  expect([out.status, out.to]).toEqual([303, "/sign-in"]);
  expect((await me.read(path)).status).toBe(401);
});
