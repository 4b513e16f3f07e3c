// INTEGRATIONS_URL: public endpoints of integrations have their own host, which serves nothing else.
import { request } from "node:http";
import { expect, test } from "vitest";
import { readConfig } from "#src/config/config.ts";
import { features } from "#src/features/index.ts";
import { installed } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";

const integrationsUrl = "http://integrations.example.net:8080";
const { app, world } = await useApp({ integrationsUrl, allowedHosts: [] });

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Sends a request with a host header, which fetch would not send. */
const ask = (path: string, host: string, more: { method?: string; headers?: object } = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = "GET", headers = {} } = more;
    request(`${app.url}${path}`, { method, headers: { ...headers, host } }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers }));
    })
      .on("upgrade", (_response, socket) => {
        socket.destroy();
        resolve({ status: 101, headers: {} });
      })
      .on("error", reject)
      .end();
  });

const own = "integrations.example.net";
const script = `export const handle = () => ({ status: 302, headers: { location: "https://elsewhere.example.com/" } });`;
const { integration, installation, admin } = await installed({ app, world }, { script });
const path = `/integrations/${integration.name}/${installation.id}/page?a=b`;

test("with INTEGRATIONS_URL an endpoint may redirect anywhere and run scripts in pages, at its own host with any port", async () => {
  for (const host of [own, `${own}:8080`, `${own}:443`]) {
    const { status, headers } = await ask(path, host);
    expect([status, headers["location"]]).toEqual([302, "https://elsewhere.example.com/"]);
    expect(headers["content-security-policy"]).toBe("sandbox allow-scripts allow-forms allow-popups");
  }
});

test("with INTEGRATIONS_URL other hosts redirect endpoints to it with 308", async () => {
  for (const method of ["GET", "POST", "HEAD"]) {
    const { status, headers } = await ask(path, "localhost", { method });
    expect([status, headers["location"]]).toEqual([308, `${integrationsUrl}${path}`]);
  }
  expect((await ask(path, "evil.example.com")).status).toBe(421);
});

test("with INTEGRATIONS_URL its host returns 421 for everything but endpoints", async () => {
  const routes = features.flatMap((feature) => feature.routes).map(({ method, path: at }) => [method, at] as const);
  const others =
    "/ /graphql /graphiql /healthz /readyz /metrics /sign-in /session /docs /app/x /published/x /files/x /saml/x"
      .split(" ")
      .map((at) => ["GET", at] as const);
  const images = ["GET", `/integrations/${integration.id}/images/${"0".repeat(64)}`] as const;
  for (const [method, at] of [...routes, ...others, images, ["OPTIONS", "/graphql"], ["POST", "/graphql"]] as const)
    expect([method, at, (await ask(at.replaceAll(/[{}]/g, ""), own, { method })).status]).toEqual([method, at, 421]);
  const upgrade = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    "sec-websocket-protocol": "graphql-transport-ws",
  };
  expect((await ask("/graphql", "localhost", { headers: upgrade })).status).toBe(101);
  expect((await ask("/graphql", own, { headers: upgrade })).status).toBe(421);
});

test("with INTEGRATIONS_URL publicEndpoint has its host", async () => {
  const { node } = await app.as(admin.token).query<{ node: object }>(`{ node(id: "${installation.id}") {
    ... on IntegrationInstallation { urls { publicEndpoint } spaces { nodes { spaceId urls { publicEndpoint } } } } } }`);
  const publicEndpoint = `${integrationsUrl}/integrations/${integration.name}/${installation.id}`;
  expect(node).toMatchObject({
    urls: { publicEndpoint },
    spaces: {
      nodes: [{ urls: { publicEndpoint: expect.stringContaining(`${publicEndpoint}/spaces/spc_`) as string } }],
    },
  });
});

test.each([
  ["https://docs.example.com", { PUBLIC_URL: "https://docs.example.com" }],
  ["https://app.example.com:1", { PUBLIC_URL: "https://docs.example.com", APP_URL: "https://app.example.com/{path}" }],
  ["https://site.example.com", { PUBLISHED_URL: "https://site.example.com/{id}/{path}" }],
  ["http://127.0.0.1:4000", {}],
  ["https://integrations.example.com/path", {}],
  ["ftp://integrations.example.com", {}],
])("%s is refused as INTEGRATIONS_URL beside %j", (INTEGRATIONS_URL, others) => {
  expect(() => readConfig({ INTEGRATIONS_URL, ...others })).toThrow(/INTEGRATIONS_URL must/);
});

test("INTEGRATIONS_URL may have a trailing slash", () => {
  expect(readConfig({ INTEGRATIONS_URL: "https://Integrations.example.com/" }).integrationsUrl).toBe(
    "https://integrations.example.com",
  );
});
