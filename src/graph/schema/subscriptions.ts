// Subscriptions: how a feature defines one, and how one is opened. The subscription broker (server/live) sends events.
import type { InputFieldMap, ObjectRef } from "@pothos/core";
import {
  createSourceEventStream,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  type DocumentNode,
  Kind,
  visit,
  getOperationAST,
} from "graphql";
import { invalidInput } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { oneOf } from "#src/domain/input.ts";
import type { EventType } from "#src/events/declared.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { decodeEventCursor, encodeEventCursor, type OutboxPosition } from "#src/events/outbox-position.ts";
import type { EventScope } from "#src/events/read-outbox.ts";
import { builder, type Types } from "#src/graph/schema/builder.ts";
import { openToVisitors } from "#src/graph/run/visitors.ts";
import { publicError } from "#src/graph/run/errors.ts";
import {
  Checkpoint,
  type EventKind,
  EventKindEnum,
  type EventMessage,
  type Message,
  messageOf,
  type PresenceMessage,
  Ready,
  Resync,
} from "#src/graph/schema/events.ts";
import type { Operation, Variables } from "#src/graph/run/execute.ts";
import { refusalOf } from "#src/graph/run/document-limits.ts";

/** The scope of a subscription, made by its `open`. */
export interface Listening {
  readonly scope: EventScope;
  /** Throws NOT_FOUND or FORBIDDEN if the viewer may not subscribe: at the start, and when rights may have changed. */
  readonly check: (context: Context) => Promise<void>;
  /** The event types of the scope; by default all that the subscription has types for. */
  readonly accepts?: (event: StoredEvent) => boolean;
  /** Whether `check` proves that every subscriber may receive an event; for all others that is looked up. */
  readonly isProven: (event: StoredEvent) => boolean;
  /** The message of an event, if it is not one of a declared kind; null if the subscription does not send it. */
  readonly messageOf?: (event: StoredEvent) => EventMessage | null;
  /** Where the user of each stream is present; absent for subscriptions to events alone. */
  readonly presence?: {
    readonly subject: string;
    readonly messageOf: (users: readonly string[], cursor: string) => Message;
  };
  /** Whether `check` also runs before messages: for rights that may change without an event about rights. */
  readonly checksMessages?: true;
}

export interface SubscriptionRequest {
  readonly operation: Operation;
  readonly variables: Variables;
}

export interface Subscription extends SubscriptionRequest, Omit<Listening, "messageOf"> {
  /** Where to continue; null starts now. */
  readonly after: OutboxPosition | null;
  /** The message of an event, or null if the subscription does not send it. */
  readonly messageOf: (event: StoredEvent) => EventMessage | null;
}

/** graphql-js requires an iterable of a subscription; the broker takes the details out of it and never iterates. */
class Opened implements AsyncIterable<never> {
  readonly details: Omit<Subscription, keyof SubscriptionRequest>;

  constructor(details: Opened["details"]) {
    this.details = details;
  }

  [Symbol.asyncIterator](): AsyncIterator<never> {
    throw new Error("Events of subscriptions are sent by the broker");
  }
}

builder.queryField("eventCursor", (t) =>
  t.string({
    description:
      "The position in the event log when this operation began: its data include everything up to " +
      "there. Set `after` of a subscription to it, and no event is missed in between.",
    resolve: (_root, _args, context) => encodeEventCursor(context.began),
  }),
);

const kindsOf = new Map<string, Set<EventKind>>();

/** The types that deliver an event to subscribers, each as `subscription.Type`. */
export function deliveriesOf(type: EventType): string[] {
  return [...kindsOf].flatMap(([name, kinds]) =>
    [...kinds].filter((kind) => kind.of.includes(type)).map(({ ref }) => `${name}.${ref.name}`),
  );
}

/** The types that each subscription delivers, by its name, with the types of outbox events that they represent. */
export function deliveries(): { subscription: string; type: string; of: readonly EventType[] }[] {
  return [...kindsOf].flatMap(([subscription, kinds]) =>
    [...kinds].map(({ ref, of }) => ({ subscription, type: ref.name, of })),
  );
}

/** Adds kinds of events to a subscription of another feature. */
export function extendSubscription(name: string, events: readonly EventKind[]): void {
  const kinds = kindsOf.get(name);
  if (!kinds) throw new Error(`The subscription ${name} does not exist and cannot be extended`);
  for (const kind of events) kinds.add(kind);
}

const mostSubjects = 100;

/** The possible subjects of a subscription: descriptions of fields with one id (`...Id`) or several (`...Ids`). */
type Subjects = Readonly<Record<string, string>>;

/** The subject that a client chose: the name of the field, and its ids, each once. */
export interface Named<Name = string> {
  readonly by: Name;
  readonly ids: readonly string[];
}

interface Naming<Name extends string> {
  readonly name: string;
  /** The fields of the argument `of`, of which exactly one is set; without subjects the argument does not exist. */
  readonly subjects: Readonly<Record<Name, string>>;
}

type GivenSubjects = Readonly<Record<string, string | readonly string[] | null | undefined>>;

/** The value of the argument `of`. INVALID_INPUT unless it has one field with 1 to 100 ids. */
function namedIn(subjects: Subjects, given: GivenSubjects): Named {
  const [by, value] = oneOf("of", Object.fromEntries(Object.keys(subjects).map((name) => [name, given[name]])));
  const ids = [...new Set(typeof value === "string" ? [value] : value)];
  if (ids.length > 0 && ids.length <= mostSubjects) return { by, ids };
  throw invalidInput(`of/${by}`, `must have 1 to ${mostSubjects} entries, and has ${ids.length}.`);
}

function subjectArguments({ name, subjects }: Naming<string>): InputFieldMap {
  const descriptions = Object.entries(subjects);
  if (descriptions.length === 0) return {};
  const Subject = builder.inputType(`${titled(name)}Subject`, {
    description: `The subject of \`${name}\`: set exactly one of the fields.`,
    isOneOf: true,
    fields: (t) =>
      Object.fromEntries(
        descriptions.map(([field, description]) => [
          field,
          field.endsWith("Ids") ? t.idList({ description }) : t.id({ description }),
        ]),
      ),
  });
  return builder.args((t) => ({
    of: t.field({ type: Subject, required: true, description: "The subject whose events are sent." }),
  }));
}

type GivenTexts = Readonly<Record<string, string | null | undefined>>;

const textArguments = (texts: Readonly<Record<string, string>> = {}): InputFieldMap =>
  builder.args((t) =>
    Object.fromEntries(Object.entries(texts).map(([name, description]) => [name, t.string({ description })])),
  );

/** The requested kinds; all by default. INVALID_INPUT for kinds that this subscription does not send. */
function asked(kinds: ReadonlySet<EventKind>, names: readonly string[] | null | undefined): ReadonlySet<EventKind> {
  if (names == null) return kinds;
  const byName = new Map([...kinds].map((kind) => [kind.ref.name, kind]));
  const chosen = names.map((name, index) => {
    const kind = byName.get(name);
    if (kind) return kind;
    throw invalidInput(
      `kinds/${index}`,
      `${name} is not sent by this subscription; allowed are: ${[...byName.keys()].join(", ")}.`,
    );
  });
  return new Set(chosen);
}

const aboutKinds = "Only events of these kinds. Default: all kinds of this subscription.";

const aboutAfter =
  "Cursor of the last received message, or an `eventCursor`: later events are sent first. INVALID_INPUT if it is not valid.";

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

interface Declaration<Name extends string> extends Naming<Name> {
  readonly description: string;
  readonly events: readonly EventKind[];
  /** Types of messages that are not of a declared kind. */
  readonly messages?: readonly (ObjectRef<Types, EventMessage> | ObjectRef<Types, PresenceMessage>)[];
  /** Whether the message is open without an API token: it must not depend on an account. */
  readonly openToVisitors?: true;
  /** Further arguments, all texts: their names and descriptions. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly open: (named: Named<Name>, context: Context, texts: GivenTexts) => Listening | Promise<Listening>;
}

/** The union of the messages of a subscription. */
function messageUnion(of: Pick<Declaration<string>, "name" | "messages">, kinds: ReadonlySet<EventKind>) {
  return builder.unionType(`${titled(of.name)}Message`, {
    description: `The messages of \`${of.name}\`.`,
    types: () => [Ready, Checkpoint, Resync, ...[...kinds].map(({ ref }) => ref), ...(of.messages ?? [])],
    resolveType: ({ type }: Message) => type,
  });
}

/** Defines a subscription and its union. `open` returns its scope or throws INVALID_INPUT; the broker checks. */
export function defineSubscription<Name extends string>(of: Declaration<Name>): void {
  const kinds = new Set(of.events);
  kindsOf.set(of.name, kinds);
  const Union = messageUnion(of, kinds);
  builder.subscriptionField(of.name, (t) =>
    t.field({
      type: Union,
      description: of.description,
      args: {
        ...subjectArguments(of),
        ...textArguments(of.texts),
        ...(of.events.length > 0 && { kinds: t.arg({ type: [EventKindEnum], description: aboutKinds }) }),
        after: t.arg.string({ description: aboutAfter }),
      },
      extensions: of.openToVisitors ? openToVisitors : {},
      subscribe: async (_root, args, context) => {
        const given = args as {
          after?: string | null;
          kinds?: string[] | null;
          of?: GivenSubjects;
        };
        const chosen = asked(kinds, given.kinds);
        const position = given.after == null ? null : decodeEventCursor(given.after, "after");
        // A subscription without `of` has a scope that its `open` knows by itself.
        const named = given.of ? namedIn(of.subjects, given.of) : { by: "", ids: [] };
        const listening = await of.open(named as Named<Name>, context, args as GivenTexts); // by the arguments above
        const accepts = listening.accepts ?? (() => true);
        return new Opened({
          ...listening,
          after: position,
          messageOf: (event) => (accepts(event) ? (listening.messageOf?.(event) ?? messageOf(chosen, event)) : null),
        });
      },
      // Pothos infers the union from its members, whose rows are all messages.
      resolve: (message) => message as never,
    }),
  );
}

/** Opens a subscription: returns it, or the errors if it is rejected. */
export async function openSubscription(
  schema: GraphQLSchema,
  request: SubscriptionRequest,
  context: Context,
): Promise<Subscription | { refusal: readonly GraphQLError[] }> {
  const { operation, variables } = request;
  const tooMany = refusalOf(variables);
  if (tooMany) return { refusal: [publicError(tooMany, context)] };
  const opened = await createSourceEventStream({
    schema,
    document: operation.document,
    operationName: operation.name ?? null,
    contextValue: context,
    variableValues: variables,
  });
  if (opened instanceof Opened) return { ...opened.details, operation, variables };
  const { errors = [] } = opened as ExecutionResult;
  return { refusal: errors.map((error) => publicError(error, context)) };
}

const startVariablesOf = new WeakMap<Operation, ReadonlySet<string>>();

/** The variables of an operation that only set where its stream starts: they do not affect its messages. */
export function startVariables(operation: Operation): ReadonlySet<string> {
  let names = startVariablesOf.get(operation);
  if (!names) startVariablesOf.set(operation, (names = readStartVariables(operation.document, operation.name)));
  return names;
}

function readStartVariables(document: DocumentNode, operationName: string | undefined): ReadonlySet<string> {
  const starts = new Set<string>();
  const others = new Set<string>();
  const operation = getOperationAST(document, operationName);
  visit(document, {
    Argument(node) {
      if (node.name.value !== "after" || node.value.kind !== Kind.VARIABLE) return undefined;
      const isOfRoot = operation?.selectionSet.selections.some(
        (field) => field.kind === Kind.FIELD && field.arguments?.includes(node),
      );
      if (!isOfRoot) return undefined;
      starts.add(node.value.name.value);
      return false;
    },
    VariableDefinition: () => false,
    Variable(node) {
      others.add(node.name.value);
    },
  });
  for (const name of others) starts.delete(name);
  return starts;
}
