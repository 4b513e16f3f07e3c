// Sessions by their functions: stored values, how they end, and audit entries.
import { expect, test } from "vitest";
import { endedCookie, endSessions, makeSessionToken, sessionCookie, sessionSecretIn } from "#src/access/sessions.ts";
import { noOrigin } from "#src/events/audit.ts";
import { useApp } from "#test/support/app.ts";
import { addMember } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { signIn } from "#test/features/sessions/factory.ts";

const { app, world } = await useApp();
const { prisma } = app.database;

test("a session is stored as a hash, and emits its event and an audit entry", async () => {
  const { reader, organization } = await world.organization();
  const { id: elsewhere } = await world.insert((rows) => {
    const other = addOrganization(rows);
    addMember(rows, { organizationId: other.id, userId: reader.id, role: "read" });
    return other;
  });
  const origin = { address: "192.0.2.7", agent: "Example 1" };
  const { id, secret } = await signIn(app, { userId: reader.id, origin });
  const { rows } = await app.database.pool.query(`select s::text as text from "Session" s where id = $1`, [id]);
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect((await app.eventsOf(id)).map(({ type, actorId }) => [type, actorId])).toEqual([["session.opened", reader.id]]);
  const entriesOf = (subjectId: string) =>
    prisma.auditEntry.findMany({
      where: { subjectId },
      omit: { id: true, createdAt: true },
      orderBy: { organizationId: "asc" },
    });
  const entry = { type: "session.opened", actorId: reader.id };
  // Not by a provider of theirs: each organization sees that it happened, without address or method.
  const unknown = { address: null, agent: null, payload: {} };
  expect(await entriesOf(id)).toEqual(
    [organization.id, elsewhere]
      .toSorted()
      .map((organizationId) => ({ ...entry, subjectId: id, organizationId, ...unknown })),
  );
  const provider = { way: "saml", organizationId: organization.id, providerId: "sml_1" } as const;
  const { id: bySaml } = await signIn(app, { userId: reader.id, origin, ...provider });
  const payload = { way: "saml", providerId: "sml_1" };
  expect(await entriesOf(bySaml)).toEqual([
    { ...entry, subjectId: bySaml, organizationId: organization.id, ...origin, payload },
  ]);
});

test("ending matching sessions emits an event for each, and revokes their tokens", async () => {
  const { reader, editor } = await world.organization();
  const provider = { way: "saml", providerId: "sml_1", nameId: "r" } as const;
  const first = await signIn(app, { userId: reader.id, ...provider, sessionIndex: "1" });
  const second = await signIn(app, { userId: reader.id, ...provider, sessionIndex: "2" });
  const other = await signIn(app, { userId: editor.id, ...provider, nameId: "e" });
  const { token } = await makeSessionToken(prisma, first.id, new Date());
  expect((await app.as(token).graphql("{ viewer { id } }")).data).toEqual({ viewer: { id: reader.id } });
  const by = { actorId: null, origin: noOrigin };
  const end = (where: Parameters<typeof endSessions>[1]) => prisma.$transaction((t) => endSessions(t, where, { by }));
  expect(await end({ providerId: "sml_1", nameId: "r", sessionIndex: "1" })).toBe(1);
  expect(await end({ providerId: "sml_1", nameId: "r" })).toBe(1);
  expect((await app.eventsOf(second.id)).map(({ type }) => type)).toEqual(["session.opened", "session.ended"]);
  expect((await app.eventsOf(other.id)).map(({ type }) => type)).toEqual(["session.opened"]);
  expect((await app.as(token).graphql("{ viewer { id } }")).status).toBe(401);
  await expect(end({})).rejects.toThrow("Ending sessions needs at least one condition");
});

test("the session cookie is bound to the host if docgraph is served over https", () => {
  const secret = `dgs_${"a".repeat(40)}`;
  const secure = sessionCookie(secret, "https://docs.example.com");
  expect(secure).toBe(`__Host-docgraph-session=${secret}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure`);
  expect(sessionSecretIn(`other=1; ${secure}`, "https://docs.example.com")).toBe(secret);
  expect(sessionSecretIn(`docgraph-session=${secret}`, "https://docs.example.com")).toBeNull();
  expect(sessionSecretIn(sessionCookie(secret, "http://localhost:4000"), "http://localhost:4000")).toBe(secret);
  expect(sessionSecretIn("docgraph-session=dgs_short", "http://localhost:4000")).toBeNull();
  expect(endedCookie("http://localhost:4000")).toBe("docgraph-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
});

test("the audit log is append-only; entries older than a year can be deleted", async () => {
  const { reader } = await world.organization();
  const { id } = await signIn(app, { userId: reader.id });
  const entries = prisma.auditEntry;
  await expect(entries.updateMany({ where: { subjectId: id }, data: { actorId: null } })).rejects.toThrow(
    "only added to",
  );
  await expect(entries.deleteMany({ where: { subjectId: id } })).rejects.toThrow("only added to");
  await expect(app.database.pool.query(`truncate "AuditEntry"`)).rejects.toThrow("only added to");
  expect(await entries.count({ where: { subjectId: id } })).toBe(1);
  const old = new Date(Date.now() - 366 * 24 * 3_600_000);
  await entries.create({ data: { id: "aud_old", type: "test.old", createdAt: old } });
  expect(await entries.deleteMany({ where: { id: "aud_old" } })).toEqual({ count: 1 });
});
