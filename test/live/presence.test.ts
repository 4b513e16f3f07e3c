// Presence: who looks at a change request or a space, at one gateway and at two, and who is neither sent nor counted.
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { PostgresWakeups, silentWakeups } from "#src/events/wakeups.ts";
import { RedisWakeups } from "#src/events/redis-wakeups.ts";
import { findRedis } from "#test/live/redis.ts";
import { openStream, type TestStream } from "#test/live/stream.ts";
import { testApp, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const log = pino({ level: "silent" });
/** Too long for this test to find anything by polling. */
const pollMs = 3_600_000;

type Subject = { readonly changeRequestId: string } | { readonly spaceId: string };

const presence = `subscription ($of: PresenceSubject!) {
  presence(of: $of) { __typename ... on PresenceChanged { totalCount users { id displayName } } }
}`;

interface User {
  readonly id: string;
}

interface Present {
  readonly users: readonly User[];
}

interface At {
  readonly url: string;
  readonly token: string;
  readonly of: Subject;
}

/** A user at a subject, and a function that waits until exactly these users are there. */
async function arrive({ url, token, of }: At) {
  const stream = await openStream(url, token, { of }, presence);
  onTestFinished(() => stream.end());
  expect((await stream.next())?.__typename).toBe("Ready");
  return { stream, sees: (...people: readonly User[]) => until(stream, people) };
}

async function until(stream: TestStream, people: readonly User[]): Promise<void> {
  const expected = people
    .map(({ id }) => id)
    .toSorted()
    .join();
  for (;;) {
    const message = (await stream.nextEvent()) as unknown as Present | null;
    if (!message) throw new Error("The stream ended");
    if (message.users.map(({ id }) => id).join() === expected) return;
  }
}

test("sends who looks at a change request, counts a user with two streams once, and ends with the last of them", async () => {
  const { editor, reader, changeRequest } = await world.changeRequest();
  const of = { changeRequestId: changeRequest.id };
  const { url } = app;
  const one = await arrive({ url, token: editor.token, of });
  await one.sees(editor);
  const other = await arrive({ url, token: reader.token, of });
  const [first, second] = [one.sees(editor, reader), other.sees(editor, reader)];
  await Promise.all([first, second]);
  const again = await arrive({ url, token: reader.token, of });
  await again.sees(editor, reader);
  other.stream.end();
  again.stream.end();
  await one.sees(editor);
});

test("neither sends nor counts users without the right, and those who lose it leave", async () => {
  const { organization, admin, reader, outsider, space, changeRequest } = await world.changeRequest({
    space: { visibility: "in_collection" },
  });
  const { url } = app;
  for (const of of [{ changeRequestId: changeRequest.id }, { spaceId: space.id }]) {
    const { raw } = await openStream(url, outsider.token, { of }, presence);
    expect(JSON.stringify(await raw.receive())).toContain('"NOT_FOUND"');
  }
  const of = { changeRequestId: changeRequest.id };
  const one = await arrive({ url, token: admin.token, of });
  await one.sees(admin);
  const other = await arrive({ url, token: reader.token, of });
  await Promise.all([one.sees(admin, reader), other.sees(admin, reader)]);
  const input = { organizationId: organization.id, userId: reader.id };
  const remove = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { __typename } }`;
  await app.as(admin.token).query(remove, { input });
  await one.sees(admin);
  expect(JSON.stringify(await other.stream.raw.receive())).toContain('"NOT_FOUND"');
});

const redis = await findRedis();

test.for([
  ["PostgreSQL", (url: string) => new PostgresWakeups({ url, log, heartbeatMs: 100 })],
  ...(redis
    ? [
        [
          "Redis",
          (url: string) => new RedisWakeups({ url: `redis://127.0.0.1:${redis.port}`, name: url, log }),
        ] as const,
      ]
    : []),
] as const)("gateways learn from each other by %s, also those that start or stop later", async ([, wakeups]) => {
  const { editor, reader, admin, space } = await world.changeRequest();
  const of = { spaceId: space.id };
  await using here = await testApp({ wakeups, pollMs, beside: app });
  const one = await arrive({ url: here.url, token: editor.token, of });
  await one.sees(editor);
  const there = await testApp({ wakeups, pollMs, beside: app });
  const other = await arrive({ url: there.url, token: reader.token, of });
  await Promise.all([one.sees(editor, reader), other.sees(editor, reader)]);
  const third = await arrive({ url: here.url, token: admin.token, of });
  await Promise.all([other, third].map((stream) => stream.sees(editor, reader, admin)));
  await there.close();
  await one.sees(editor, admin);
});

test("a gateway without notifications knows its own users", async () => {
  const { editor, space } = await world.changeRequest();
  await using alone = await testApp({ wakeups: () => silentWakeups, beside: app });
  const one = await arrive({ url: alone.url, token: editor.token, of: { spaceId: space.id } });
  await one.sees(editor);
});
