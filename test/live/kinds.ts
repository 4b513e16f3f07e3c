// A subscriber for tests of event kinds: it selects all facts of each kind from the schema, compares the events of a
// mutation, and at the end replays all of them from the first cursor by server-sent events.
import { assertObjectType, assertUnionType, getNamedType, getNullableType, isListType, isScalarType } from "graphql";
import { expect } from "vitest";
import { decodeEventCursor } from "#src/events/outbox-position.ts";
import { schema } from "#src/schema.ts";
import { openEventStream } from "#test/live/event-stream.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import type { Person } from "#test/features/members/factory.ts";
import type { TestApp } from "#test/support/app.ts";

/** A message: its selected fields, and the facts of its kind, which are the same on replay. */
type Received = Record<string, unknown> & {
  readonly __typename: string;
  readonly cursor: string;
  readonly facts: Record<string, unknown>;
};

/** Kinds about the state of the stream. */
const ofTheStream = ["Checkpoint", "Ready", "Resync"];

/** The kinds of event that a subscription can deliver. */
export const kindsOf = (name: string): string[] =>
  assertUnionType(schema.getType(`${name.charAt(0).toUpperCase()}${name.slice(1)}Message`))
    .getTypes()
    .map((type) => type.name)
    .filter((type) => !ofTheStream.includes(type))
    .toSorted();

/** Selects all fields of a kind, aliased by kind, since two kinds may have a field with different types. */
export function factsOf(kind: string): string {
  const fields = Object.values(assertObjectType(schema.getType(kind)).getFields()).filter(
    ({ name }) => name !== "cursor",
  );
  const selected = fields.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    const isPlain = isScalarType(named) || !("getFields" in named);
    if (isPlain) return [`${kind}_${name}: ${name}`];
    return isListType(getNullableType(type)) ? [`${kind}_${name}: ${name} { field before after }`] : [];
  });
  return `... on ${kind} { ${selected.join(" ")} }`;
}

/** Separates the facts from the other fields. */
function sorted(message: Record<string, unknown>): Received {
  const prefix = `${String(message["__typename"])}_`;
  const isFact = (name: string) => name.startsWith(prefix);
  const of = Object.entries(message);
  const facts = of.filter(([name]) => isFact(name)).map(([name, value]) => [name.slice(prefix.length), value] as const);
  const others = Object.fromEntries(of.filter(([name]) => !isFact(name)));
  return { ...others, facts: Object.fromEntries(facts) } as Received; // __typename and cursor are selected
}

type Expected = { readonly __typename: string; readonly facts?: object } & Record<string, unknown>;

/** A subscription whose ids are variables: preparing a long document takes longer than finding it prepared. */
function withVariables(field: string) {
  const ids: Record<string, string> = {};
  const text = field.replaceAll(/"(\w+)"/g, (_quoted, id: string) => {
    const name = `id${Object.keys(ids).length}`;
    ids[name] = id;
    return `$${name}`;
  });
  const parameters = Object.keys(ids).map((name) => `$${name}: ID!`);
  return { text, ids, parameters: ["$after: String", ...parameters].join(", ") };
}

/**
 * Opens a stream of a subscription such as `spaceEvents(of: { spaceId: "..." })`. `delivers` waits for a change and
 * compares its messages, whose actor is the subscriber unless another is given.
 */
export async function listen(
  app: TestApp,
  { token, id: actorId }: Pick<Person, "token" | "id">,
  field: string,
  { selection = "", after = null }: { selection?: string; after?: string | null } = {},
) {
  const name = /^\w+/.exec(field)?.[0] ?? "";
  // From now on: a gateway begins with what it has not read yet, which a busy machine may have written long ago.
  const [now] = await app.database.prisma.outboxEvent.findMany({
    orderBy: [{ transactionId: "desc" }, { id: "desc" }],
    take: 1,
  });
  const { text, ids, parameters } = withVariables(field);
  const query = `subscription (${parameters}) { received: ${text.replace(/\)$/, " after: $after)")} {
    __typename ... on StreamMessage { cursor } ... on Event { actor { id } } ${selection} ${kindsOf(name).map(factsOf).join(" ")} } }`;
  const open = async () => {
    const raw = await openKnown(app.url, token);
    raw.send({ id: "1", type: "subscribe", payload: { query, variables: { ...ids, after } } });
    const ready = messageIn((await raw.receive()).payload);
    expect(ready).toEqual({ __typename: "Ready", cursor: expect.any(String) as string, facts: {} });
    return { raw, ready };
  };
  const isLate = ({ ready }: Awaited<ReturnType<typeof open>>) => {
    const { transaction, id } = decodeEventCursor(ready.cursor, "after");
    return after === null && now && (transaction - Number(now.transactionId) || id - Number(now.id)) < 0;
  };
  let opened = await open();
  for (; isLate(opened); opened = await open()) opened.raw.socket.close();
  const { raw, ready } = opened;
  const next = async (): Promise<Received> => {
    const message = messageIn((await raw.receive()).payload);
    return message.__typename === "Checkpoint" ? next() : message; // it may come at any time
  };
  const heard: Received[] = [];
  return {
    raw,
    async delivers<Done>(change: Promise<Done>, ...expected: Expected[]) {
      const result = await change;
      for (const one of expected) {
        const received = await next();
        expect(received).toMatchObject({ actor: { id: actorId }, ...one });
        heard.push(received);
      }
      return result;
    },
    /** The messages from now on, up to the first of a kind. */
    async until(kind: string): Promise<Received[]> {
      const received = [await next()];
      while (received.at(-1)?.__typename !== kind) received.push(await next());
      return received;
    },
    /** Returns all kinds delivered so far, after checking that cursors are unique and that a replay is equal. */
    async end(count: number): Promise<string[]> {
      raw.send({ type: "ping" });
      const isCheckpoint = ({ type, payload }: { type: string; payload?: unknown }) =>
        type === "next" && messageIn(payload).__typename === "Checkpoint";
      let last = await raw.receive();
      while (isCheckpoint(last)) last = await raw.receive();
      expect(last).toMatchObject({ type: "pong" }); // and not another event before it
      raw.socket.close();
      expect(new Set(heard.map(({ cursor }) => cursor)).size).toBe(count);
      const again = await replay(app, token, { query, variables: { ...ids, after: ready.cursor } }, count);
      const comparable = ({ __typename, cursor, facts }: Received) => ({ __typename, cursor, facts });
      expect(again.map(comparable)).toEqual(heard.map(comparable));
      return [...new Set(heard.map(({ __typename }) => __typename))].toSorted();
    },
  };
}

function messageIn(payload: unknown): Received {
  const { data, errors } = payload as { data?: { received: Record<string, unknown> }; errors?: object };
  if (!data || errors) throw new Error(JSON.stringify(payload));
  return sorted(data.received);
}

/** The messages that a client with a cursor receives. */
async function replay(app: TestApp, token: string, body: object, count: number): Promise<Received[]> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const stream = await openEventStream(`${app.url}/graphql`, { method: "POST", headers, body: JSON.stringify(body) });
  const messages: Received[] = [];
  while (messages.length <= count) {
    const event = await stream.next();
    const message = event?.event === "next" && messageIn(JSON.parse(event.data));
    if (message) messages.push(...(message.__typename === "Checkpoint" ? [] : [message]));
    else throw new Error(`the stream ended: ${JSON.stringify(event)}`);
  }
  await stream.close();
  return messages.slice(1); // after Ready
}

/** Runs a mutation that must succeed, and returns its payload. */
export async function done<Answer>(
  { as }: Pick<TestApp, "as">,
  token: string,
  name: string,
  { answer = "__typename", ...input }: Record<string, unknown> & { readonly answer?: string },
): Promise<Answer> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { done: ${name}(input: $input) { ${answer} } }`;
  return (await as(token).query<{ done: Answer }>(document, { input })).done;
}
