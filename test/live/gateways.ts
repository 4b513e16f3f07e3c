// Gateways as real processes on one database: killed, stopped and started again while clients switch between them.
import { makeDataFolder, type DocgraphProcess, startDocgraph } from "#test/support/docgraph-process.ts";

interface Gateway {
  readonly process: DocgraphProcess;
  readonly url: string;
}

export interface Gateways extends AsyncDisposable {
  /**
   * The URL of a gateway, after the last one this caller was given: a client that loses one switches to the
   * next.
   */
  next(caller: object | number): string;
  /** The URL of a gateway. */
  urlOf(index: number): string;
  /** The output of a gateway since its start. */
  outputOf(index: number): string;
  /** The output of all gateways, also of those that have ended. */
  readonly output: string;
  /** The process id of a gateway. */
  pidOf(index: number): number;
  /** Kills a gateway with SIGKILL and starts it again at its address. */
  crash(index: number): Promise<void>;
  /** Stops a gateway gracefully and starts it again. */
  restart(index: number): Promise<void>;
  /** Stops a gateway gracefully. */
  stop(index: number): Promise<void>;
  readonly count: number;
  /** Rejects with the output of a gateway that exits unexpectedly. */
  readonly failure: Promise<never>;
}

/** Starts `count` gateways on the database at `url`. */
export async function startGateways(count: number, url: string, more: Record<string, string> = {}): Promise<Gateways> {
  const data = await makeDataFolder();
  const { promise: failure, reject: fail } = Promise.withResolvers<never>();
  failure.catch(() => {}); // the error is reported to callers that wait for it
  const ending = new Set<DocgraphProcess>();
  const all: DocgraphProcess[] = [];
  const start = async (port = "0"): Promise<Gateway> => {
    const settings = { ...data.env, DATABASE_URL: url, LOG_LEVEL: "warn", STOP_GRACE_SECONDS: "2", PORT: port };
    const process = startDocgraph({ env: { ...settings, ...more } });
    all.push(process);
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
    get output() {
      return all.map((process) => process.output()).join("");
    },
    pidOf: (index) => at(index).process.pid,
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
