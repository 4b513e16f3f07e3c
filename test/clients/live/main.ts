// Live comments without a store, by graphql-ws and graphql-sse side by side: each resumes after the last message
// it has received, however often its connection is lost.
import { createClient as createEventSource } from "graphql-sse";
import { createClient as createSocket } from "graphql-ws";
import { authorization, gateway, live, spaceId } from "../settings.ts";

const query = `subscription ($spaceId: ID!, $after: String) {
  commentEvents(of: { spaceId: $spaceId }, after: $after) {
    __typename
    ... on StreamMessage { cursor }
    ... on CommentPosted { comment { body { markdown } } }
  }
}`;

interface Message {
  readonly data?: {
    readonly commentEvents: {
      readonly __typename: string;
      readonly cursor: string;
      readonly comment?: { readonly body: { readonly markdown: string } } | null;
    };
  } | null;
}

/** Both clients retry forever, and quickly, for the test. */
const patience = { retryAttempts: Infinity, retryWait: soon, retry: soon };

async function soon(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
}

const socket = createSocket({ ...live, ...patience, shouldRetry: () => true });
const events = createEventSource({ url: `${gateway}/graphql`, headers: { authorization }, ...patience });

/** Shows posted comments. The variables are read again on a reconnect. */
async function follow(name: string, client: Pick<typeof socket, "iterate">): Promise<void> {
  const list = document.body.appendChild(document.createElement("ul"));
  list.setAttribute("aria-label", name);
  const variables: Record<string, unknown> = { spaceId };
  for await (const { data } of client.iterate({ query, variables }) as AsyncIterable<Message>) {
    if (!data) continue;
    const { __typename, cursor, comment } = data.commentEvents;
    variables["after"] = cursor;
    list.appendChild(document.createElement("li")).textContent = comment?.body.markdown ?? __typename;
  }
}

void follow("graphql-ws", socket);
void follow("graphql-sse", events as never);
