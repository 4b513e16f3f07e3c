// What an application is made with: the database and whatever is to be otherwise than by default.
import type { Logger } from "pino";
import type { Clock } from "#src/base/time.ts";
import type { OperationLimits, Quotas, TrafficLimits } from "#src/base/limits.ts";
import { Secrets } from "#src/base/secrets.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { Replica } from "#src/db/replicas/replicas.ts";
import type { CostStore } from "#src/domain/quota.ts";
import type { Wakeups } from "#src/events/wakeups.ts";
import type { Executor } from "#src/graph/run/execute.ts";
import { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { Emails } from "#src/jobs/emails.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import type { ReadTxtRecords } from "#src/net/txt-records.ts";
import type { Translator } from "#src/base/translator.ts";
import type { SocketLimits } from "#src/server/graphql/sockets.ts";
import type { Metrics } from "#src/server/process/metrics.ts";
import type { Observers } from "#src/http/exchange.ts";
import type { FeedOptions } from "#src/events/event-log.ts";
import type { WorkIntervals } from "#src/features/feature.ts";
import type { HubOptions } from "#src/server/live/hub.ts";

/** The intervals of features, the feed and the hub are optional, too. */
export interface AppOptions
  extends Observers, WorkIntervals, Pick<FeedOptions, "pollMs" | "heldMs">, Pick<HubOptions, "checkpointMs"> {
  readonly metrics?: Metrics | undefined;
  readonly database: Database;
  /** Copies of the database that queries may read from; none by default. */
  readonly readReplicas?: readonly Replica[] | undefined;
  /** How far behind one of them may be, in milliseconds; 5 seconds by default. */
  readonly mostBehindMs?: number | undefined;
  readonly files: FileStore;
  /** The most bytes of an uploaded file; 25 MB by default. */
  readonly maxFileSize?: number | undefined;
  /** The way to other servers; by default to public ones only. */
  readonly fetch?: SafeFetch;
  /** Reads TXT records of the DNS; by default from the servers of this machine. */
  readonly readTxtRecords?: ReadTxtRecords | undefined;
  /** Translates texts; without it there are no new translations. */
  readonly translator?: Translator | undefined;
  /** Whether several operations of GraphQL may come in one request; by default not. */
  readonly takesBatches?: boolean;
  /** How long, in milliseconds, an operation may take; 15 seconds by default. */
  readonly requestTimeoutMs?: number | undefined;
  /** What callers may ask for; by default as limits.ts says. */
  readonly operationLimits?: Partial<OperationLimits> | undefined;
  readonly trafficLimits?: Partial<TrafficLimits> | undefined;
  readonly quotas?: Partial<Quotas> | undefined;
  readonly costStore?: CostStore | undefined;
  /** How long, in milliseconds, a request waits for long work that it began; a minute by default. */
  readonly patienceMs?: number;
  /** Seals the secrets in the database; by default there is no key, and none can be kept. */
  readonly secrets?: Secrets;
  /** How gateways on one database wake each other; by default they do not. */
  readonly wakeups?: Wakeups;
  readonly log: Logger;
  readonly clock?: Clock;
  /** The address for links; by default the one that the server listens on. */
  readonly publicUrl?: string | undefined;
  /** Templates of addresses of frontends, as {@link Links} takes them; by default docgraph's own pages. */
  readonly appUrl?: string | undefined;
  readonly publishedUrl?: string | undefined;
  /** The origin of public endpoints of integrations, with a host of its own; by default they are at `publicUrl`. */
  readonly integrationsUrl?: string | undefined;
  /** Names of hosts by which it may be asked, beside those of this machine and of `publicUrl`; any by default. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Whether errors of documents leave out names that are like the one that is wrong. */
  readonly hidesSuggestions?: boolean;
  /** Whether GraphiQL is served; `demoToken` is filled in there for who asks on this machine. */
  readonly graphiql?: boolean;
  readonly demoToken?: string | undefined;
  /** How long, in milliseconds, a viewer is kept in memory; 0 for tests that change rights in the database. */
  readonly viewerAge?: number | undefined;
  /** How old rights may be when a change is committed, in milliseconds; by default a second. */
  readonly rightsAge?: number | undefined;
  /** Origins of pages that may call from a browser, beside the gateway's own; `*` for any. */
  readonly allowedOrigins?: readonly string[];
  /** Whether pages of this machine may call as well, whatever their port. */
  readonly allowsLoopbackOrigins?: boolean;
  /** Addresses and networks of proxies, which say in `X-Forwarded-For` for whom they ask. None by default. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Sends e-mails; without it nobody signs in by a link. */
  readonly emails?: Emails | undefined;
  readonly socketLimits?: Partial<SocketLimits>;
  /** How often clients of sockets and streams are pinged, in milliseconds. */
  readonly keepAliveMs?: number;
  /** How long, in milliseconds, a client may read nothing of an HTTP answer until its connection is cut. */
  readonly writeTimeoutMs?: number;
  /** Finds the documents that requests name; by default none but those that clients have sent to this gateway. */
  readonly documents?: SentDocuments;
  /** Another executor of the same schema, for comparing runs by plans with those field by field. */
  readonly executor?: Executor;
}
