// Changes of an interface: the rules that report them, and their collection within limits.

/** Who sends a value: clients in requests, the server in responses. With webhooks, the roles are reversed. */
export type Sender = "client" | "server";
type Effect = { readonly isBreaking: boolean; readonly reason: string };

const breaks = (reason: string): Effect => ({ isBreaking: true, reason });
const keeps = (reason: string): Effect => ({ isBreaking: false, reason });

export interface Rule extends Readonly<Record<Sender, Effect>> {
  readonly kind: "added" | "removed" | "changed";
  /** The change, as a sentence. */
  readonly says: string;
}

const rule =
  (kind: Rule["kind"]) =>
  (says: string, effect: Effect | Readonly<Record<Sender, Effect>>): Rule => ({
    kind,
    says,
    ...("isBreaking" in effect ? { client: effect, server: effect } : effect),
  });
const [added, removed, changed] = [rule("added"), rule("removed"), rule("changed")];

const unaffected = keeps("Existing requests continue to work.");
const accepted = keeps("Existing requests are accepted as before.");
const expected = keeps("Clients still receive the expected values.");
const unexpected = breaks("Clients may receive unexpected values.");
const missing = breaks("Clients may no longer receive values they rely on.");
const refused = breaks("Existing requests may be rejected.");
const calledWithout = breaks("Calls without it are rejected.");
const ignored = breaks("It no longer has an effect, or calls with it are rejected.");

/** Effects of allowing fewer values, and more values. */
const narrower = { client: refused, server: expected };
const wider = { client: accepted, server: unexpected };

export const rules = {
  operation_added: added("An operation was added.", unaffected),
  operation_removed: removed("An operation was removed.", breaks("Clients that call it fail.")),
  operation_deprecated: changed("An operation is deprecated.", unaffected),
  operation_no_longer_deprecated: changed("An operation is no longer deprecated.", unaffected),
  operation_id_changed: changed(
    "The id of an operation was changed.",
    keeps("Calls stay the same; generated clients may name it differently."),
  ),
  parameter_added: added("An optional parameter was added to an operation.", accepted),
  required_parameter_added: added("A required parameter was added to an operation.", calledWithout),
  parameter_removed: removed("A parameter of an operation was removed.", ignored),
  parameter_required: changed("A parameter is now required.", calledWithout),
  parameter_optional: changed("A parameter is now optional.", accepted),
  parameter_deprecated: changed("A parameter is deprecated.", unaffected),
  parameter_written_otherwise: changed(
    "The serialization of a parameter was changed (`style`, `explode`).",
    breaks("Values in the former serialization are misread."),
  ),
  body_added: added("An optional body was added to an operation.", accepted),
  required_body_added: added("A required body was added to an operation.", calledWithout),
  body_removed: removed("The body of an operation was removed.", ignored),
  body_required: changed("The body is now required.", calledWithout),
  body_optional: changed("The body is now optional.", accepted),
  media_type_added: added(
    "A media type of a body was added.",
    keeps("Clients choose the media type, and former ones still work."),
  ),
  media_type_removed: removed("A media type of a body was removed.", breaks("Clients that send or request it fail.")),
  response_added: added("A response status was added to an operation.", keeps("Known statuses keep their meaning.")),
  success_removed: removed("A success status (2xx) of an operation was removed.", missing),
  response_removed: removed("Another status of an operation was removed.", unaffected),
  header_added: added("A header of a response was added.", expected),
  header_removed: removed("A header of a response was removed.", missing),
  header_required: changed("A header of a response is always present.", expected),
  header_optional: changed("A header of a response may be missing.", missing),
  authorization_needed: changed("An operation now requires authorization.", calledWithout),
  authorization_dropped: changed("An operation no longer requires authorization.", accepted),
  authorization_added: added("Another way to authorize was added.", accepted),
  authorization_removed: removed(
    "A way to authorize was removed.",
    breaks("Calls with this authorization are rejected."),
  ),
  scope_added: added("A way to authorize requires another scope.", breaks("Tokens without it are rejected.")),
  scope_removed: removed("A way to authorize no longer requires a scope.", accepted),
  authorization_changed: changed(
    "A way to authorize works differently.",
    breaks("Calls that are authorized as before are rejected."),
  ),
  server_added: added("A server was added.", unaffected),
  server_removed: removed("A server was removed.", breaks("Clients that call it fail.")),
  model_added: added("A model was added.", keeps("Models are only sent as parts of operations.")),
  model_removed: removed(
    "A model was removed.",
    keeps("Models are only sent as parts of operations: changes there are listed separately."),
  ),
  field_added: added("An optional field was added.", unaffected),
  required_field_added: added("A required field was added.", narrower),
  field_removed: removed("A field was removed.", missing),
  field_required: changed("A field is now required.", narrower),
  field_optional: changed("A field is now optional.", { client: accepted, server: missing }),
  field_deprecated: changed("A field is deprecated.", unaffected),
  further_fields_refused: changed("Only the named fields are allowed.", narrower),
  further_fields_allowed: changed("Further fields are allowed beside the named ones.", unaffected),
  type_narrowed: changed("A value has fewer types.", narrower),
  type_widened: changed("A value may have more types.", wider),
  type_changed: changed("A value has another type.", { client: refused, server: unexpected }),
  values_removed: removed("Allowed values were removed (`enum`, `const`).", narrower),
  values_added: added("Allowed values were added (`enum`, `const`).", wider),
  limit_narrowed: changed("A limit, format or pattern allows fewer values.", narrower),
  limit_widened: changed("A limit, format or pattern allows more values.", wider),
  form_changed: changed("A format, pattern or encoding was replaced.", { client: refused, server: unexpected }),
  form_removed: removed("A form of a value was removed (`oneOf`, `anyOf`).", narrower),
  form_added: added("A form of a value was added (`oneOf`, `anyOf`).", wider),
  default_changed: changed("The default of a missing value was changed (`default`).", {
    client: breaks("Requests without the value have another meaning."),
    server: expected,
  }),
  condition_changed: changed(
    "A condition was changed, such as `not`, `if` or `patternProperties`.",
    breaks("Formerly valid values may no longer be valid."),
  ),
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

/** The effect of a change of a value from these senders: the breaking one, if any. */
function effectOf(name: RuleName, senders: readonly Sender[]): Effect {
  const effects = senders.map((sender): Effect => rules[name][sender]);
  return effects.find(({ isBreaking }) => isBreaking) ?? effects[0] ?? keeps("No operation uses it.");
}

export type Pair<Value> = { readonly before: Value; readonly after: Value };

/** An operation or a model, and a path within it, such as `response 200, application/json, [].name`. */
export interface Place {
  readonly operation: { readonly method: string; readonly path: string } | null;
  readonly model: string | null;
  readonly within: string;
}

export interface SpecChange extends Place {
  readonly rule: RuleName;
  readonly kind: "added" | "removed" | "changed";
  readonly isBreaking: boolean;
  readonly reason: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface SpecChanges {
  /** The first {@link changeLimit}, in the order of the newer document. */
  readonly changes: readonly SpecChange[];
  readonly count: number;
  readonly breakingCount: number;
  /** False if the documents were too large to be compared completely. */
  readonly isComplete: boolean;
}

const changeLimit = 5_000;

/** The limit of compared parts of documents, which takes some seconds. */
const visitLimit = 1_000_000;

const valueLimit = 200;

export type Values = Partial<Pair<unknown>>;

export class ChangeCollector {
  readonly #changes: SpecChange[] = [];
  #count = 0;
  #breakingCount = 0;
  #visits = 0;

  /** Counts a compared part. False beyond the limit: the remaining parts are not compared. */
  visit(): boolean {
    return ++this.#visits <= visitLimit;
  }

  /** Adds a change of a value from these senders. */
  add(rule: RuleName, place: Place, senders: readonly Sender[], values: Values = {}): void {
    const { isBreaking, reason } = effectOf(rule, senders);
    this.#count++;
    if (isBreaking) this.#breakingCount++;
    if (this.#changes.length >= changeLimit) return;
    const [before, after] = [shown(values.before), shown(values.after)];
    const within = place.within.replace(/, $/, ""); // a whole value
    this.#changes.push({ ...place, within, rule, kind: rules[rule].kind, isBreaking, reason, before, after });
  }

  get all(): SpecChanges {
    const isComplete = this.#visits <= visitLimit;
    return { changes: this.#changes, count: this.#count, breakingCount: this.#breakingCount, isComplete };
  }
}

/** A value as a short text; null if missing. */
function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === "string" ? value : jsonText(value);
  const stored = text.toWellFormed().replaceAll("\u0000", "");
  return stored.length > valueLimit ? `${stored.slice(0, valueLimit - 1).toWellFormed()}…` : stored;
}

export const without = <Item>(one: Iterable<Item>, other: ReadonlySet<Item>): Item[] =>
  Array.from(one).filter((item) => !other.has(item));

/** JSON to compare and show values; all values that are too deep are equal. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    if (error instanceof RangeError) return "…"; // the call stack is full
    throw error;
  }
}
