// The section on workers: what one to eight of them on one port answer, and what each more costs the others.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Ask, oneRow, threeLevels } from "#test/bench/documents.ts";
import { table } from "#test/bench/figures.ts";
import { benchToken } from "#test/bench/generate.ts";
import { askOnce, load } from "#test/bench/load.ts";
import { cpuTime, cpuTimesOfChildren, type RunningSystem, startSystem } from "#test/bench/processes.ts";
import type { SectionOptions } from "#test/bench/sections.ts";
import { query } from "#test/bench/server.ts";
import { readWorld, type World } from "#test/bench/world.ts";

/** More than two share the processors of two cores: their figures by request show what a machine of eight would do. */
const counts = [1, 2, 4, 8] as const;
/** For each worker, as on a machine with a core for each: requests that are sent together share transactions. */
const connections = 16;
const seconds = 6;
/** Each worker optimizes the code by itself, so the load before the measurement lasts so long for each. */
const warmUpSeconds = 8;
const [idleSeconds, comments] = [10, 50] as const;

interface Place extends SectionOptions {
  readonly world: World;
  readonly asks: readonly (readonly [name: string, ask: Ask])[];
}

/** What a machine is busy with for a request, in CPU milliseconds. */
interface Shares {
  readonly workers: number;
  readonly primary: number;
  readonly database: number;
  readonly load: number;
}

interface Answered extends Shares {
  readonly name: string;
  readonly perSecond: number;
  readonly p99: number;
}

interface Measured {
  readonly count: number;
  readonly answered: readonly Answered[];
  /** Of all its processes, in megabytes; memory that they share counts once. */
  readonly memory: number;
  readonly connections: number;
  /** SQL statements a second, and CPU milliseconds a second of docgraph, without requests. */
  readonly idleStatements: number;
  readonly idleCpu: number;
  /** SQL statements for a comment, with those of the workers that hear of it. */
  readonly commentStatements: number;
}

/** Starts each number of workers, and loads them with two requests. */
export async function measureWorkers(options: SectionOptions): Promise<{ text: string; missed: string[] }> {
  const world = await readWorld(options.databaseUrl);
  const asked = { "(b)": threeLevels(world.organization), "(d)": oneRow(world) };
  const asks = Object.entries(asked).flatMap(([name, of]) => {
    const ask = of("docgraph");
    return ask ? [[name, ask] as const] : [];
  });
  const measured: Measured[] = [];
  for (const count of counts) measured.push(await measureCount({ ...options, world, asks }, count));
  return { text: report(measured), missed: [] };
}

async function measureCount(place: Place, count: number): Promise<Measured> {
  const { databaseUrl, postmaster, say } = place;
  const running = await startSystem("docgraph", databaseUrl, { WORKERS: String(count) });
  try {
    const answered: Answered[] = [];
    for (const [name, ask] of place.asks) {
      const burst = (lasting: number) =>
        load({ running, ask, postmaster }, { connections: count * connections, seconds: lasting });
      await burst(count * warmUpSeconds);
      const before = cpuTime(running.pid) ?? 0;
      const figures = await burst(seconds);
      const own = ((cpuTime(running.pid) ?? 0) - before) / figures.requests;
      const primary = count === 1 ? 0 : own; // one worker is a gateway without a primary
      const { serverCpu, databaseCpu, perSecond, p99, loadCpu } = figures;
      const shares = { workers: (serverCpu ?? 0) - primary, primary, database: databaseCpu ?? 0, load: loadCpu };
      answered.push({ name, perSecond, p99, ...shares });
      say(`  ${count} workers, ${name}: ${perSecond.toFixed(0)}/s`);
    }
    await query(databaseUrl, "select pg_stat_statements_reset()"); // PostgreSQL forgets some of many texts
    const commentStatements = await statementsOfComments(place, running);
    const memory = [running.pid, ...workersOf(running)].reduce((sum, pid) => sum + memoryOf(pid), 0);
    return { count, answered, memory, commentStatements, ...(await whileIdle(place, running)) };
  } finally {
    await running.stop();
  }
}

const workersOf = ({ pid }: RunningSystem): number[] => [
  ...(cpuTimesOfChildren(pid) ?? new Map<number, number>()).keys(),
];

/** Megabytes of a process; a page that others have too counts as a share of it (PSS). */
function memoryOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss: +(\d+) kB/m.exec(text)?.[1]) / 1024;
}

/** Statements that the server has run since they were last reset, without those of this measurement. */
async function statementsSoFar(url: string): Promise<number> {
  const [row] = await query<{ calls: number }>(
    url,
    `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements where query not like '%pg_stat_statements%'`,
  );
  return row?.calls ?? 0;
}

async function whileIdle({ databaseUrl }: Place, running: RunningSystem) {
  const cpu = () => [running.pid, ...workersOf(running)].reduce((sum, pid) => sum + (cpuTime(pid) ?? 0), 0);
  const before = { statements: await statementsSoFar(databaseUrl), cpu: cpu() };
  await sleep(idleSeconds * 1000);
  const statements = (await statementsSoFar(databaseUrl)) - before.statements;
  const [open] = await query<{ count: number }>(
    databaseUrl,
    `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return {
    idleStatements: statements / idleSeconds,
    idleCpu: (cpu() - before.cpu) / idleSeconds,
    connections: open?.count ?? 0,
  };
}

/** The statements of a comment beside those of an idle gateway, while each worker has a subscriber. */
async function statementsOfComments({ databaseUrl, world }: Place, running: RunningSystem): Promise<number> {
  const streams = await Promise.all(
    Array.from({ length: 2 * workersOf(running).length }, () => subscribe(running, world)),
  );
  const input = { contentOf: { spaceId: world.space }, text: { markdown: "Good." } };
  const ids: string[] = [];
  const post = async () => {
    const document = "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }";
    const answer = await askOnce(running, { path: "/graphql", body: { query: document, variables: { input } } });
    ids.push((answer as { data: { createComment: { comment: { id: string } } } }).data.createComment.comment.id);
  };
  for (let warm = 0; warm < comments; warm++) await post();
  const spent = async (work: () => Promise<unknown>) => {
    const [before, begun] = [await statementsSoFar(databaseUrl), performance.now()];
    await work();
    await sleep(1000); // the workers have heard of the last one
    return { statements: (await statementsSoFar(databaseUrl)) - before, ms: performance.now() - begun };
  };
  const idle = await spent(() => sleep(3000));
  const busy = await spent(async () => {
    for (let comment = 0; comment < comments; comment++) await post();
  });
  for (const stream of streams) stream.abort();
  // The data stays as it was.
  const removal = "mutation ($id: ID!) { deleteComment(input: { commentId: $id }) { __typename } }";
  for (const id of ids) await askOnce(running, { path: "/graphql", body: { query: removal, variables: { id } } });
  return (busy.statements - (idle.statements * busy.ms) / idle.ms) / comments;
}

/** A subscriber to the comments of the space, on a connection of its own. */
async function subscribe({ origin }: RunningSystem, { space }: World): Promise<AbortController> {
  const abort = new AbortController();
  const query = `subscription { commentEvents(of: { spaceId: "${space}" }) { ... on CommentPosted { comment { id } } } }`;
  const response = await fetch(`${origin}/graphql`, {
    method: "POST",
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${benchToken}`,
      "content-type": "application/json",
      accept: "text/event-stream",
      connection: "close", // so that the primary gives each to the next worker
    },
    body: JSON.stringify({ query }),
  });
  if (response.status !== 200) throw new Error(`The subscription was answered ${response.status}`);
  void response.body?.pipeTo(new WritableStream()).catch(() => {}); // until it is aborted
  return abort;
}

function report(measured: readonly Measured[]): string {
  const cores = (share: number, perSecond: number) => ((share * perSecond) / 1000).toFixed(2);
  const answered = measured.flatMap(({ count, answered: all }) =>
    all.map(({ name, perSecond, p99, ...shares }) => [
      name,
      String(count),
      perSecond.toFixed(0),
      `${p99.toFixed(1)} ms`,
      ...[shares.workers, shares.primary, shares.database].map((share) => `${share.toFixed(3)} ms`),
      cores(shares.load, perSecond),
    ]),
  );
  const shared = measured.map((each) => [
    String(each.count),
    `${each.memory.toFixed(0)} MB`,
    String(each.connections),
    each.idleStatements.toFixed(1),
    `${each.idleCpu.toFixed(1)} ms`,
    each.commentStatements.toFixed(1),
  ]);
  return [
    "## (workers) One port, one to eight workers",
    "",
    `Each request for ${seconds} s over ${connections} connections for each worker, after ${warmUpSeconds} s for each; CPU is that of a request. All share the machine with the load, which took the cores in the last column. One worker is a gateway alone. Four and eight share two cores: V8 has optimized less of their code, and they wait for each other, so their CPU is more than on as many cores; what the primary and PostgreSQL take for a request is what all share.`,
    "",
    ...table(
      ["case", "workers", "requests/s", "p99", "CPU of the workers", "of the primary", "of PostgreSQL", "load"],
      answered.toSorted(([one = ""], [other = ""]) => one.localeCompare(other)),
    ),
    "",
    `What grows with their number: memory after the load, connections to PostgreSQL, statements and CPU in each second of ${idleSeconds} without requests, and statements for a comment that subscribers on all workers hear of.`,
    "",
    ...table(["workers", "memory", "connections", "idle statements/s", "idle CPU/s", "statements a comment"], shared),
  ].join("\n");
}
