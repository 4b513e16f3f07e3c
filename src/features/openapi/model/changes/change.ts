// Changes of an interface: the rules by which they are reported, and their collection within limits.

/** Who sends a value: clients in requests, the server in responses. With webhooks it is the other way round. */
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

const unaffected = keeps("Requests of today continue to work.");
const accepted = keeps("Requests of today are accepted as before.");
const expected = keeps("Clients still get what they expect.");
const unexpected = breaks("Clients may get what they do not expect.");
const missing = breaks("Clients may miss what they rely on.");
const refused = breaks("Requests of today may be refused.");
const calledWithout = breaks("Calls without it are refused.");
const ignored = breaks("It no longer has an effect, or calls with it are refused.");

/** Effects of allowing fewer values, and more values. */
const narrower = { client: refused, server: expected };
const wider = { client: accepted, server: unexpected };

export const rules = {
  operation_added: added("An operation was added.", unaffected),
  operation_removed: removed("An operation was removed.", breaks("Clients that call it fail.")),
  operation_deprecated: changed("An operation is deprecated.", unaffected),
  operation_no_longer_deprecated: changed("An operation is no longer deprecated.", unaffected),
  operation_id_changed: changed(
    "An operation has another id.",
    keeps("Calls stay the same; generated clients may call it by another name."),
  ),
  parameter_added: added("An operation takes another, optional parameter.", accepted),
  required_parameter_added: added("An operation needs another parameter.", calledWithout),
  parameter_removed: removed("An operation no longer takes a parameter.", ignored),
  parameter_required: changed("A parameter is now required.", calledWithout),
  parameter_optional: changed("A parameter is now optional.", accepted),
  parameter_deprecated: changed("A parameter is deprecated.", unaffected),
  parameter_written_otherwise: changed(
    "The value of a parameter is written in another way (`style`, `explode`).",
    breaks("Values as clients write them are misread."),
  ),
  body_added: added("An operation takes an optional body.", accepted),
  required_body_added: added("An operation needs a body.", calledWithout),
  body_removed: removed("An operation no longer takes a body.", ignored),
  body_required: changed("The body is now required.", calledWithout),
  body_optional: changed("The body is now optional.", accepted),
  media_type_added: added(
    "A body may have another media type.",
    keeps("Clients choose the media type, and may choose as before."),
  ),
  media_type_removed: removed(
    "A body may no longer have a media type.",
    breaks("Clients that send it or ask for it fail."),
  ),
  response_added: added("An operation may answer another status.", keeps("Known statuses keep their meaning.")),
  success_removed: removed("An operation no longer answers a status of success (2xx).", missing),
  response_removed: removed("An operation no longer answers another status.", unaffected),
  header_added: added("A response has another header.", expected),
  header_removed: removed("A response no longer has a header.", missing),
  header_required: changed("A header of a response is always present.", expected),
  header_optional: changed("A header of a response may be missing.", missing),
  authorization_needed: changed("An operation that was open needs authorization.", calledWithout),
  authorization_dropped: changed("An operation no longer needs authorization.", accepted),
  authorization_added: added("Another way to authorize was added.", accepted),
  authorization_removed: removed(
    "A way to authorize was removed.",
    breaks("Calls that are authorized so are refused."),
  ),
  scope_added: added("A way to authorize needs another scope.", breaks("Tokens without it are refused.")),
  scope_removed: removed("A way to authorize no longer needs a scope.", accepted),
  authorization_changed: changed(
    "A way to authorize works differently.",
    breaks("Calls that are authorized as before are refused."),
  ),
  server_added: added("A server was added.", unaffected),
  server_removed: removed("A server was removed.", breaks("Clients that call it fail.")),
  model_added: added("A model was added.", keeps("Nobody sends a model by itself.")),
  model_removed: removed(
    "A model was removed.",
    keeps("Nobody sends a model by itself: changes where it was used are listed on their own."),
  ),
  field_added: added("An optional field was added.", unaffected),
  required_field_added: added("A field was added that is always present.", narrower),
  field_removed: removed("A field was removed.", missing),
  field_required: changed("A field is always present.", narrower),
  field_optional: changed("A field may be missing.", { client: accepted, server: missing }),
  field_deprecated: changed("A field is deprecated.", unaffected),
  further_fields_refused: changed("Only the named fields are allowed.", narrower),
  further_fields_allowed: changed("Further fields are allowed beside the named ones.", unaffected),
  type_narrowed: changed("A value has fewer types.", narrower),
  type_widened: changed("A value may have more types.", wider),
  type_changed: changed("A value has another type.", { client: refused, server: unexpected }),
  values_removed: removed("A value is one of fewer (`enum`, `const`).", narrower),
  values_added: added("A value is one of more (`enum`, `const`).", wider),
  limit_narrowed: changed("A limit, format or pattern allows fewer values.", narrower),
  limit_widened: changed("A limit, format or pattern allows more values.", wider),
  form_changed: changed("A format, pattern or encoding is another one.", { client: refused, server: unexpected }),
  form_removed: removed("A value no longer has one of its forms (`oneOf`, `anyOf`).", narrower),
  form_added: added("A value may have another form (`oneOf`, `anyOf`).", wider),
  default_changed: changed("A missing value means something else (`default`).", {
    client: breaks("Requests without the value mean something else."),
    server: expected,
  }),
  condition_changed: changed(
    "A condition is another one, such as `not`, `if` or `patternProperties`.",
    breaks("Values that were valid may no longer be."),
  ),
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

/** The effect of a change of a value that these send: the breaking one, if there is one. */
function effectOf(name: RuleName, senders: readonly Sender[]): Effect {
  const effects = senders.map((sender): Effect => rules[name][sender]);
  return effects.find(({ isBreaking }) => isBreaking) ?? effects[0] ?? keeps("No operation uses it.");
}

export type Pair<Value> = { readonly before: Value; readonly after: Value };

/** An operation or a model, and a place within it, such as `response 200, application/json, [].name`. */
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

/** The most parts of documents that are compared, which take some seconds. */
const visitLimit = 1_000_000;

const valueLimit = 200;

export type Values = Partial<Pair<unknown>>;

export class ChangeCollector {
  readonly #changes: SpecChange[] = [];
  #count = 0;
  #breakingCount = 0;
  #visits = 0;

  /** Counts a compared part. False beyond the limit: the rest is not compared. */
  visit(): boolean {
    return ++this.#visits <= visitLimit;
  }

  /** Adds a change of a value that these send. */
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
