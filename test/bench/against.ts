// A comparison of this checkout with another one of docgraph, case by case.
import path from "node:path";
import type { Case } from "#test/bench/cases.ts";
import type { Ask, System } from "#test/bench/documents.ts";
import { askOnce } from "#test/bench/load.ts";
import { type RunningSystem, startSystem } from "#test/bench/processes.ts";
import type { SectionOptions } from "#test/bench/sections.ts";
import { describeRounds, compareRunners, loadAlternating, type LoadOptions } from "#test/bench/alternating-load.ts";
import { readWorld } from "#test/bench/world.ts";

type Against = Omit<SectionOptions, "duration"> & Pick<LoadOptions, "rounds" | "seconds">;

/** Gateways per checkout: processes of the same code differ by 10 % and more, so one is not enough. */
const each = 3;

/**
 * Loads gateways of both checkouts in turn. `folder` is that of the other checkout, with its packages installed.
 * Returns a table for each case.
 */
export async function measureAgainst(
  folder: string,
  chosen: readonly Case[],
  { databaseUrl, postmaster, say, ...how }: Against,
): Promise<string> {
  const started: { name: string; running: RunningSystem }[] = [];
  const start = async (name: string, of?: string) => {
    started.push({ name, running: await startSystem("docgraph", databaseUrl, {}, of) });
  };
  try {
    for (let count = 1; count <= each; count++) {
      await start(`the other, ${count}`, path.resolve(folder));
      await start(`this, ${count}`);
    }
    const world = await readWorld(databaseUrl);
    const lines: string[] = [];
    const askAny = (_system: System, ask: Ask) => askOnce(runningOf(started), ask);
    for (const one of chosen) {
      for (const contender of await one.contenders(world, askAny, ["docgraph"])) {
        const name = [`(${one.key}) ${one.title}`, contender.subject].filter(Boolean).join(", ");
        say(name);
        const runners = started.map((one) => ({ ...one, figures: [] }));
        const options = { ...how, connections: one.connections, askOf: () => contender.ask, postmaster, say };
        await loadAlternating(runners, options);
        const { lines: rows, cpu } = compareRunners("checkout", runners);
        const [theirs = Number.NaN, ours = Number.NaN] = ["the other", "this"].map((side) =>
          mean([...cpu].filter(([of]) => of.startsWith(side)).map(([, of]) => of)),
        );
        const all = `CPU of a request in this checkout: ${(ours / theirs).toFixed(3)} of that in the other, by the means.`;
        lines.push(`## ${name}`, "", describeRounds(options), "", ...rows, "", all, "");
      }
    }
    return lines.join("\n");
  } finally {
    await Promise.all(started.map(({ running }) => running.stop()));
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function runningOf([first]: readonly { running: RunningSystem }[]): RunningSystem {
  if (!first) throw new Error("No gateway is running");
  return first.running;
}
