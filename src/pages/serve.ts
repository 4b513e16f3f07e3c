// Serves page rows: runs the query of a row with the rights of the reader, and sends what its view makes of the answer.
import { nobody } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { findFailure } from "#src/graph/run/errors.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/run/execute.ts";
import { resultWithinLimits } from "#src/graph/run/within-limits.ts";
import { type ContextOf, type Exchange, searchOf } from "#src/http/exchange.ts";
import { htmlPages, offerOf } from "#src/http/negotiation.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { letCachesKeep, send } from "#src/http/send.ts";
import { documentOf, policyOf } from "#src/pages/document.ts";
import { badToken, missing, signIn } from "#src/pages/errors.ts";
import { matcherOf, type MatchPath } from "#src/pages/match.ts";
import type { Asked, Elsewhere, Moved, Page, Shown, ShownPage, ShownText } from "#src/pages/page.ts";

interface Options {
  readonly executor: Executor;
  /** Identifies the reader, who need not be signed in. */
  readonly contextOf: ContextOf;
}

/** The handler of all addresses below a path: the rows decide which exist. */
export function servePages(pages: readonly Page[], options: Options): HttpRoute["handle"] {
  const rows = pages.map((page) => readyRow(page, options.executor));
  return async (exchange) => {
    const { path, request } = exchange;
    if (path.length > 1 && path.endsWith("/")) {
      const search = searchOf(request);
      return sendMoved(exchange, {
        kind: "moved",
        status: 308,
        to: path.replace(/\/+$/, "") + (search && `?${search}`),
      });
    }
    sendShown(exchange, await findShown(exchange, rows, options));
  };
}

async function findShown(exchange: Exchange, rows: readonly Row[], { contextOf }: Options): Promise<Sent> {
  let context: Context;
  try {
    context = await contextOf(exchange);
  } catch (error) {
    if (error instanceof DomainError && error.code === "UNAUTHENTICATED") return badToken;
    throw error;
  }
  const search = new URLSearchParams(searchOf(exchange.request));
  let found: Shown = null;
  for (const row of rows) {
    const match = row.match(exchange.path);
    if (!match || !row.needs.every((name) => search.has(name))) continue;
    const shown = await row.find(context, { ...match, search, origin: context.publicUrl });
    if (shown && (shown.kind !== "page" || shown.status === 200)) return shown;
    found ??= shown;
  }
  return found ?? (context.viewer.userId === nobody.userId ? signIn(context.publicUrl) : missing);
}

interface Row {
  readonly match: MatchPath;
  readonly needs: readonly string[];
  readonly find: (context: Context, asked: Asked) => Promise<Shown>;
}

function readyRow({ path, needs = [], query, variables, view, elsewhere }: Page, executor: Executor): Row {
  const ask = askerOf(executor, query);
  const other = elsewhere && askerOf(executor, elsewhere.query);
  return {
    match: matcherOf(path),
    needs,
    async find(context, asked) {
      const given = variables(asked);
      const answer = given && (await ask(context, given));
      const shown: Shown = answer && view(answer as never, asked); // by the selection of the document
      if (shown?.kind !== "page" || shown.status === 200 || !elsewhere || !other) return shown;
      return (await findElsewhere(context, asked, { ...elsewhere, ask: other })) ?? shown;
    },
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
    known ??= prepare(executor, document);
    const { data, errors = [] } = await resultWithinLimits(context, known, variables);
    const failure = findFailure(errors);
    if (failure) throw failure.originalError ?? new Error(failure.message);
    for (const { extensions, message } of errors)
      if (!refusals.includes(String(extensions["code"]))) throw new Error(message);
    const [first] = Object.values(data ?? {});
    return first == null ? null : (data ?? null);
  };
}

const refusals = ["NOT_FOUND", "FORBIDDEN", "INVALID_INPUT"];

function prepare(executor: Executor, document: string): Operation {
  const operation = executor.prepareOwn(document);
  if (isOperation(operation)) return operation;
  throw new Error(`${operation.map(({ message }) => message).join(" ")} in ${document}`);
}

/** What is sent: also pages of refusals, which no view makes. */
type Sent = NonNullable<Shown> | (Omit<ShownPage, "status"> & { readonly status: 401 });

function sendShown(exchange: Exchange, shown: Sent): void {
  const { response, request } = exchange;
  if (shown.kind === "moved") return sendMoved(exchange, shown);
  const type = shown.kind === "page" ? htmlPages.require(request) : offerOf(shown.type).require(request);
  for (const [name, value] of Object.entries(headersOf(shown))) response.setHeader(name, value);
  if (shown.kept === "by anybody") letCachesKeep(exchange);
  else response.setHeader("cache-control", "private, no-cache");
  if (shown.kind === "text") return send(response, 200, type, shown.text);
  if (shown.status === 401) response.setHeader("www-authenticate", "Bearer");
  send(response, shown.status, type, documentOf(shown).text);
}

/** Without a referrer: the address may contain a secret key. */
const headersOf = (shown: ShownPage | ShownText | Sent): Readonly<Record<string, string>> => ({
  ...("robots" in shown && shown.robots !== undefined && { "x-robots-tag": shown.robots }),
  "content-security-policy": policyOf(shown.kind === "page"),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
});

function sendMoved({ response }: Exchange, { status, to }: Moved): void {
  response.writeHead(status, { location: to, "cache-control": "private, no-cache", "content-length": 0 });
  response.end();
}
