// The chaos proof: faults drawn from a table, one after the other, under a mixed load on two gateways. Afterwards
// nothing acknowledged is lost, every event was delivered once and in order, and nothing is left over.
import { setTimeout as sleep } from "node:timers/promises";
import { countFiles, countLost, readBugs, readUnended, residentMb } from "#test/live/chaos/checks.ts";
import { type Fault, faults } from "#test/live/chaos/faults.ts";
import { type ChaosScene, type ChaosSize, openChaos } from "#test/live/chaos/scene.ts";
import type { Comparison } from "#test/live/subscriber-group.ts";
import { makeRandom, type Random } from "#test/support/random.ts";

export interface ChaosReport extends Comparison {
  readonly seed: number;
  readonly faults: number;
  /** Successful requests. */
  readonly done: number;
  /** Requests that failed by a fault. */
  readonly failed: number;
  /** The longest time from the end of a fault until both gateways wrote again. */
  readonly recoveredMs: number;
  readonly lost: number;
  readonly filesLacking: number;
  readonly filesWithoutRow: number;
  readonly bugs: readonly string[];
  readonly unended: readonly string[];
  /** The memory of the largest gateway, after the first faults and at the end. */
  readonly startMb: number;
  readonly endMb: number;
}

/** Whether everything holds. */
export function isUnharmed(report: ChaosReport): boolean {
  const { missing, doubled, hollow, different, lost, filesLacking, filesWithoutRow, bugs, unended } = report;
  const wrong = [missing, doubled, hollow, different, lost, filesLacking, filesWithoutRow, bugs.length, unended.length];
  return wrong.every((count) => count === 0) && report.endMb <= report.startMb * 1.5;
}

/** Runs the proof. `say` is called with each fault. */
export async function proveChaos(size: ChaosSize, say: (line: string) => void = () => {}): Promise<ChaosReport> {
  const random = makeRandom(size.seed);
  await using scene = await openChaos(size, makeRandom(size.seed + 1)); // the load draws in an order of its own
  await inTime("the first requests of the load", Promise.race([scene.load.begun, scene.gateways.failure]));
  const made = await Promise.race([makeFaults(scene, { size, random, say }), scene.gateways.failure]);
  await inTime("the end of the load", scene.end());
  const { group, cluster, load, gateways } = scene;
  const comparison = await inTime("the last messages of the subscribers", group.compare(cluster.pool));
  await inTime("the end of the subscribers", group[Symbol.asyncDispose]());
  const unended = await inTime("the end of all work", readUnended(scene));
  return {
    seed: size.seed,
    ...made,
    done: Object.values(load.done).reduce((sum, count) => sum + count, 0),
    failed: load.faults.length,
    ...comparison,
    lost: await countLost(scene),
    ...(await countFiles(scene)),
    bugs: readBugs(scene),
    unended,
    endMb: await residentMb(gateways),
  };
}

/** How many minutes each step may take: far longer than any does. */
const longestMinutes = 5;

/** Waits for a step of the proof. Throws an error that names it if it takes too long. */
async function inTime<Result>(what: string, step: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const error = new Error(`The proof has waited for ${longestMinutes} minutes for ${what}.`);
  const timer = setTimeout(() => late.reject(error), longestMinutes * 60_000);
  try {
    return await Promise.race([step, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

interface Course {
  readonly size: ChaosSize;
  readonly random: Random;
  readonly say: (line: string) => void;
}

/** Makes one fault after the other; each once before any is made again. */
async function makeFaults(scene: ChaosScene, { size, random, say }: Course) {
  const { named = "" } = size;
  const possible = faults.filter(({ name, isPossible = () => true }) => name.includes(named) && isPossible(scene));
  const end = performance.now() + size.seconds * 1_000;
  let bag: Fault[] = [];
  let [count, recoveredMs, startMb] = [0, 0, await residentMb(scene.gateways)];
  for (; count < size.faults || performance.now() < end; count++) {
    if (bag.length === 0) bag = [...possible];
    const [fault] = bag.splice(random.below(bag.length), 1);
    if (!fault) break;
    await inTime(`the end of the fault "${fault.name}"`, fault.make(scene));
    const tookMs = await scene.untilWritten();
    recoveredMs = Math.max(recoveredMs, tookMs);
    const mb = await residentMb(scene.gateways);
    if (count < possible.length / 4) startMb = Math.max(startMb, mb);
    say(`${fault.name}: written again after ${tookMs} ms, ${mb} MB`);
    await sleep(random.below(2_000));
  }
  return { faults: count, recoveredMs, startMb };
}
