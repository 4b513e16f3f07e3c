// The context of one operation: the viewer, their reader, and the services that commands need.
import type { Logger } from "pino";
import type { Clock } from "#src/base/time.ts";
import { allowanceOf, Budget, operationAllowance } from "#src/db/connection/budget.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { Replicas } from "#src/db/replicas/replicas.ts";
import { Reader } from "#src/db/reading/reader.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import { noOrigin, type Origin } from "#src/events/audit.ts";
import type { Feed } from "#src/events/event-log.ts";
import type { OutboxPosition } from "#src/events/outbox-position.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { Background } from "#src/jobs/background.ts";
import type { Emails } from "#src/jobs/emails.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import type { ReadTxtRecords } from "#src/net/txt-records.ts";
import type { Translator } from "#src/base/translator.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { type OperationLimits, quotas as defaultQuotas, type Quotas } from "#src/base/limits.ts";
import { type Addresses, Links } from "#src/base/public-urls.ts";
import type { Secrets } from "#src/base/secrets.ts";
import type { CostAsked, CostQuotas } from "#src/domain/quota.ts";
import type { Idempotency } from "#src/domain/idempotency.ts";
import type { Scripts } from "#src/domain/scripts.ts";
import type { Viewers } from "#src/access/viewers.ts";

/** The argument of every resolver, read and command. One for each operation. */
export interface Context {
  readonly viewer: Viewer;
  /** When the rights of the viewer were read for a change, by `performance.now()`; absent before the first. */
  readonly viewerReadAt?: number;
  readonly reader: Reader<Viewer>;
  readonly database: Database;
  /** Replicas that queries may read from; absent if not configured. */
  readonly replicas?: Replicas<OutboxPosition> | undefined;
  /** The state that the caller must see, and how they learn the position of their writes; absent if not requested. */
  readonly consistency?: Consistency | undefined;
  readonly files: FileStore;
  readonly fetch: SafeFetch;
  readonly readTxtRecords: ReadTxtRecords;
  readonly translator?: Translator | undefined;
  /** Runs scripts of integrations; absent in streams, and in operations of scripts, which never run others. */
  readonly scripts?: Scripts | undefined;
  /** Work that continues after the response. */
  readonly background: Background;
  /** Sends e-mail; absent if the gateway cannot. */
  readonly emails?: Emails | undefined;
  readonly viewers: Viewers;
  readonly secrets: Secrets;
  readonly visitorTokens: VisitorTokens;
  /** The visitor token of the request, not verified; null without one. */
  readonly visitorToken: string | null;
  /** In a page of a site: the beginning of the links in its texts to this site; absent in the APIs. */
  readonly pageRoot?: { readonly siteId: string; readonly links: string } | undefined;
  /** Whether the request has no API token: then only what is open to visitors is visible. */
  readonly isAnonymous: boolean;
  /** The mutations that this caller may run; if absent, all by their rights. */
  readonly allowedMutations?: ReadonlySet<string>;
  /** The path parameters of a request to /v1: a mutation looks up the objects that it names inside of these. */
  readonly path?: Readonly<Partial<Record<string, string>>> | undefined;
  /** The idempotency key, by which a repeated mutation runs once; absent if not sent. */
  readonly idempotency?: Idempotency | undefined;
  /** Counts the cost of operations, and their concurrency; absent in streams and in scripts of integrations. */
  readonly costQuotas?: CostQuotas | undefined;
  /** The cost information that the caller requests; absent if not requested. */
  readonly costAsked?: CostAsked | undefined;
  readonly quotas: Quotas;
  /** How old rights may be when a change is committed, in milliseconds; by default a second. */
  readonly rightsAge?: number | undefined;
  readonly feed: Feed;
  /** The position of the event log at the start of the operation: its reads include everything before. */
  readonly began: OutboxPosition;
  readonly clock: Clock;
  readonly limit: TimeLimit;
  readonly log: Logger;
  readonly requestId: string;
  /** The origin of the request, for the audit log. */
  readonly origin: Origin;
  /** The address of this gateway for clients, without a slash at the end; `urls.location` starts with it. */
  readonly publicUrl: string;
  readonly links: Links;
}

export interface Consistency {
  /** Reads include everything in the database's log up to here; null if the caller does not say. */
  readonly after: bigint | null;
  /** Reads include this event, too. */
  readonly event: OutboxPosition | null;
  /** Receives the log position of the operation's writes. */
  readonly tell: (position: bigint) => void;
}

/** The part that all operations share. */
export type Environment = Pick<
  Context,
  | "database"
  | "replicas"
  | "files"
  | "fetch"
  | "readTxtRecords"
  | "translator"
  | "background"
  | "emails"
  | "viewers"
  | "secrets"
  | "visitorTokens"
  | "feed"
  | "clock"
  | "log"
  | "costQuotas"
  | "rightsAge"
> &
  Addresses & {
    /** The most values and bytes of a response; by default those of {@link operationAllowance}. */
    readonly operationLimits?: OperationLimits | undefined;
    readonly quotas?: Quotas | undefined;
    /** How long an operation may take, in milliseconds; if absent, as long as its statements. */
    readonly limitMs?: number | undefined;
  };

/** The context of one operation, with a reader of its own. */
export function makeContext(
  environment: Environment,
  viewer: Viewer,
  requestId: string,
  allowance = environment.operationLimits ? allowanceOf(environment.operationLimits) : operationAllowance,
): Context {
  const { database, feed, limitMs } = environment;
  const reader = new Reader(database, viewer, new Budget(allowance));
  // Streams have no limit, and share their reads: an async context of one caller would bill them to that caller alone.
  const limit = limitMs === undefined ? new TimeLimit(Infinity) : new TimeLimit(limitMs, viewer.userId);
  const context: Writable<Context> = { ...commonOf(environment) };
  context.limit = limit;
  context.viewer = viewer;
  context.requestId = requestId;
  context.began = feed.position;
  context.reader = reader;
  return context;
}

type Writable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

const commonParts = new WeakMap<Environment, Context>();

/**
 * The shared part of the contexts of an environment, with a slot for every other property: copying it copies memory,
 * and storing a value in the copy does not change its hidden class.
 */
function commonOf(environment: Environment): Context {
  const known = commonParts.get(environment);
  if (known?.publicUrl === environment.publicUrl) return known; // the address changes once the gateway listens
  const { quotas = defaultQuotas } = environment;
  const asked = { visitorToken: null, pageRoot: undefined, isAnonymous: false, origin: noOrigin };
  const own = { limit: undefined, viewer: undefined, requestId: "", began: undefined, reader: undefined };
  const ofRequest = { consistency: undefined, costAsked: undefined };
  // A context made from that of a request is for work beside it, which is independent of the request's key.
  const idempotency = undefined;
  const all = { ...asked, ...own, ...ofRequest, ...environment, quotas, links: new Links(environment), idempotency };
  const common = all as unknown as Context; // makeContext sets the rest
  commonParts.set(environment, common);
  return common;
}

/** Renews the viewer's rights and forgets rows read. Returns false, changing nothing, for a revoked token. */
export async function renewViewer(context: Context): Promise<boolean> {
  const viewerReadAt = performance.now();
  const viewer = await context.viewers.renew(context.viewer);
  // Read-only for everything else: rights only change here.
  if (viewer) Object.assign(context, { viewer, viewerReadAt });
  context.reader.readFor(context.viewer);
  return viewer !== null;
}

/** The context of an operation that only reads: from a replica, if one has the state that the caller must see. */
export function contextToRead(context: Context): Context {
  const { viewer, reader, replicas, consistency } = context;
  const reading = replicas?.readingFor(viewer.tokenId, consistency?.after ?? null, consistency?.event ?? null);
  if (!reading) return context;
  const { database, mark: began } = reading;
  return { ...context, database, began, reader: new Reader(database, viewer, reader.budget) };
}

/** Makes the caller's later reads include the writes of the operation, from any database. */
export async function noteWrite({ viewer, replicas, consistency }: Context): Promise<void> {
  const position = await replicas?.noteWrite(viewer.tokenId);
  if (position != null) consistency?.tell(position);
}
