// Before all tests: one embedded PostgreSQL for the whole run, with one migrated database that the workers copy, and a
// folder for all that tests put beside it.
import { chmod, mkdtemp, readFile, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { databaseUrl, startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { takeWriterLock, writerLockKey } from "#src/db/connection/writer-lock.ts";
import { copyMigratedFolder, makeMigratedFolder } from "#test/support/migrated-folder.ts";
import { templateName } from "#test/support/test-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Any database of the server of this run. */
    serverUrl: string;
  }
}

/** vitest calls it once; what it returns is called at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await temporaryFolder(), "docgraph-tests-"));
  await chmod(folder, 0o755); // for the account that runs PostgreSQL for root
  process.env["TMPDIR"] = folder; // of the workers, too, and of what they start
  await makeMigratedFolder(join(folder, "migrated"));
  const dataDir = join(folder, "server");
  await copyMigratedFolder(dataDir);
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  const client = new pg.Client({ connectionString: databaseUrl(server.url, "postgres") });
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName} TEMPLATE docgraph`);
  await client.end();
  await guardOutbox(databaseUrl(server.url, templateName));
  project.provide("serverUrl", server.url);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

const memory = "/dev/shm";
/** Bytes that it must have free: a run needs less than a tenth. */
const roomInMemory = 8_000_000_000;

/** In memory, where it has room and lets programs run: files of databases are made and removed all the time. */
async function temporaryFolder(): Promise<string> {
  const mounts = await readFile("/proc/mounts", "utf8").catch(() => "");
  const options = new RegExp(`^\\S+ ${memory} tmpfs (\\S+)`, "m").exec(mounts)?.[1]?.split(",");
  if (!options || options.includes("noexec")) return tmpdir();
  const { bavail, bsize } = await statfs(memory);
  return bavail * bsize > roomInMemory ? memory : tmpdir();
}

/**
 * Refuses events of transactions that did not take the writer lock before their first write: readers would not wait for
 * them (src/events/safe-position.ts). For a test that writes one by hand the lock is taken here, if it is not too late.
 */
async function guardOutbox(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create function guard_outbox() returns trigger language plpgsql as $$ begin
      if pg_current_xact_id_if_assigned() is null then ${takeWriterLock.replace("SELECT", "perform")};
      elsif not exists (select from pg_locks where locktype = 'advisory' and objid = ${writerLockKey} and pid = pg_backend_pid()) then
        raise exception 'events are written by a transaction that did not begin as a writer of events';
      end if;
      return null;
    end $$;
    create trigger guard_outbox before insert on "OutboxEvent" for each statement execute function guard_outbox()`);
  await client.end();
}
