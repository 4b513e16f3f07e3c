// The settings of sessions: as start parameters, or behind a pooler such as PgBouncer by a statement or from the role.
import pg from "pg";
import { DatabaseClient } from "#src/db/connection/client.ts";
import { preparedNames } from "#src/db/connection/prepared-names.ts";
import { sessionName } from "#src/db/connection/writer-lock.ts";

/** `parameters` at the start of a session, a `statement` in each, or settings of the `role` for transaction poolers. */
export type SettingsFrom = "parameters" | "statement" | "role";

export interface SessionLimits {
  /** The statement timeout, in milliseconds; by default 30 seconds. */
  readonly statementTimeoutMs: number;
  /** The lock timeout of a statement, in milliseconds; by default 5 seconds. */
  readonly lockTimeoutMs: number;
}

/** The sessions of a database lack settings that docgraph needs; the message says which, and how to set them. */
export class SessionError extends Error {
  override readonly name = "SessionError";
}

type Settings = Readonly<Record<string, string>>;

/** The settings, as `pg_settings` has them: times in milliseconds. */
export function sessionSettings(limits: Partial<SessionLimits>): Settings {
  const { statementTimeoutMs = 30_000, lockTimeoutMs = 5_000 } = limits;
  return {
    TimeZone: "UTC",
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(lockTimeoutMs),
    // Events wait for open transactions: one of a lost gateway must not block them longer than any transaction takes.
    idle_in_transaction_session_timeout: "25000",
    plan_cache_mode: "force_generic_plan",
    jit: "off",
  };
}

/** The statement that sets them in a session. */
export const setting = (settings: Settings): pg.QueryConfig => ({
  text: "select set_config(name, value, false) from unnest($1::text[], $2::text[]) s(name, value)",
  values: [Object.keys(settings), Object.values(settings)],
});

/** The settings that a session lacks, with the values that they should have. */
async function missingIn(client: pg.ClientBase, settings: Settings): Promise<string[]> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name = any($1::text[])",
    [Object.keys(settings)],
  );
  const set = new Map(rows.map(({ name, setting }) => [name, setting]));
  return Object.keys(settings).filter((name) => set.get(name) !== settings[name]);
}

export interface SessionsOptions extends Partial<SessionLimits> {
  readonly url: string;
  /** Whether the address is that of a pooler in transaction mode. */
  readonly isLent: boolean;
  readonly isPrepared: boolean;
}

/** Finds how sessions get their settings. Throws {@link SessionError} if they cannot, or a pooler drops statements. */
export async function findSettingsFrom({ url, isLent, isPrepared, ...limits }: SessionsOptions): Promise<SettingsFrom> {
  const settings = sessionSettings(limits);
  if (!isLent && (await hasWithParameters(url, settings))) return "parameters";
  await using first = await connect(url);
  await using other = await connect(url);
  const isShared = await sharesSessions(first.client, other.client);
  if (isShared && isPrepared) await refuseForgetful(first.client, other.client);
  if (isLent || isShared) {
    await refuseLacking(first.client, settings, isLent);
    if (isLent) return "role";
    throw new SessionError(`${forgets}; set DATABASE_DIRECT_URL to PostgreSQL itself`);
  }
  return "statement";
}

/** Throws if sessions of a pooler do not have the settings from the role. */
async function refuseLacking(client: pg.Client, settings: Settings, isLent: boolean) {
  const missing = await missingIn(client, settings);
  if (missing.length === 0) return;
  const { rows } = await client.query<{ role: string; database: string }>(
    "select quote_ident(current_user) as role, quote_ident(current_database()) as database",
  );
  const { role, database } = rows[0] ?? { role: "", database: "" };
  const alter = `  alter role ${role} in database ${database} set`;
  const statements = missing.map((name) => `${alter} ${name} = '${settings[name]}';`);
  const why = isLent
    ? "behind a transaction pooler they must be set on the role; run this once, and RECONNECT in PgBouncer"
    : `${forgets}; set DATABASE_DIRECT_URL to PostgreSQL itself, and run this once`;
  const lacking = "sessions of DATABASE_URL lack settings that docgraph needs";
  throw new SessionError(`${lacking}: ${why}:\n${statements.join("\n")}`);
}

const forgets = "DATABASE_URL is the address of a pooler in transaction mode";

/** Whether start parameters reach the session: poolers reject or ignore them. */
async function hasWithParameters(url: string, settings: Settings): Promise<boolean> {
  try {
    await using session = await connect(url, optionsOf(settings));
    return (await missingIn(session.client, settings)).length === 0;
  } catch (error) {
    if (error instanceof Error && /unsupported startup parameter/.test(error.message)) return false;
    throw error;
  }
}

/** The settings as a start parameter. */
export const optionsOf = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");

/** How often two clients query in turn: enough for both to use the same session in any order of lending. */
const rounds = 10;

/** Whether two clients are given the same session one after the other. */
async function sharesSessions(first: pg.Client, other: pg.Client): Promise<boolean> {
  const [ofFirst, ofOther] = [new Set<number>(), new Set<number>()];
  for (let round = 0; round < rounds; round++) {
    ofFirst.add(await processOf(first));
    ofOther.add(await processOf(other));
  }
  return [...ofFirst].some((pid) => ofOther.has(pid));
}

/** The process id of the PostgreSQL backend of a session. */
async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid ?? 0;
}

/** Runs a prepared statement repeatedly, while another client uses several sessions. */
async function refuseForgetful(client: pg.Client, other: pg.Client): Promise<void> {
  const statement = { name: preparedNames()("select 1"), text: "select 1" };
  try {
    for (let round = 0; round < rounds; round++) {
      await client.query(statement);
      await other.query("begin");
      await client.query(statement);
      await other.query("rollback");
    }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new SessionError(
      `${forgets}, and does not keep prepared statements: set PREPARED_STATEMENTS=off and DATABASE_DIRECT_URL, or use PgBouncer from 1.21 on with max_prepared_statements`,
    );
  } finally {
    await other.query("rollback");
  }
}

async function connect(url: string, options?: string): Promise<{ client: pg.Client } & AsyncDisposable> {
  const client = new DatabaseClient({ connectionString: url, ...sessionName, ...(options && { options }) });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
