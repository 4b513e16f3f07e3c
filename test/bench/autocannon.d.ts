// The part of autocannon that the load generator uses; the package has no types of its own.
declare module "autocannon" {
  import type { EventEmitter } from "node:events";

  export interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    timeout?: number;
    /** The most requests a second, of all connections together. */
    overallRate?: number;
    method?: "GET" | "POST";
    headers?: Record<string, string>;
    body?: string;
  }

  interface Client extends EventEmitter {
    on(event: "response", listener: (status: number, bytes: number, milliseconds: number) => void): this;
  }

  interface Result {
    non2xx: number;
    errors: number;
    timeouts: number;
  }

  function autocannon(options: Options & { setupClient?: (client: Client) => void }): Promise<Result>;
  // eslint-disable-next-line import/no-default-export -- it is how the package exports it
  export default autocannon;
}
