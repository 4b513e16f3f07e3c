// The rules by which changes of an interface are told: what was changed, whether that breaks clients, and why.

/** Who sends a value: clients in requests, the server in responses. With webhooks it is the other way round. */
export type Sender = "client" | "server";

/** What a change does to those who use the interface. */
interface Effect {
  readonly isBreaking: boolean;
  readonly reason: string;
}

const breaks = (reason: string): Effect => ({ isBreaking: true, reason });
const keeps = (reason: string): Effect => ({ isBreaking: false, reason });

export interface Rule extends Readonly<Record<Sender, Effect>> {
  readonly kind: "added" | "removed" | "changed";
  /** What was changed, as a sentence. */
  readonly says: string;
}

/** A rule that is the same whoever sends what it is about. */
const rule = (kind: Rule["kind"], says: string, effect: Effect): Rule => ({
  kind,
  says,
  client: effect,
  server: effect,
});

const unaffected = "What clients do today goes on working.";
const refused = "What clients send today may be refused.";
const unexpected = "Clients may get what they do not expect.";
const missing = "Clients may miss what they rely on.";
const accepted = "What clients send today is accepted as before.";
const expected = "What clients get is still what they expect.";

/** All rules by their names. */
export const rules = {
  operation_added: rule("added", "There is another operation.", keeps(unaffected)),
  operation_removed: rule("removed", "An operation is gone.", breaks("Clients that call it fail.")),
  operation_deprecated: rule("changed", "An operation is deprecated.", keeps(unaffected)),
  operation_no_longer_deprecated: rule("changed", "An operation is deprecated no more.", keeps(unaffected)),
  operation_id_changed: rule(
    "changed",
    "An operation has another id.",
    keeps("Calls stay the same; generated clients may call it by another name."),
  ),
  parameter_added: rule("added", "An operation takes another parameter, which may be left out.", keeps(accepted)),
  required_parameter_added: rule(
    "added",
    "An operation needs another parameter.",
    breaks("Calls without it are refused."),
  ),
  parameter_removed: rule(
    "removed",
    "An operation takes a parameter no more.",
    breaks("It has no effect any more, or calls with it are refused."),
  ),
  parameter_required: rule("changed", "A parameter has to be given.", breaks("Calls without it are refused.")),
  parameter_optional: rule("changed", "A parameter may be left out.", keeps(accepted)),
  parameter_deprecated: rule("changed", "A parameter is deprecated.", keeps(unaffected)),
  parameter_written_otherwise: rule(
    "changed",
    "The value of a parameter is written in another way (`style`, `explode`).",
    breaks("Values as clients write them are read wrongly."),
  ),
  body_added: rule("added", "An operation takes a body, which may be left out.", keeps(accepted)),
  required_body_added: rule("added", "An operation needs a body.", breaks("Calls without it are refused.")),
  body_removed: rule(
    "removed",
    "An operation takes a body no more.",
    breaks("It has no effect any more, or calls with it are refused."),
  ),
  body_required: rule("changed", "The body has to be sent.", breaks("Calls without it are refused.")),
  body_optional: rule("changed", "The body may be left out.", keeps(accepted)),
  media_type_added: rule(
    "added",
    "A body may be of another media type.",
    keeps("Clients choose the media type, and may choose as before."),
  ),
  media_type_removed: rule(
    "removed",
    "A body may be of a media type no more.",
    breaks("Clients that send it or ask for it fail."),
  ),
  response_added: rule(
    "added",
    "An operation may answer another status.",
    keeps("The statuses that clients know mean what they did."),
  ),
  success_removed: rule("removed", "An operation answers a status of success (2xx) no more.", breaks(missing)),
  response_removed: rule("removed", "An operation answers another status no more.", keeps(unaffected)),
  header_added: rule("added", "A response has another header.", keeps(expected)),
  header_removed: rule("removed", "A response has a header no more.", breaks(missing)),
  header_required: rule("changed", "A header of a response is always there.", keeps(expected)),
  header_optional: rule("changed", "A header of a response may be missing.", breaks(missing)),
  authorization_needed: rule(
    "changed",
    "An operation that was open needs authorization.",
    breaks("Calls without it are refused."),
  ),
  authorization_dropped: rule("changed", "An operation needs authorization no more.", keeps(accepted)),
  authorization_added: rule("added", "There is another way to be authorized.", keeps(accepted)),
  authorization_removed: rule(
    "removed",
    "A way to be authorized is gone.",
    breaks("Calls that are authorized so are refused."),
  ),
  scope_added: rule("added", "A way to be authorized needs another scope.", breaks("Tokens without it are refused.")),
  scope_removed: rule("removed", "A way to be authorized needs a scope no more.", keeps(accepted)),
  authorization_changed: rule(
    "changed",
    "A way to be authorized works in another way.",
    breaks("Calls that are authorized as before are refused."),
  ),
  server_added: rule("added", "There is another server.", keeps(unaffected)),
  server_removed: rule("removed", "A server is gone.", breaks("Clients that call it fail.")),
  model_added: rule("added", "There is another model.", keeps("A model by itself is sent by nobody.")),
  model_removed: rule(
    "removed",
    "A model is gone.",
    keeps("A model by itself is sent by nobody: what used it is told on its own."),
  ),
  field_added: rule("added", "There is another field, which may be missing.", keeps(unaffected)),
  required_field_added: {
    ...rule("added", "There is another field, which is always there.", keeps(expected)),
    client: breaks(refused),
  },
  field_removed: rule("removed", "A field is gone.", breaks(missing)),
  field_required: { ...rule("changed", "A field is always there.", keeps(expected)), client: breaks(refused) },
  field_optional: { ...rule("changed", "A field may be missing.", keeps(accepted)), server: breaks(missing) },
  field_deprecated: rule("changed", "A field is deprecated.", keeps(unaffected)),
  further_fields_refused: {
    ...rule("changed", "There are no fields but the named ones.", keeps(expected)),
    client: breaks(refused),
  },
  further_fields_allowed: rule("changed", "There may be fields beside the named ones.", keeps(unaffected)),
  type_narrowed: { ...rule("changed", "A value is of fewer types.", keeps(expected)), client: breaks(refused) },
  type_widened: { ...rule("changed", "A value may be of more types.", keeps(accepted)), server: breaks(unexpected) },
  type_changed: { ...rule("changed", "A value is of another type.", breaks(unexpected)), client: breaks(refused) },
  values_removed: {
    ...rule("removed", "A value is one of fewer (`enum`, `const`).", keeps(expected)),
    client: breaks(refused),
  },
  values_added: {
    ...rule("added", "A value is one of more (`enum`, `const`).", keeps(accepted)),
    server: breaks(unexpected),
  },
  limit_narrowed: {
    ...rule("changed", "A limit, format or pattern leaves fewer values.", keeps(expected)),
    client: breaks(refused),
  },
  limit_widened: {
    ...rule("changed", "A limit, format or pattern leaves more values.", keeps(accepted)),
    server: breaks(unexpected),
  },
  form_changed: {
    ...rule("changed", "A format, pattern or encoding is another one.", breaks(unexpected)),
    client: breaks(refused),
  },
  form_removed: {
    ...rule("removed", "A value may have a form less (`oneOf`, `anyOf`).", keeps(expected)),
    client: breaks(refused),
  },
  form_added: {
    ...rule("added", "A value may have another form (`oneOf`, `anyOf`).", keeps(accepted)),
    server: breaks(unexpected),
  },
  default_changed: {
    ...rule("changed", "What is left out means something else (`default`).", keeps(expected)),
    client: breaks("Requests that leave it out mean something else."),
  },
  condition_changed: rule(
    "changed",
    "A condition is another one, such as `not`, `if` or `patternProperties`.",
    breaks("Nothing says that what was valid still is."),
  ),
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

/** What a rule says of a change of something that these send: that it breaks, where it does for one of them. */
export function effectOf(name: RuleName, senders: readonly Sender[]): Effect {
  const effects = senders.map((sender): Effect => rules[name][sender]);
  return effects.find(({ isBreaking }) => isBreaking) ?? effects[0] ?? keeps("No operation uses it.");
}
