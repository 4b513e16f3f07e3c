// Which handler answers at which path.
import { DomainError } from "#src/base/errors.ts";
import { abridged } from "#src/base/text/cut.ts";
import { systemClock } from "#src/base/time.ts";
import { Viewers } from "#src/access/viewers.ts";
import { Secrets } from "#src/base/secrets.ts";
import { Replicas } from "#src/db/replicas/replicas.ts";
import { Feed } from "#src/events/event-log.ts";
import type { OutboxPosition } from "#src/events/outbox-position.ts";
import type { Executor } from "#src/graph/run/execute.ts";
import { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import { Background } from "#src/jobs/background.ts";
import type { Emails } from "#src/jobs/emails.ts";
import { features } from "#src/features/index.ts";
import type { SignInEnvironment } from "#src/access/sign-in.ts";
import { samlPathStart } from "#src/features/saml/model/addresses.ts";
import { specPathStart } from "#src/features/openapi/reads/addresses.ts";
import { createRest } from "#src/rest/rest.ts";
import { createAppPages } from "#src/server/people/app-pages.ts";
import { createPublishedPages } from "#src/server/people/published-pages.ts";
import { createDownloads } from "#src/server/downloads.ts";
import { createSessionRequests } from "#src/server/auth/session-requests.ts";
import { createInvitationPage } from "#src/server/auth/invitation-page.ts";
import { createSignInPages } from "#src/server/auth/sign-in-pages.ts";
import type { EventStreams } from "#src/server/graphql/event-stream.ts";
import { type Handler, searchOf, sendJson } from "#src/http/exchange.ts";
import { GraphqlHandler } from "#src/server/graphql/http.ts";
import { answerCors, type Origins } from "#src/http/origins.ts";
import { MissingFiles } from "#src/server/process/missing-files.ts";
import { answering, htmlPages, jsonAnswers } from "#src/http/negotiation.ts";
import { RequestContexts } from "#src/server/http/request-contexts.ts";
import { createRestHandler } from "#src/server/http/rest.ts";
import { createSamlPages } from "#src/server/saml.ts";
import { createIntegrationImages } from "#src/server/integration-images.ts";
import { createHealthChecks } from "#src/server/process/health.ts";
import type { CostQuotas } from "#src/domain/quota.ts";
import { createPages } from "#src/server/pages/pages.ts";
import { createSpecDocuments } from "#src/server/spec-documents.ts";
import type { AppOptions } from "#src/server/process/app-options.ts";

export interface Routed extends AppOptions {
  readonly viewers: Viewers;
  readonly feed: Feed;
  readonly replicas: Replicas<OutboxPosition> | undefined;
  readonly missingFiles: MissingFiles;
  readonly background: Background;
  readonly emails: Emails | undefined;
  readonly signIn: () => SignInEnvironment;
  readonly secrets: Secrets;
  readonly costQuotas: CostQuotas;
  readonly executor: Executor;
  readonly documents: SentDocuments;
  readonly eventStreams: EventStreams;
  readonly origins: Origins;
  readonly contexts: RequestContexts;
  readonly publicUrlNow: () => string;
  readonly isLeaving: () => boolean;
  /** Answers other paths before those that are known here. */
  readonly around: (handle: Handler) => Handler;
}

/** The pages of docgraph itself. */
const pagesOf = ({ executor, contexts, graphiql = false, demoToken, database, viewers }: Routed) =>
  createPages({ database, viewers, schema: executor.schema, graphiql, demoToken, ofPage: contexts.ofPage });

/** The handler of GraphQL. */
const graphqlOf = (options: Routed, graphiql: Handler | null) =>
  new GraphqlHandler({
    executor: options.executor,
    documents: options.documents,
    streams: options.eventStreams,
    contextOf: options.contexts.ofAnyone,
    log: options.log,
    files: options.files,
    maxFileSize: options.maxFileSize ?? 25_000_000,
    takesBatches: options.takesBatches ?? false,
    graphiql,
  });

/** The handler of every path, and the paths; those with a slash at the end are the beginnings of paths. */
export function routed(options: Routed): { readonly handle: Handler; readonly places: readonly string[] } {
  const { executor, contexts } = options;
  const pages = pagesOf(options);
  const specDocument = createSpecDocuments({ ...options, clock: options.clock ?? systemClock });
  const samlPage = createSamlPages({ ...options, originOf: contexts.originOf });
  const routes = features.flatMap((feature) => feature.routes);
  const rest = answering(jsonAnswers, createRestHandler(createRest(executor, routes), contexts));
  const graphql = graphqlOf(options, pages.graphiql);
  const below: readonly Place[] = [
    ["/v1/", rest],
    ["/files/", createDownloads(options)],
    [specPathStart, specDocument],
    ["/integrations/", createIntegrationImages(options)],
    [samlPathStart, samlPage],
    ["/app/", answering(htmlPages, createAppPages(executor, contexts.ofPage))],
    ["/published/", answering(htmlPages, createPublishedPages(executor, contexts.ofPage))],
    ...pages.below,
  ];
  const at: Readonly<Record<string, Handler>> = {
    ...readOnly({ ...pages.at, ...createHealthChecks(options) }),
    ...createSessionRequests({ contexts, publicUrl: options.publicUrlNow }),
    ...forms(options),
    "/v1": rest,
    "/graphql": (exchange) => graphql.handle(exchange),
  };
  const handle: Handler = async (exchange) => {
    const [place, handler] = placeOf(exchange.path, at, below);
    exchange.watched.operation = place;
    if (!answerCors(exchange.request, exchange.response, options.origins)) await handler(exchange);
  };
  return { handle: options.around(handle), places: [...Object.keys(at), ...below.map(([start]) => start)] };
}

/** The pages with forms. */
const forms = (options: Routed): Readonly<Record<string, Handler>> => {
  const pages = { ...createSignInPages(options), "/invitations": createInvitationPage(options) };
  return Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, answering(htmlPages, page)]));
};

/** Handlers of what can only be read: every other method is refused. */
function readOnly(pages: Readonly<Record<string, Handler>>): Readonly<Record<string, Handler>> {
  const guarded =
    (handle: Handler): Handler =>
    async (exchange) => {
      const { request, response } = exchange;
      if (request.method === "GET" || request.method === "HEAD") return handle(exchange);
      response.setHeader("allow", "GET, HEAD");
      throw new DomainError("METHOD_NOT_ALLOWED");
    };
  return Object.fromEntries(Object.entries(pages).map(([path, handle]) => [path, guarded(handle)]));
}

/** A path, or the beginning of some, with who answers there. */
type Place = readonly [place: string, handler: Handler];

function placeOf(path: string, at: Readonly<Record<string, Handler>>, below: readonly Place[]): Place {
  const handler = Object.hasOwn(at, path) ? at[path] : undefined;
  if (handler) return [path, handler];
  const place = below.find(([start]) => path.startsWith(start));
  if (place) return place;
  const shorter = path.replace(/\/$/, "");
  return ["nothing", Object.hasOwn(at, shorter) ? leadTo(shorter) : answerNothing];
}

/** Leads from an address with a slash at its end to that without it, with the same method and body. */
const leadTo =
  (path: string): Handler =>
  async ({ request, response }) => {
    request.resume();
    const search = searchOf(request);
    response.setHeader("location", search === "" ? path : `${path}?${search}`);
    sendJson(response, 308, { message: abridged(`This address has no slash at its end: ${path}`) });
  };

const answerNothing: Handler = () =>
  Promise.reject(new DomainError("NOT_FOUND", "There is nothing at this path: / lists the addresses."));
