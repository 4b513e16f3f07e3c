// Gateways as real processes, side by side on one database: killed, stopped and started again while clients go from one
// to the other.
import { makeDataFolder, type DocgraphProcess, startDocgraph } from "#test/support/docgraph-process.ts";

interface Gateway {
  readonly process: DocgraphProcess;
  readonly url: string;
}

export interface Gateways extends AsyncDisposable {
  /**
   * The address of one, after the last of the addresses this caller was given: a client that loses one goes to the
   * next.
   */
  next(caller: object | number): string;
  /** Where one is now. */
  urlOf(index: number): string;
  /** What one has printed since it was started. */
  outputOf(index: number): string;
  /** Ends one by SIGKILL and starts it again, at its address. */
  crash(index: number): Promise<void>;
  /** Ends one as a deployment does, waits until it has ended well, and starts it again. */
  restart(index: number): Promise<void>;
  /** Ends one as a deployment does, and waits until it has ended well. */
  stop(index: number): Promise<void>;
  readonly count: number;
  /** Rejects with its output when one ends that nobody has ended. */
  readonly failure: Promise<never>;
}

/** Starts some on the database at `url`. */
export async function startGateways(count: number, url: string, more: Record<string, string> = {}): Promise<Gateways> {
  const data = await makeDataFolder();
  const { promise: failure, reject: fail } = Promise.withResolvers<never>();
  failure.catch(() => {}); // the error goes to those who wait for it
  const ending = new Set<DocgraphProcess>();
  const start = async (port = "0"): Promise<Gateway> => {
    const settings = { ...data.env, DATABASE_URL: url, LOG_LEVEL: "warn", STOP_GRACE_SECONDS: "2", PORT: port };
    const process = startDocgraph({ env: { ...settings, ...more } });
    void process.ended.then((end) => {
      if (!ending.has(process)) fail(new Error(`A gateway ended by itself, with ${end}:\n${process.output()}`));
    });
    return { process, url: (await process.ready()).url };
  };
  function end({ process }: Gateway, signal: "SIGKILL" | "SIGTERM"): DocgraphProcess["ended"] {
    ending.add(process);
    process.signal(signal);
    return process.ended;
  }
  const running = await Promise.all(Array.from({ length: count }, () => start()));
  const turns = new Map<object | number, number>();

  function at(index: number): Gateway {
    const gateway = running[index % count];
    if (!gateway) throw new Error(`No gateway ${index} exists`);
    return gateway;
  }

  async function stop(gateway: Gateway): Promise<void> {
    const code = await end(gateway, "SIGTERM");
    if (code !== 0) throw new Error(`A gateway ended with ${code}:\n${gateway.process.output()}`);
  }

  const again = async (index: number, { url: former }: Gateway) => {
    running[index] = await start(new URL(former).port);
  };

  return {
    count,
    urlOf: (index) => at(index).url,
    outputOf: (index) => at(index).process.output(),
    next(caller) {
      const turn = turns.get(caller) ?? (typeof caller === "number" ? caller : 0);
      turns.set(caller, turn + 1);
      return at(turn).url;
    },
    failure,
    async crash(index) {
      const gateway = at(index);
      await end(gateway, "SIGKILL");
      await again(index, gateway);
    },
    async restart(index) {
      const gateway = at(index);
      await stop(gateway);
      await again(index, gateway);
    },
    stop: (index) => stop(at(index)),
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((gateway) => end(gateway, "SIGTERM")));
      await data.remove();
    },
  };
}
