// The deployment of several machines in src/deployment: its variables, addresses and limits exist and are complete.
// Live tests and `npm run prove` run HAProxy, PgBouncer and PostgreSQL with it.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { describeConfig, readConfig } from "#src/config/config.ts";
import { useApp } from "#test/support/app.ts";
import { deployed, settingsIn } from "#test/support/deployment.ts";

const { app } = await useApp();

/** The settings of docgraph; other variables are read by Node and the S3 library. */
const known = new Set([
  ...[...describeConfig().matchAll(/^ {2}([A-Z_\d]+) /gm)].map((match) => match[1] ?? ""),
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "NODE_COMPILE_CACHE",
]);
const gateway = settingsIn("docgraph.env");
const servers = deployed("haproxy.cfg").match(/^ {2}server .*$/gm) ?? [];

test("each deployment file begins with its purpose, in lines of at most 120 columns", () => {
  const files = readdirSync(new URL("../../src/deployment", import.meta.url));
  expect(files.toSorted()).toEqual([
    "Containerfile",
    "dashboard.json", // which has a title
    "docgraph.env",
    "haproxy.cfg",
    "pgbouncer.ini",
    "postgresql.conf",
    "standby.conf",
  ]);
  for (const file of files.filter((name) => name !== "dashboard.json")) {
    expect(deployed(file)).toMatch(/^[#;] [A-Z]/);
    for (const line of deployed(file).split("\n")) if (/^[#;]/.test(line)) expect(line.length).toBeLessThanOrEqual(120);
  }
});

test("deployment variables are known settings, complete for several gateways, and name all servers", () => {
  const [, image = ""] = /^ENV (.+)$/m.exec(deployed("Containerfile")) ?? [];
  const named = [...Object.keys(gateway), ...image.split(" ").map((pair) => pair.replace(/=.*/, ""))];
  for (const name of named) expect(known).toContain(name);
  const places = "DATABASE_URL DATABASE_DIRECT_URL DATABASE_READ_URL REDIS_URL FILES_URL S3_ENDPOINT PUBLIC_URL";
  const needed = `${places} SECRETS_KEY HOST METRICS_HOST METRICS_PORT`.split(" ");
  expect(Object.keys(gateway)).toEqual(expect.arrayContaining(needed));
  const config = readConfig({ ...gateway, SECRETS_KEY: "0".repeat(64) });
  expect(config).toMatchObject({ isPrepared: false, environment: "production", s3: { bucket: "docgraph-files" } });
  expect(config.databaseReadUrls).toHaveLength(3);
  for (const url of [config.databaseUrl, config.databaseDirectUrl])
    for (const host of ["10.0.0.21", "10.0.0.22", "10.0.0.23"]) expect(url).toContain(host);
});

test("deployment files refer to each other and to addresses that respond", async () => {
  const { listen_port: port, pool_mode: mode } = settingsIn("pgbouncer.ini");
  expect([gateway["DATABASE_URL"], mode]).toEqual([expect.stringContaining(`:${port},`), "transaction"]);
  expect(servers.map((server) => server.split(" ").at(-1))).toEqual(
    ["10.0.0.11", "10.0.0.12", "10.0.0.13"].map((host) => `${host}:${gateway["PORT"]}`),
  );
  expect(gateway["HOST"]).toBe("10.0.0.11");
  const [, checked = ""] = /httpchk GET (\S+)/.exec(deployed("haproxy.cfg")) ?? [];
  const [, healthy = ""] = /http:\/\/[\d.]+:4000(\/\w+)/.exec(deployed("Containerfile")) ?? [];
  for (const path of [checked, healthy]) expect((await fetch(`${app.url}${path}`)).status).toBe(200);
  const standbys = settingsIn("postgresql.conf")["synchronous_standby_names"] ?? "";
  const [, name = "none"] = /application_name=(\w+)/.exec(deployed("standby.conf")) ?? [];
  expect(standbys).toContain(name);
});

test("the connection limits cover the connections of all gateways", () => {
  const { poolSize } = readConfig({ ...gateway, SECRETS_KEY: "0".repeat(64) });
  const connections = servers.length * (poolSize + 10); // as many as a gateway has at most
  const { max_client_conn: clients } = settingsIn("pgbouncer.ini");
  expect(Number(clients)).toBeGreaterThan(connections);
  expect(Number(settingsIn("postgresql.conf")["max_connections"])).toBeGreaterThan(connections);
  // A quiet stream sends a heartbeat every 12 s.
  for (const [, seconds] of deployed("haproxy.cfg").matchAll(/timeout (?:client|server) (\d+)s/g))
    expect(Number(seconds)).toBeGreaterThan(2 * 12);
});
