// Pings and visitor keys: the time a user was last seen, signed claims, and reading and rotating the key.
import { jwtVerify } from "jose";
import { pino } from "pino";
import { expect, test } from "vitest";
import { Secrets } from "#src/base/secrets.ts";
import { visitorKeySecret } from "#src/features/organizations/commands/visit.ts";
import { resealSecrets } from "#src/jobs/reseal-secrets.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { testSecrets } from "#test/support/test-services.ts";

const start = new Date("2026-06-01T12:00:00.500Z");
let now = start;
const { app, world } = await useApp({ clock: { now: () => now } });

const ping = `mutation ($organizationId: ID!) { pingOrganization(input: { organizationId: $organizationId }) {
  platformVisitorClaims organization { id } } }`;
const rotate = `mutation ($organizationId: ID!) { rotateVisitorKey(input: { organizationId: $organizationId }) { visitorKey } }`;

const lastSeen = async (memberId: string) =>
  (await app.database.prisma.organizationMember.findUniqueOrThrow({ where: { id: memberId } })).lastSeenAt;

async function keyOf(admin: Client, organizationId: string): Promise<Uint8Array> {
  const { rotateVisitorKey } = await admin.query<{ rotateVisitorKey: { visitorKey: string } }>(rotate, {
    organizationId,
  });
  return new TextEncoder().encode(rotateVisitorKey.visitorKey);
}

async function claimsOf(client: Client, organizationId: string): Promise<string | null> {
  const { pingOrganization } = await client.query<{ pingOrganization: { platformVisitorClaims: string | null } }>(
    ping,
    { organizationId },
  );
  return pingOrganization.platformVisitorClaims;
}

test("a ping updates the time last seen at most once a minute, with one event each", async () => {
  now = start;
  const { organization, reader } = await world.organization();
  const client = app.as(reader.token);
  const variables = { organizationId: organization.id };
  expect(await client.query(ping, variables)).toEqual({
    pingOrganization: { platformVisitorClaims: null, organization: { id: organization.id } },
  });
  expect(await lastSeen(reader.memberId)).toEqual(start);
  now = new Date(start.getTime() + 59_999);
  await client.query(ping, variables);
  expect(await lastSeen(reader.memberId)).toEqual(start);
  now = new Date(start.getTime() + 60_000);
  await client.query(ping, variables);
  expect(await lastSeen(reader.memberId)).toEqual(now);
  const pinged = { type: "organization.pinged", subjectId: reader.memberId, actorId: reader.id };
  expect(await app.eventsIn(organization.id)).toMatchObject([pinged, pinged]);
});

test("visitor claims contain the user's data, are valid for an hour, and are signed with the organization's key", async () => {
  now = start;
  const { organization, admin, reader, guest } = await world.organization();
  const key = await keyOf(app.as(admin.token), organization.id);
  const issuedAt = Math.floor(start.getTime() / 1000);
  for (const [person, role] of [
    [reader, "read"],
    [guest, null],
  ] as const) {
    const claims = (await claimsOf(app.as(person.token), organization.id)) ?? "";
    const { payload, protectedHeader } = await jwtVerify(claims, key, { currentDate: start, algorithms: ["HS256"] });
    expect(protectedHeader).toEqual({ alg: "HS256", typ: "JWT" });
    expect(payload).toEqual({
      sub: person.id,
      email: person.email,
      name: person.displayName,
      organization: organization.id,
      role,
      iat: issuedAt,
      exp: issuedAt + 3600,
    });
  }
});

test("rotating the visitor key invalidates the previous one, with an event without the key", async () => {
  const { organization, admin, reader } = await world.organization();
  const before = await keyOf(app.as(admin.token), organization.id);
  const after = await keyOf(app.as(admin.token), organization.id);
  const claims = (await claimsOf(app.as(reader.token), organization.id)) ?? "";
  await jwtVerify(claims, after, { currentDate: now });
  await expect(jwtVerify(claims, before, { currentDate: now })).rejects.toThrow("signature");
  const rotated = { type: "organization.visitorKeyRotated", subjectId: organization.id, payload: {} };
  expect(await app.eventsIn(organization.id)).toMatchObject([rotated, rotated, { type: "organization.pinged" }]);
});

test("visitor keys are encrypted in the database; keys from before encryption stay valid and get encrypted", async () => {
  const { organization, admin, reader } = await world.organization();
  const where = { id: organization.id };
  const stored = async () =>
    Buffer.from((await app.database.prisma.organization.findUniqueOrThrow({ where })).visitorKey ?? []);
  const key = await keyOf(app.as(admin.token), organization.id);
  expect((await stored()).includes(Buffer.from(key))).toBe(false);
  const isSignedBy = async (text: Uint8Array) => {
    const claims = (await claimsOf(app.as(reader.token), organization.id)) ?? "";
    return (await jwtVerify(claims, text, { currentDate: now })).payload.sub === reader.id;
  };
  const plain = Buffer.from("a key of before, in 43 characters, as it was");
  await app.database.prisma.organization.update({ where, data: { visitorKey: new Uint8Array(plain) } });
  expect(await isSignedBy(plain)).toBe(true);
  const { database, files, fetch } = app;
  const log = pino({ level: "silent" });
  const outside = { database, files, fetch, log, clock: { now: () => now }, readTxtRecords: async () => [] };
  await resealSecrets(testSecrets, [visitorKeySecret]).run(outside);
  expect((await stored()).includes(plain)).toBe(false);
  expect(await isSignedBy(plain)).toBe(true);
  const lost = new Secrets([Buffer.alloc(32, "lost")]).seal(visitorKeySecret, organization.id, "lost");
  await app.database.prisma.organization.update({ where, data: { visitorKey: lost } });
  expect(await claimsOf(app.as(reader.token), organization.id)).toBeNull();
});

test("visitor claims in /v1 are empty without a key", async () => {
  const { organization, admin, guest } = await world.organization();
  const path = `/v1/orgs/${organization.id}/ping`;
  expect(await app.as(guest.token).rest("POST", path)).toMatchObject({ status: 200, body: {} });
  const key = await keyOf(app.as(admin.token), organization.id);
  const { body } = await app.as(guest.token).rest<{ platformVisitorClaims: string }>("POST", path);
  expect((await jwtVerify(body.platformVisitorClaims, key, { currentDate: now })).payload.sub).toBe(guest.id);
});
