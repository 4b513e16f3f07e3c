// The audit log: security-related changes of an organization with their author and IP address, for its admins only.
import { expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { auditJobs } from "#src/features/audit/jobs.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

interface Log {
  organization: {
    auditLog: {
      totalCount: number;
      nodes: { id: string; type: string; address: string | null; actor: { id: string } | null; facts: object }[];
    };
  };
}

const logOf = (organizationId: string, filter = "") =>
  `{ organization(id: "${organizationId}") { auditLog${filter} { totalCount nodes { id type address subjectId actor { id } facts } } } }`;

test("changes of roles and tokens are audited with their author, IP address and changed values", async () => {
  const { admin, editor, organization } = await world.organization();
  const caller = app.as(admin.token);
  const place = `organizationId: "${organization.id}"`;
  await caller.query(
    `mutation { updateMember(input: { ${place}, userId: "${editor.id}", role: ADMIN }) { member { id } } }`,
  );
  await caller.query(`mutation { createApiToken(input: { name: "CI", scope: READ }) { apiToken { id } } }`);
  const { organization: found } = await caller.query<Log>(logOf(organization.id));
  expect(found.auditLog.totalCount).toBe(2);
  expect(found.auditLog.nodes.map(({ type }) => type)).toEqual(["apiToken.created", "member.updated"]);
  const [token, member] = found.auditLog.nodes;
  // Audit entries about an account omit the IP address: any organization may have added its user as a member.
  expect(token).toMatchObject({ actor: { id: admin.id }, address: null, facts: {} });
  expect(member).toMatchObject({
    actor: { id: admin.id },
    address: "127.0.0.1",
    subjectId: editor.memberId,
    facts: { changes: [{ field: "role", before: "EDIT", after: "ADMIN" }] },
  });
  const filtered = await caller.query<Log>(logOf(organization.id, `(type: "member.updated", actorId: "${admin.id}")`));
  expect(filtered.organization.auditLog.nodes.map(({ type }) => type)).toEqual(["member.updated"]);
  const ofEditor = await caller.query<Log>(logOf(organization.id, `(actorId: "${editor.id}")`));
  expect(ofEditor.organization.auditLog.totalCount).toBe(0);
});

test("it is filtered by object and time, also in /v1, whose times include their ends", async () => {
  const { admin, organization } = await world.organization();
  const row = { type: "test.done", organizationId: organization.id };
  const entries = [1, 2, 3].map((day) => ({ id: newId("AuditEntry"), subjectId: `obj_${day % 2}`, day }));
  await app.database.prisma.auditEntry.createMany({
    data: entries.map(({ day, ...entry }) => ({ ...row, ...entry, createdAt: new Date(Date.UTC(2026, 0, day)) })),
  });
  const [one, two, three] = entries.map(({ id }) => id);
  const caller = app.as(admin.token);
  const path = `/v1/orgs/${organization.id}/audit-events`;
  const both = async (filter: string, search: string) => {
    const { organization: found } = await caller.query<Log>(logOf(organization.id, filter));
    const { body } = await caller.rest("GET", `${path}?${search}`);
    const ids = (body as { items: { id: string }[] }).items.map(({ id }) => id);
    expect(ids).toEqual(found.auditLog.nodes.map(({ id }) => id));
    return ids;
  };
  const [first, second] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
  expect(await both(`(subjectId: "obj_1")`, "target=obj_1")).toEqual([three, one]);
  expect(await both(`(createdSince: "${second}")`, `from=${second}`)).toEqual([three, two]);
  expect(await both(`(createdUntil: "${second}")`, `to=${second}`)).toEqual([two, one]);
  expect(await both(`(createdSince: "${first}", createdUntil: "${first}")`, `from=${first}&to=${first}`)).toEqual([
    one,
  ]);
  const refused = await caller.rest("GET", `${path}?from=yesterday`);
  expect([refused.status, refused.body]).toMatchObject([400, { error: { code: 400 } }]);
});

test("the audit log is visible only to admins, as a list and by id", async () => {
  const { admin, creator, guest, outsider, disabled, organization } = await world.organization();
  await app.as(admin.token).query(`mutation { createApiToken(input: { name: "CI" }) { apiToken { id } } }`);
  const { organization: found } = await app.as(admin.token).query<Log>(logOf(organization.id));
  const [entry] = found.auditLog.nodes;
  const node = `{ node(id: "${entry?.id}") { id } }`;
  expect(await app.as(admin.token).query(node)).toEqual({ node: { id: entry?.id } });
  for (const { token } of [creator, guest])
    expect(await app.as(token).refusal(logOf(organization.id))).toBe("FORBIDDEN");
  for (const { token } of [outsider, disabled])
    expect(await app.as(token).refusal(logOf(organization.id))).toBe("NOT_FOUND");
  for (const { token } of [creator, guest, outsider, disabled])
    expect(await app.as(token).query(node)).toEqual({ node: null });
});

test("a failed mutation writes no audit entry: the entry commits with its change", async () => {
  const { admin, organization } = await world.organization();
  const leave = `mutation { removeMember(input: { organizationId: "${organization.id}", userId: "${admin.id}" }) { deletedId } }`;
  expect(await app.as(admin.token).refusal(leave)).toBe("CONFLICT");
  const { organization: found } = await app.as(admin.token).query<Log>(logOf(organization.id));
  expect(found.auditLog.totalCount).toBe(0);
});

test("the nightly job deletes audit entries older than a year", async () => {
  const { organization } = await world.organization();
  const entries = app.database.prisma.auditEntry;
  const at = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
  const row = { type: "test.done", organizationId: organization.id };
  await entries.createMany({
    data: [
      { id: "aud_1", ...row, createdAt: at(366) },
      { id: "aud_2", ...row, createdAt: at(360) },
    ],
  });
  const given = { database: app.database, clock: { now: () => new Date() }, log: { info: () => {} } };
  for (const job of auditJobs) await job.run(given as never); // the fields that the job uses
  const left = await entries.findMany({ where: { organizationId: organization.id }, select: { id: true } });
  expect(left).toEqual([{ id: "aud_2" }]);
});
