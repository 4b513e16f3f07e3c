// What a feature declares in the registry, and the parts of the running gateway that its edges get.
import type { SignInEnvironment } from "#src/access/sign-in.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { SealedColumn } from "#src/base/secrets.ts";
import type { Translator } from "#src/base/translator.ts";
import type { Config } from "#src/config/config.ts";
import type { Allowance } from "#src/db/connection/budget.ts";
import type { Action } from "#src/domain/change.ts";
import type { Context, Environment } from "#src/domain/context.ts";
import type { HookPart } from "#src/domain/hooks.ts";
import type { CostQuotas } from "#src/domain/quota.ts";
import type { Scripts } from "#src/domain/scripts.ts";
import type { Events } from "#src/events/declared.ts";
import type { Follower } from "#src/events/follower.ts";
import type { Executor } from "#src/graph/run/execute.ts";
import type { AppPage } from "#src/http/app-pages.ts";
import type { RequestContexts } from "#src/http/exchange.ts";
import type { Origins } from "#src/http/origins.ts";
import type { HttpRoute } from "#src/http/route.ts";
import type { EmailKind } from "#src/jobs/emails.ts";
import type { Job } from "#src/jobs/job.ts";
import type { Rest } from "#src/rest/rest.ts";
import type { Route } from "#src/rest/route.ts";
import type { Tracer } from "#src/runtime/spans.ts";

/** A row of the registry. */
export interface Feature {
  readonly name: string;
  readonly routes: readonly Route[];
  /** What it writes to the outbox. */
  readonly events?: readonly Events[];
  /** What it asks whether a viewer may do. */
  readonly actions?: readonly Action<never>[];
  /** What it does at moments in the commands of features below it. */
  readonly parts?: readonly HookPart[];
  /** Where it keeps sealed secrets: a new key seals them again. */
  readonly secrets?: readonly SealedColumn[];
  /** What it derives from texts, each a kind that its commands define (`defineDerived` of content). */
  readonly derived?: readonly { readonly name: string; readonly table: string }[];
  /** What pages it computes, each a kind that its commands define (`defineComputed` of content). */
  readonly computed?: readonly { readonly type: string }[];
  /** Its jobs: work done at set times and not by a request. */
  readonly jobs?: readonly Job[];
  /** The kinds of e-mails that it sends. */
  readonly emails?: readonly EmailKind<never>[];
  /** Its paths beside GraphQL and /v1. */
  readonly http?: (gateway: Gateway) => readonly HttpRoute[];
  /** Its pages under `/app/`. */
  readonly pages?: readonly AppPage[];
  /** Its work in each process beside requests. */
  readonly follow?: (gateway: Gateway) => readonly Follower[];
  /** Makes what runs scripts for operations. One feature has it. */
  readonly scripts?: (gateway: BeforeScripts) => Scripts;
  /** Makes the translator that the configuration names. One feature has it. */
  readonly translator?: (config: Config) => Translator | undefined;
  /** Ids of the spaces that the token of a visitor opens. One feature has it. */
  readonly openedBy?: (gateway: Pick<Context, "database" | "visitorTokens">, token: string) => Promise<string[]>;
}

/** How often work is done; the values that are left out have defaults. */
export interface WorkIntervals {
  /** Between two looks for files that the database names, in milliseconds; a minute by default. */
  readonly filesLookMs?: number | undefined;
  /** Between two looks for events to deliver, in milliseconds; with null the process delivers none. */
  readonly deliveryMs?: number | null | undefined;
  /** From an edit to the run that translates it, in milliseconds; with null the process runs none. */
  readonly translationMs?: number | null | undefined;
}

/** The running gateway. */
export interface Gateway extends Omit<Environment, "publicUrl"> {
  readonly costQuotas: CostQuotas;
  readonly executor: Executor;
  readonly rest: Rest;
  /** The address under which it is reached; empty before it listens. */
  readonly publicUrl: () => string;
  readonly origins: Origins;
  readonly contexts: RequestContexts;
  /** Makes the context of work that is not a request. */
  readonly contextFor: (viewer: Viewer, requestId: string, allowance?: Allowance) => Context;
  readonly scripts: Scripts;
  readonly signIn: () => SignInEnvironment;
  readonly tracing?: Tracer | undefined;
  readonly intervals: WorkIntervals;
}

type BeforeScripts = Omit<Gateway, "contexts" | "origins" | "scripts" | "signIn" | "intervals">;
