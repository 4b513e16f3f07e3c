// GraphQL clients below HTTP: operations run as in a request, without being sent.
import type { Viewers } from "#src/access/viewers.ts";
import type { Context } from "#src/domain/context.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { type Executor, isOperation, type Variables } from "#src/graph/run/execute.ts";
import { type GraphqlAnswer, type GraphqlClient, graphqlClient, httpClient } from "#test/support/client.ts";
import { hasFile } from "#test/support/request-body.ts";

interface Behind {
  readonly url: string;
  readonly viewers: Viewers;
  readonly executor: Executor;
  /** The context factory of the application. */
  readonly contextFor: (viewer: Viewer, requestId: string) => Context;
}

/** A client with a token. Files are sent by HTTP, the only transport for them. Throws for an invalid document. */
export function directClient({ url, viewers, executor, contextFor }: Behind, token: string): GraphqlClient {
  return graphqlClient(async <Data>(document: string, variables: Variables = {}): Promise<GraphqlAnswer<Data>> => {
    if (hasFile(variables)) return httpClient(url, token).graphql<Data>(document, variables);
    const operation = executor.prepare(document);
    if (!isOperation(operation)) throw new Error(`${JSON.stringify(operation)}\nin ${document}`);
    const context = contextFor(await viewers.byAuthorization(`Bearer ${token}`), "direct");
    const answer = JSON.stringify(await operation.result(context, variables)); // errors look as they are sent
    return {
      status: 200,
      headers: new Headers(),
      ...(JSON.parse(answer) as Pick<GraphqlAnswer<Data>, "data" | "errors">),
    };
  });
}
