// Clients of the APIs of any gateway, whose errors contain the request. They keep connections open and do not request
// compression, which is a third less work than `fetch`.
import { Agent, request } from "node:http";
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

/** A caller of GraphQL. */
export interface GraphqlClient {
  /** The data of an operation that must succeed. */
  query<Data = Record<string, never>>(document: string, variables?: Variables): Promise<Data>;
  /** The code of the only error of an operation that must fail. */
  refusal(document: string, variables?: Variables): Promise<string>;
  /** The complete response. */
  graphql<Data = Record<string, never>>(document: string, variables?: Variables): Promise<GraphqlAnswer<Data>>;
}

/** A caller of the APIs. */
export interface HttpClient extends GraphqlClient {
  rest<Body = unknown>(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<RestAnswer<Body>>;
}

/** The caller whose operations `graphql` runs. */
export function graphqlClient(graphql: GraphqlClient["graphql"]): GraphqlClient {
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
  };
}

/** A caller with a token; `null` sends none. */
export function httpClient(url: string, token: string | null): HttpClient {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };

  async function graphql<Data>(document: string, variables: Variables = {}): Promise<GraphqlAnswer<Data>> {
    const { body, headers } = requestBody(document, variables);
    const sent = { method: "POST", headers: { ...headers, ...authorization } };
    const answer = await send(`${url}/graphql`, { ...sent, body });
    const { data, errors } = JSON.parse(answer.text) as Pick<GraphqlAnswer<Data>, "data" | "errors">;
    return { status: answer.status, headers: answer.headers, data, errors };
  }

  return {
    ...graphqlClient(graphql),
    async rest<Body>(
      method: string,
      path: string,
      { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
    ) {
      const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
      const type = body === undefined ? {} : { "content-type": "application/json" };
      const all = { ...type, ...authorization, ...headers };
      const { text, ...answer } = await send(`${url}${path}`, { method, headers: all, ...sent });
      return { ...answer, body: (text === "" ? undefined : JSON.parse(text)) as Body };
    },
  };
}

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true });

/**
 * Sends a request on a keep-alive connection, and reads the response as text, without following redirects. Only `fetch`
 * sends forms.
 */
export function send(
  url: string,
  { body, ...options }: Sent & { readonly body?: string | FormData },
): Promise<Answered> {
  if (body instanceof FormData) return fetchText(url, { ...options, body });
  return new Promise((resolve, reject) => {
    const sending = request(url, { ...options, agent }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.once("error", reject).once("end", () => {
        const headers = new Headers();
        for (const [name, values = []] of Object.entries(answer.headersDistinct))
          for (const value of values) headers.append(name, value);
        resolve({ status: answer.statusCode ?? 0, headers, text });
      });
    });
    sending.once("error", reject).end(body);
  });
}

async function fetchText(url: string, options: Sent & { readonly body: FormData }): Promise<Answered> {
  const answer = await fetch(url, options);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
