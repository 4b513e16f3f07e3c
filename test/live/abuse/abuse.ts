// The proof of abuse: the checks of the security review against a gateway in production mode, as a table of the
// findings of the review and the current outcomes.
import { existsSync, readFileSync } from "node:fs";
import { addSpace } from "#test/features/spaces/factory.ts";
import { accessChecks } from "#test/live/abuse/access.ts";
import { budgetChecks } from "#test/live/abuse/budget.ts";
import { contentChecks } from "#test/live/abuse/content.ts";
import { framingChecks } from "#test/live/abuse/framing.ts";
import { graphqlChecks } from "#test/live/abuse/graphql.ts";
import { httpChecks } from "#test/live/abuse/http.ts";
import { integrationChecks } from "#test/live/abuse/integrations.ts";
import { loadChecks } from "#test/live/abuse/load.ts";
import { packageChecks } from "#test/live/abuse/packages.ts";
import { samlChecks } from "#test/live/abuse/saml.ts";
import { scopeChecks } from "#test/live/abuse/scopes.ts";
import { signInChecks } from "#test/live/abuse/sign-in.ts";
import { socketChecks } from "#test/live/abuse/sockets.ts";
import { structureChecks } from "#test/live/abuse/structure.ts";
import { havePassed, runNamed } from "#test/live/abuse/suite.ts";
import {
  type AskedCheck,
  type Check,
  mostCost,
  type Outcome,
  type Target,
  type TestedCheck,
} from "#test/live/abuse/target.ts";
import { type Cost, Watch } from "#test/live/abuse/watch.ts";
import { whoChecks } from "#test/live/abuse/who.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { type DocgraphProcess, makeDataFolder, startDocgraph } from "#test/support/docgraph-process.ts";
import type { NamedTest } from "#test/support/named-tests.ts";
import { createWorld, times } from "#test/support/world.ts";

export interface AbuseRow extends Outcome {
  readonly part: string;
  readonly what: string;
  readonly before: Check["before"];
}

const parts: Readonly<Record<string, readonly Check[]>> = {
  GraphQL: [...graphqlChecks, ...loadChecks],
  budgets: budgetChecks,
  content: contentChecks,
  identity: whoChecks,
  "sign-in": signInChecks,
  rights: accessChecks,
  structure: structureChecks,
  sockets: socketChecks,
  HTTP: httpChecks,
  SAML: samlChecks,
  framing: framingChecks,
  integrations: [...integrationChecks, ...scopeChecks],
  packages: packageChecks,
};

/** Options of a run. */
interface Run {
  readonly say?: (line: string) => void;
  /**
   * True for the proof: sizes are those of the review, the gateway is watched for five seconds after each check, and
   * the tests of the suite that cover checks are run. Otherwise only responses are checked, at a tenth of the sizes,
   * for checks without a test of the suite, since the suite runs those tests and shares the machine.
   */
  readonly isFull: boolean;
  /** Runs only checks whose part and name contain this. */
  readonly named?: string;
}

/** The settings of the gateway: production, mail to nowhere, and imports from this machine. */
const settings = {
  NODE_ENV: "production",
  SMTP_URL: "smtp://127.0.0.1:9",
  SECRETS_KEY: "ab".repeat(32),
  ALLOWED_FETCH_HOSTS: "127.0.0.1",
};

/** How long a gateway is watched after a check, in milliseconds. */
const afterMs = 5_000;

/** Runs all checks, one after the other: a row for each. */
export async function proveAbuse({ say = () => {}, isFull, named = "" }: Run): Promise<AbuseRow[]> {
  await using postgres = await startOwnPostgres();
  const world = await makeAbuseWorld(postgres);
  const data = await makeDataFolder();
  const gateway = startDocgraph({ env: { ...data.env, ...settings, DATABASE_URL: postgres.url } });
  const rows: AbuseRow[] = [];
  try {
    await gateway.says("docgraph is ready");
    const url = /"address":"([^"]+)"/.exec(gateway.output())?.[1] ?? "";
    const size: Target["size"] = (full, small = Math.ceil(full / 10)) => (isFull ? full : small);
    const target: Target = {
      ...world,
      url,
      size,
      output: () => gateway.output(),
      megabytes: () => megabytesOf(gateway.pid),
    };
    await using watch = isFull ? await Watch.start(url, gateway.pid) : null;
    const isChosen = (part: string, check: Check) =>
      `${part}: ${check.what}`.includes(named) && (isFull || !("held" in check));
    const chosen = Object.entries(parts).map(
      ([part, checks]) => [part, checks.filter((check) => isChosen(part, check))] as const,
    );
    const tests = isFull ? await runNamed(chosen.flatMap(([, checks]) => checks.flatMap(testsOf))) : null;
    for (const [part, checks] of chosen) {
      if (checks.length > 0) say(part);
      for (const check of checks) {
        const outcome =
          "run" in check ? await askedOutcome(check, target, gateway, watch) : tests && testedOutcome(check, tests);
        if (!outcome) continue;
        rows.push({ part, what: check.what, before: check.before, ...outcome });
        say(`  ${check.before} -> ${outcome.holds ? "pass" : "FAIL"}  ${check.what}: ${outcome.evidence}`);
      }
    }
  } finally {
    gateway.signal("SIGTERM");
    await gateway.ended;
    await data.remove();
  }
  return rows;
}

/** The tests of the suite that cover checks, at least at a small size. */
export const namedTests: readonly NamedTest[] = Object.values(parts)
  .flat()
  .flatMap((check) => ("held" in check ? (check.held ?? []) : testsOf(check)));

/** The tests that replace a check. */
function testsOf(check: Check): readonly NamedTest[] {
  return "tests" in check ? check.tests : [];
}

function testedOutcome({ tests }: TestedCheck, run: Awaited<ReturnType<typeof runNamed>>): Outcome {
  const failed = tests.filter((test) => !havePassed(run, test));
  const names = (some: readonly NamedTest[]) => some.map(([file, title]) => `test/${file} "${title}"`).join(", ");
  return failed.length === 0
    ? { holds: true, evidence: `passed: ${names(tests)}` }
    : { holds: false, evidence: `failed, or did not run: ${names(failed)}` };
}

/** Runs a check, and repeats it if only time or memory exceeded its limit, since the machine may have stalled. */
async function askedOutcome(
  check: AskedCheck,
  target: Target,
  gateway: DocgraphProcess,
  watch: Watch | null,
): Promise<Outcome> {
  const crashed = gateway.ended.then((end) => {
    throw new Error(`The gateway ended with ${end} at "${check.what}":\n${gateway.output().slice(-2000)}`);
  });
  crashed.catch(() => {}); // reported by the check during which it exited
  const run = () => Promise.race([watch ? watchedOutcome(check, target, watch) : check.run(target), crashed]);
  const outcome = await run();
  return outcome.isBeyond ? run() : outcome;
}

async function watchedOutcome(check: AskedCheck, target: Target, watch: Watch): Promise<Outcome> {
  const [outcome, cost] = await watch.costOf(() => check.run(target), afterMs);
  const most = { ...mostCost, ...check.most };
  const costs = Object.keys(mostCost) as (keyof Cost)[]; // it has no other keys
  const isWithin = costs.every((key) => cost[key] <= most[key]);
  const figures = `CPU ${cost.cpuMs} ms, ${cost.cpuAfterMs} ms after; /healthz at most ${cost.healthMs.toFixed(0)} ms`;
  const isBeyond = outcome.isBeyond ?? (outcome.holds && !isWithin);
  return { holds: outcome.holds && isWithin, isBeyond, evidence: `${outcome.evidence}; ${figures}` };
}

async function makeAbuseWorld(postgres: Pick<Awaited<ReturnType<typeof startOwnPostgres>>, "pool">) {
  const world = createWorld(postgres);
  const made = await world.everything({ site: { published: false } });
  const { admin, creator, outsider, organization, collection, space, team, changeRequest, comment, reply, site } = made;
  const organizationId = organization.id;
  await world.insert((rows) => times(40, () => addSpace(rows, { organizationId }))); // lists within lists are long
  const members = Object.values(made.people).filter((person) => person !== outsider);
  const { teamMember, spaceComment, sectionGroup, section, siteSpace } = made;
  const content: { id: string }[] = [collection, space, changeRequest, comment, spaceComment, reply];
  const things = [organization, team, teamMember, ...content, site, sectionGroup, section, siteSpace];
  return {
    world,
    token: admin.token,
    otherToken: creator.token,
    outsiderToken: outsider.token,
    organizationId,
    spaceId: space.id,
    ids: [...things.map(({ id }) => id), ...members.flatMap(({ id, memberId }) => [id, memberId])],
  };
}

/** Private megabytes of a process, where the system reports them. */
function megabytesOf(pid: number): number | null {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return null;
  return Math.round(Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(file, "utf8"))?.[1]) / 1024);
}
