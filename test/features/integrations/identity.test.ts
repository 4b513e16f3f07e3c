// Operations that the scripts of an installation may run in the gateway, and requests that they receive.
import { expect, test } from "vitest";
import { installed, settled } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp({ deliveryMs: 100 });
const at = { app, world };

/** Runs the body of a handler for one event, and returns its log. */
async function logOf(body: string, scopes: readonly string[], payload: Record<string, unknown> = {}) {
  const script = `export async function handle(event, { api }) { ${body} }`;
  const scene = await installed(at, { script, integration: { scopes: [...scopes] }, events: [payload] });
  const [event] = await settled(app, scene.installation.id);
  const lines = ((event?.logs ?? []) as { message: string }[]).map(({ message }) => message);
  return { ...scene, lines };
}

const read = `
  const { status, body } = await api.rest("GET", "/v1/spaces/" + event.spaceId);
  const { data } = await api.graphql("query ($id: ID!) { space(id: $id) { title } }", { id: event.spaceId });
  console.info(status, body.title ?? null, data?.space?.title ?? null);`;

test("a script reads the spaces that it is installed on by a scope, and no others", async () => {
  const own = await logOf(read, ["space:content:read"]);
  expect(own.lines).toEqual([`200 ${own.space.title} ${own.space.title}`]);
  expect((await logOf(read, [])).lines).toEqual(["404 null null"]);
  const other = await world.space();
  expect((await logOf(read, ["space:content:write"], { spaceId: other.space.id })).lines).toEqual(["404 null null"]);
});

const comment = `
  const { status, body } = await api.rest("POST", "/v1/spaces/" + event.spaceId + "/comments", { body: { markdown: "From a script" } });
  console.info(status, body.id ?? body.error.message);`;

test("a script comments under its own name by the write scope, and not by the read scope", async () => {
  const { lines, admin, space } = await logOf(comment, ["space:content:write"]);
  expect(lines).toEqual([expect.stringMatching(/^200 cmt_/)]);
  const { body } = await app.as(admin.token).rest("GET", `/v1/spaces/${space.id}/comments`);
  expect(JSON.stringify(body)).toContain("From a script");
  expect(JSON.stringify(body)).toContain("Word count");
  expect((await logOf(comment, ["space:content:read"])).lines).toEqual([expect.stringMatching(/^403/)]);
});

test("a script cannot change tokens, organizations or members, only content, whatever its scopes", async () => {
  const { lines } = await logOf(
    `for (const mutation of [
      'createApiToken(input: { name: "mine" }) { token }',
      'createOrganization(input: { title: "Mine" }) { organization { id } }',
      'deleteSpace(input: { id: "' + event.spaceId + '" }) { clientMutationId }',
    ]) {
      const { data, errors } = await api.graphql("mutation { " + mutation + " }");
      console.info(data ?? null, errors?.length > 0);
    }
    const hidden = await api.graphql("mutation { ...All } fragment All on Mutation { __typename }");
    console.info(hidden.errors[0].extensions.code);
    console.info(await api.graphql("subscription { __typename }").catch((error) => error.message));
    console.info((await api.rest("POST", "/v1/orgs", { title: "Mine" })).status);`,
    ["space:content:write", "space:metadata:write", "openapi:write"],
  );
  expect(lines.slice(0, 3).every((text) => text.endsWith("null true"))).toBe(true);
  expect(lines.slice(3, 4)).toEqual(["FORBIDDEN"]);
  expect(lines[4]).toMatch(/^context.api: subscriptions|errors/);
  expect(Number(lines[5])).toBeGreaterThanOrEqual(400);
});

const endpoint = `
  const { request } = event;
  if (request.path === "/page") return { status: 201, headers: { "Content-Type": "text/html", "Set-Cookie": "a=b", "X-Integration-Mine": "yes" }, body: "<h1>Hi</h1>" };
  if (request.path === "/boom") throw new Error("secret detail");
  if (request.path === "/none") return null;
  return { body: request };`;

test("a script's endpoint receives requests without authorization and cookies, and cannot set cookies", async () => {
  const script = `export async function handle(event) { ${endpoint} }`;
  const contentSecurityPolicy = "default-src 'self'";
  const { installation, integration } = await installed(at, { script, integration: { contentSecurityPolicy } });
  const base = `${app.url}/integrations/${integration.name}/${installation.id}`;
  const headers = {
    authorization: "Bearer ours",
    cookie: "session=ours",
    "x-theirs": "1",
    "content-type": "text/plain",
  };
  const answer = await fetch(`${base}/a/b?q=1`, { method: "POST", headers, body: "text" });
  const request = (await answer.json()) as { headers: Record<string, string> };
  expect(request).toMatchObject({ method: "POST", path: "/a/b", query: { q: "1" }, body: "text", isBase64: false });
  expect(request.headers).toMatchObject({ "x-theirs": "1" });
  expect(Object.keys(request.headers)).not.toContain("authorization");
  expect(Object.keys(request.headers)).not.toContain("cookie");

  const page = await fetch(`${base}/page`);
  expect([page.status, page.headers.get("x-integration-mine"), page.headers.get("set-cookie")]).toEqual([
    201,
    "yes",
    null,
  ]);
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'self'; sandbox/);
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");

  const boom = await fetch(`${base}/boom`);
  expect([boom.status, await boom.text()]).toEqual([502, expect.not.stringContaining("secret detail")]);
  expect((await fetch(`${base}/none`)).status).toBe(404);
  expect((await fetch(`${app.url}/integrations/another/${installation.id}/`)).status).toBe(404);
});
