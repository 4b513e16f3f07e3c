// Abuse of GraphQL by load: cached documents, expensive operations, and texts and files crafted to be slow.
import {
  ask,
  asks,
  type Check,
  measured,
  type Outcome,
  post,
  refused,
  type Target,
  tested,
} from "#test/live/abuse/target.ts";
import { addPersonIn } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { times } from "#test/support/world.ts";

const many = (count: number, text: (index: number) => string) => times(count, (index) => text(index)).join(" ");

/** Passes if the process has grown by at most `limit` megabytes, where the system reports memory. */
async function withoutGrowth(target: Target, limit: number, work: () => Promise<string>): Promise<Outcome> {
  const before = target.megabytes();
  const evidence = await work();
  const after = target.megabytes();
  const grown = before === null || after === null ? 0 : after - before;
  const { status } = await ask(`${target.url}/healthz`);
  return measured(status === 200, grown <= limit, `${evidence}; ${grown} MB more, /healthz ${status}`);
}

/** The statuses of responses, each with its count. */
const counted = (statuses: readonly number[]): string =>
  [...new Set(statuses)].map((status) => `${statuses.filter((one) => one === status).length} x ${status}`).join(", ");

/** Tokens of `count` admins of one new organization with 40 spaces. */
async function makeUsers(target: Target, count: number) {
  const { organization } = await target.world.organization();
  const organizationId = organization.id;
  const people = await target.world.insert((rows) => {
    for (let space = 0; space < 40; space++) addSpace(rows, { organizationId });
    return times(count, () => addPersonIn(rows, { organizationId, role: "admin" }));
  });
  return { organizationId, users: people.map(({ token }) => token) };
}

const eightLevels = `{ organizations { nodes { spaces(first: 1000) { nodes { ${"organization { spaces(first: 1000) { nodes { ".repeat(3)} id ${"} } } ".repeat(3)} } } } } }`;

const memory: readonly Check[] = [
  asks("fail", "100 documents of 15 KB without a token, as a page, sent twice", async (target) => {
    const round = async () => {
      const asked = times(50, (index) =>
        ask(`${target.url}/graphql?query=%7By${index}+${"x+".repeat(7000)}%7D`, {
          headers: { accept: "text/html,application/json" },
        }),
      );
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    await round(); // the heap grows to what such requests take
    return withoutGrowth(target, 200, async () => counted([...(await round()), ...(await round())]));
  }),
  asks("fail", "222 different valid documents with 1,000 fields", (target) =>
    withoutGrowth(target, 250, async () => {
      const statuses: number[] = [];
      const now = Date.now(); // measured again, they are others
      for (let round = 0; round < target.size(222, 5); round++) {
        const query = `{ viewer { ${many(1000, (index) => `r${now + round}x${index}: id`)} } }`;
        statuses.push((await post(target, query, { token: target.otherToken })).status);
      }
      return counted(statuses);
    }),
  ),
];

const documents: readonly Check[] = [
  asks("pass", "1,600 operations without a name in one document", async (target) =>
    refused(
      await post(
        target,
        many(1600, () => "{ __typename }"),
      ),
    ),
  ),
  asks(
    "pass",
    "variables: 240,000 items, 30,000 ids, 190,000 nulls, arrays 100,000 deep, unknown keys",
    async (target) => {
      const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }";
      const given = [times(240_000, () => 1), times(30_000, () => "spc_0"), times(190_000, () => null)];
      const deep = `{"query":${JSON.stringify(query)},"variables":{"ids":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
      const headers = { "content-type": "application/json", authorization: `Bearer ${target.token}` };
      const answers = [await ask(`${target.url}/graphql`, { method: "POST", headers, body: deep })];
      for (const ids of given) answers.push(await post(target, query, { variables: { ids } }));
      answers.push(await post(target, "{ viewer { id } }", { variables: { more: 1 } }));
      const unharmed = answers.every(({ status, text }) => status < 500 && !text.includes("INTERNAL"));
      const none = answers.slice(0, 4).every((answer) => refused(answer).holds || answer.status === 413);
      return { holds: unharmed && none, evidence: answers.map(({ status }) => status).join(", ") };
    },
  ),
  asks("pass", "prototype pollution by keys of bodies, variables and REST", async (target) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${target.token}` };
    const poison = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"title":"x"}';
    const bodies = [
      ["POST", "/graphql", `{"query":"{viewer{id}}","variables":${poison},"__proto__":{"query":"{nothing}"}}`],
      ["PATCH", `/v1/spaces/${target.spaceId}`, poison],
    ] as const;
    const answers = [];
    for (const [method, path, body] of bodies) answers.push(await ask(target.url + path, { method, headers, body }));
    const after = await post(target, "{ viewer { isAdmin } }");
    const holds = answers.every(({ status }) => status < 500) && !after.text.includes('"isAdmin":true');
    return { holds, evidence: answers.map(({ status, text }) => `${status} ${text.slice(0, 60)}`).join("; ") };
  }),
  tested(
    "pass",
    "deferred parts, and hashes for documents",
    ["live/in-parts.test.ts", "at most 1,000 parts are deferred; further ones are delivered in place"],
    ["live/persisted-queries.test.ts", "neither a wrong hash nor an invalid document is stored"],
  ),
  asks("pass", "patterns and long texts in searches of members, teams, pages and lists", async (target) => {
    const query = `query ($id: ID!, $text: String!) { organization(id: $id) {
      members(search: $text) { nodes { id } } search(text: $text) { nodes { __typename } } } }`;
    const texts = ["%", "_", "(a+)+$", "\\", '\'; drop table "Space"; --', "%".repeat(400), "%".repeat(200_000)];
    const answers = [];
    for (const text of texts)
      answers.push(await post(target, query, { variables: { id: target.organizationId, text } }));
    const known = answers.every(({ text }) => !/INTERNAL|Unknown argument|Cannot query/.test(text));
    const wrong = answers.filter(({ status, text }) => status >= 500 || /"(?:id|__typename)":"/.test(text));
    return {
      holds: known && wrong.length === 0 && answers[0]?.text.includes('"nodes":[]') === true,
      evidence: answers.map(({ status, text }) => `${status} ${text.slice(0, 40)}`).join("; "),
    };
  }),
];

const costs: readonly Check[] = [
  asks("fail", "lists within lists, 100,000 rows by 350 bytes", async (target) =>
    refused(await post(target, eightLevels)),
  ),
  asks(
    "fail",
    "40 concurrent expensive operations of each of 6 users: latency of others",
    async (target) => {
      const aliases = many(900, (index) => `a${index}: title`);
      const { users, organizationId } = await makeUsers(target, 6);
      const query = `{ organization(id: "${organizationId}") { spaces(first: 1000) { nodes { ${aliases} } } } }`;
      const asked = users.flatMap((token) => times(target.size(40, 2), () => post(target, query, { token })));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      return { holds: statuses.every((status) => status === 200 || status === 429), evidence: counted(statuses) };
    },
    { cpuMs: 60_000, healthMs: 2_000 },
  ),
  tested(
    "fail",
    "limits of rate, of operations at a time and of their time; work that nobody waits for ends",
    [
      "platform/concurrent-operations.test.ts",
      "wait, and get 429 beyond the queue, while operations of other users run",
    ],
    [
      "platform/concurrent-operations.test.ts",
      "a disconnect cancels the statements in the database and frees the slots",
    ],
    [
      "platform/concurrent-operations.test.ts",
      "once used up, refuses operations until the minute ends, for all tokens of the user",
    ],
  ),
  asks("fail", "the used cost quota in every response", async (target) => {
    const { headers } = await post(target, "{ viewer { id } }");
    const told = `${headers.get("ratelimit") ?? ""} ${headers.get("ratelimit-policy") ?? ""}`;
    return { holds: /r=\d+/.test(told) && /q=\d+/.test(told), evidence: told };
  }),
  tested(
    "fail",
    "the size of a response: one page selected a thousand times",
    ["platform/budget.test.ts", "refuses one page selected too many times and returns it below the limit"],
    ["platform/budget.test.ts", "measures a response of many short texts before sending it"],
  ),
  asks("weak", "a thousand tokens in one document", async (target) => {
    const query = `mutation { ${many(1000, (index) => `a${index}: createApiToken(input: { name: "n${index}" }) { apiToken { id } }`)} }`;
    const { status, text } = await post(target, query, { token: target.outsiderToken });
    const made = text.match(/"apiToken":\{/g)?.length ?? 0;
    return { holds: status < 500 && made <= 100, evidence: `${status}, ${made} made` };
  }),
];

const texts: readonly Check[] = [
  tested(
    "pass",
    "Markdown crafted to be slow",
    ["platform/rich-document/convert.test.ts", "stops texts crafted to be slow while others continue"],
    ["features/content/evaluate.test.ts", "that are slow to parse are read by their length"],
  ),
  tested(
    "weak",
    "one user who keeps all worker threads busy",
    ["platform/threads.test.ts", "a thread that never ends does not block the others"],
    ["platform/rich-document/convert.test.ts", "stops texts crafted to be slow while others continue"],
  ),
  tested(
    "weak",
    "merges and comparisons crafted to be slow",
    [
      "features/content/model/merge/text.test.ts",
      "is one conflict of the whole document where the texts are too far apart",
    ],
    [
      "features/content/model/merge/text.test.ts",
      "merges 80,000 edited and rewritten lines in less than quadratic time",
    ],
  ),
  tested("pass", "YAML bombs and cyclic YAML", ["features/imports/front-matter.test.ts", "front matter"]),
  tested("pass", "archives with path traversal", [
    "features/imports/zip.test.ts",
    "an archive is refused without being unpacked",
  ]),
  tested(
    "weak",
    "zip bombs",
    ["features/imports/zip.test.ts", "that only together unpacks to a disk full of files"],
    ["features/imports/zip.test.ts", "is packed by an unsupported method, or is far larger unpacked"],
  ),
  tested("weak", "imports that delay those of others", [
    "features/imports/limits.test.ts",
    "that takes too long, while everything else goes on",
  ]),
  tested("fail", "images that make their reader loop forever", [
    "platform/file-kinds.test.ts",
    "are missing if reading them would never end",
  ]),
  tested(
    "pass",
    "files that a browser would execute",
    ["platform/downloads.test.ts", "a download opened in a browser"],
    ["platform/file-kinds.test.ts", "only raster images are served inline"],
  ),
  tested("pass", "header injection by file names", [
    "platform/downloads.test.ts",
    "encodes any file name in Content-Disposition without header injection",
  ]),
  tested(
    "pass",
    "truncated uploads, and floods of parts and headers",
    ["platform/uploads.test.ts", "an incomplete upload"],
    ["platform/uploads.test.ts", "more operations, map or headers than a request may have"],
  ),
  tested(
    "weak",
    "uploads without permission or beyond the quota of a space",
    ["features/content/access.test.ts", "permissions"],
    ["platform/quotas.test.ts", "limits the total bytes of files of a space"],
  ),
];

export const loadChecks: readonly Check[] = [...memory, ...documents, ...costs, ...texts];
