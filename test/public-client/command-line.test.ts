// The public command line of the platform, run unmodified against a gateway: sign-in, integrations with their events,
// and specifications.
import { execFile, spawn } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { settled } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";
import { testFolder } from "#test/support/test-files.ts";

const { app, world } = await useApp({ deliveryMs: 50, pollMs: 20 });
const require = createRequire(import.meta.url);
const program = require.resolve("@gitbook/cli/cli.js");
const folder = testFolder();
await mkdir(folder.path, { recursive: true });
await symlink(fileURLToPath(new URL("../../node_modules", import.meta.url)), `${folder.path}/node_modules`);
afterAll(() => folder.remove());

/** Options of a process in the folder of the test, where the command line also stores its settings. */
const inFolder = (environment: NodeJS.ProcessEnv = {}) => ({
  cwd: folder.path,
  env: { ...process.env, HOME: folder.path, XDG_CONFIG_HOME: folder.path, ...environment },
});

/** The environment in which the command line needs no sign-in. */
const signedIn = (token: string) => ({ GITBOOK_ENDPOINT: app.url, GITBOOK_TOKEN: token });

/** What a command prints. Throws with its errors if it fails. */
async function run(words: string, environment?: NodeJS.ProcessEnv, input = ""): Promise<string> {
  const running = promisify(execFile)(process.execPath, [program, ...words.split(" ")], inFolder(environment));
  running.child.stdin?.end(input);
  return (await running).stdout;
}

const manifest = (organizationId: string) => `name: tide-alert
title: Tide alert
organization: ${organizationId}
visibility: private
description: Notices comments
script: ./index.ts
scopes: [space:content:read]
`;

const script = `import { createIntegration } from "@gitbook/runtime";
  export default createIntegration({
    events: { comment_created: (event: { commentId: string }) => console.log("noticed " + event.commentId) },
  });`;

test("`auth` stores a token that `whoami` signs in with", async () => {
  const { admin } = await world.organization();
  expect(await run(`auth --token ${admin.token} --endpoint ${app.url}`)).toContain("You are now authenticated as ");
  const described = await run("whoami");
  expect(described).toContain(`ID: ${admin.id}\n`);
  expect(described).toContain(`API: ${app.url}\n`);
});

test(
  "`publish` publishes an integration, `tail` prints its events, and `unpublish` deletes it",
  { timeout: 120_000 },
  async () => {
    const { organization, space, admin } = await world.space();
    await writeFile(`${folder.path}/gitbook-manifest.yaml`, manifest(organization.id));
    await writeFile(`${folder.path}/index.ts`, script);
    expect(await run("publish", signedIn(admin.token))).toContain('Integration "tide-alert" published');

    const client = app.as(admin.token);
    const install = { body: { organization: organization.id } };
    const installation = await client.rest("POST", "/v1/integrations/tide-alert/installations", install);
    const comment = { body: { body: { markdown: "High water" } } };
    const made = await client.rest("POST", `/v1/spaces/${space.id}/comments`, comment);
    await settled(app, (installation.body as { id: string }).id, Infinity, 3);
    expect(await tail(admin.token, "[info] noticed ")).toContain(
      `[info] noticed ${(made.body as { id: string }).id}\n`,
    );

    expect(await run("unpublish tide-alert", signedIn(admin.token), "y")).toContain("has been deleted");
    expect((await client.rest("GET", "/v1/integrations/tide-alert")).status).toBe(404);
  },
);

/** What `tail` prints from its start until it has printed a text and is stopped. */
async function tail(token: string, text: string): Promise<string> {
  const following = spawn(process.execPath, [program, "tail"], inFolder(signedIn(token)));
  let output = "";
  for (const stream of [following.stdout, following.stderr]) stream.on("data", (piece) => (output += String(piece)));
  const ended = new Promise((resolve) => following.once("close", resolve));
  await expect.poll(() => output, { timeout: 60_000 }).toContain(text);
  following.kill("SIGINT");
  expect(await ended).toBe(0);
  return output;
}

test("`openapi publish` creates a specification from a file", async () => {
  const { organization, admin } = await world.organization();
  await writeFile(`${folder.path}/tides.yaml`, "openapi: 3.1.0\ninfo: { title: Tides, version: 1.0.0 }\npaths: {}\n");
  const publish = `openapi publish tides.yaml --spec tides --organization ${organization.id}`;
  expect(await run(publish, signedIn(admin.token))).toContain('OpenAPI specification "tides" published to http');
  const { body } = await app.as(admin.token).rest("GET", `/v1/orgs/${organization.id}/openapi/tides`);
  expect(body).toMatchObject({ object: "openapi-spec", slug: "tides" });
});
