// Compares schemas. Each pair is compared once, since schemas may be recursive and used in many places.
import {
  jsonText,
  type Values,
  without,
  type ChangeCollector,
  type Pair,
  type Place,
  type RuleName,
  type Sender,
} from "#src/features/openapi/model/changes/change.ts";
import { numberText } from "#src/features/openapi/model/exact.ts";
import { type Keywords, listOf, entriesOf, type FoundSchema, type Lookup } from "#src/features/openapi/model/lookup.ts";
import { isRecord } from "#src/base/json.ts";

interface Compared {
  readonly before: Keywords;
  readonly after: Keywords;
  readonly add: (rule: RuleName, values: Values) => void;
}

/** Compares types. False if no value has both types: then nothing else is compared. */
function compareTypes({ before, after, add }: Compared): boolean {
  const [was, is] = [typesOf(before), typesOf(after)];
  const values = { before: was?.join(" or ") ?? "any value", after: is?.join(" or ") ?? "any value" };
  if (values.before === values.after) return true;
  const [wasWithin, isWithin] = [isWithinTypes(was, is), isWithinTypes(is, was)];
  if (wasWithin || isWithin) {
    if (!(wasWithin && isWithin)) add(isWithin ? "type_narrowed" : "type_widened", values);
    return true;
  }
  add("type_changed", values);
  return false;
}

/** The types of a schema, sorted; null for any. */
function typesOf({ type }: Keywords): string[] | null {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  return types.length === 0 ? null : types.toSorted();
}

function isWithinTypes(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (other === null) return true;
  return one?.every((type) => other.includes(type) || (type === "integer" && other.includes("number"))) ?? false;
}

/** Compares `enum`, `const` and `default`. */
function compareValues({ before, after, add }: Compared): void {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const values = { before: shown(was), after: shown(is) };
  if (is !== null && (was === null || without(was, is).length > 0)) add("values_removed", values);
  if (was !== null && (is === null || without(is, was).length > 0)) add("values_added", values);
  const [preset, fresh] = [before["default"], after["default"]];
  if (jsonText(preset) !== jsonText(fresh)) add("default_changed", { before: preset, after: fresh });
}

/** The values of `enum` or `const`; null for any. */
function valuesOf({ enum: values, const: constant }: Keywords): Set<string> | null {
  if (constant !== undefined) return new Set([jsonText(constant)]);
  return Array.isArray(values) ? new Set(values.map(jsonText)) : null;
}

const shown = (values: Iterable<string> | null): string | null =>
  values === null ? null : [...values].slice(0, 20).join(", ");

const least = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
const most = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;

function compareLimits({ before, after, add }: Compared): void {
  const compare = (name: string, direction: 1 | -1): void => {
    const [was, is] = [limitIn(before, name, direction), limitIn(after, name, direction)];
    const beyond = direction * differenceOf(before[name], after[name]);
    if (was === is && beyond === 0) return;
    const values = { before: withName(name, before[name]), after: withName(name, after[name]) };
    add(is > was || beyond > 0 ? "limit_narrowed" : "limit_widened", values);
  };
  for (const name of least) compare(name, 1);
  for (const name of most) compare(name, -1);
  const [was, is] = [before["uniqueItems"] === true, after["uniqueItems"] === true];
  if (was !== is)
    add(is ? "limit_narrowed" : "limit_widened", is ? { after: "uniqueItems" } : { before: "uniqueItems" });
}

/** A limit as a number, which is higher if it allows fewer values. */
function limitIn(keywords: Keywords, name: string, direction: 1 | -1): number {
  const value = numberText(keywords[name]);
  if (value !== null) return direction * Number(value);
  return name.startsWith("min") && name !== "minimum" ? 0 : -Infinity; // nothing is shorter than empty
}

/** The sign of the difference of integers that have the same JavaScript number; 0 for others. */
function differenceOf(before: unknown, after: unknown): number {
  const [was, is] = [numberText(before), numberText(after)];
  if (was === null || is === null || Number(was) !== Number(is)) return 0;
  if (!/^-?\d+$/.test(was) || !/^-?\d+$/.test(is)) return 0;
  const difference = BigInt(is) - BigInt(was);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

const withName = (name: string, value: unknown): string | undefined =>
  value === undefined ? undefined : `${name}: ${jsonText(value)}`;

const forms = ["format", "pattern", "multipleOf", "contentEncoding", "contentMediaType"] as const;

/** Compares formats, patterns and encodings; whether one includes the other is unknown. */
function compareForms({ before, after, add }: Compared): void {
  for (const name of forms) {
    const [was, is] = [before[name], after[name]];
    if (jsonText(was) === jsonText(is)) continue;
    const values = { before: withName(name, was), after: withName(name, is) };
    add(was === undefined ? "limit_narrowed" : is === undefined ? "limit_widened" : "form_changed", values);
  }
}

const formsOf = (keywords: Keywords): readonly unknown[] => [
  ...listOf(keywords["oneOf"]),
  ...listOf(keywords["anyOf"]),
];

/** The limits of compared levels of schemas, and of merged levels of `allOf`. */
const depthLimit = { inside: 50, together: 10 } as const;

/** Keywords whose difference cannot be judged: any change may break. */
const conditions = (
  "not if then else patternProperties propertyNames contains " +
  "dependentSchemas dependentRequired unevaluatedProperties unevaluatedItems prefixItems"
).split(" ");

type At = { readonly place: Place; readonly senders: readonly Sender[]; readonly depth: number };

/** A schema merged with those in its `allOf`. */
type Shape = { readonly fields: Map<string, unknown>; readonly required: Set<string>; readonly keywords: Keywords };

export class SchemaComparison {
  readonly #lookups: Pair<Lookup>;
  readonly #changes: ChangeCollector;
  readonly #compared = new Map<unknown, Map<unknown, Set<Sender>>>();

  constructor(lookups: Pair<Lookup>, changes: ChangeCollector) {
    this.#lookups = lookups;
    this.#changes = changes;
  }

  /** Compares the schemas of a place. The same model on both sides is compared by {@link compareModel}. */
  compare(schemas: Pair<unknown>, place: Place, senders: readonly Sender[]): void {
    this.#compare(schemas, { place, senders, depth: 0 });
  }

  compareModel(schemas: Pair<unknown>, place: Place, senders: readonly Sender[]): void {
    this.#compareFound(schemas, this.#look(schemas), { place, senders, depth: 0 });
  }

  #compare(schemas: Pair<unknown>, at: At): void {
    const found = this.#look(schemas);
    if (found.before.model === null || found.before.model !== found.after.model) this.#compareFound(schemas, found, at);
  }

  #compareInside(schemas: Pair<unknown>, { place, senders, depth }: At, name: string, mark = ""): void {
    this.#compare(schemas, { place: inside(place, name, mark), senders, depth: depth + 1 });
  }

  #look({ before, after }: Pair<unknown>): Pair<FoundSchema> {
    return { before: this.#lookups.before.schema(before ?? true), after: this.#lookups.after.schema(after ?? true) };
  }

  #compareFound(schemas: Pair<unknown>, found: Pair<FoundSchema>, given: At): void {
    const senders = this.#markCompared(schemas, given.senders);
    if (senders.length === 0 || given.depth > depthLimit.inside || !this.#changes.visit()) return;
    const at = { ...given, senders };
    if (!this.#compareForms(schemas, { before: found.before.keywords, after: found.after.keywords }, at)) return;
    const shapes = this.#shapesOf({ before: found.before.keywords, after: found.after.keywords });
    const [before, after] = [shapes.before.keywords, shapes.after.keywords];
    const add: Compared["add"] = (rule, values) => this.#changes.add(rule, at.place, senders, values);
    const compared = { before, after, add };
    if (!compareTypes(compared)) return;
    compareValues(compared);
    compareLimits(compared);
    compareForms(compared);
    for (const name of conditions)
      if (jsonText(before[name]) !== jsonText(after[name]))
        add("condition_changed", { before: before[name], after: after[name] });
    this.#compareFields(shapes, at);
    this.#compareOthers({ before, after }, at);
  }

  /** Marks a pair as compared; returns the senders for whom it was new. */
  #markCompared({ before, after }: Pair<unknown>, senders: readonly Sender[]): readonly Sender[] {
    if (!isRecord(before) && !isRecord(after)) return senders;
    const others = this.#compared.get(before) ?? new Map<unknown, Set<Sender>>();
    this.#compared.set(before, others);
    const known = others.get(after) ?? new Set();
    others.set(after, known);
    const fresh = senders.filter((one) => !known.has(one));
    for (const one of fresh) known.add(one);
    return fresh;
  }

  /** Compares `oneOf` and `anyOf`. False if only one side has some: then nothing else is compared. */
  #compareForms(schemas: Pair<unknown>, keywords: Pair<Keywords>, at: At): boolean {
    const [was, is] = [formsOf(keywords.before), formsOf(keywords.after)];
    if (was.length === 0 && is.length === 0) return true;
    const gone = this.#named("before", was.length > 0 ? was : [schemas.before]);
    const fresh = this.#named("after", is.length > 0 ? is : [schemas.after]);
    for (const name of gone.keys()) if (fresh.delete(name)) gone.delete(name);
    const [left, added] = [[...gone], [...fresh]];
    const pairs = Math.min(left.length, added.length);
    for (let index = 0; index < pairs; index++) {
      const [before, after] = [left[index]?.[1], added[index]?.[1]];
      this.#compareInside({ before, after }, at, `(form ${index + 1})`);
    }
    for (const [name] of left.slice(pairs)) this.#changes.add("form_removed", at.place, at.senders, { before: name });
    for (const [name] of added.slice(pairs)) this.#changes.add("form_added", at.place, at.senders, { after: name });
    return was.length > 0 && is.length > 0;
  }

  #named(side: "before" | "after", forms: readonly unknown[]): Map<string, unknown> {
    const named = new Map<string, unknown>();
    for (const form of forms)
      if (this.#changes.visit()) named.set(this.#lookups[side].schema(form).model ?? jsonText(form), form);
    return named;
  }

  /** Omits models in the `allOf` of both sides, which are compared on their own. */
  #shapesOf({ before, after }: Pair<Keywords>): Pair<Shape> {
    const modelsIn = (lookup: Lookup, keywords: Keywords) =>
      new Set(listOf(keywords["allOf"]).flatMap((part) => lookup.schema(part).model ?? []));
    const [was, is] = [modelsIn(this.#lookups.before, before), modelsIn(this.#lookups.after, after)];
    const common = new Set([...was].filter((model) => is.has(model)));
    return {
      before: this.#shapeOf(this.#lookups.before, before, common),
      after: this.#shapeOf(this.#lookups.after, after, common),
    };
  }

  #shapeOf(lookup: Lookup, keywords: Keywords, common: ReadonlySet<string>, depth = 0): Shape {
    const fields = new Map(entriesOf(keywords["properties"]));
    const required = new Set(listOf(keywords["required"]).filter((name) => typeof name === "string"));
    let whole = keywords;
    for (const part of depth < depthLimit.together ? listOf(keywords["allOf"]) : []) {
      const found = lookup.schema(part);
      if ((found.model !== null && common.has(found.model)) || !this.#changes.visit()) continue;
      const shape = this.#shapeOf(lookup, found.keywords, common, depth + 1);
      for (const [name, schema] of shape.fields) if (!fields.has(name)) fields.set(name, schema);
      for (const name of shape.required) required.add(name);
      whole = { ...shape.keywords, ...whole };
    }
    return { fields, required, keywords: whole };
  }

  #compareFields({ before, after }: Pair<Shape>, at: At): void {
    for (const name of new Set([...after.fields.keys(), ...before.fields.keys()])) {
      const schemas = { before: before.fields.get(name), after: after.fields.get(name) };
      const required = { before: before.required.has(name), after: after.required.has(name) };
      this.#compareField(name, schemas, required, at);
    }
  }

  /** Clients do not send `readOnly` fields, and the server does not send `writeOnly` ones. */
  #compareField(name: string, schemas: Pair<unknown>, required: Pair<boolean>, at: At): void {
    const { before, after } = this.#look(schemas);
    const wasThere = (one: Sender) => schemas.before !== undefined && before.keywords[hidden[one]] !== true;
    const isThere = (one: Sender) => schemas.after !== undefined && after.keywords[hidden[one]] !== true;
    const place = inside(at.place, name, ".");
    const add = (rule: RuleName, senders: readonly Sender[]) => {
      if (senders.length > 0) this.#changes.add(rule, place, senders);
    };
    const removed = at.senders.filter((one) => wasThere(one) && !isThere(one));
    add("field_removed", removed);
    const added = at.senders.filter((one) => !wasThere(one) && isThere(one));
    add(required.after ? "required_field_added" : "field_added", added);
    const senders = at.senders.filter((one) => wasThere(one) && isThere(one));
    if (senders.length === 0) return;
    if (required.before !== required.after) add(required.after ? "field_required" : "field_optional", senders);
    if (before.keywords["deprecated"] !== true && after.keywords["deprecated"] === true)
      add("field_deprecated", senders);
    this.#compareInside(schemas, { ...at, senders }, name, ".");
  }

  #compareOthers({ before, after }: Pair<Keywords>, at: At): void {
    if (before["items"] !== undefined || after["items"] !== undefined)
      this.#compareInside({ before: before["items"], after: after["items"] }, at, "[]");
    const [was, is] = [before["additionalProperties"] ?? true, after["additionalProperties"] ?? true];
    if (was !== false && is === false) this.#changes.add("further_fields_refused", at.place, at.senders);
    else if (was === false && is !== false) this.#changes.add("further_fields_allowed", at.place, at.senders);
    else if (isRecord(was) || isRecord(is)) this.#compareInside({ before: was, after: is }, at, "*", ".");
  }
}

const hidden = { client: "readOnly", server: "writeOnly" } as const;

function inside(place: Place, name: string, mark: string): Place {
  const { within } = place;
  const separate = within === "" || within.endsWith(", ") ? "" : mark;
  return { ...place, within: `${within}${separate}${name}` };
}
