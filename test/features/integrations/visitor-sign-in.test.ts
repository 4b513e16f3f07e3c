// Visitors of a site that an integration signs in: from a private page to its identity provider, and back with a token.
import { decodeJwt } from "jose/jwt/decode";
import { expect, test } from "vitest";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { useApp } from "#test/support/app.ts";
import { nextNumber } from "#test/support/rows.ts";

const provider: SafeFetch = (url, options) => {
  const code = new URLSearchParams(Buffer.from(options?.body ?? "").toString()).get("code");
  const body = Buffer.from(JSON.stringify(code === "right" ? { sub: "mara", staff: true } : {}));
  return Promise.resolve({ url: String(url), status: 200, headers: new Headers(), body });
};
const { app, world } = await useApp({ fetch: provider });

/** Signs as a library for workers does: an HMAC key of the text, over base64url. */
const script = `
const encode = (value) => btoa(String.fromCharCode(...new TextEncoder().encode(value))).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "");
async function sign(claims, secret) {
  const text = encode(JSON.stringify({ alg: "HS256", typ: "JWT" })) + "." + encode(JSON.stringify(claims));
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.sign({ name: "HMAC" }, key, new TextEncoder().encode(text)));
  return text + "." + btoa(String.fromCharCode(...bytes)).replace(/\\+/g, "-").replace(/\\//g, "_").replace(/=+$/, "");
}
  export default { async fetch(request) {
  const form = await request.formData();
  const event = JSON.parse(form.get("event"));
  const { siteInstallation, installation, signingSecrets, apiEndpoint } = JSON.parse(form.get("environment"));
  const back = siteInstallation.urls.publicEndpoint + "/visitor-auth/response";
  if (event.type === "fetch_visitor_authentication") {
    const to = new URL("https://idp.example.com/authorize");
    to.searchParams.set("redirect_uri", back);
    to.searchParams.set("state", event.siteId + event.location);
    return Response.redirect(to.toString());
  }
  if (event.type !== "fetch") return new Response("", { status: 406 });
  const { searchParams } = new URL(event.request.url);
  const answer = await fetch("https://idp.example.com/token", { method: "POST", body: new URLSearchParams({ code: searchParams.get("code") }) });
  const { sub, staff } = await answer.json();
  if (!sub) return new Response("Sign in again", { status: 401 });
  const [siteId, ...path] = searchParams.get("state").split("/");
  const site = await (await fetch(apiEndpoint + "/v1/orgs/" + installation.target.organization + "/sites/" + siteId)).json();
  const url = new URL(site.urls.published + "/" + path.join("/"));
  const token = await sign({ sub, staff, exp: Math.floor(Date.now() / 1000) + 3600 }, signingSecrets.siteInstallation);
  url.searchParams.set("jwt_token", token);
  return Response.redirect(url.toString());
} };`;

/** A published site for visitors with a token, and an integration that signs them in. */
async function scene(scopes = ["site:visitor:auth"]) {
  const site = await makePublished(app, world, { visibility: "visitor_auth" });
  const client = app.as(site.admin.token);
  const organization = site.organization.id;
  const name = `sign-in-${nextNumber()}`;
  await client.rest("POST", `/v1/integrations/${name}`, { body: { organization, title: "Sign-in", script, scopes } });
  const { body, status } = await client.rest<{ id: string }>("POST", `/v1/integrations/${name}/installations`, {
    body: { organization },
  });
  expect([status, JSON.stringify(body)]).toEqual([201, expect.stringContaining("ins_")]);
  const installation = body.id;
  return { ...site, client, endpoint: `${app.url}/integrations/${name}/${installation}/sites/${site.siteId}` };
}

const visit = async (url: string, cookie = "") => {
  const response = await fetch(url, { headers: { accept: "text/html", cookie }, redirect: "manual" });
  const { status, headers } = response;
  return {
    status,
    location: headers.get("location") ?? "",
    cookies: headers.getSetCookie(),
    body: await response.text(),
  };
};

test("a visitor of a private page signs in by an integration, and comes back to the page", async () => {
  const { siteId, endpoint, client } = await scene();
  const page = `${app.url}/published/${siteId}/docs/guide`;
  const refused = await visit(page);
  const link = /href="([^"]*~sign-in[^"]*)"/.exec(refused.body)?.[1]?.replaceAll("&#38;", "&") ?? "";
  expect([refused.status, link]).toEqual([401, `${endpoint}/~sign-in?location=%2Fdocs%2Fguide`]);
  const led = await visit(link);
  const to = new URL(led.location);
  expect([led.status, to.origin, to.searchParams.get("redirect_uri"), to.searchParams.get("state")]).toEqual([
    302,
    "https://idp.example.com",
    `${endpoint}/visitor-auth/response`,
    `${siteId}/docs/guide`,
  ]);
  const state = to.searchParams.get("state") ?? "";
  const back = await visit(
    `${endpoint}/visitor-auth/response?${new URLSearchParams({ code: "right", state }).toString()}`,
  );
  const returned = new URL(back.location);
  expect([back.status, returned.origin + returned.pathname]).toEqual([302, page]);
  expect(decodeJwt(returned.searchParams.get("jwt_token") ?? "")).toMatchObject({ sub: "mara", staff: true });
  const { status, cookies } = await visit(back.location);
  expect(status).toBe(303);
  const read = await visit(page, cookies[0]?.split(";")[0]);
  expect([read.status, read.body.includes("Text of guide")]).toEqual([200, true]);
  const wrong = await visit(
    `${endpoint}/visitor-auth/response?${new URLSearchParams({ code: "wrong", state }).toString()}`,
  );
  expect([wrong.status, wrong.body]).toEqual([401, "Sign in again"]);
  const { site } = await client.query<{ site: { visitorAuth: { signingKeys: object[] } } }>(
    `{ site(id: "${siteId}") { visitorAuth { signingKeys { id } } } }`,
  );
  expect(site.visitorAuth.signingKeys).toHaveLength(1);
});

test("an integration without the scope signs nobody in, and gets no key", async () => {
  const { siteId, endpoint } = await scene([]);
  const refused = await visit(`${app.url}/published/${siteId}/docs/guide`);
  expect([refused.status, refused.body.includes("~sign-in")]).toEqual([401, false]);
  expect((await visit(`${endpoint}/~sign-in`)).status).toBe(502);
});

test("the address that the owner set comes before that of an integration", async () => {
  const { siteId, client } = await scene();
  await client.query(
    `mutation { setSiteSignInUrl(input: { siteId: "${siteId}", url: "https://app.example.com/in" }) { site { id } } }`,
  );
  const { body } = await visit(`${app.url}/published/${siteId}/docs/guide`);
  expect([body.includes("https://app.example.com/in"), body.includes("~sign-in")]).toEqual([true, false]);
});
