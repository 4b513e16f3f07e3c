// The declaration of a feature in the registry, and the parts of the running gateway that features receive.
import type { OpenIdSettings } from "#src/base/open-id.ts";
import type { SignInEnvironment } from "#src/access/sign-in.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { SealedColumn } from "#src/base/secrets.ts";
import type { Translator } from "#src/base/translator.ts";
import type { Config } from "#src/config/config.ts";
import type { Allowance } from "#src/db/connection/budget.ts";
import type { Queries } from "#src/db/connection/database.ts";
import type { Action } from "#src/domain/change.ts";
import type { Context, Environment } from "#src/domain/context.ts";
import type { HookPart } from "#src/domain/hooks.ts";
import type { CostQuotas } from "#src/domain/quota.ts";
import type { Tunnels } from "#src/net/reach.ts";
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
import type { Queue } from "#src/jobs/queues.ts";
import type { StreamChanges } from "#src/pages/serve.ts";
import type { Page } from "#src/pages/page.ts";
import type { Rest } from "#src/rest/rest.ts";
import type { Route } from "#src/rest/route.ts";
import type { Tracer } from "#src/runtime/spans.ts";

/** A row of the registry. */
export interface Feature {
  readonly name: string;
  readonly routes: readonly Route[];
  /** Events that it writes to the outbox. */
  readonly events?: readonly Events[];
  /** Actions whose permission it checks. */
  readonly actions?: readonly Action<never>[];
  /** Handlers of the hooks that features before it define. */
  readonly parts?: readonly HookPart[];
  /** Columns with sealed secrets: they are sealed again when the key changes. */
  readonly secrets?: readonly SealedColumn[];
  /** Kinds of rows that it derives from texts, each defined by its commands (`defineDerived` of content). */
  readonly derived?: readonly { readonly name: string; readonly table: string }[];
  /** Kinds of pages that it computes, each defined by its commands (`defineComputed` of content). */
  readonly computed?: readonly { readonly type: string }[];
  /** Its scheduled jobs. */
  readonly jobs?: readonly Job[];
  /** Its rows that wait for a job or a process: /metrics has the age of the oldest of each. */
  readonly queues?: readonly Queue[];
  /** Sentences for the log of the start about data that needs the operator. */
  readonly warnings?: (database: Queries) => Promise<readonly string[]>;
  /** The kinds of e-mails that it sends. */
  readonly emails?: readonly EmailKind<never>[];
  /** Its HTTP routes outside GraphQL and /v1. */
  readonly http?: (gateway: Gateway) => readonly HttpRoute[];
  /** Its pages of the application, under `/app/`. */
  readonly appPages?: readonly Page[];
  /** Objects that have no page yet: they are shown as data under `/app/`. */
  readonly pages?: readonly AppPage[];
  /** Its background work in each process: followers of the event log. */
  readonly follow?: (gateway: Gateway) => readonly Follower[];
  /** Creates the runner of scripts for operations. Only one feature defines it. */
  readonly scripts?: (gateway: BeforeScripts) => Scripts;
  /** Creates {@link Gateway.visitorSignIn}. Only one feature defines it. */
  readonly visitorSignIn?: (
    gateway: Pick<Gateway, "database" | "publicUrl" | "integrationsUrl">,
  ) => Gateway["visitorSignIn"];
  /** Creates the translator that the configuration names. Only one feature defines it. */
  readonly translator?: (config: Config) => Translator | undefined;
  /** Ids of the spaces that a visitor token gives access to. Only one feature defines it. */
  readonly openedBy?: (gateway: Pick<Context, "database" | "visitorTokens">, token: string) => Promise<string[]>;
  /** Finds the path that a hostname serves instead of the whole gateway. Only one feature defines it. */
  readonly pathOfHost?: (gateway: Gateway) => PathOfHost;
}

/** The path that a hostname, in lower case and without a port, serves; null for hosts of the gateway. */
export type PathOfHost = (hostname: string) => Promise<string | null>;

/** Intervals of background work; omitted values have defaults. */
export interface WorkIntervals {
  /** Interval of the check for files that the database names, in milliseconds; one minute by default. */
  readonly filesCheckMs?: number | undefined;
  /** Interval of the poll for events to deliver, in milliseconds; with null the process delivers none. */
  readonly deliveryMs?: number | null | undefined;
  /** Delay between an edit and the run that translates it, in milliseconds; with null the process runs none. */
  readonly translationMs?: number | null | undefined;
  /** How long the addresses of sites are kept, in milliseconds; a second by default, and 0 keeps none. */
  readonly siteAgeMs?: number | undefined;
}

/** The running gateway. */
export interface Gateway extends Omit<Environment, "publicUrl"> {
  readonly costQuotas: CostQuotas;
  /** Reaches development tunnels of integrations. */
  readonly tunnels: Tunnels;
  readonly executor: Executor;
  readonly rest: Rest;
  /** The public URL of the gateway; empty before it listens. */
  readonly publicUrl: () => string;
  readonly origins: Origins;
  readonly contexts: RequestContexts;
  /** Creates the context of work outside a request. */
  readonly contextFor: (viewer: Viewer, requestId: string, allowance?: Allowance) => Context;
  readonly scripts: Scripts;
  /** The address at which an integration signs in the visitors of a site; null if none does. */
  readonly visitorSignIn: (siteId: string) => Promise<string | null>;
  readonly signIn: () => SignInEnvironment;
  /** The OpenID provider of the whole gateway; absent without one. */
  readonly openIdProvider?: OpenIdSettings | undefined;
  /** Opens a stream of server-sent events of a subscription. */
  readonly streamChanges: StreamChanges;
  readonly tracing?: Tracer | undefined;
  readonly intervals: WorkIntervals;
}

type BeforeScripts = Omit<
  Gateway,
  "contexts" | "origins" | "scripts" | "visitorSignIn" | "signIn" | "intervals" | "streamChanges"
>;
