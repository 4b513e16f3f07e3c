// The section on size: lists and checks of an organization of a million members.
import { readFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { percentile, table } from "#test/bench/figures.ts";
import { withOwnDatabase } from "#test/bench/own-database.ts";
import { query } from "#test/bench/server.ts";
import { startSystem } from "#test/bench/processes.ts";
import { type HttpClient, httpClient } from "#test/support/client.ts";

const generator = new URL("size.sql", import.meta.url);

/** The runs of each query after a warm-up of three, and the target of the 95th percentile, in milliseconds. */
const [times, target] = [20, 100] as const;

type Row = Readonly<Record<string, string>>;

/** The viewer, and ids for the queries. */
interface Place {
  readonly admin: HttpClient;
  readonly member: HttpClient;
  readonly ids: Row;
  /** Ids of ten other admins. */
  readonly admins: readonly string[];
}

type Ask = (place: Place, turn: number) => Promise<unknown>;

const list = (field: string) => (where: string) =>
  `query ($id: ID!) { organization(id: $id) { ${field}(${where}) {
  nodes { id role user { displayName email } spaceCount teamCount } pageInfo { endCursor hasNextPage } } } }`;
const members = list("members");
const search = (text: (turn: number) => string): Ask => {
  const document = `query ($id: ID!, $text: String!) { organization(id: $id) { members(search: $text, first: 50) {
    nodes { id role user { displayName email } } pageInfo { endCursor hasNextPage } } } }`;
  return ({ admin, ids }, turn) => admin.query(document, { id: ids["organization"], text: text(turn) });
};
const ask =
  (document: string, of: "organization" | "space" = "organization", by: "admin" | "member" = "admin"): Ask =>
  (place) =>
    place[by].query(document, { id: place.ids[of] });

const asked: Readonly<Record<string, Ask>> = {
  "members, first 50": ask(members("first: 50")),
  "members found by a name that one has": search((turn) => `person${1000 * turn + 77777}@`),
  "members found by a name that many have": search((turn) => ["grace", "ada", "frances"][turn % 3] ?? ""),
  "members found by what all have": search(() => "example.com"),
  "members found by what nobody has": search((turn) => `zzqq${turn}`),
  "members found by two letters that match nobody": search(() => "zz"),
  "members found by two letters that match many": search((turn) => ["gg", "ho", "77"][turn % 3] ?? ""),
  admins: ask(members("role: ADMIN, first: 50")),
  guests: ask(members("role: GUEST, first: 50")),
  "disabled members": ask(members("disabled: true, first: 50")),
  "the number of members": ask("query ($id: ID!) { organization(id: $id) { members { totalCount } } }"),
  "the number of guests": ask("query ($id: ID!) { organization(id: $id) { members(role: GUEST) { totalCount } } }"),
  "a member's spaces": ({ member, ids }) =>
    member.query(
      `query ($id: ID!, $user: ID!) { organization(id: $id) { member(userId: $user) { spaceCount spaces(first: 50) {
        nodes { permission space { title changeRequests(first: 1) { totalCount } } } } } } }`,
      { id: ids["organization"], user: ids["member"] },
    ),
  "50 spaces with permissions, in 5,000 teams": ask(
    "query ($id: ID!) { organization(id: $id) { spaces(first: 50) { nodes { id title permissions { access edit admin } } } } }",
    "organization",
    "member",
  ),
  "the number of spaces": ask("query ($id: ID!) { organization(id: $id) { spaces { totalCount } } }"),
  "review requests, 25,000": ({ member }) =>
    member.query("{ reviewRequests(first: 50) { totalCount nodes { id changeRequest { subject } } } }"),
  "change requests of a space, 100,000": ask(
    "query ($id: ID!) { space(id: $id) { changeRequests(first: 50, statuses: [OPEN]) { totalCount nodes { id subject } } } }",
    "space",
  ),
  "an admin is removed": ({ admin, ids, admins }, turn) =>
    turn >= admins.length
      ? Promise.resolve()
      : admin.query("mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { deletedId } }", {
          input: { organizationId: ids["organization"], userId: admins[turn] },
        }),
  "a collection is moved with 10,050 below it": ({ admin, ids }, turn) =>
    admin.query("mutation ($input: MoveCollectionInput!) { moveCollection(input: $input) { collection { id } } }", {
      input: { collectionId: ids["collection"], parentId: turn % 2 === 0 ? ids["other"] : null },
    }),
};

/** Makes the organization, and queries each list repeatedly. */
export async function measureSize(
  serverUrl: string,
  say: (line: string) => void,
): Promise<{ text: string; missed: string[] }> {
  return withOwnDatabase(serverUrl, "size", async (url) => {
    say("  making a million members (a minute or two)");
    return await measureOn(url, await make(url), say);
  });
}

async function measureOn(
  url: string,
  ids: Row,
  say: (line: string) => void,
): Promise<{ text: string; missed: string[] }> {
  const gateway = await startSystem("docgraph", url);
  try {
    const at = (n: number) => httpClient(gateway.origin, `dg_sizeSizeSizeSizeSizeSizeSizeSizeSizeSizeSize0${n}`);
    const place = { admin: at(1), member: at(2), ids, admins: (ids["admins"] ?? "").split(",") };
    await untilAtRest(url);
    const rows: string[][] = [];
    const missed: string[] = [];
    for (const [name, run] of Object.entries(asked)) {
      const costs = await costsOf((turn) => run(place, turn));
      const [p50, p95] = [percentile(costs, 50), percentile(costs, 95)];
      rows.push([name, p50.toFixed(1), p95.toFixed(1), p95 <= target ? "met" : "**missed**"]);
      say(`  ${rows.at(-1)?.join("  ")}`);
      if (p95 > target) missed.push(`(size) ${name}: p95 ${p95.toFixed(1)} ms`);
    }
    const lines = [
      "## (size) An organization of a million members",
      "",
      `100,000 spaces, 100,000 change requests in one of them, 6,000 teams of which one person is in 5,000; each queried ${times} times, one request after the other. Target: p95 <= ${target} ms.`,
      "",
      ...table(["", "p50 ms", "p95 ms", ""], rows),
    ];
    return { text: lines.join("\n"), missed };
  } finally {
    await gateway.stop();
  }
}

/** Waits until the start-up work of the gateway is done, so that each list is measured alone. */
async function untilAtRest(url: string): Promise<void> {
  const busy = `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  for (let quiet = 0; quiet < 20;) {
    await wait(250);
    quiet = (await query(url, busy)).length > 0 ? 0 : quiet + 1;
  }
}

/** Milliseconds of each, after a warm-up of three. */
async function costsOf(run: (turn: number) => Promise<unknown>): Promise<number[]> {
  const costs: number[] = [];
  for (let turn = 0; turn < times + 3; turn++) {
    const begun = performance.now();
    await run(turn);
    if (turn >= 3) costs.push(performance.now() - begun);
  }
  return costs;
}

async function make(url: string): Promise<Row> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const steps = (await readFile(generator, "utf8")).split(/^-- step: /m).slice(1);
    for (const step of steps)
      // One at a time: VACUUM cannot run in a transaction.
      for (const statement of `-- ${step}`.split(/;$/m))
        if (/^(?!--)\S/m.test(statement)) await client.query(statement);
    return await readIds(client);
  } finally {
    await client.end();
  }
}

async function readIds(client: pg.Client): Promise<Row> {
  const { rows } = await client.query<Row>(`select
      (select id from "Organization") as organization, (select id from "Space" where "lastChangeRequestNumber" > 0) as space,
      (select "userId" from "TeamMember" limit 1) as member, (select id from "Collection" where title = 'Collection 1') as collection,
      (select id from "Collection" where title = 'Collection 2') as other,
      (select string_agg("userId", ',') from "OrganizationMember" where role = 'admin' and sso = false and id <> (select min(id) from "OrganizationMember")) as admins`);
  return rows[0] ?? {};
}
