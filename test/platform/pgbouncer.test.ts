// Behind a real PgBouncer: sessions have their settings, or the start reports the missing ones. At the small size a
// command runs behind one of the session poolers.
import { afterAll, expect, test } from "vitest";
import { openDatabase, sql } from "#src/db/connection/database.ts";
import { findSettingsFrom, SessionError } from "#src/db/connection/sessions.ts";
import { post } from "#test/live/requests.ts";
import { startPgBouncer } from "#test/live/pgbouncer.ts";
import { useApp } from "#test/support/app.ts";
import { httpClient } from "#test/support/client.ts";
import { startDocgraph, startGateway, stopStarted } from "#test/support/docgraph-process.ts";
import { isFullSize } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();
const { editor, space } = await world.space();
afterAll(stopStarted);

const ignoring = "ignore_startup_parameters = options";
const settings = ["statement_timeout", "plan_cache_mode", "idle_in_transaction_session_timeout", "lock_timeout", "jit"];
const read = sql`select name, setting from pg_settings where name = any(${settings}::text[])`;
const wanted = {
  statement_timeout: "10000",
  lock_timeout: "5000",
  plan_cache_mode: "force_generic_plan",
  idle_in_transaction_session_timeout: "25000",
  jit: "off",
};
const limits = { statementTimeoutMs: 10_000 };

/** The settings that sessions of a pool have. */
async function settingsAt(url: string, settingsFrom: "statement" | "role"): Promise<object> {
  const database = openDatabase({ url, settingsFrom, isPrepared: false, ...limits });
  const rows = await database.query<{ name: string; setting: string }>(read);
  await database.close();
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

/** The error messages about sessions. */
async function refusalOf(options: Parameters<typeof findSettingsFrom>[0]): Promise<string> {
  const error: unknown = await findSettingsFrom(options).catch((cause: unknown) => cause);
  if (!(error instanceof SessionError)) throw error;
  return error.message;
}

test("PostgreSQL accepts session settings as startup parameters", async () => {
  const of = { url: app.databaseUrl, isLent: false, isPrepared: true, ...limits };
  expect(await findSettingsFrom(of)).toBe("parameters");
});

test.each([
  ["refuses", ""],
  ["ignores", ignoring],
])("behind a session pooler that %s startup parameters, settings are set by a statement", async (_does, more) => {
  const pooler = await startPgBouncer({ url: app.databaseUrl, mode: "session", more });
  if (!pooler) return;
  await using _ = pooler;
  const of = { url: pooler.url, isLent: false, isPrepared: true, ...limits };
  expect(await findSettingsFrom(of)).toBe("statement");
  expect(await settingsAt(pooler.url, "statement")).toEqual(wanted);
  if (!isFullSize && more === "") return;
  const { email } = await app.database.prisma.user.findUniqueOrThrow({ where: { id: editor.id } });
  const command = startDocgraph({ script: "src/cli/token.ts", args: [email], env: { DATABASE_URL: pooler.url } });
  expect({ code: await command.ended, says: command.output() }).toMatchObject({ code: 0 });
});

test("a transaction pooler without prepared statements fails the start with a message", async () => {
  const pooler = await startPgBouncer({ url: app.databaseUrl, mode: "transaction", more: ignoring });
  if (!pooler) return;
  await using _ = pooler;
  for (const isLent of [true, false])
    expect(await refusalOf({ url: pooler.url, isLent, isPrepared: true, ...limits })).toMatch(
      /does not keep prepared statements: set PREPARED_STATEMENTS=off and DATABASE_DIRECT_URL|lack settings/,
    );
});

test("behind a transaction pooler the start names the settings that the role lacks, and works with them", async () => {
  const pooler = await startPgBouncer({ url: app.databaseUrl, mode: "transaction" });
  if (!pooler) return;
  await using _ = pooler;
  const env = { DATABASE_DIRECT_URL: app.databaseUrl, PREPARED_STATEMENTS: "off", PORT: "0" };
  const at = { databaseUrl: pooler.url, filesFolder: app.filesFolder };
  const refused = startGateway(at, { env });
  expect(await refused.ended).toBe(1);
  const told = refused.output();
  expect(told).toContain("docgraph: sessions of DATABASE_URL lack settings that docgraph needs");
  const statements = told.match(/alter role .*;/g) ?? [];
  for (const name of ["statement_timeout", "plan_cache_mode", "idle_in_transaction_session_timeout"])
    expect(statements).toContainEqual(expect.stringContaining(name));
  for (const statement of statements) await app.database.pool.query(statement);
  const restarted = await startPgBouncer({ url: app.databaseUrl, mode: "transaction" }); // without sessions
  if (!restarted) return;
  await using __ = restarted;
  const gateway = startGateway({ ...at, databaseUrl: restarted.url }, { env });
  const { url } = await gateway.ready();
  const there = { as: (token: string | null) => ({ ...app.as(token), ...httpClient(url, token) }) };
  const posted = await Promise.all(times(20, () => post(there, editor.token, space.id)));
  const { space: found } = await there.as(editor.token).query<Comments>(comments);
  expect(found.comments.nodes.map(({ id }) => id).toSorted()).toEqual(posted.toSorted());
  expect(await settingsAt(restarted.url, "role")).toEqual(wanted);
  gateway.signal("SIGTERM");
  expect(await gateway.ended).toBe(0);
});

interface Comments {
  readonly space: { readonly comments: { readonly nodes: readonly { readonly id: string }[] } };
}
const comments = `{ space(id: "${space.id}") { comments(first: 50) { nodes { id } } } }`;
