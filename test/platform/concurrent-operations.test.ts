// Limits of concurrent operations per user and in total. Others wait in a short queue that serves users round-robin;
// operations of disconnected clients stop, down to the statement in PostgreSQL.
import { afterAll, describe, expect, test, vi } from "vitest";
import { DatabaseClient } from "#src/db/connection/client.ts";
import { OperationSlots, slotsFor } from "#src/domain/operation-slots.ts";
import { CostQuotas } from "#src/domain/quota.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { openRaw } from "#test/live/raw-socket.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { lockHolder, untilNobodyWaits } from "#test/support/locks.ts";
import { times } from "#test/support/world.ts";

const options = {
  trafficLimits: { atOncePerUser: 2, atOnce: 3, waitingPerUser: 1 },
  // Longer than a test: only a disconnect ends a statement here.
  requestTimeoutMs: 600_000,
  limits: { lockTimeoutMs: 600_000, statementTimeoutMs: 600_000 },
};
const { app, world } = await useApp(options);
const locks = await lockHolder(app.databaseUrl);
afterAll(() => locks[Symbol.asyncDispose]());

const query = "{ organizations { nodes { teams { nodes { id } } } } }";
const lockTeams = 'lock table "Team" in access exclusive mode';

/** Sends the query over HTTP. */
function sendQuery(token: string, signal?: AbortSignal, { url } = app, text = query): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: text }),
    ...(signal && { signal }),
  });
}

describe("slots for operations", () => {
  const forever = () => new TimeLimit(Infinity);

  test("are limited per user and in total, and users are served round-robin", async () => {
    const slots = new OperationSlots({ atOncePerUser: 2, atOnce: 3, waitingPerUser: 10 });
    expect(["a", "a", "a", "b", "c"].map((user) => slots.tryTake(user))).toEqual([true, true, false, true, false]);
    const served: string[] = [];
    const take = async (user: string) => {
      await slots.takeInTime(user, forever());
      served.push(user);
    };
    const all = Promise.all([take("a"), take("a"), take("a"), take("c"), take("d")]);
    expect(slots.waiting).toBe(5);
    for (const user of ["b", "a", "a", "c", "d", "a", "a", "a"]) {
      slots.give(user);
      await Promise.resolve();
    }
    await all;
    expect(served.slice(0, 3).toSorted()).toEqual(["a", "c", "d"]);
    expect([slots.taken, slots.waiting]).toEqual([0, 0]);
    expect(slots.tryTake("z")).toBe(true);
  });

  test.each([
    ["query", 5_000, 1 / 16],
    ["query", 5_001, 1],
    ["mutation", 60, 1],
    ["query", 250_000, 1],
    ["query", 250_001, 2],
    ["query", 10_000_000, 3],
  ])("a %s of cost %d takes %d slots", (kind, estimated, expected) => {
    expect(slotsFor({ kind, estimated }, { atOncePerUser: 4, atOnce: 32 })).toBe(expected);
  });

  test.each([
    [1, 32, 1],
    [4, 4, 1],
    [10, 32, 8],
  ])("with %d slots per user and %d in total, one operation takes at most %d", (user, all, expected) => {
    const limits = { atOncePerUser: user, atOnce: all };
    expect(slotsFor({ kind: "query", estimated: 10_000_000 }, limits)).toBe(expected);
  });

  test("cheap operations take a fraction of a slot and start while any is free", async () => {
    const slots = new OperationSlots({ atOncePerUser: 1, atOnce: 2, waitingPerUser: 10 });
    slots.tryTake("a");
    expect(slots.tryTake("a", 1 / 16)).toBe(false);
    const light = Promise.all(times(3, () => slots.takeInTime("a", forever(), 1 / 16)));
    slots.give("a");
    await light;
    expect([slots.taken, slots.waiting]).toEqual([3 / 16, 0]);
  });

  test.each([
    [
      "RATE_LIMITED",
      false,
      "At most 1 operations of one user run concurrently, and 4 in all: 1 of yours run, and this one has waited for 5 seconds.",
    ],
    [
      "UNAVAILABLE",
      true,
      "The database is slow: 1 of your operations run and wait for it, and this one has waited for 5 seconds. Try again soon.",
    ],
  ])("an operation that waits for five seconds is %s if the running ones wait: %s", async (code, isSlow, message) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const slots = new OperationSlots({ atOncePerUser: 1, atOnce: 4, waitingPerUser: 10 });
    slots.tryTake("a");
    const running = forever();
    slots.running.add({ user: "a", limit: running });
    slots.running.add({ user: "b", limit: forever() });
    if (isSlow) running.onEnd(() => {});
    const late = slots.takeInTime("a", forever()).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    expect(await late).toMatchObject({ code, message });
    expect([slots.taken, slots.waiting]).toEqual([1, 0]);
  });

  test("a waiting operation leaves the queue when its client disconnects", async () => {
    const slots = new OperationSlots({ atOncePerUser: 1, atOnce: 1, waitingPerUser: 10 });
    slots.tryTake("a");
    const limit = new TimeLimit(60_000);
    const gone = slots.takeInTime("a", limit);
    const next = slots.takeInTime("b", forever());
    limit.abandon();
    await expect(gone).rejects.toThrow("The client closed the request.");
    expect(slots.waiting).toBe(1);
    slots.give("a");
    await next;
    expect([slots.taken, slots.waiting]).toEqual([1, 0]);
  });
});

describe("operations beyond the slots", () => {
  test("wait, and get 429 beyond the queue, while operations of other users run", async () => {
    const { reader } = await world.organization();
    const { reader: other } = await world.organization();
    await locks.hold(lockTeams);
    const began = performance.now();
    const first = [sendQuery(reader.token), sendQuery(reader.token)];
    await locks.waiters(2);
    const others = sendQuery(other.token);
    await locks.waiters(3);
    // On a busy machine they would have waited for a second by now.
    const clock = vi.spyOn(performance, "now").mockReturnValue(began);
    const more = [sendQuery(reader.token), sendQuery(reader.token)]; // one waits, and the other is refused at once
    const refused = await Promise.race(more);
    clock.mockRestore();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toMatchObject({
      errors: [
        {
          message:
            "At most 2 operations of one user run concurrently and 1 wait: 2 of yours run and 1 wait. Send fewer concurrently.",
          extensions: { code: "RATE_LIMITED" },
        },
      ],
    });
    await locks.release();
    const answers = await Promise.all([...first, ...more, others]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 200, 200, 200, 429,
    ]);
  });

  test("beyond the queue are UNAVAILABLE once all running ones have waited for the database for a second", async () => {
    // Its own slots: to those of the next tests the time of this one would be in the future.
    await using own = await testApp({ ...options, beside: app });
    const { reader } = await world.organization();
    const send = () => sendQuery(reader.token, undefined, own);
    await locks.hold(lockTeams);
    const running = [send(), send()];
    await locks.waiters(2);
    const now = performance.now.bind(performance);
    using _later = vi.spyOn(performance, "now").mockImplementation(() => now() + 1_000);
    const more = [send(), send()]; // one waits, and the other is refused at once
    const refused = await Promise.race(more);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    const message =
      "The database is slow: 2 of your operations run and wait for it, and 1 wait for them to end. Try again soon.";
    expect(await refused.json()).toMatchObject({ errors: [{ message, extensions: { code: "UNAVAILABLE" } }] });
    await locks.release();
    const answers = await Promise.all([...running, ...more]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });

  test("beside others, those of a user who has used much time run one at a time", async () => {
    // Its own slots: to those of the next tests the time of this one would be in the future.
    await using own = await testApp({ ...options, beside: app });
    const send = ({ token }: { readonly token: string }) => sendQuery(token, undefined, own);
    const [{ reader: busy }, { reader: other }] = [await world.organization(), await world.organization()];
    await locks.hold(lockTeams);
    const first = send(busy);
    await locks.waiters(1);
    // The time does not pass from here on: on a busy machine the user would have some again.
    const later = performance.now() + 2_000;
    using _later = vi.spyOn(performance, "now").mockImplementation(() => later);
    await locks.release();
    await first;
    await locks.hold(lockTeams);
    const others = send(other);
    await locks.waiters(1);
    const next = [send(busy), send(busy), send(busy)];
    const refused = await Promise.race(next);
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain(
      "Operations of a user who has used much time run one at a time beside those of others and 1 wait: 1 of yours run and 1 wait.",
    );
    await locks.release();
    const answers = await Promise.all([others, ...next]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  });

  test("an operation whose answer was long takes a whole slot from then on, however little its estimate is", async () => {
    await using own = await testApp({ ...options, beside: app }); // no other user has just used its slots
    const { space, reader } = await world.space();
    const markdown = "A long comment. ".repeat(2_000);
    await world.insert((rows) =>
      times(20, () => addComment(rows, { spaceId: space.id, postedById: reader.id, markdown })),
    );
    const long = `{ organizations(first: 1) { nodes { teams(first: 1) { nodes { id } } } } space(id: "${space.id}") {
      comments(first: 20) { nodes { body { markdown } } } } }`;
    const send = () => sendQuery(reader.token, undefined, own, long);
    await locks.hold(lockTeams);
    const asShort = times(3, send);
    await locks.waiters(3);
    await locks.release();
    expect((await Promise.all(asShort)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await locks.hold(lockTeams);
    const asLong = times(4, send); // two run, and one waits
    const refused = await Promise.race(asLong);
    expect(refused.status).toBe(429);
    await locks.waiters(2);
    await locks.release();
    await Promise.all(asLong);
  });

  test("a disconnect cancels the statements in the database and frees the slots", async () => {
    await using own = await testApp({ ...options, beside: app }); // no other user has just used its slots
    const { reader } = await world.organization();
    await locks.hold(lockTeams);
    const leaving = new AbortController();
    const asked = times(3, () => sendQuery(reader.token, leaving.signal, own).catch(() => "disconnected"));
    await locks.waiters(2);
    leaving.abort();
    expect(await Promise.all(asked)).toEqual(["disconnected", "disconnected", "disconnected"]);
    await untilNobodyWaits(app);
    const { send, receive, socket, closed } = await openRaw(own.url);
    send({ type: "connection_init", payload: { token: reader.token } });
    await receive();
    for (const id of ["1", "2"]) send({ id, type: "subscribe", payload: { query } });
    await locks.waiters(2);
    socket.terminate();
    await closed;
    await untilNobodyWaits(app);
    await locks.release();
    expect((await sendQuery(reader.token, undefined, own)).status).toBe(200);
  });

  test("repeats the cancellation until the statement ends, even if it starts late", async () => {
    const { reader } = await world.organization();
    await locks.hold(lockTeams);
    const cancel = vi.spyOn(DatabaseClient.prototype, "cancelRunning").mockImplementationOnce(() => {});
    const leaving = new AbortController();
    const asked = sendQuery(reader.token, leaving.signal).catch(() => "disconnected");
    await locks.waiters(1);
    leaving.abort();
    expect(await asked).toBe("disconnected");
    await untilNobodyWaits(app);
    expect(cancel.mock.calls.length).toBeGreaterThan(1);
    cancel.mockRestore();
    await locks.release();
  });

  test("a disconnect rolls back a mutation", async () => {
    const { organization, admin } = await world.organization();
    await locks.hold('lock table "Space" in access exclusive mode');
    const leaving = new AbortController();
    const made = fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${admin.token}` },
      body: JSON.stringify({
        query: `mutation { createSpace(input: { organizationId: "${organization.id}" }) { space { id } } }`,
      }),
      signal: leaving.signal,
    }).catch(() => "disconnected");
    await locks.waiters(1);
    leaving.abort();
    expect(await made).toBe("disconnected");
    await untilNobodyWaits(app);
    await locks.release();
    expect(await app.database.prisma.space.count({ where: { organizationId: organization.id } })).toBe(0);
  });
});

describe("the cost quota of a minute", () => {
  test("once used up, refuses operations until the minute ends, for all tokens of the user", async () => {
    await using own = await testApp({ beside: app, trafficLimits: { pointsPerMinute: 3_000 } });
    const { reader } = await world.organization();
    const { createApiToken: other } = await app
      .as(reader.token)
      .query<{ createApiToken: { token: string } }>(`mutation { createApiToken(input: { name: "Other" }) { token } }`);
    const ask = (token: string) => sendQuery(token, undefined, own);
    let answer = await ask(reader.token);
    while (answer.status === 200) answer = await ask(reader.token);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(1);
    expect(answer.headers.get("ratelimit")).toMatch(/^"points";r=0;t=\d+$/);
    const { errors } = (await answer.json()) as { errors: [{ message: string; extensions: unknown }] };
    expect(errors).toMatchObject([{ extensions: { code: "RATE_LIMITED" } }]);
    const [, cost = ""] =
      /^The operations of one user may cost 3,000 points per minute, and yours have cost ([\d,]+)\. Try again in \d+ seconds\.$/.exec(
        errors[0].message,
      ) ?? [];
    expect(Number(cost.replace(",", ""))).toBeGreaterThanOrEqual(3_000);
    expect((await ask(other.token)).status).toBe(429);
    expect((await own.as(other.token).rest("GET", "/v1/orgs")).status).toBe(429);
  });

  test("is shared by gateways on one Redis, and counted locally while Redis is unavailable", async () => {
    let told = 0;
    const store = {
      penalty: async (_user: unknown, points = 0) => {
        if (told < 0) throw new Error("away");
        told += points;
        return { consumedPoints: told, msBeforeNext: 60_000, remainingPoints: 0, isFirstInDuration: false } as never;
      },
    };
    const [one, other] = [
      new CostQuotas({ pointsPerMinute: 100 }, store),
      new CostQuotas({ pointsPerMinute: 100 }, store),
    ];
    one.spend(one.quotaOf("u"), "token", 70);
    other.spend(other.quotaOf("u"), "token", 50);
    while (other.quotaOf("u").spent < 120 && one.quotaOf("u").spent < 120)
      await new Promise((resolve) => void setTimeout(resolve, 1));
    const known = [one, other].find((costQuotas) => costQuotas.quotaOf("u").spent === 120);
    expect(() => known?.requirePoints(known.quotaOf("u"))).toThrow(
      "may cost 100 points per minute, and yours have cost 120",
    );
    told = -1;
    one.spend(one.quotaOf("v"), "token", 100);
    expect(() => one.requirePoints(one.quotaOf("v"))).toThrow("yours have cost 100");
  });
});
