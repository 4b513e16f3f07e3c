// What running integrations needs of the process beside the database: the sandbox, the way out, and the gateway's own
// interfaces for scripts.
import type { Tracer } from "#src/runtime/spans.ts";
import type { Context } from "#src/domain/context.ts";
import type { Scripts } from "#src/domain/scripts.ts";

/** What came of tries to deliver an event to an installation, since the start of the process. */
export class DeliveryCounts {
  ok = 0;
  /** They failed, and are tried again. */
  retried = 0;
  /** They failed for a day, and are given up. */
  givenUp = 0;
}

/** See the head of this file. */
export type RunHost = Pick<Context, "database" | "files" | "fetch" | "secrets" | "clock" | "log" | "costQuotas"> &
  Scripts;

/** The same, for delivering events. */
export interface DeliveryHost extends RunHost {
  readonly deliveries: DeliveryCounts;
  readonly tracing?: Tracer | undefined;
}
