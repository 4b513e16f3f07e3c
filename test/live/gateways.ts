// Gateways as real processes, side by side on one database: killed, stopped and started again while clients go from one to the other.
import { makeDataFolder, type DocgraphProcess, startDocgraph } from "#test/support/docgraph-process.ts";

interface Gateway {
  readonly process: DocgraphProcess;
  readonly url: string;
}

export interface Gateways extends AsyncDisposable {
  /** The address of one, after the last of the addresses this caller was given: whoever loses one goes to the next. */
  next(caller: object | number): string;
  /** Where one is now. */
  urlOf(index: number): string;
  /** Ends one by SIGKILL and starts it again. */
  crash(index: number): Promise<void>;
  /** Ends one as a deployment does, waits until it has ended well, and starts it again. */
  restart(index: number): Promise<void>;
  readonly count: number;
}

/** Starts some on the database at `url`. */
export async function startGateways(count: number, url: string, more: Record<string, string> = {}): Promise<Gateways> {
  const data = await makeDataFolder();
  const start = async (): Promise<Gateway> => {
    const process = startDocgraph({ env: { ...data.env, DATABASE_URL: url, LOG_LEVEL: "warn", ...more } });
    return { process, url: (await process.ready()).url };
  };
  const running = await Promise.all(Array.from({ length: count }, start));
  const turns = new Map<object | number, number>();

  function at(index: number): Gateway {
    const gateway = running[index % count];
    if (!gateway) throw new Error(`There is no gateway ${index}`);
    return gateway;
  }

  return {
    count,
    urlOf: (index) => at(index).url,
    next(caller) {
      const turn = turns.get(caller) ?? (typeof caller === "number" ? caller : 0);
      turns.set(caller, turn + 1);
      return at(turn).url;
    },
    async crash(index) {
      const { process } = at(index);
      process.signal("SIGKILL");
      await process.ended;
      running[index] = await start();
    },
    async restart(index) {
      const { process } = at(index);
      process.signal("SIGTERM");
      const end = await process.ended;
      if (end !== 0) throw new Error(`A gateway ended with ${end}:\n${process.output()}`);
      running[index] = await start();
    },
    async [Symbol.asyncDispose]() {
      for (const { process } of running) process.signal("SIGTERM");
      await Promise.all(running.map(({ process }) => process.ended));
      await data.remove();
    },
  };
}
