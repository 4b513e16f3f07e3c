// The context of one operation: the viewer, their reader, and what commands need.
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

/** What every resolver, read and command gets. One for each operation. */
export interface Context {
  readonly viewer: Viewer;
  /** When the rights of the viewer were read for a change, as `performance.now()` says it; absent before the first. */
  readonly viewerReadAt?: number;
  readonly reader: Reader<Viewer>;
  readonly database: Database;
  /** Copies of the database that queries may read from; absent where there are none. */
  readonly replicas?: Replicas<OutboxPosition> | undefined;
  /** What the caller is to see at least, and how they hear what they have written; absent where nobody asked. */
  readonly consistency?: Consistency | undefined;
  readonly files: FileStore;
  readonly fetch: SafeFetch;
  readonly readTxtRecords: ReadTxtRecords;
  readonly translator?: Translator | undefined;
  /** Runs scripts of integrations; absent in streams, and where a script asks, which never runs others. */
  readonly scripts?: Scripts | undefined;
  /** What goes on when the operation has been answered. */
  readonly background: Background;
  /** Sends e-mail; absent where the gateway has no way to. */
  readonly emails?: Emails | undefined;
  readonly viewers: Viewers;
  readonly secrets: Secrets;
  readonly visitorTokens: VisitorTokens;
  /** The token of a visitor that came with the request, unchecked; null without one. */
  readonly visitorToken: string | null;
  /** Whether the request came without an API token: then only what is open to visitors answers. */
  readonly isAnonymous: boolean;
  /** The mutations that this caller may run; without it, all by their rights. */
  readonly allowedMutations?: ReadonlySet<string>;
  /** The parameters in the path of a request to /v1: a mutation looks up what it names inside of these. */
  readonly path?: Readonly<Partial<Record<string, string>>> | undefined;
  /** The key by which a mutation is done once, however often it is sent; absent where none was sent. */
  readonly idempotency?: Idempotency | undefined;
  /** Where it is counted what operations cost, and how many run; absent in streams and in scripts of integrations. */
  readonly costQuotas?: CostQuotas | undefined;
  /** What the caller asks of the cost; absent where they do not. */
  readonly costAsked?: CostAsked | undefined;
  readonly quotas: Quotas;
  /** How old rights may be when a change is committed, in milliseconds; by default a second. */
  readonly rightsAge?: number | undefined;
  readonly feed: Feed;
  /** Where the feed stood when the operation began: everything before is in what it reads. */
  readonly began: OutboxPosition;
  readonly clock: Clock;
  readonly limit: TimeLimit;
  readonly log: Logger;
  readonly requestId: string;
  /** From where it was asked for, as the audit log tells it. */
  readonly origin: Origin;
  /** The address under which this gateway is reached, without a slash at the end; `urls.location` starts with it. */
  readonly publicUrl: string;
  readonly links: Links;
}

export interface Consistency {
  /** What is read has everything in the database's log up to here; null where the caller does not say. */
  readonly after: bigint | null;
  /** It has this event, too. */
  readonly event: OutboxPosition | null;
  /** Hears up to where the log has what the operation has written. */
  readonly tell: (position: bigint) => void;
}

/** What does not change between operations. */
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
    /** The most values and bytes of an answer; by default those of {@link operationAllowance}. */
    readonly operationLimits?: OperationLimits | undefined;
    readonly quotas?: Quotas | undefined;
    /** How long an operation may take, in milliseconds; without it as long as its statements. */
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
  // Streams have no limit, and share what is read: reading who asks would make it theirs alone.
  const limit = limitMs === undefined ? new TimeLimit(Infinity) : new TimeLimit(limitMs, viewer.tokenId);
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
 * What the contexts of an environment have in common, with a place for every other property: to copy it is to copy
 * memory, and what is stored in the copy changes nothing of its form.
 */
function commonOf(environment: Environment): Context {
  const known = commonParts.get(environment);
  if (known?.publicUrl === environment.publicUrl) return known; // it has another one from when the gateway listens
  const { quotas = defaultQuotas } = environment;
  const asked = { visitorToken: null, isAnonymous: false, origin: noOrigin };
  const own = { limit: undefined, viewer: undefined, requestId: "", began: undefined, reader: undefined };
  const ofRequest = { consistency: undefined, costAsked: undefined };
  // One that is made from that of a request is for work beside it, which has nothing to do with the request's key.
  const idempotency = undefined;
  const all = { ...asked, ...own, ...ofRequest, ...environment, quotas, links: new Links(environment), idempotency };
  const common = all as unknown as Context; // makeContext stores its own
  commonParts.set(environment, common);
  return common;
}

/** Renews the viewer's rights and forgets rows read. Returns false, changing nothing, for a revoked token. */
export async function renewViewer(context: Context): Promise<boolean> {
  const viewerReadAt = performance.now();
  const viewer = await context.viewers.renew(context.viewer);
  // Read-only for everybody else: rights change nowhere but here.
  if (viewer) Object.assign(context, { viewer, viewerReadAt });
  context.reader.readFor(context.viewer);
  return viewer !== null;
}

/** The context for an operation that only reads: from a replica, where one has what the caller is to see. */
export function contextToRead(context: Context): Context {
  const { viewer, reader, replicas, consistency } = context;
  const reading = replicas?.readingFor(viewer.tokenId, consistency?.after ?? null, consistency?.event ?? null);
  if (!reading) return context;
  const { database, mark: began } = reading;
  return { ...context, database, began, reader: new Reader(database, viewer, reader.budget) };
}

/** Has the caller read what the operation has written, wherever they read next. */
export async function noteWrite({ viewer, replicas, consistency }: Context): Promise<void> {
  const position = await replicas?.noteWrite(viewer.tokenId);
  if (position != null) consistency?.tell(position);
}
