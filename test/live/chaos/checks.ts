// What must hold after the faults: nothing acknowledged is lost, nothing is left over, and all work has ended.
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { verifyFiles } from "#src/backup/blobs.ts";
import { openDatabase } from "#src/db/connection/database.ts";
import { collectBlobs } from "#src/features/content/commands/collect-garbage.ts";
import { S3Store } from "#src/files/s3-store.ts";
import type { ChaosScene } from "#test/live/chaos/scene.ts";
import type { Gateways } from "#test/live/gateways.ts";
import { readTable } from "#test/live/outbox.ts";
import { s3Credentials } from "#test/support/s3.ts";
import { testFolder } from "#test/support/test-files.ts";

/** Acknowledged writes, merges and uploads whose event, state or row is missing. */
export async function countLost({ cluster: { pool }, load }: ChaosScene): Promise<number> {
  const table = await readTable(pool, { types: ["comment", "commentReply", "changeRequest", "space"] });
  const written = new Set(table.map(({ type, subjectId }) => `${type} ${subjectId}`));
  const lost = load.acknowledged.filter(({ type, subjectId }) => !written.has(`${type} ${subjectId}`));
  const { rows } = await pool.query<{ count: number }>(
    `select (select count(*) from unnest($1::text[]) u(id)
          where not exists (select from "ChangeRequest" c where c.id = u.id and c.status = 'merged'))::int
        + (select count(*) from unnest($2::text[]) u(hash)
          where not exists (select from "ContentFile" f where f.blob = u.hash))::int as count`,
    [load.merged, load.uploaded],
  );
  return lost.length + (rows[0]?.count ?? 0);
}

/** Files that rows name and the storage lacks or has damaged, and files that no row names after the next collection. */
export async function countFiles({ cluster, storage }: ChaosScene) {
  Object.assign(process.env, s3Credentials); // as the library reads them
  const folder = testFolder();
  const place = { bucket: storage.bucket, prefix: "files", endpoint: storage.endpoint, region: "us-east-1" };
  const files = new S3Store({ ...place, hasSignedDownloads: false, spoolFolder: folder.path });
  const database = openDatabase({ url: cluster.url });
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  try {
    const inTwoDays = { now: () => new Date(Date.now() + 2 * 86_400_000) };
    await collectBlobs(database, files, inTwoDays);
    const { count, missing, damaged } = await verifyFiles({ client, files }, () => {});
    let stored = 0;
    for await (const _ of files.list()) stored += 1;
    return { filesLacking: missing.count + damaged.count, filesWithoutRow: stored - count };
  } finally {
    await client.end();
    await database.close();
    await folder.remove();
  }
}

/** Work that has not ended, by its kind. Jobs that failed in a fault are tried again up to 8 minutes later. */
const unended = `
  select 'import' as kind, count(*)::int as count from "ContentImport" where state in ('pending', 'running')
  union all select 'specification', count(*)::int from "OpenApiSpec" where state <> 'complete'
  union all select 'translation', count(*)::int from "Translation" where status in ('pending', 'running')
  union all select 'delivery', count(*)::int from "IntegrationEvent" where status = 'pending'
  union all select 'job', count(*)::int from pgboss.job
    where state = 'active' or state < 'active' and start_after <= now()
  union all select 'dead letter', count(*)::int from pgboss.job where name = 'dead-letter' and state < 'completed'
  union all select 'transaction', count(*)::int from pg_stat_activity
    where xact_start < now() - interval '10 seconds' and backend_type = 'client backend'
  union all select 'prepared transaction', count(*)::int from pg_prepared_xacts`;

/** The kinds of work that have not ended within two minutes, and transactions that are still open. */
export async function readUnended({ cluster: { pool } }: ChaosScene): Promise<string[]> {
  for (const end = performance.now() + 120_000; ; await sleep(500)) {
    const { rows } = await pool.query<{ kind: string; count: number }>(unended);
    const open = rows.filter(({ count }) => count > 0).map(({ kind, count }) => `${count} × ${kind}`);
    if (open.length === 0 || performance.now() > end) return open;
  }
}

/** The memory of the largest gateway, in MB. */
export async function residentMb(gateways: Gateways): Promise<number> {
  const pids = Array.from({ length: gateways.count }, (_, index) => gateways.pidOf(index));
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, "utf8")));
  const kilobytes = texts.map((text) => Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1]));
  return Math.round(Math.max(...kilobytes) / 1_024);
}

/** Requests that failed by a bug: errors that no fault explains. */
export function readBugs({ gateways, load }: ChaosScene): string[] {
  const lines = gateways.output.split("\n");
  const failed = lines.filter((line) => line.includes(`"code":"INTERNAL"`));
  const ids = failed.map((line) => /"requestId":"([^"]+)"/.exec(line)?.[1] ?? line);
  const inLog = lines.filter((line) => ids.some((id) => line.includes(id))); // with the causes
  const unexplained = load.faults.filter((failure) => !isExplained(failure));
  return [...inLog, ...unexplained];
}

/** The codes of temporary errors, the messages of `fetch`, and statuses of uploads (400 is an error of GraphQL). */
const explained =
  /UNAVAILABLE|TIMEOUT|RATE_LIMITED|STORAGE_FULL|fetch failed|socket hang up|ECONNRE|terminated|other side closed|: Error: (0|400|429|500|503|504|507)$/;

const isExplained = (failure: string) => explained.test(failure);
