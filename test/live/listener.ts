// A subscriber for tests of access: the kinds it receives, and how its stream ends.
import { openKnown, type RawSocket } from "#test/live/raw-socket.ts";

/** The subscriptions, each with its argument, field and the kind of event that tests cause. */
export const subscriptions = {
  "comments of a space": ["space", "commentEvents(of: { spaceId: $space })", "CommentPosted"],
  "comments of a change request": [
    "changeRequest",
    "commentEvents(of: { changeRequestId: $changeRequest })",
    "CommentPosted",
  ],
  "comments of an organization": [
    "organization",
    "commentEvents(of: { organizationId: $organization })",
    "CommentPosted",
  ],
  "change requests of a space": ["space", "changeRequestEvents(of: { spaceId: $space })", "ChangeRequestDrafted"],
  "change requests of an organization": [
    "organization",
    "changeRequestEvents(of: { organizationId: $organization })",
    "ChangeRequestDrafted",
  ],
  "a space": ["space", "spaceEvents(of: { spaceId: $space })", "SpaceSettingsChanged"],
  "several spaces": ["space", "spaceEvents(of: { spaceIds: [$space] })", "SpaceSettingsChanged"],
  "an organization": [
    "organization",
    "organizationEvents(of: { organizationId: $organization }, kinds: [SPACE_SETTINGS_CHANGED])",
    "SpaceSettingsChanged",
  ],
} as const;

export type SubscriptionName = keyof typeof subscriptions;

export interface Scope {
  readonly space: string;
  readonly changeRequest: string;
  readonly organization: string;
}

interface Next {
  readonly data?: Record<string, { readonly __typename: string; readonly spaceId?: string }>;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

export interface Listener {
  /**
   * The next message: its kind with the space, such as `CommentPosted spc_...`, or the code of the error that ends
   * the stream.
   */
  next(): Promise<string>;
  readonly raw: RawSocket;
}

/** Opens a stream; resolves with the error code if it is refused. */
export async function listenTo(
  url: string,
  token: string,
  name: SubscriptionName,
  scope: Scope,
): Promise<Listener | string> {
  const raw = await openKnown(url, token);
  const [variable, field, kind] = subscriptions[name];
  const query = `subscription ($${variable}: ID!) { ${field} { __typename ... on ${kind} { spaceId actor { id } } } }`;
  const variables = { [variable]: scope[variable] };
  raw.send({ id: "1", type: "subscribe", payload: { query, variables } });
  const next = async () => kindOf(await raw.receive());
  const first = await next();
  if (first === "Ready") return { next, raw };
  raw.socket.terminate();
  return first;
}

function kindOf({ type, payload }: { type: string; payload?: unknown }): string {
  if (type === "complete") return "complete";
  if (type === "error") return (payload as NonNullable<Next["errors"]>)[0]?.extensions.code ?? "error";
  const { data, errors } = payload as Next;
  if (errors) return errors[0]?.extensions.code ?? "error";
  const [message] = Object.values(data ?? {});
  return [message?.__typename, message?.spaceId].filter(Boolean).join(" ");
}
