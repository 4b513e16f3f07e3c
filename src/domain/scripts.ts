// Running scripts of others for an operation: the sandbox, and who their scripts are when they ask the gateway.
import type { Viewer } from "#src/access/viewer.ts";
import type { Rate } from "#src/domain/rate.ts";
import type { CallAnswer, ScriptCall } from "#src/sandbox/messages.ts";
import type { Sandbox } from "#src/sandbox/sandbox.ts";

export interface Identity {
  readonly viewer: Viewer;
  readonly allowedMutations: ReadonlySet<string>;
  /** Who it is by the rows of this moment; null when it is no longer there. */
  readonly renew: () => Promise<Viewer | null>;
}

export interface Scripts {
  readonly sandbox: Sandbox;
  /** Answers `context.api` of a script, charged to its installation, until `signal`, that of the run, is aborted. */
  readonly answerApi: (identity: Identity, call: ScriptCall, signal: AbortSignal) => Promise<CallAnswer>;
  /** Count the requests to other servers, by the id of an installation and by that of its organization. */
  readonly fetches: { readonly ofInstallation: Rate; readonly ofOrganization: Rate };
}
