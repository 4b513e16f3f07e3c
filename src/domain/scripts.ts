// Runs scripts of integrations for an operation: the sandbox, and the user that a script calls the gateway as.
import type { Viewer } from "#src/access/viewer.ts";
import type { Rate } from "#src/domain/rate.ts";
import type { Tunnels } from "#src/net/reach.ts";
import type { CallAnswer, ScriptCall } from "#src/sandbox/messages.ts";
import type { Sandbox } from "#src/sandbox/sandbox.ts";

export interface Identity {
  readonly viewer: Viewer;
  readonly allowedMutations: ReadonlySet<string>;
  /** The current state of the user; null if it no longer exists. */
  readonly renew: () => Promise<Viewer | null>;
}

export interface Scripts {
  readonly sandbox: Sandbox;
  /** Runs `context.api` calls of a script, charged to its installation, until `signal`, that of the run, is aborted. */
  readonly answerApi: (identity: Identity, call: ScriptCall, signal: AbortSignal) => Promise<CallAnswer>;
  /** Sends requests to development tunnels, which may be on this machine. */
  readonly tunnels: Tunnels;
  /** The public address of the gateway, and that of the endpoint of an installation. */
  readonly addresses: () => {
    readonly publicUrl: string;
    readonly endpoint: (integrationName: string, installationId: string) => string;
  };
  /** Count the requests to other servers, by the id of an installation and by that of its organization. */
  readonly fetches: { readonly ofInstallation: Rate; readonly ofOrganization: Rate };
}
