// Measures one case: checks that all contenders return the same, counts their statements, then loads them in turn,
// round after round.
import type { Case, Contender } from "#test/bench/cases.ts";
import type { Ask, System } from "#test/bench/documents.ts";
import { askOnce, type Figures, load } from "#test/bench/load.ts";
import { comparable } from "#test/bench/normalise.ts";
import { isPlan } from "#test/bench/plan.ts";
import type { RunningSystem } from "#test/bench/processes.ts";
import { query } from "#test/bench/server.ts";
import type { World } from "#test/bench/world.ts";

export interface Result {
  readonly contender: Contender;
  readonly rounds: readonly Figures[];
  readonly statements: number;
  readonly bytes: number;
  /** Whether docgraph runs the document as a plan; false for the others. */
  readonly isPlan: boolean;
}

export interface Bench {
  readonly databaseUrl: string;
  readonly postmaster: number;
  readonly world: World;
  readonly running: ReadonlyMap<System, RunningSystem>;
  readonly seconds: number;
  readonly rounds: number;
  say(line: string): void;
}

/** Rejects if contenders disagree or a response is not 200. */
export async function measure(bench: Bench, one: Case): Promise<Result[]> {
  const ask = (system: System, request: Ask) => askOnce(runningOf(bench, system), request);
  const contenders = await one.contenders(bench.world, ask, [...bench.running.keys()]);
  const bytes = await checkAgreement(contenders, ask);
  const statements = await mapInTurn(contenders, (contender) => countStatements(bench, contender));
  const rounds: Figures[][] = contenders.map(() => []);
  for (let round = 0; round < bench.rounds; round++) {
    for (let place = 0; place < contenders.length; place++) {
      const index = (place + round) % contenders.length; // the order rotates
      const contender = contenders[index];
      if (contender) rounds[index]?.push(await burst(bench, one, contender, round === 0));
    }
  }
  return contenders.map((contender, index) => ({
    contender,
    rounds: rounds[index] ?? [],
    statements: statements[index] ?? Number.NaN,
    bytes: bytes[index] ?? Number.NaN,
    isPlan: contender.system === "docgraph" && isPlan(contender.ask),
  }));
}

async function burst(bench: Bench, one: Case, contender: Contender, isFirst: boolean): Promise<Figures> {
  const target = { running: runningOf(bench, contender.system), ask: contender.ask, postmaster: bench.postmaster };
  const { connections } = one;
  await load(target, { connections, seconds: isFirst ? 3 : 1 }); // warm-up
  const figures = await load(target, { connections, seconds: bench.seconds });
  await untilQuiet(bench.databaseUrl);
  bench.say(`  ${[contender.system, contender.subject].filter(Boolean).join(", ")}: ${figures.perSecond.toFixed(0)}/s`);
  return figures;
}

/** Waits until PostgreSQL is idle, so that contenders do not affect each other. */
async function untilQuiet(url: string): Promise<void> {
  const busy = `select count(*)::int as count from pg_stat_activity
    where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  while ((await query<{ count: number }>(url, busy))[0]?.count !== 0)
    await new Promise((resolve) => setTimeout(resolve, 200));
}

function runningOf(bench: Bench, system: System): RunningSystem {
  const running = bench.running.get(system);
  if (!running) throw new Error(`${system} is not running`);
  return running;
}

/** Compares all responses, and permissions only if present. Returns the size of each response. */
async function checkAgreement(
  contenders: readonly Contender[],
  ask: (system: System, request: Ask) => Promise<unknown>,
): Promise<number[]> {
  const answers = await mapInTurn(contenders, (contender) => ask(contender.system, contender.ask));
  for (const without of [[], ["permissions"]]) {
    const forms = contenders.flatMap(({ system, subject }, index) => {
      const answer = answers[index];
      const isAsked = without.length > 0 || JSON.stringify(answer).includes('"permissions":');
      return isAsked ? [{ system, subject, form: comparable(answer, without) }] : [];
    });
    for (const { system, subject, form } of forms) {
      const other = forms.find((candidate) => candidate.subject === subject);
      if (other && other.form !== form)
        throw new Error(difference(`${other.system} and ${system} differ on ${subject}`, other.form, form));
    }
  }
  return answers.map((answer) => Buffer.byteLength(JSON.stringify(answer)));
}

function difference(message: string, one: string, other: string): string {
  let start = 0;
  while (one[start] === other[start]) start++;
  const around = (text: string) => text.slice(Math.max(0, start - 150), start + 150);
  return `${message}:\n  ${around(one)}\n  ${around(other)}`;
}

const counted = 10;

/** SQL statements per request, as counted by the server, after a warm-up. */
async function countStatements(bench: Bench, contender: Contender): Promise<number> {
  const running = runningOf(bench, contender.system);
  for (let warm = 0; warm < 3; warm++) await askOnce(running, contender.ask);
  await query(bench.databaseUrl, "select pg_stat_statements_reset()");
  for (let request = 0; request < counted; request++) await askOnce(running, contender.ask);
  const [row] = await query<{ calls: number }>(
    bench.databaseUrl,
    `select coalesce(sum(calls), 0)::int as calls from pg_stat_statements
     where query not like '%pg_stat_statements%' and query !~* '^(set|select pg_is_in_recovery|update "ApiToken")'`,
  );
  return (row?.calls ?? 0) / counted;
}

async function mapInTurn<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const out: Out[] = [];
  for (const item of items) out.push(await work(item));
  return out;
}
