// What a warm request costs, in counts that no load of the machine changes: a change that costs more says so in the
// diff of request-costs.json, which `npm test -- test/speed --update` writes.
import { spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { addComment } from "#test/features/comments/factory.ts";
import type { CountedRequest, RequestCosts } from "#test/speed/count.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

// On its own database: nothing else is in it, and what happens in it is counted.
const { app, world } = await useApp({ own: true });
const record = fileURLToPath(new URL("request-costs.json", import.meta.url));
const counter = fileURLToPath(new URL("count.ts", import.meta.url));

const graphql = (query: string): CountedRequest => ({ method: "POST", path: "/graphql", body: { query } });

/** Calls may differ by so much of them: rows come in as many pieces as the socket cuts. */
const tolerance = 0.03;

type Costs = Readonly<Record<string, RequestCosts>>;

async function count(token: string, requests: Readonly<Record<string, CountedRequest>>): Promise<Costs> {
  const words = ["--disable-warning=ExperimentalWarning", counter, app.databaseUrl, token];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(requests));
  return JSON.parse(await text(child.stdout)) as Costs;
}

test("costs no more calls, promises, entries of stores, headers and statements than is recorded", async () => {
  const { organization, space, changeRequest, editor } = await world.comment();
  await world.insert((rows) =>
    times(20, () => addComment(rows, { spaceId: space.id, changeRequestId: changeRequest.id, postedById: editor.id })),
  );
  const people = "{ id displayName }";
  const found = await count(editor.token, {
    viewer: graphql("{ viewer { id } }"),
    "one row": graphql(`{ space(id: "${space.id}") { id title visibility organization { title } } }`),
    "three levels": graphql(`{ organization(id: "${organization.id}") { spaces(first: 10) { nodes { id
      changeRequests(first: 10) { nodes { id subject createdBy ${people}
        comments(first: 10) { nodes { id postedBy ${people} } } } } } } } }`),
    "REST one": { method: "GET", path: `/v1/spaces/${space.id}` },
    "REST list": { method: "GET", path: `/v1/spaces/${space.id}/change-requests` },
  });
  if (expect.getState().snapshotState["_updateSnapshot"] === "all")
    await writeFile(record, `${JSON.stringify(found, null, 2)}\n`);
  const recorded = JSON.parse(await readFile(record, "utf8")) as Costs;
  const near = (costs: Costs) =>
    Object.fromEntries(
      Object.entries(costs).map(([name, { calls, ...others }]) => {
        const known = recorded[name]?.calls ?? 0;
        return [name, { ...others, calls: Math.abs(calls - known) <= known * tolerance ? known : calls }];
      }),
    );
  expect(near(found)).toEqual(near(recorded));
}, 120_000);
