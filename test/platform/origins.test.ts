// Pages of other origins and machines: which may send requests, the errors of others, and who gets a token.
import { get, type IncomingMessage } from "node:http";
import pino from "pino";
import { expect, test } from "vitest";
import { newToken } from "#src/access/tokens.ts";
import { openRaw } from "#test/live/raw-socket.ts";
import { testApp, useApp } from "#test/support/app.ts";

const lines: { level: number; msg: string; origin?: string; code?: string }[] = [];
const log = pino({ level: "warn" }, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
const { token } = newToken();
const { app } = await useApp({ allowsLoopbackOrigins: true, demoToken: token, log });

const preflight = (url: string, origin: string, path = "/graphql") =>
  fetch(`${url}${path}`, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
  });

/** As `fetch` does, but with any `Host`. */
const read = async (path: string, headers: Record<string, string>) => {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${app.url}${path}`, { headers }, resolve).once("error", reject);
  });
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += String(chunk);
  return { status: answer.statusCode, headers: answer.headers, text };
};

test.each(["http://localhost:5173", "http://127.0.0.1:3000", "http://[::1]:8080"])(
  "in development allows requests from %s, without session cookies",
  async (origin) => {
    const answer = await preflight(app.url, origin);
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    for (const name of ["authorization", "content-type", "traceparent", "baggage", "apollographql-client-name"])
      expect(answer.headers.get("access-control-allow-headers")).toContain(name);
    (await openRaw(app.url, { headers: { origin } })).socket.terminate();
  },
);

test("refuses requests from localhost unless that is enabled, as in production", async () => {
  await using other = await testApp({ beside: app });
  expect((await preflight(other.url, "http://localhost:5173")).status).toBe(403);
});

test.each(["http://localhost.example.com", "http://127.0.0.1.example.com", "https://evil.example.com", "null"])(
  "a request from %s gets a remedy, which is logged once",
  async (origin) => {
    for (const path of ["/graphql", "/v1/user"]) {
      const answer = await preflight(app.url, origin, path);
      expect(answer.status).toBe(403);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      const { error } = (await answer.json()) as { error: object };
      expect(error).toEqual({
        code: 403,
        type: "FORBIDDEN",
        message: expect.stringContaining("ALLOWED_ORIGINS") as string,
      });
    }
    await expect(openRaw(app.url, { headers: { origin } })).rejects.toThrow("403");
    // The line is written after the response was sent.
    await expect.poll(() => lines.filter(({ code }) => code === "FORBIDDEN").length).toBeGreaterThanOrEqual(2);
    const told = lines.filter((line) => line.origin === origin);
    expect(told).toHaveLength(1);
    expect(told[0]?.msg).toContain(`Pages of ${origin} may not call`);
  },
);

test("logs once which headers a page may not send", async () => {
  const ask = (names: string) =>
    fetch(`${app.url}/graphql`, {
      method: "OPTIONS",
      headers: {
        origin: "http://localhost:5173",
        "access-control-request-method": "POST",
        "access-control-request-headers": names,
      },
    });
  for (const names of ["content-type,X-Anything", "x-anything, authorization", `${"x".repeat(200)}`, "a b"])
    expect((await ask(names)).status).toBe(204);
  const noted = lines.filter(({ msg }) => msg.includes("may not send the header"));
  expect(noted.map(({ msg }) => msg)).toEqual([
    "Pages of http://localhost:5173 may not send the header x-anything: leave it out.",
  ]);
});

test("truncates a long origin in messages", async () => {
  const origin = `https://${"a".repeat(5000)}.example.com`;
  const { error } = (await (await preflight(app.url, origin)).json()) as { error: { message: string } };
  expect(error.message.length).toBeLessThan(400);
});

test.each(["/", "/graphql", "/reference/rest"])(
  "%s shows the demo token only to requests from this machine",
  async (path) => {
    const { host } = new URL(app.url);
    const page = async (headers: Record<string, string>) => read(path, { accept: "text/html", ...headers });
    for (const own of [host, host.replace("127.0.0.1", "localhost"), host.replace("127.0.0.1", "127.0.0.2")])
      expect((await page({ host: own })).text).toContain(token);
    const others: Record<string, string>[] = [
      { host: host.replace("127.0.0.1", "evil.example.com") },
      { host: "127.0.0.1.example.com" },
      { "x-forwarded-for": "192.0.2.7" },
      { forwarded: "for=192.0.2.7" },
      { via: "1.1 proxy" },
      { origin: "https://evil.example.com" },
      { origin: "http://localhost:5173" },
    ];
    for (const headers of others) {
      const { status, text } = await page(headers);
      expect(status).toBe(200);
      expect(text).toContain("docgraph");
      expect(text, JSON.stringify(headers)).not.toContain(token);
    }
  },
);

test.each(["/", "/graphql"])(
  "%s cannot be framed, and its content security policy allows only its own origin",
  async (path) => {
    const { headers } = await read(path, { accept: "text/html" });
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["content-security-policy"]).not.toContain("http");
  },
);

test("only the page that may contain a token is no-store", async () => {
  expect((await read("/graphql", { accept: "text/html" })).headers["cache-control"]).toBe("no-store");
});
