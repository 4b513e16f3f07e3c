// Sign-in and sign-out by an OpenID provider that others wrote, which an admin adds by its issuer.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { afterAll, expect, test, vi } from "vitest";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { behindProxy, TestBrowser } from "#test/features/saml/sign-in.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp({ fetch: createSafeFetch({ allowedHosts: ["127.0.0.1"] }), ...behindProxy });
const { organization, admin } = await world.organization();

const server = createServer();
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => server.close().closeAllConnections());
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = { client_id: "docgraph", client_secret: "a secret of the client" };

/** Its notices are about settings that only matter in production. */
function startProvider(redirectURL: string): void {
  for (const way of ["warn", "info"] as const) vi.spyOn(console, way).mockReturnValue();
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [redirectURL], post_logout_redirect_uris: [`${app.url}/sign-in`] }],
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["key of cookies"] },
    findAccount: (_ctx: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, email: `${accountId}@example.org`, email_verified: true, name: "Ada Example" }),
    }),
  });
  server.on("request", provider.callback());
}

/** Follows redirects and fills in the forms of the provider until it leads elsewhere. */
async function passProvider(browser: TestBrowser, start: string): Promise<string> {
  let address = start;
  for (let step = 0; step < 12; step += 1) {
    if (!address.startsWith(issuer)) return address;
    const page = await browser.open(address);
    const location = page.headers.get("location");
    if (location !== null) {
      address = new URL(location, issuer).href;
      continue;
    }
    const text = await page.text();
    const [, action = ""] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
    const [, prompt = ""] = /name="prompt" value="(\w+)"/.exec(text) ?? [];
    if (prompt === "") throw new Error(`${page.status} ${address}: ${text}`);
    const answer = await browser.post(new URL(action, issuer).href, { prompt, login: "ada", password: "any" });
    address = new URL(answer.headers.get("location") ?? "", issuer).href;
  }
  throw new Error(`The provider does not lead on from ${address}`);
}

test("a member joins by the provider, signs out at both, and the secret is never shown", async () => {
  server.once("request", (_request, response) => response.writeHead(404).end());
  const create = `mutation ($input: CreateOidcProviderInput!) {
    createOidcProvider(input: $input) { oidcProvider { id hasClientSecret service { redirectURL startURL logoutURL } } }
  }`;
  const input = { organizationId: organization.id, label: "Staff", issuer, clientId: client.client_id };
  const as = app.as(admin.token);
  const refused = await as.graphql(create, { input: { ...input, clientSecret: client.client_secret } });
  expect(refused.errors).toMatchObject([{ extensions: { code: "INVALID_INPUT", details: [{ path: "issuer" }] } }]);

  server.removeAllListeners("request");
  startProvider(`${app.url}/`); // its client is registered again with the redirect address
  interface Created {
    readonly createOidcProvider: {
      readonly oidcProvider: {
        readonly id: string;
        readonly service: Record<"redirectURL" | "startURL" | "logoutURL", string>;
      };
    };
  }
  const made = await as.query<Created>(create, { input: { ...input, clientSecret: client.client_secret } });
  const { id, service } = made.createOidcProvider.oidcProvider;
  expect(JSON.stringify(made)).toContain('"hasClientSecret":true');
  const stored = await app.database.prisma.oidcProvider.findUniqueOrThrow({ where: { id } });
  expect(Buffer.from(stored.clientSecret ?? []).toString("latin1")).not.toContain(client.client_secret);

  server.removeAllListeners("request");
  startProvider(service.redirectURL);
  const [browser, atProvider] = [new TestBrowser(), new TestBrowser()];
  const started = await browser.open(service.startURL);
  const back = await passProvider(atProvider, started.headers.get("location") ?? "");
  expect(back.startsWith(`${service.redirectURL}?`)).toBe(true);
  const done = await browser.open(back);
  expect([done.status, done.headers.get("location")]).toEqual([303, `${app.url}/app`]);
  const members = "query ($id: ID!) { organization(id: $id) { members { nodes { user { displayName } } } } }";
  const answer = await as.query(members, { id: organization.id });
  expect(JSON.stringify(answer)).toContain("Ada Example");

  const again = await passProvider(
    atProvider,
    (await new TestBrowser().open(service.startURL)).headers.get("location") ?? "",
  );
  expect((await new TestBrowser().open(again)).status).toBe(400);
  const out = await browser.post(service.logoutURL, {});
  expect(out.headers.get("location")).toContain(`${issuer}/session/end?`);
  expect((await browser.open(out.headers.get("location") ?? "")).status).toBe(200);
});
