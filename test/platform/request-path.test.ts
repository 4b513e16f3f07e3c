// The path of a request: its steps are those of the table, in order, and it passes through few files.
import { spawn } from "node:child_process";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { steps } from "#src/server/http/steps.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readPage } from "#test/support/documentation.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

/** Six to warm up, three that are counted. */
const sendings = 9;

interface Measured {
  readonly files: Readonly<Record<string, readonly string[]>>;
  readonly steps: readonly string[];
}

let measured: Measured;

beforeAll(async () => {
  const { admin, space } = await world.space({ space: { visibility: "public" } });
  const requests = await world.insert((rows) =>
    times(sendings, (index) => addChangeRequest(rows, { space, number: 100 + index, createdById: admin.id })),
  );
  const { token } = admin;
  const graphql = (query: string, variables = {}) => ({
    method: "POST",
    path: "/graphql",
    token,
    body: { query, variables },
  });
  const same = (request: object) => times(sendings, () => request);
  const list = "query($id: ID!) { space(id: $id) { changeRequests(statuses: [OPEN], first: 5) { nodes { id } } } }";
  const merge = "mutation($id: ID!) { mergeChangeRequest(input: { changeRequestId: $id }) { changeRequest { id } } }";
  const long = `{ viewer { id } ${times(60, (index) => `a${index}: viewer { id }`).join(" ")} }`;
  measured = await measure({
    "GET /healthz": same({ method: "GET", path: "/healthz" }),
    "{ viewer { id } }": same(graphql("{ viewer { id } }")),
    "list with an argument": same(graphql(list, { id: space.id })),
    "REST GET of a space": same({ method: "GET", path: `/v1/spaces/${space.id}`, token }),
    mergeChangeRequest: requests.map(({ id }) => graphql(merge, { id })),
    "published page": same({ method: "GET", path: `/published/${space.id}` }),
    // It takes all steps: from a page, with a long compressed response.
    "long answer": [{ ...graphql(long), headers: { origin: app.url, "accept-encoding": "gzip" } }],
  });
}, 300_000);

async function measure(requests: Readonly<Record<string, readonly object[]>>): Promise<Measured> {
  const script = fileURLToPath(new URL("../support/count-files.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, app.databaseUrl], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(requests));
  return (await json(child.stdout)) as Measured;
}

/** The most files of src/server, and of src/http and src/server together. */
test.each([
  ["GET /healthz", 6, 9],
  ["{ viewer { id } }", 10, 15],
  ["list with an argument", 10, 15],
  ["REST GET of a space", 7, 12],
  ["mergeChangeRequest", 10, 15],
  ["published page", 6, 14],
])("%s passes through at most %i files of src/server, and %i including src/http", (name, server, all) => {
  const files = measured.files[name]?.filter((file) => /^(server|http)\//.test(file)) ?? [];
  expect(files.filter((file) => file.startsWith("server/")).length, files.join(" ")).toBeLessThanOrEqual(server);
  expect(files.length, files.join(" ")).toBeLessThanOrEqual(all);
  expect(files.length).toBeGreaterThan(0);
});

test("a long response to a page takes all steps in the order of the table", () => {
  expect(measured.steps).toEqual(steps.map(({ name }) => name));
});

test("architecture.md lists the steps", () => {
  const [, section = ""] = readPage("src/docs/architecture.md").text.split("## From the socket to the answer\n");
  const listed = (section.split("\n### ")[0] ?? "").replaceAll("\n   ", " ").matchAll(/^\d+\. \*\*(.+?)\*\*: (.+)$/gm);
  expect([...listed].map(([, name, does]) => ({ name, does }))).toEqual(
    steps.map(({ name, does }) => ({ name, does })),
  );
});
