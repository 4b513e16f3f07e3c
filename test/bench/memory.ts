// The memory of the gateway under the same small request at a constant rate.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { oneRow } from "#test/bench/documents.ts";
import { table } from "#test/bench/figures.ts";
import { load } from "#test/bench/load.ts";
import type { Sample } from "#test/bench/memory-probe.ts";
import { startSystem } from "#test/bench/processes.ts";
import type { SectionOptions } from "#test/bench/sections.ts";
import { readWorld } from "#test/bench/world.ts";

const perSecond = 2_000;
const connections = 16;
const probe = pathToFileURL(path.join(import.meta.dirname, "memory-probe.ts")).href;

/** Samples of a gateway under load, by a probe loaded into its process. */
export async function measureMemory(options: SectionOptions): Promise<{ text: string; missed: string[] }> {
  const { databaseUrl, postmaster, duration, say } = options;
  const ask = oneRow(await readWorld(databaseUrl))("docgraph");
  if (!ask) throw new Error("docgraph has no case (d)");
  const folder = await mkdtemp(path.join(tmpdir(), "docgraph-memory-"));
  const file = path.join(folder, "samples");
  const running = await startSystem("docgraph", databaseUrl, {
    NODE_OPTIONS: `--import=${probe}`,
    MEMORY_SAMPLES: file,
    MALLOC_ARENA_MAX: "2", // as `npm start` has it
    MALLOC_MMAP_THRESHOLD_: "1000000",
  });
  try {
    say(`  ${perSecond} requests a second for ${duration} s`);
    const figures = await load({ running, ask, postmaster }, { connections, seconds: duration, perSecond });
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    const [, ...samples] = lines.map((line) => JSON.parse(line) as Sample); // by memory-probe.ts
    return { text: report(samples, figures.perSecond, duration), missed: [] };
  } finally {
    await running.stop();
    await rm(folder, { recursive: true });
  }
}

function report(samples: readonly Sample[], reached: number, duration: number): string {
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  const third = Math.ceil(samples.length / 3);
  const lowest = (some: readonly Sample[]) => megabytes(Math.min(...some.map(({ heapUsed }) => heapUsed)));
  return [
    `## (memory) (d) at ${perSecond} requests a second for ${duration} s`,
    "",
    `${reached.toFixed(0)} requests a second were answered. The lowest heap of the first third was ${lowest(samples.slice(0, third))} MB, that of the last third ${lowest(samples.slice(-third))} MB.`,
    "",
    ...table(
      ["after s", "heap used MB", "external MB", "array buffers MB", "RSS MB"],
      samples.map(({ seconds, heapUsed, external, arrayBuffers, rss }) => [
        seconds.toFixed(0),
        ...[heapUsed, external, arrayBuffers, rss].map(megabytes),
      ]),
    ),
  ].join("\n");
}
