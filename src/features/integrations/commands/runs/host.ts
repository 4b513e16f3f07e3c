// What running integrations needs of the process beside the database: the sandbox, the way out, and the gateway's own
// interfaces for scripts.
import type { Logger } from "pino";
import type { Viewer } from "#src/access/viewer.ts";
import type { Secrets } from "#src/base/secrets.ts";
import type { Clock } from "#src/base/time.ts";
import type { Database } from "#src/db/database.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import type { CallAnswer, ScriptCall } from "#src/sandbox/messages.ts";
import type { Sandbox } from "#src/sandbox/sandbox.ts";

/** Who asks for a script: its installation, with what its scopes let it change. */
export interface Identity {
  readonly viewer: Viewer;
  /** The mutations that it may run. */
  readonly allowedMutations: ReadonlySet<string>;
  /** Who it is by the rows of this moment; null when it is no longer there. */
  readonly renew: () => Promise<Viewer | null>;
}

/** See the head of this file. */
export interface RunHost {
  readonly database: Database;
  readonly files: FileStore;
  readonly fetch: SafeFetch;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sandbox: Sandbox;
  /** Answers `context.api` of a script, in this process. */
  readonly answerApi: (identity: Identity, call: ScriptCall) => Promise<CallAnswer>;
}
