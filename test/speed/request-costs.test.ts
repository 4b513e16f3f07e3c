// What a warm request costs, in counts that no load of the machine changes: a change that costs more says so in the
// diff of request-costs.json, which `npm test -- test/speed --update` writes.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { addComment } from "#test/features/comments/factory.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import type { CountedRequest, RequestCosts } from "#test/speed/count.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

// On its own database: nothing else is in it, and what happens in it is counted.
const { app, world } = await useApp({ own: true });
const record = fileURLToPath(new URL("request-costs.json", import.meta.url));
const counter = fileURLToPath(new URL("count.ts", import.meta.url));

const graphql = (query: string): CountedRequest => ({ method: "POST", path: "/graphql", body: { query } });

/** What may differ by so much: rows come in as many pieces as the socket cuts, and V8 optimises at times. */
const tolerances = {
  calls: (known: number) => 0.03 * known,
  kilobytes: (known: number) => 0.15 * known,
  timers: () => 1, // a statement that is not quick on a busy machine is sent in a turn of its own
};

type Costs = Readonly<Record<string, RequestCosts>>;

type Requests = Readonly<Record<string, CountedRequest>>;

/** What the counter prints for requests: with `kept`, how many kilobytes of garbage get into the old generation. */
async function count(token: string, requests: Requests): Promise<Costs>;
async function count(token: string, requests: Requests, mode: "kept"): Promise<Readonly<Record<string, number>>>;
async function count(token: string, requests: Requests, mode?: "kept"): Promise<unknown> {
  const young = `--max-semi-space-size=${mode ? 1 : 256}`;
  const ofNode = ["--disable-warning=ExperimentalWarning", young, "--no-memory-reducer", "--expose-gc"];
  const words = [...ofNode, counter, app.databaseUrl, token, ...(mode ? [mode] : [])];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(requests));
  return JSON.parse(await text(child.stdout));
}

test("costs no more calls, promises, timers, store entries, headers, statements and bytes than is recorded", async () => {
  const { organization, space, changeRequest, editor } = await world.comment();
  await world.insert((rows) =>
    times(20, () => addComment(rows, { spaceId: space.id, changeRequestId: changeRequest.id, postedById: editor.id })),
  );
  const { siteId } = await makePublished(app, world);
  const people = "{ id displayName }";
  const found = await count(editor.token, {
    viewer: graphql("{ viewer { id } }"),
    "one row": graphql(`{ space(id: "${space.id}") { id title visibility organization { title } } }`),
    "three levels": graphql(`{ organization(id: "${organization.id}") { spaces(first: 10) { nodes { id
      changeRequests(first: 10) { nodes { id subject createdBy ${people}
        comments(first: 10) { nodes { id postedBy ${people} } } } } } } } }`),
    "comment to a subscriber": {
      ...graphql(`mutation { createComment(input: { contentOf: { changeRequestId: "${changeRequest.id}" },
        text: { markdown: "Good." } }) { comment { id } } }`),
      heardBy: `subscription { commentEvents(of: { changeRequestId: "${changeRequest.id}" }) { __typename
        ... on CommentPosted { comment { id } } } }`,
    },
    "published page": { method: "GET", path: `/published/${siteId}`, isPublic: true },
    "REST one": { method: "GET", path: `/v1/spaces/${space.id}` },
    "REST list": { method: "GET", path: `/v1/spaces/${space.id}/change-requests` },
  });
  if (expect.getState().snapshotState["_updateSnapshot"] === "all")
    await writeFile(record, `${JSON.stringify(found, null, 2)}\n`);
  const recorded = JSON.parse(await readFile(record, "utf8")) as Costs;
  const near = (costs: Costs) =>
    Object.fromEntries(
      Object.entries(costs).map(([name, { calls, kilobytes, timers, ...others }]) => {
        const nearTo = (kind: keyof typeof tolerances, found: number) => {
          const known = recorded[name]?.[kind] ?? 0;
          return Math.abs(found - known) <= tolerances[kind](known) ? known : found;
        };
        const few = { calls: nearTo("calls", calls), timers: nearTo("timers", timers) };
        return [name, { ...others, ...few, kilobytes: nearTo("kilobytes", kilobytes) }];
      }),
    );
  expect(near(found)).toEqual(near(recorded));
}, 120_000);

test("leaves no garbage that only a full collection finds", async () => {
  const { space, editor } = await world.comment();
  const { siteId } = await makePublished(app, world);
  const kept = await count(
    editor.token,
    {
      "one row": graphql(`{ space(id: "${space.id}") { id title visibility organization { title } } }`),
      "REST one": { method: "GET", path: `/v1/spaces/${space.id}` },
      "published site": graphql(`{ publishedSite(by: { id: "${siteId}" }) { siteId defaultSiteSpace { id } } }`),
    },
    "kept",
  );
  for (const [name, kilobytes] of Object.entries(kept)) expect(kilobytes, name).toBeLessThan(3);
});
