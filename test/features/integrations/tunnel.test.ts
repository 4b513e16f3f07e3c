// Development tunnels: a worker on one's own machine gets what a worker expects, and calls the gateway by a token of
// its run.
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { createReach, loopback } from "#src/net/reach.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { installed, settled } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";
import { testFolder } from "#test/support/test-files.ts";

const tunnels = {
  fetch: createSafeFetch({ allowedHosts: loopback }),
  mayReach: createReach({ allowedHosts: loopback }),
};
const { app, world } = await useApp({ tunnels, deliveryMs: 50 });

interface Environment {
  readonly apiEndpoint: string;
  readonly apiTokens: { readonly installation: string };
  readonly installation: { readonly id: string; readonly configuration: object };
}

type Worker = (event: Record<string, unknown>, environment: Environment, body: unknown) => Promise<Response>;

/** A worker on this machine, as tools of developers run it; `headers` are those of its last request. */
async function workerOf(worker: Worker) {
  const seen: { headers: Record<string, string>; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const headers = request.headers as Record<string, string>;
      seen.push({ headers, body });
      const form = await new Request("http://worker", {
        method: "POST",
        headers,
        body: new Uint8Array(body),
      }).formData();
      const json = (name: string) => JSON.parse(form.get(name) as string) as never;
      const answer = await worker(json("event"), json("environment"), form.get("fetch-body"));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  afterAll(() => server.close());
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

const published = "export default { fetch: () => new Response('published') };";
const call = ({ apiEndpoint, apiTokens }: Environment, path: string, method = "GET", body?: object) =>
  fetch(`${apiEndpoint}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiTokens.installation}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

test("a worker at a tunnel gets events, drawings and public requests as forms, and calls /v1 as its installation", async () => {
  const calls: unknown[] = [];
  const worker = await workerOf(async (event, environment, body) => {
    if (event["type"] === "fetch")
      return new Response(`got ${await new Response(body as Blob).text()}`, { status: 201 });
    const comments = `/spaces/${String(event["spaceId"])}/comments`;
    const made = await call(environment, comments, "POST", { body: { markdown: "From here" } });
    calls.push([event["type"], environment.installation.configuration, made.status]);
    const element = { type: "block", children: [{ type: "text", children: ["drawn here"] }] };
    return event["type"] === "ui_render" ? Response.json({ type: "element", element }) : new Response("OK");
  });
  const scopes = ["space:content:write"];
  const scene = await installed(
    { app, world },
    {
      script: published,
      integration: { scopes, tunnelUrl: worker.url },
      installation: { scopes, configuration: { key: "a" } },
      events: [{}],
    },
  );
  const [event] = await settled(app, scene.installation.id);
  expect(event?.status).toBe("success");
  const drawn = await app
    .as(scene.admin.token)
    .query<object>(
      `query ($context: JSON!) { renderIntegrationBlock(integrationName: "${scene.integration.name}", componentId: "a", context: $context) { element } }`,
      { context: { spaceId: scene.space.id } },
    );
  expect(JSON.stringify(drawn)).toContain("drawn here");
  expect(calls).toEqual([
    ["comment_created", { key: "a" }, 200],
    ["ui_render", { key: "a" }, 403],
  ]);
  const path = `/integrations/${scene.integration.name}/${scene.installation.id}/in`;
  const answer = await fetch(app.url + path, { method: "POST", body: "text" });
  expect([answer.status, await answer.text()]).toEqual([201, "got text"]);
});

test("the token of a run is not valid for other installations, nor is another text", async () => {
  const environments: Environment[] = [];
  const worker = await workerOf((_event, environment) => {
    environments.push(environment);
    return Promise.resolve(new Response("OK"));
  });
  const integration = { tunnelUrl: worker.url };
  for (const _ of [1, 2]) {
    const { installation } = await installed({ app, world }, { script: published, integration, events: [{}] });
    await settled(app, installation.id);
  }
  const [one, other] = environments as [Environment, Environment];
  const own = await fetch(`${one.apiEndpoint}/v1/user`, { headers: { authorization: "Bearer other" } });
  expect(own.status).toBe(401);
  expect((await call({ ...one, apiEndpoint: other.apiEndpoint }, "/orgs")).status).toBe(401);
  expect((await call(one, "/orgs")).status).toBe(200);
});

test("a tunnel of a script with `handle` gets signed JSON", async () => {
  const server = createServer((request, response) => void text(request).then((body) => response.end(body)));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const tunnelUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const script = "export const handle = () => null;";
  const { installation } = await installed({ app, world }, { script, integration: { tunnelUrl }, events: [{}] });
  const [event] = await settled(app, installation.id);
  expect(JSON.stringify(event?.logs)).toContain(String.raw`200: {\"type\":\"comment_created\"`);
  server.close();
});

test("the form of a worker is signed with the key of the integration", async () => {
  const worker = await workerOf(() => Promise.resolve(new Response("OK")));
  const { integration, admin, enqueue, installation } = await installed({ app, world }, { script: published });
  const { signingKey } = (
    await app
      .as(admin.token)
      .query<{ set: { signingKey: string } }>(
        `mutation ($input: SetIntegrationDevModeInput!) { set: setIntegrationDevMode(input: $input) { signingKey } }`,
        { input: { integrationName: integration.name, tunnelUrl: worker.url } },
      )
  ).set;
  await enqueue({});
  await settled(app, installation.id, Infinity, 1);
  const [sent] = worker.seen;
  const payload = sent?.body ?? Buffer.alloc(0);
  expect(() => new Webhook(signingKey).verify(payload, sent?.headers ?? {})).toThrow(SyntaxError); // valid, and no JSON
});

test.each([
  ["http://127.0.0.1:4500/hook", false],
  ["http://[::1]:4500/hook", false],
  ["http://10.0.0.1/", false],
  ["https://192.0.2.1/", false],
  ["https://docs.internal/", true],
  ["https://93.184.215.14/", true],
])("a gateway in production is asked for a tunnel at %s", async (url, isReached) => {
  expect(await createReach({ allowedHosts: ["docs.internal"] })(url)).toBe(isReached);
});

test("a tunnel that the gateway could never reach is refused with the name of the setting", async () => {
  const { integration, admin, reader } = await installed({ app, world }, { script: published });
  const put = (token: string, tunnelUrl: string) =>
    app.as(token).rest("PUT", `/v1/integrations/${integration.name}/dev`, { body: { tunnelUrl } });
  const { status, body } = await put(admin.token, "http://10.0.0.1/hook");
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("ALLOWED_FETCH_HOSTS")]);
  expect((await put(admin.token, "http://localhost:4500/hook")).status).toBe(204);
  expect((await put(reader.token, "http://10.0.0.1/hook")).status).not.toBe(400);
});

test("`npm run listen` turns development mode on, prints traces, and turns it off", { timeout: 60_000 }, async () => {
  const worker = await workerOf(() => Promise.resolve(new Response("heard")));
  const scene = await installed({ app, world }, { script: published });
  const folder = testFolder().path;
  await mkdir(folder, { recursive: true });
  const file = `${folder}/token`;
  await writeFile(file, scene.admin.token);
  const script = fileURLToPath(new URL("../../../src/run.js", import.meta.url));
  const command = spawn(
    process.execPath,
    `${script} cli/listen ${scene.integration.name} ${worker.url} --gateway ${app.url} --token-file ${file}`.split(" "),
  );
  let output = "";
  const says = async (wanted: string) => {
    await expect.poll(() => output, { timeout: 30_000 }).toContain(wanted);
  };
  for (const stream of [command.stdout, command.stderr]) stream.on("data", (piece) => (output += String(piece)));
  await says("Events of ");
  await scene.enqueue({});
  await says("comment_created");
  await says("debug: The development tunnel answered 200: heard");
  command.kill("SIGINT");
  await says("is off.");
  const { tunnelUrl } = await app.database.prisma.integration.findUniqueOrThrow({
    where: { id: scene.integration.id },
  });
  expect(tunnelUrl).toBeNull();
});
