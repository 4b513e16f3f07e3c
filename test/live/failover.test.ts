// DATABASE_URL with several hosts, as in libpq: gateways use the host that accepts writes, and after a failover the new
// primary.
import { afterAll, expect, test } from "vitest";
import { databasePathOf, describeServers, serversOf } from "#src/config/database-url.ts";
import { startDatabaseProxy } from "#test/live/network-proxy.ts";
import { type Cluster, hasReplayed, placeInLog, promote, startCluster, startReplica } from "#test/live/clusters.ts";
import { type Gateways, startGateways } from "#test/live/gateways.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { ask, startDocgraph } from "#test/support/docgraph-process.ts";

const first = await startCluster();
const second = await startReplica(first);
let third: Cluster | undefined;
// The third host is used when the second fails.
const proxies = await Promise.all(
  [() => third?.url ?? second.url, () => second.url, () => first.url].map((url) => startDatabaseProxy(url)),
);
const { username, pathname } = new URL(first.url);
const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join(",");
const several = `postgres://${username}@${hosts}${pathname}?target_session_attrs=read-write`;

afterAll(async () => {
  for (const each of [...proxies, third, second, first]) await each?.[Symbol.asyncDispose]();
});

test("parses addresses with several hosts as libpq does", () => {
  expect(serversOf("postgres://me:pw@one:5432,two/db?sslmode=require")).toEqual([
    "postgres://me:pw@one:5432/db?sslmode=require",
    "postgres://me:pw@two/db?sslmode=require",
  ]);
  expect(serversOf("postgresql://[::1]:5432,[::2]:5433/db")).toHaveLength(2);
  expect(serversOf("postgres:///db?host=/run/postgresql")).toHaveLength(1);
  for (const bad of [
    "mysql://one/db",
    "one,two",
    "postgres://one,,two/db",
    "postgres://one:x,two/db",
    "postgres://a/db?target_session_attrs=any",
  ])
    expect({ bad, is: serversOf(bad) }).toEqual({ bad, is: null });
  expect(describeServers("postgres://me:secret@one:5432,two/db")).toBe("one, two/db");
  expect(describeServers("postgres://me:secret@one:6432/db")).toBe("one:6432/db");
  expect(databasePathOf("postgres://one,two/db?x=1")).toBe("/db");
});

async function onlyRead({ pool }: Cluster): Promise<void> {
  await pool.query("alter system set default_transaction_read_only = on");
  await pool.query("select pg_reload_conf()");
}

test("writes, reads, events and commands use the new primary after a failover", async () => {
  const { token, spaces } = await makeLiveWorld(first.pool);
  await using gateways: Gateways = await startGateways(1, several);
  const gateway = gateways.urlOf(0);
  const [spaceId = ""] = spaces;
  const post = async () => {
    const { createComment } = await ask(gateway, token, posting, {
      input: { contentOf: { spaceId }, text: { markdown: "Hello" } },
    });
    return (createComment as { comment: { id: string } }).comment.id;
  };
  const field = `commentEvents(of: { spaceId: "${spaceId}" })`;
  const subscriber = await new Subscriber({ gateway: () => gateway, token, field, over: "socket" }).start();
  const receivedIds = () => subscriber.received.map(({ comment }) => comment?.id);
  const posted = [await post()];
  const postAgain = async () => {
    await expect.poll(() => post().then((id) => posted.push(id)), { timeout: 30_000 }).toBeTruthy();
    await subscriber.until(() => receivedIds().includes(posted.at(-1)));
    expect(receivedIds()).toEqual(posted);
  };
  await hasReplayed(second, await placeInLog(first));
  // The former primary and its connections stay, but it no longer accepts writes.
  await onlyRead(first);
  await promote(second);
  await postAgain();
  third = await startReplica(second);
  await second.stop();
  await promote(third);
  await postAgain();
  const { rows } = await third.pool.query<{ id: string }>('select id from "Comment" order by id');
  expect(rows.map(({ id }) => id)).toEqual(posted);
  await subscriber.stop();
  const {
    rows: [user],
  } = await third.pool.query<{ email: string }>('select email from "User" limit 1');
  const command = startDocgraph({
    script: "src/cli/token.ts",
    args: [user?.email ?? ""],
    env: { DATABASE_URL: several },
  });
  expect({ code: await command.ended, says: command.output() }).toMatchObject({ code: 0 });
}, 120_000);

test("a start reports that no host accepts writes", async () => {
  if (third) await onlyRead(third);
  const docgraph = startDocgraph({ env: { DATABASE_URL: several, PORT: "0" } });
  expect(await docgraph.ended).toBe(1);
  expect(docgraph.output()).toContain("docgraph: None of the servers of the database accepts writes: ");
  expect(docgraph.output()).toMatch(/127\.0\.0\.1:\d+ is read-only/);
}, 60_000);

const posting = "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }";
