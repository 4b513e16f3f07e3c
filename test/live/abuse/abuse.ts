// The proof of abuse: the list of the security review against a gateway in production mode, as a table: what the review
// found, and what is so now.
import { existsSync, readFileSync } from "node:fs";
import { addSpace } from "#test/features/spaces/factory.ts";
import { accessChecks } from "#test/live/abuse/access.ts";
import { graphqlChecks } from "#test/live/abuse/graphql.ts";
import { httpChecks } from "#test/live/abuse/http.ts";
import { loadChecks } from "#test/live/abuse/load.ts";
import { packageChecks } from "#test/live/abuse/packages.ts";
import { samlChecks } from "#test/live/abuse/saml.ts";
import { socketChecks } from "#test/live/abuse/sockets.ts";
import type { Check, Outcome, Target } from "#test/live/abuse/target.ts";
import { whoChecks } from "#test/live/abuse/who.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { type DocgraphProcess, makeDataFolder, startDocgraph } from "#test/support/docgraph-process.ts";
import { createWorld, times } from "#test/support/world.ts";

export interface AbuseRow extends Outcome {
  readonly part: string;
  readonly what: string;
  readonly before: Check["before"];
}

const parts: Readonly<Record<string, readonly Check[]>> = {
  GraphQL: [...graphqlChecks, ...loadChecks],
  "who asks": whoChecks,
  rights: accessChecks,
  sockets: socketChecks,
  HTTP: httpChecks,
  SAML: samlChecks,
  packages: packageChecks,
};

/** Runs all checks, one after the other: a row for each. */
export async function proveAbuse(say: (line: string) => void = () => {}): Promise<AbuseRow[]> {
  await using postgres = await startOwnPostgres();
  const ground = await makeGround(postgres);
  const data = await makeDataFolder();
  const gateway = startDocgraph({ env: { ...data.env, DATABASE_URL: postgres.url, NODE_ENV: "production" } });
  const rows: AbuseRow[] = [];
  try {
    await gateway.says("docgraph is ready");
    const url = /"address":"([^"]+)"/.exec(gateway.output())?.[1] ?? "";
    const megabytes = () => megabytesOf(gateway.pid);
    const target = { ...ground, url, output: () => gateway.output(), megabytes };
    for (const [part, checks] of Object.entries(parts)) {
      say(part);
      for (const check of checks) {
        const row = { part, what: check.what, before: check.before, ...(await outcomeOf(check, target, gateway)) };
        rows.push(row);
        say(`  ${row.before} -> ${row.holds ? "pass" : "FAIL"}  ${row.what}: ${row.evidence}`);
      }
    }
  } finally {
    gateway.signal("SIGTERM");
    await gateway.ended;
    await data.remove();
  }
  return rows;
}

async function outcomeOf(check: Check, target: Target, gateway: DocgraphProcess): Promise<Outcome> {
  const crashed = gateway.ended.then((end) => {
    throw new Error(`The gateway ended with ${end} at "${check.what}":\n${gateway.output().slice(-2000)}`);
  });
  crashed.catch(() => {}); // the check that it was in tells
  const outcome = await Promise.race([check.run(target), crashed]);
  return outcome.isBeyond ? Promise.race([check.run(target), crashed]) : outcome;
}

async function makeGround(postgres: Pick<Awaited<ReturnType<typeof startOwnPostgres>>, "pool">) {
  const world = createWorld(postgres);
  const made = await world.everything({ site: { published: false } });
  const { admin, creator, outsider, organization, collection, space, team, changeRequest, comment, reply, site } = made;
  const organizationId = organization.id;
  await world.insert((rows) => times(40, () => addSpace(rows, { organizationId }))); // lists within lists are long
  const open = await world.insert((rows) =>
    addSpace(rows, {
      organizationId,
      visibility: "public",
      gitSync: {
        installationProvider: "github",
        integration: "github",
        url: "https://git.example.com/secret",
        operation: "none",
      },
    }),
  );
  const things = [organization, collection, space, team, changeRequest, comment, reply, site, made.section, admin];
  return {
    world,
    token: admin.token,
    otherToken: creator.token,
    outsiderToken: outsider.token,
    organizationId,
    spaceId: space.id,
    openSpaceId: open.id,
    ids: things.map(({ id }) => id),
  };
}

/** Megabytes of memory that are a process's own, where the system tells them. */
function megabytesOf(pid: number): number | null {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return null;
  return Math.round(Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(file, "utf8"))?.[1]) / 1024);
}
