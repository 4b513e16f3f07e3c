// What running integrations needs of the process beside the database: the sandbox, the way out, and the gateway's own
// interfaces for scripts.
import type { Context } from "#src/domain/context.ts";
import type { Scripts } from "#src/domain/scripts.ts";

/** See the head of this file. */
export type RunHost = Pick<Context, "database" | "files" | "fetch" | "secrets" | "clock" | "log"> & Scripts;
