// The load generator, in its own process so that it does not slow the measured one: one burst by autocannon, figures as
// JSON.
import autocannon, { type Options } from "autocannon";

export interface Burst extends Options {
  readonly url: string;
}

export interface BurstFigures {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** CPU milliseconds per request of this process. */
  readonly loadCpu: number;
  /** Responses other than 200, and connection errors. */
  readonly failures: number;
}

const burst = JSON.parse(process.argv[2] ?? "{}") as Burst; // written by load.ts
const times: number[] = [];
const [started, spent] = [performance.now(), process.cpuUsage()];
const result = await autocannon({
  ...burst,
  // autocannon's own percentiles are whole milliseconds
  setupClient: (client) => client.on("response", (_status, _bytes, milliseconds) => times.push(milliseconds)),
});
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(spent);
const cpu = user + system; // microseconds
times.sort((one, other) => one - other);
const percentile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
const failures = result.non2xx + result.errors + result.timeouts;
const figures: BurstFigures = {
  requests: times.length,
  seconds,
  loadCpu: cpu / 1000 / times.length,
  p50: percentile(0.5),
  p95: percentile(0.95),
  p99: percentile(0.99),
  failures,
};
process.stdout.write(JSON.stringify(figures));
