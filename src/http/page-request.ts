// Pages that are found by a query of docgraph, for anyone or with a token.
import { nobody } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { findFailure } from "#src/graph/run/errors.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/run/execute.ts";
import type { ContextOf, Exchange } from "#src/http/exchange.ts";
import { html, type PageForPeople, sendPage } from "#src/http/html.ts";
import { htmlPages } from "#src/http/negotiation.ts";
import type { HttpRoute } from "#src/http/route.ts";

/** Finds the page at a path; null if it does not exist or is not visible. */
export type FindPage = (context: Context, path: string) => Promise<PageForPeople | null>;

/** Pages found by a function. Without a token, pages that are not open are replaced by one that explains signing in. */
export const pagesFor = (contextOf: ContextOf, find: FindPage): Pick<HttpRoute, "answers" | "handle"> => ({
  answers: htmlPages,
  handle: async (exchange) => sendPage(exchange, (await findFor(exchange, contextOf, find)) ?? missing),
});

async function findFor(exchange: Exchange, contextOf: ContextOf, find: FindPage): Promise<PageForPeople | null> {
  try {
    const context = await contextOf(exchange);
    return (
      (await find(context, exchange.path)) ?? (context.viewer.userId === nobody.userId ? signInPage(context) : null)
    );
  } catch (error) {
    if (error instanceof DomainError && error.code === "UNAUTHENTICATED") return badTokenPage;
    throw error;
  }
}

const missing: PageForPeople = {
  status: 404,
  title: "Not found",
  body: html`<p>The page does not exist or is not visible to you.</p>`,
};

const badTokenPage: PageForPeople = {
  status: 401,
  title: "A valid API token is required",
  body: html`<p>The token of this request is unknown, revoked or expired.</p>`,
};

/** Does not repeat the address, which may contain a secret key. */
const signInPage = ({ publicUrl }: Context): PageForPeople => ({
  status: 401,
  title: "You are not signed in",
  body: html`<p>
      If this exists, it is shown only to those who may see it: <a href="${publicUrl}/sign-in">sign in</a>, and come
      back here. A program sends its API token with the request,
    </p>
    <pre>curl -H "Authorization: Bearer &lt;token&gt;" &lt;this address&gt;</pre>
    <p>
      or ask for the same by <a href="${publicUrl}/graphql">GraphQL</a> or
      <a href="${publicUrl}/v1/openapi.json">REST</a>.
    </p>
    <p>
      Who runs docgraph with an application of their own names it in <code>APP_URL</code> and
      <code>PUBLISHED_URL</code>; these links then lead there.
    </p>`,
});

type OwnQuery = () => Operation;

/** A query of docgraph, prepared when it is first run. Throws then if it does not match the schema. */
export function ownQuery(executor: Executor, document: string): OwnQuery {
  let known: Operation | undefined;
  return () => (known ??= prepare(executor, document));
}

function prepare(executor: Executor, document: string): Operation {
  const operation = executor.prepareOwn(document);
  if (!isOperation(operation)) throw new Error(`${operation.map(({ message }) => message).join(" ")} in ${document}`);
  return operation;
}

/** The data of a query; null if something in it does not exist or is not visible. Throws all other errors. */
export async function ask<Data>(query: OwnQuery, context: Context, variables: Variables): Promise<Data | null> {
  const { data, errors = [] } = await query().run(context, variables);
  const failure = findFailure(errors);
  if (failure) throw failure.originalError ?? new Error(failure.message);
  for (const { extensions, message } of errors)
    if (!refusals.includes(String(extensions["code"]))) throw new Error(message);
  return errors.length > 0 ? null : (data as Data); // by the selection of the document
}

const refusals = ["NOT_FOUND", "FORBIDDEN", "INVALID_INPUT"];
