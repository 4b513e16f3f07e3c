// Clients of the APIs of a gateway that is running anywhere, which say what they sent when it fails.
import type { Variables } from "#src/graph/run/execute.ts";
import { requestBody } from "#test/support/request-body.ts";

export interface GraphqlAnswer<Data> {
  status: number;
  headers: Headers;
  data: Data | null | undefined;
  errors:
    | {
        message: string;
        path?: (string | number)[];
        extensions: { code: string; details?: { path: string; message: string }[] };
      }[]
    | undefined;
}

interface RestAnswer<Body> {
  status: number;
  headers: Headers;
  /** The parsed JSON; undefined for an empty body. */
  body: Body;
}

/** A caller of the APIs. */
export interface HttpClient {
  /** The data of an operation that must succeed. */
  query<Data = Record<string, never>>(document: string, variables?: Variables): Promise<Data>;
  /** The code of the only error of an operation that must fail. */
  refusal(document: string, variables?: Variables): Promise<string>;
  /** The whole answer. */
  graphql<Data = Record<string, never>>(document: string, variables?: Variables): Promise<GraphqlAnswer<Data>>;
  rest<Body = unknown>(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<RestAnswer<Body>>;
}

/** A caller with a token; `null` sends none. */
export function httpClient(url: string, token: string | null): HttpClient {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };

  async function graphql<Data>(document: string, variables: Variables = {}): Promise<GraphqlAnswer<Data>> {
    const { body, headers } = requestBody(document, variables);
    const answer = await fetch(`${url}/graphql`, { method: "POST", headers: { ...headers, ...authorization }, body });
    const { data, errors } = (await answer.json()) as Pick<GraphqlAnswer<Data>, "data" | "errors">;
    return { status: answer.status, headers: answer.headers, data, errors };
  }

  return {
    graphql,
    async query<Data>(document: string, variables?: Variables): Promise<Data> {
      const { data, errors } = await graphql<Data>(document, variables);
      if (errors || !data)
        throw new Error(`${JSON.stringify(errors)}\nin ${document}\nwith ${JSON.stringify(variables)}`);
      return data;
    },
    async refusal(document, variables) {
      const { data, errors } = await graphql(document, variables);
      if (errors?.length !== 1 || !errors[0])
        throw new Error(`Not refused: ${JSON.stringify({ data, errors })}\nin ${document}`);
      return errors[0].extensions.code;
    },
    async rest<Body>(
      method: string,
      path: string,
      { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
    ) {
      const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
      const type = body === undefined ? {} : { "content-type": "application/json" };
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { ...type, ...authorization, ...headers },
        ...sent,
      });
      const text = await answer.text();
      return {
        status: answer.status,
        headers: answer.headers,
        body: (text === "" ? undefined : JSON.parse(text)) as Body,
      };
    },
  };
}
