// micro: CPU of the process for one case
import { openDatabase } from "#src/db/database.ts";
import { createExecutor, isOperation } from "#src/graph/execute.ts";
import { schema } from "#src/schema.ts";
import { makeContext } from "#src/domain/context.ts";
import { Viewers } from "#src/access/viewers.ts";
import { Feed } from "#src/events/feed.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { systemClock } from "#src/base/time.ts";
import { pino } from "pino";
import { readWorld } from "#test/bench/world.ts";
import { nested, threeLevels, counts, oneRow, commentPage } from "#test/bench/documents.ts";
const [which = "a", n = "2000", way="plan"] = process.argv.slice(2);
const url = process.env["BENCH_URL"]!;
const database = openDatabase({ url });
const world = await readWorld(url);
const asks: any = { a: nested(world.organization), b: threeLevels(world.organization), c: counts(world), d: oneRow(world), h: commentPage(world, {first:5, after:null}) };
const ask = asks[which]("docgraph");
const op: any = createExecutor(schema).prepare(ask.body.query);
const viewers = new Viewers(database, systemClock);
const token = process.env["BENCH_TOKEN"]!;
const log = pino({ level: process.env["LOG"] ?? "silent" });
const env: any = { database, files: null, viewers, feed: new Feed({ database, wakeups: silentWakeups, log } as any), clock: systemClock, log, publicUrl: "http://x" };
const viewer = await viewers.byAuthorization(`Bearer ${token}`);
let bytes = 0;
async function one() {
  const context = makeContext(env, viewer, "r");
  if (way === "plan") { const out = await op.write(context, ask.body.variables); if (!out) throw new Error("no plan"); bytes = out.at; out.free(); }
  else bytes = JSON.stringify(await op.run(context, ask.body.variables)).length;
}
for (let i = 0; i < Number(n) / 2; i++) await one();
const workers = which === "d" || which === "h" ? 16 : 8;
const cpu = process.cpuUsage(); const t = performance.now();
let left = Number(n);
await Promise.all(Array.from({ length: workers }, async () => { while (left-- > 0) await one(); }));
const used = process.cpuUsage(cpu); const ms = performance.now() - t;
console.log(which, way, "bytes", bytes, "cpu ms/op", ((used.user + used.system) / 1000 / Number(n)).toFixed(4), "wall/op", (ms / Number(n)).toFixed(3), "rss", Math.round(process.memoryUsage().rss/1e6));
await database.close(); process.exit(0);
