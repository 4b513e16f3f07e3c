// Wrong addresses: browsers get a page that leads on, and programs the error as JSON.
import { describe, expect, test } from "vitest";
import { signIn } from "#test/features/sessions/factory.ts";
import { testApp, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

async function open(path: string, headers: Record<string, string> = browser, of = app) {
  const response = await fetch(`${of.url}${path}`, { headers, redirect: "manual" });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text(), response };
}

/** The paths on this gateway that a page links to. */
const linksIn = (text: string) => [...text.matchAll(/<a[^>]*?href="(\/[^"]*)"/g)].map(([, path = ""]) => path);

describe("a wrong address", () => {
  test.each(["/nothing", "/docz", "/published", "/docs.html", "/wp-login.php", "/invitations/x"])(
    "%s gives a browser a page whose links respond",
    async (path) => {
      const { status, type, text, response } = await open(path);
      expect([status, type]).toEqual([404, "text/html; charset=utf-8"]);
      expect(response.headers.get("vary")).toContain("accept");
      expect(text).toContain("<h1>Page not found</h1>");
      expect(linksIn(text)).toEqual(["/", "/docs"]);
      for (const link of linksIn(text)) expect((await open(link)).status, link).toBe(200);
    },
  );

  test.each([undefined, "*/*", "application/json", "application/json, text/html;q=0.5"])(
    "gives a program with Accept %s the error as JSON",
    async (accept) => {
      const { status, type, text } = await open("/nothing", accept === undefined ? {} : { accept });
      expect([status, type]).toEqual([404, "application/json; charset=utf-8"]);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 404 } });
    },
  );

  test("below /app gives a signed-in user a page that leads to the start, and others one that leads back", async () => {
    const { reader } = await world.space();
    const { cookie } = await signIn(app, { userId: reader.id });
    const known = await open("/app/nothing/at/all?x=1", { ...browser, cookie });
    expect([known.status, linksIn(known.text)]).toEqual([404, ["/"]]);
    const unknown = await open("/app/nothing/at/all?x=1");
    expect(unknown.status).toBe(401);
    expect(unknown.text).toContain(`${app.url}/sign-in?returnTo=%2Fapp%2Fnothing%2Fat%2Fall%3Fx%3D1"`);
  });

  test("with the key of an invite link gives a page that does not repeat the key", async () => {
    const { status, text } = await open("/app/invites/some-key");
    expect([status, text.includes("some-key"), linksIn(text)]).toEqual([404, false, ["/", "/sign-in"]]);
  });
});

test("a form that is refused before it runs gives a browser a page, and a program JSON", async () => {
  const { reader } = await world.space();
  const { cookie } = await signIn(app, { userId: reader.id });
  const post = async (accept: string) => {
    const body = new URLSearchParams({ form: "none" });
    const headers = { cookie, accept, origin: "https://elsewhere.example.com" };
    const response = await fetch(`${app.url}/app/search`, { method: "POST", body, headers });
    return [response.status, response.headers.get("content-type")];
  };
  expect(await post(browser.accept)).toEqual([405, "text/html; charset=utf-8"]);
  expect(await post("*/*")).toEqual([405, "application/json; charset=utf-8"]);
});

test("/graphql without GraphiQL gives a browser a page that leads to the reference, and a program its error", async () => {
  await using production = await testApp({ beside: app, graphiql: false });
  const { status, type, text } = await open("/graphql", browser, production);
  expect([status, type]).toEqual([200, "text/html; charset=utf-8"]);
  expect(linksIn(text)).toContain("/reference/graphql");
  expect(linksIn(text)).not.toContain("/graphql");
  for (const link of linksIn(text)) expect((await open(link, browser, production)).status, link).toBe(200);
  expect((await open("/graphql", { accept: "application/json" }, production)).status).toBe(401);
});

test("with APP_URL every address below /app leads to the application there", async () => {
  await using other = await testApp({ beside: app, appUrl: "https://app.example.com/{path}" });
  const { reader, space } = await world.space();
  const { cookie } = await signIn(app, { userId: reader.id });
  for (const path of ["/app", `/app/spaces/${space.id}`, "/app/nothing"]) {
    const { status, text } = await open(path, { ...browser, cookie }, other);
    expect([status, text.includes(`href="https://app.example.com/"`)], path).toEqual([404, true]);
  }
});
