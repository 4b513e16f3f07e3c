// The /v1 operations that change members: bodies, statuses and responses; their effects are tested in GraphQL.
import { expect, it } from "vitest";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

const call = async (person: Person, method: string, path: string, body?: unknown) =>
  app.as(person.token).rest(method, path, body === undefined ? {} : { body });

it("PATCH of a member in /v1 returns 200 with the member; null makes a guest, an empty body changes nothing", async () => {
  const { organization, admin, editor } = await world.organization();
  const members = `/v1/orgs/${organization.id}/members`;
  const path = `${members}/${editor.id}`;
  for (const [body, role] of [
    [{ role: "review" }, "review"],
    [{}, "review"],
    [{ role: null }, null],
    [{}, null],
  ] as const) {
    const answer = await call(admin, "PATCH", path, body);
    expect([answer.status, answer.body]).toMatchObject([200, { object: "member", id: editor.id, role }]);
  }
  expect(await app.eventsOf(editor.memberId)).toHaveLength(2);
  for (const body of [{ role: "guest" }, { role: "OWNER" }, { role: 1 }, { sso: true }])
    expect((await call(admin, "PATCH", path, body)).status).toBe(400);
  expect((await call(admin, "PATCH", `${members}/${admin.id}`, { role: "read" })).status).toBe(409);
});

it("DELETE of a member in /v1 returns 205, and 204 for a user who is not a member", async () => {
  const { organization, admin, editor, reader, outsider } = await world.organization();
  const members = `/v1/orgs/${organization.id}/members`;
  const path = `${members}/${editor.id}`;
  const gone = await call(admin, "DELETE", path);
  expect([gone.status, gone.body]).toEqual([205, undefined]);
  for (const { id } of [editor, outsider]) {
    const answer = await call(admin, "DELETE", `${members}/${id}`);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
  }
  expect((await call(reader, "DELETE", `${members}/${reader.id}`)).status).toBe(205);
  expect((await call(admin, "DELETE", `${members}/${admin.id}`)).status).toBe(409);
});

it("PUT of a member's SSO in /v1 returns 200 with the member", async () => {
  const { organization, admin, editor } = await world.organization();
  const path = `/v1/orgs/${organization.id}/members/${editor.id}/sso`;
  const answer = await call(admin, "POST", path);
  expect([answer.status, answer.body]).toMatchObject([200, { object: "member", id: editor.id, sso: true }]);
});
