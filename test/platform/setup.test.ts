// The setup of an external database, from empty to the first users, by the commands for new users. At the small size
// one of the commands meets a database from before 1.0, and setup shows that docgraph knows its own tables beside
// others.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "#src/config/config.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { provideDemo } from "#src/server/process/demo.ts";
import {
  ask,
  compileCache,
  type DocgraphProcess,
  makeDataFolder,
  startDocgraph,
  stopStarted,
} from "#test/support/docgraph-process.ts";
import { runInTurn } from "#test/support/commands.ts";
import { isFullSize, sized } from "#test/support/runs.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";
import { times } from "#test/support/world.ts";

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let env: Record<string, string>;

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  folder = await makeDataFolder();
  env = { ...folder.env, DATABASE_URL: database.url };
});
afterEach(async () => {
  await stopStarted();
  await database.drop();
  await folder.remove();
});

/** A migrated database, for tests of later steps. */
async function makeTables(): Promise<void> {
  await database.drop();
  database = await createTestDatabase();
  env["DATABASE_URL"] = database.url;
}

const command = (name: string, ...args: string[]) => startDocgraph({ script: `src/cli/${name}.ts`, args, env });
const outcome = async (run: DocgraphProcess) => ({ code: await run.ended, output: run.output() });
const acme = ["--organization", "Acme", "--email", "Me@Example.com"];
const tokenIn = (output: string) => /dg_\w+/.exec(output)?.[0] ?? "";

async function rowsOf<Row extends object>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

test("two gateways on an empty database print setup instructions, which create the organization", async () => {
  const PUBLIC_URL = "https://docs.example.com";
  const [docgraph, production] = [
    startDocgraph({ env }),
    startDocgraph({ env: { ...env, PUBLIC_URL, NODE_ENV: "production" } }),
  ];
  const [{ url }] = await Promise.all([docgraph.ready(), production.says("docgraph has no users yet")]);
  const address = /"address":"([^"]+)"/.exec(production.output())?.[1];
  for (const at of [url, address]) expect(await (await fetch(`${at}/readyz`)).json()).toEqual({ status: "ok" });
  for (const each of [docgraph, production])
    expect(each.output().replaceAll('\\"', '"')).toContain(
      'npm run -s setup -- --organization "Acme" --email me@example.com',
    );
  for (const name of ["TRUSTED_PROXIES", "SMTP_URL", "SECRETS_KEY", "INTEGRATIONS_URL"])
    expect(production.output()).toContain(`${name} is not set`); // not the place to start it once more
  expect(production.output()).not.toContain("PUBLIC_URL is not set");
  expect(await rowsOf(`select id from "User"`)).toEqual([]); // neither writes the demo
  expect(production.output()).not.toContain("dg_");

  const [made, again, invited, guest, twice, nowhere] = await runInTurn(
    [
      ["setup", ...acme, "--name", "Myself"],
      ["setup", "--organization", "Other", "--email", "you@example.com"],
      ["invite", "ann@example.com", "--organization", "acme", "--role", "edit"],
      ["invite", "guest@example.com", "--organization", "acme", "--role", "guest"],
      ["invite", "ann@example.com", "--organization", "acme"],
      ["invite", "ann@example.com", "--organization", "nobody"],
    ],
    env,
  );
  const saying = (text: string) => expect.stringContaining(text) as string;
  expect(made).toMatchObject({ code: 0 });
  const document = "{ viewer { email displayName } organizations { nodes { id title hostname } } }";
  const seen = await ask(url, tokenIn(made?.output ?? ""), document);
  expect(seen).toMatchObject({
    viewer: { email: "me@example.com", displayName: "Myself" },
    organizations: { nodes: [{ title: "Acme", hostname: "acme" }] },
  });

  const printed = `${again?.output}${again?.errors}`;
  expect([again?.code, printed]).toEqual([0, saying('"Acme"')]);
  expect(printed).toContain("npm run -s token -- me@example.com");
  expect(tokenIn(printed)).toBe("");
  expect(invited).toMatchObject({ code: 0, output: saying("ann@example.com is now a member") });
  expect(guest).toMatchObject({ code: 0 });
  expect(twice).toMatchObject({ code: 1, errors: saying("already belongs to the organization") });
  const unknown = "no organization has the id or host name nobody";
  expect(nowhere).toMatchObject({ code: 1, errors: saying(unknown) });
  // The second setup has made nobody.
  const members = `select u.email, m.role from "User" u left join "OrganizationMember" m on u.id = m."userId" order by u.email`;
  expect(await rowsOf(members)).toEqual([
    { email: "ann@example.com", role: "edit" },
    { email: "guest@example.com", role: null },
    { email: "me@example.com", role: "admin" },
  ]);
  expect(await rowsOf(`select title from "Organization"`)).toEqual([{ title: "Acme" }]);
  await rowsOf(`update "Organization" set hostname = 'acme.docs.example.com'`);
  const [bySubdomain] = await runInTurn([["invite", "ann@example.com", "--organization", "acme"]], env);
  expect(bySubdomain).toMatchObject({ code: 1, errors: saying("already belongs to the organization") });
}, 120_000);

test("setup commands print their usage, exit with 2 for wrong arguments, and refuse invalid input", async () => {
  const wrong = [
    ["setup"],
    ["setup", "--mail", "me@example.com"],
    ["setup", "more", ...acme],
    ["invite"],
    ["invite", "ann@example.com"],
    ["invite", "ann@example.com", "--organization", "acme", "--role", "boss"],
    ["token"],
    ["login"],
    ["backup"],
    ["restore"],
    ["import"],
    ["load-history"],
    ["reindex", "all"],
    ["print", "all"],
  ] as const;
  const invalid = [
    ["setup", "--organization", "Acme", "--email", "me"],
    ["setup", "--organization", " ", "--email", "me@example.com"],
  ] as const;
  const names = [...new Set(wrong.map(([name]) => name))];
  const calls = [...wrong, ...invalid, ...names.map((name) => [name, "--help"] as const)];
  const outcomes = [...(await runInTurn(calls, env))];
  for (const { code, output, errors } of outcomes.splice(0, wrong.length)) {
    expect({ code, output }, errors).toEqual({ code: 2, output: "" });
    expect(errors).toMatch(/usage: npm run|Unknown option '--mail'|--role must be one of /);
    expect(errors).not.toContain("    at ");
  }
  for (const { code, output, errors } of outcomes.splice(0, invalid.length)) {
    expect({ code, output }, errors).toEqual({ code: 1, output: "" });
    expect(errors).not.toContain("    at ");
    expect(tokenIn(errors)).toBe("");
  }
  expect(await rowsOf(`select id from "Organization"`)).toEqual([]);
  const help = { code: 0, output: expect.stringMatching(/^usage: npm run /) as string, errors: "" };
  expect(outcomes).toEqual(names.map(() => help));
}, 120_000);

/** Runs a command on a terminal, and types each answer after its question appeared. */
async function onTerminal(script: string, answers: Readonly<Record<string, string>>) {
  const child = spawn("script", ["-qefc", `"${process.execPath}" ${script}`, "/dev/null"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { PATH: process.env["PATH"], ...compileCache, ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let output = "";
  const left = Object.entries(answers);
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    const [question = "", answer = ""] = left[0] ?? [];
    if (left.length > 0 && output.includes(question)) child.stdin.write(`${answer}\n`, () => void left.shift());
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

test.skipIf(spawnSync("script", ["--version"]).error)(
  "setup on a terminal asks for missing arguments",
  async () => {
    await makeTables();
    const declined = await onTerminal("src/main.ts --demo", { "Write the demo into the database": "n" });
    expect(declined).toMatchObject({ code: 1, output: expect.stringContaining("nothing was started") as string });
    const made = await onTerminal("src/cli/setup.ts", {
      "Title of the organization: ": "Acme",
      "E-mail address of its admin: ": "me@example.com",
    });
    expect(made.code, made.output).toBe(0);
    expect(tokenIn(made.output)).not.toBe("");
    expect(await rowsOf(`select title from "Organization"`)).toEqual([{ title: "Acme" }]);
  },
  120_000,
);

test("concurrent runs of setup create one organization and one token", async () => {
  await makeTables();
  const runs = await Promise.all(times(sized(2, 3), () => outcome(command("setup", ...acme))));
  expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0));
  expect(runs.filter(({ output }) => tokenIn(output) !== "")).toHaveLength(1);
  expect(await rowsOf(`select title from "Organization"`)).toEqual([{ title: "Acme" }]);
}, 120_000);

test("setup keeps tables of other applications unless that is confirmed", async () => {
  await rowsOf(`create table invoices (id int); create table customers (id int)`);
  for (const run of [startDocgraph({ env }), command("setup", ...acme)]) {
    const { code, output } = await outcome(run);
    expect(code).toBe(1);
    expect(output).toContain(`tables that do not belong to docgraph ("customers", "invoices")`);
    expect(output).toContain("createdb docgraph");
    expect(output).toContain("--yes");
  }
  const tables = `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
  expect(await rowsOf(tables)).toEqual([{ name: "customers" }, { name: "invoices" }]);
  const setup = ["setup", ...acme] as const;
  const [agreed, again] = await runInTurn([[...setup, "--yes"], setup], env);
  expect(agreed).toMatchObject({ code: 0, output: expect.stringMatching(/^dg_\w+\n$/) as string });
  // docgraph's tables are there now.
  expect(again).toMatchObject({ code: 0, errors: expect.stringContaining("already exists") as string });
  if (!isFullSize) return;
  const docgraph = startDocgraph({ env });
  await ask((await docgraph.ready()).url, tokenIn(agreed?.output ?? ""), "{ viewer { id } }");
}, 120_000);

test("refuses a database from before 1.0 with a remedy, and writes nothing", async () => {
  await rowsOf(`create table "_prisma_migrations" (migration_name text, checksum text, finished_at timestamptz, rolled_back_at timestamptz);
    insert into "_prisma_migrations" values ('20261120200000_initial', 'x', now())`);
  const starts = [() => command("setup", ...acme), () => startDocgraph({ env })];
  for (const start of sized(starts.slice(0, 1), starts)) {
    const { code, output } = await outcome(start());
    expect(code).toBe(1);
    expect(output).toContain("docgraph before 1.0, and this version cannot migrate it");
    expect(output).toContain("with the last version before 1.0 ('npm run backup')");
    expect(output).not.toContain("    at ");
  }
  expect(await rowsOf(`select relname as name from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([
    { name: "_prisma_migrations" },
  ]);
  expect(await rowsOf(`select migration_name as name from "_prisma_migrations"`)).toEqual([
    { name: "20261120200000_initial" },
  ]);
}, 120_000);

test("the demo is created in an external database only on request", async () => {
  await makeTables();
  const unasked = await outcome(startDocgraph({ env, args: ["--demo"] }));
  expect(unasked).toEqual({ code: 1, output: expect.stringContaining("confirm with --yes") as string });
  const docgraph = startDocgraph({ env, args: ["--demo", "--yes"] });
  const { url, token } = await docgraph.ready();
  expect(await ask(url, token, "{ organizations { totalCount } }")).toEqual({ organizations: { totalCount: 2 } });
}, 120_000);

test("production does not create the demo in the embedded database either", async () => {
  const prepareDemo = provideDemo(readConfig({ ...folder.env, NODE_ENV: "production" }), {});
  expect(await prepareDemo({} as Database, {} as FileStore)).toBe(undefined); // neither is touched
});

test("errors of PostgreSQL at the start are reported with a remedy", async () => {
  const url = new URL(database.url);
  const role = `limited_${process.pid}`;
  await rowsOf(`create role ${role} login`);
  try {
    const nowhere = new URL(url);
    nowhere.pathname = "/nowhere_at_all";
    const limited = new URL(url);
    limited.username = role;
    const stranger = new URL(url);
    stranger.username = "nobody_at_all";
    for (const [address, remedy, run] of [
      [nowhere, "create it with 'createdb'", { script: "src/cli/reindex.ts" }],
      [limited, "GRANT CREATE ON SCHEMA", {}],
      [stranger, "check the user and the password", { script: "src/cli/reindex.ts" }],
    ] as const) {
      const { code, output } = await outcome(startDocgraph({ ...run, env: { ...env, DATABASE_URL: address.href } }));
      expect(code).toBe(1);
      expect(output).toContain(remedy);
      expect(output).not.toContain("    at ");
    }
  } finally {
    await rowsOf(`drop role ${role}`);
  }
});
