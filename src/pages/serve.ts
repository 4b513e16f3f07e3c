// Serves page rows: runs the query of a row with the rights of the reader, and sends what its view makes of the answer.
import { nobody } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { findFailure } from "#src/graph/run/errors.ts";
import type { Executor, Operation, Variables } from "#src/graph/run/execute.ts";
import { resultWithinLimits } from "#src/graph/run/within-limits.ts";
import { type ContextOf, type Exchange, searchOf } from "#src/http/exchange.ts";
import { setEarlyHeader } from "#src/http/early-headers.ts";
import { addVary, htmlPages, offerOf } from "#src/http/negotiation.ts";
import { letCachesKeep, send } from "#src/http/send.ts";
import { documentOf, policyOf } from "#src/pages/document.ts";
import { badToken, missing, type Refusal, signIn } from "#src/pages/errors.ts";
import { receiveForm } from "#src/pages/form-body.ts";
import { type FormFiles, type SubmitForm, submitterOf } from "#src/pages/forms.ts";
import { noticeLater, noticeOf } from "#src/pages/form-notice.ts";
import { KeptPages } from "#src/pages/kept-pages.ts";
import { matcherOf, type MatchPath } from "#src/pages/match.ts";
import { prepareQuery } from "#src/pages/prepare-query.ts";
import type { PromiseOrValue } from "#src/runtime/waiting.ts";
import type { Asked, Elsewhere, Listens, Moved, Page, Shown, ShownPage, ShownText } from "#src/pages/page.ts";

interface ListenedTo {
  readonly operation: Operation;
  readonly variables: Variables;
  readonly context: Context;
}

/** Opens one stream of the messages of subscriptions. */
export type StreamChanges = (exchange: Exchange, asked: readonly [ListenedTo, ...ListenedTo[]]) => Promise<void>;

interface Options {
  readonly executor: Executor;
  readonly streamChanges: StreamChanges;
  /** Absent where no form takes files. */
  readonly formFiles?: FormFiles;
}

/** The reader of a page, and where they read it. */
export interface Arrival extends Pick<Asked, "given"> {
  /** Identifies the reader, who need not be signed in. Throws UNAUTHENTICATED for a token that is not valid. */
  readonly contextOf: ContextOf;
  /** Identifies who sends a form, with the proof that a page of ours has sent it; absent where pages have no forms. */
  readonly senderOf?: ContextOf;
  /** Asked if no row shows anything: responds, or resolves with false if nothing is there. */
  readonly otherwise?: (exchange: Exchange) => Promise<boolean>;
  /** Where a reader comes back to who signs in for this page; absent if the address may contain a secret key. */
  readonly returnTo?: string;
  /** The path that rows are matched with. */
  readonly path: string;
  /** The beginning of addresses in the page, if it is not that of `path`. */
  readonly root?: string;
  /** The address without a slash at its end, if it is not that of the request; null to answer with the slash. */
  readonly withoutSlash?: string | null;
  /** The address below which a proxy forwards requests; assets are there, too. */
  readonly assetsBelow?: string;
  /** Shown in place of a page that is not visible to a reader without an account. */
  readonly refusal?: Refusal | null;
}

/** Answers a request for a page, which the rows decide. */
export type ServePage = (exchange: Exchange, arrival: Arrival) => Promise<void>;

/** Prepares the rows of pages. */
export function servePages(pages: readonly Page[], options: Options): ServePage {
  const kept = new KeptPages();
  const rows = pages.map((page) => readyRow(page, options, kept));
  return (exchange, arrival) => {
    const { path, request } = exchange;
    const { withoutSlash = path.replace(/\/+$/, "") } = arrival;
    if (path.endsWith("/") && withoutSlash !== null) {
      const search = searchOf(request);
      sendMoved(exchange, { kind: "moved", status: 308, to: withoutSlash + (search && `?${search}`) });
      return Promise.resolve();
    }
    return (request.method === "POST" ? submit : answer)(exchange, arrival, rows);
  };
}

/** Runs a form of the first row that matches and has forms; a refused one is shown again with what is wrong. */
async function submit(exchange: Exchange, arrival: Arrival, rows: readonly Row[]): Promise<void> {
  const { senderOf, path } = arrival;
  const matching = rows.flatMap((row) => {
    const match = row.submit && row.match(path);
    return match ? [{ row, match }] : [];
  });
  const [found] = matching;
  if (!senderOf || !found?.row.submit) throw new DomainError("METHOD_NOT_ALLOWED", "This page has no form.");
  const context = await senderOf(exchange);
  const sent = await receiveForm(exchange.request);
  const asked = askedOf(exchange, arrival, { match: found.match, context });
  const sender = async () => senderOf(exchange);
  const submitted = await found.row.submit(sender, asked, sent).finally(() => void sent.drop());
  if ("to" in submitted) {
    noticeLater(exchange, submitted.notice);
    return sendMoved(exchange, { kind: "moved", status: 303, to: submitted.to });
  }
  const { status, ...shows } = { status: 200, ...submitted };
  const shown = await found.row.find(context, { ...asked, ...shows });
  if (shown?.kind !== "page") return sendShown(exchange, shown ?? missing, arrival);
  // It shows what the form said, which is not at its address: it is not read again when something changes.
  sendShown(exchange, { ...shown, status, isLive: false, kept: "by nobody" }, arrival);
}

function askedOf(
  { request }: Exchange,
  { root, given }: Arrival,
  { match, context }: { readonly match: NonNullable<ReturnType<MatchPath>>; readonly context: Context },
): Asked {
  const search = new URLSearchParams(searchOf(request));
  return { ...match, root: root ?? match.root, given, search, origin: context.publicUrl };
}

async function answer(exchange: Exchange, arrival: Arrival, rows: readonly Row[]): Promise<void> {
  const finding = contextFor(exchange, arrival);
  const context = finding instanceof Promise ? await finding : finding;
  if (!context) return sendShown(exchange, badToken, arrival);
  const search = new URLSearchParams(searchOf(exchange.request));
  let found: Shown = null;
  for (const row of rows) {
    const match = row.match(arrival.path);
    if (!match || !row.needs.every((name) => search.has(name))) continue;
    const asked = askedOf(exchange, arrival, { match, context });
    if (row.listen && isOfListener(exchange, search)) return row.listen(exchange, context, asked);
    const shown = await row.find(context, asked);
    if (shown && (shown.kind !== "page" || shown.status === 200)) return sendShown(exchange, shown, arrival);
    found ??= shown;
  }
  if (!found && (await arrival.otherwise?.(exchange))) return;
  const isKnown = context.viewer.userId !== nobody.userId;
  const unseen = isKnown ? missing : signIn(context.publicUrl, arrival.returnTo);
  sendShown(exchange, found ?? arrival.refusal ?? unseen, arrival);
}

function contextFor(exchange: Exchange, { contextOf }: Arrival): PromiseOrValue<Context | null> {
  try {
    const finding = contextOf(exchange);
    return finding instanceof Promise ? finding.catch(nullIfUnauthenticated) : finding;
  } catch (error) {
    return nullIfUnauthenticated(error);
  }
}

function nullIfUnauthenticated(error: unknown): null {
  if (error instanceof DomainError && error.code === "UNAUTHENTICATED") return null;
  throw error;
}

/** Whether a page that is open asks for its changes. The parameter keeps caches from answering with the page. */
const isOfListener = ({ request }: Exchange, search: URLSearchParams): boolean =>
  search.has("changes") && (request.headers.accept ?? "").startsWith("text/event-stream");

interface Row {
  readonly match: MatchPath;
  readonly needs: readonly string[];
  readonly find: (context: Context, asked: Asked) => Promise<Shown>;
  readonly submit: SubmitForm | undefined;
  readonly listen: ((exchange: Exchange, context: Context, asked: Asked) => Promise<void>) | undefined;
}

function readyRow(page: Page, { executor, streamChanges, formFiles }: Options, kept: KeptPages): Row {
  const { path, needs = [], query, variables, view, elsewhere, listens, version, forms } = page;
  const versionOf = version && askerOf(executor, version.query);
  const ask = askerOf(executor, query);
  const other = elsewhere && askerOf(executor, elsewhere.query);
  return {
    match: matcherOf(path),
    needs,
    listen: listens && listener([listens].flat(), executor, streamChanges),
    submit: forms && submitterOf(executor, forms, formFiles),
    async find(context, asked) {
      const given = variables(asked);
      if (!given) return null;
      const isAnyone = context.viewer.userId === nobody.userId;
      const state = isAnyone ? await versionOf?.(context, given) : null;
      const key = state && version ? keyOf(version.of(state as never), path, asked) : null;
      const known = key === null ? null : kept.get(key);
      if (known) return known;
      const answer = await ask(context, given);
      const shown: Shown = answer && view(answer as never, asked); // by the selection of the document
      if (key !== null) kept.keep(key, shown);
      if (shown?.kind !== "page" || shown.status === 200 || !elsewhere || !other) return shown;
      return (await findElsewhere(context, asked, { ...elsewhere, ask: other })) ?? shown;
    },
  };
}

/** The version covers what the reader may see; the rest is the address. */
const keyOf = (version: string, row: string, { named, root, path, origin }: Asked): string =>
  JSON.stringify([version, row, named, root, path, origin]);

function listener(
  listens: readonly Listens[],
  executor: Executor,
  streamChanges: StreamChanges,
): NonNullable<Row["listen"]> {
  let operations: readonly Operation[] | undefined;
  return async (exchange, context, asked) => {
    operations ??= listens.map(({ subscription }) => prepareQuery(executor, subscription));
    const [first, ...others] = operations.flatMap((operation, index) => {
      const variables = listens[index]?.variables(asked);
      return variables ? [{ operation, variables, context }] : [];
    });
    if (!first) throw new DomainError("NOT_FOUND");
    await streamChanges(exchange, [first, ...others]);
  };
}

async function findElsewhere(
  context: Context,
  asked: Asked,
  { ask, variables, view }: Elsewhere & { readonly ask: Ask },
): Promise<Moved | null> {
  const given = variables(asked);
  const answer = given && (await ask(context, given));
  return answer && view(answer as never, asked); // by the selection of the document
}

/** Runs a query of docgraph. Null if its first field is null; throws all errors but those of missing things. */
type Ask = (context: Context, variables: Variables) => Promise<object | null>;

/** The query is prepared when it is first run: preparing all of them takes long. */
function askerOf(executor: Executor, document: string): Ask {
  let known: Operation | undefined;
  return async (context, variables) => {
    known ??= prepareQuery(executor, document);
    const { data, errors = [] } = await resultWithinLimits(context, known, variables);
    const failure = findFailure(errors);
    if (failure) throw failure.originalError ?? new Error(failure.message);
    for (const { extensions, message } of errors)
      if (!refusals.includes(String(extensions["code"]))) throw new Error(message);
    const [first] = Object.values(data ?? {});
    return first == null ? null : (data ?? null);
  };
}

const refusals = ["UNAUTHENTICATED", "NOT_FOUND", "FORBIDDEN", "INVALID_INPUT"];

type Sent = NonNullable<Shown> | Refusal;

/** Sends a page, a text, or another address. Throws NOT_ACCEPTABLE for clients that do not accept its media type. */
export function sendShown(exchange: Exchange, shown: Sent, { assetsBelow }: Pick<Arrival, "assetsBelow"> = {}): void {
  const { response, request } = exchange;
  if (shown.kind === "moved") return sendMoved(exchange, shown);
  const type = shown.kind === "page" ? htmlPages.require(request) : offerOf(shown.type).require(request);
  for (const [name, value] of Object.entries(headersOf(shown))) setEarlyHeader(response, name, value);
  addVary(response, "accept"); // an agent may get another media type at the same address
  if (shown.kept === "by anybody") letCachesKeep(exchange);
  else setEarlyHeader(response, "cache-control", shown.kept === "by nobody" ? "no-store" : "private, no-cache");
  if (shown.kind === "text") return send(response, 200, type, shown.text);
  if (shown.status === 401) response.setHeader("www-authenticate", "Bearer");
  const notice = "hasForms" in shown && shown.hasForms && shown.status === 200 ? noticeOf(exchange) : null;
  send(response, shown.status, type, documentOf(shown, assetsBelow, notice));
}

/**
 * Without a referrer: the address may contain a secret key. A page with forms sends its origin with them, which shows
 * that they are ours.
 */
const headersOf = (shown: ShownPage | ShownText | Refusal): Readonly<Record<string, string>> => ({
  ...("robots" in shown && shown.robots !== undefined && { "x-robots-tag": shown.robots }),
  "content-security-policy": policyOf(shown),
  "referrer-policy": "hasForms" in shown && shown.hasForms ? "strict-origin" : "no-referrer",
  "x-content-type-options": "nosniff",
});

function sendMoved({ response }: Exchange, { status, to }: Moved): void {
  response.writeHead(status, { location: to, "cache-control": "private, no-cache", "content-length": 0 });
  response.end();
}
