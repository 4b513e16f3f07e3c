// The options of an application: the database and everything that differs from its default.
import type { Logger } from "pino";
import type { OpenIdSettings } from "#src/base/open-id.ts";
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
import type { Tunnels } from "#src/net/reach.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import type { ReadTxtRecords } from "#src/net/txt-records.ts";
import type { Translator } from "#src/base/translator.ts";
import type { SocketLimits } from "#src/server/graphql/sockets.ts";
import type { Metrics } from "#src/server/process/metrics.ts";
import type { Observers } from "#src/http/exchange.ts";
import type { FeedOptions } from "#src/events/event-log.ts";
import type { WorkIntervals } from "#src/features/feature.ts";
import type { HubOptions } from "#src/server/live/hub.ts";

/** The intervals of features, the event log reader and the subscription broker are optional, too. */
export interface AppOptions
  extends Observers, WorkIntervals, Pick<FeedOptions, "pollMs" | "heldMs">, Pick<HubOptions, "checkpointMs"> {
  readonly metrics?: Metrics | undefined;
  readonly database: Database;
  /** Replicas of the database that queries may read from; by default none. */
  readonly readReplicas?: readonly Replica[] | undefined;
  /** How far behind one of them may be, in milliseconds; by default 5 seconds. */
  readonly mostBehindMs?: number | undefined;
  readonly files: FileStore;
  /** The most bytes of an uploaded file; by default 25 MB. */
  readonly maxFileSize?: number | undefined;
  /** The HTTP client for other servers; by default only for public ones. */
  readonly fetch?: SafeFetch;
  /** Reaches development tunnels of integrations; by default as `fetch`. */
  readonly tunnels?: Tunnels | undefined;
  /** Reads TXT records of the DNS; by default from the resolvers of this machine. */
  readonly readTxtRecords?: ReadTxtRecords | undefined;
  /** Translates texts; if absent, translation is off. */
  readonly translator?: Translator | undefined;
  /** Whether a GraphQL request may have several operations; by default not. */
  readonly takesBatches?: boolean;
  /** Whether gateways of Apollo Federation may read nodes as entities; by default not. */
  readonly isSubgraph?: boolean;
  /** How long, in milliseconds, an operation may take; by default 15 seconds. */
  readonly requestTimeoutMs?: number | undefined;
  /** Limits of callers; by default those of limits.ts. */
  readonly operationLimits?: Partial<OperationLimits> | undefined;
  readonly trafficLimits?: Partial<TrafficLimits> | undefined;
  readonly quotas?: Partial<Quotas> | undefined;
  readonly costStore?: CostStore | undefined;
  /** How long, in milliseconds, a request waits for long work that it started; by default a minute. */
  readonly patienceMs?: number;
  /** Encrypts the secrets in the database; by default without a key, so that none can be stored. */
  readonly secrets?: Secrets;
  /** How gateways of one database wake each other; by default they do not. */
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
  /** Allowed hosts, besides those of this machine and of `publicUrl`; by default any. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Whether errors of documents omit suggestions of similar names. */
  readonly hidesSuggestions?: boolean;
  /** Whether GraphiQL is served; `demoToken` is filled in there for clients on this machine. */
  readonly graphiql?: boolean;
  readonly demoToken?: string | undefined;
  /** How long, in milliseconds, a viewer is cached; 0 for tests that change rights in the database. */
  readonly viewerAge?: number | undefined;
  /** How old rights may be when a change is committed, in milliseconds; by default a second. */
  readonly rightsAge?: number | undefined;
  /** Origins of pages that may call from a browser, besides the gateway's own; `*` for any. */
  readonly allowedOrigins?: readonly string[];
  /** Whether pages of this machine may call as well, on any port. */
  readonly allowsLoopbackOrigins?: boolean;
  /** Addresses and networks of trusted proxies, whose `X-Forwarded-For` names the client. By default none. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Sends e-mails; if absent, sign-in by a link is off. */
  readonly emails?: Emails | undefined;
  /** The OpenID provider by which everybody may sign in; by default none. */
  readonly openIdProvider?: OpenIdSettings | undefined;
  readonly socketLimits?: Partial<SocketLimits>;
  /** How often clients of sockets and streams are pinged, in milliseconds. */
  readonly keepAliveMs?: number;
  /** How long, in milliseconds, a client may read nothing of an HTTP response until its connection is cut. */
  readonly writeTimeoutMs?: number;
  /** Finds the documents of requests; by default only those that clients have sent to this gateway. */
  readonly documents?: SentDocuments;
  /** Another executor of the same schema, for comparing compiled runs with those field by field. */
  readonly executor?: Executor;
}
