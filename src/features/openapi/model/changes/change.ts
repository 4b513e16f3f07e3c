// Changes of an interface, as they are found and kept.
import { effectOf, type RuleName, rules, type Sender } from "#src/features/openapi/model/changes/rules.ts";

/** Something before and after. */
export interface Pair<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** Where something is: an operation or a model, and within it, such as `response 200, application/json, [].name`. */
export interface Place {
  readonly operation: { readonly method: string; readonly path: string } | null;
  readonly model: string | null;
  readonly within: string;
}

/** One change, with the values before and after where it is one of a value. */
export interface SpecChange extends Place {
  readonly rule: RuleName;
  readonly kind: "added" | "removed" | "changed";
  readonly isBreaking: boolean;
  readonly reason: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** All that was found. */
export interface SpecChanges {
  /** The first {@link changeLimit}, in the order of the newer document. */
  readonly changes: readonly SpecChange[];
  readonly count: number;
  readonly breakingCount: number;
  /** False where the documents are so large that not all was compared. */
  readonly isComplete: boolean;
}

/** How many changes are kept. */
const changeLimit = 5_000;

/** How many parts of documents are compared: some seconds. */
const visitLimit = 1_000_000;

const valueLimit = 200;

/** A value before and after, as it is shown. */
interface Values {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Collects changes. */
export class Found {
  readonly #changes: SpecChange[] = [];
  #count = 0;
  #breakingCount = 0;
  #visits = 0;

  /** Counts a visit. False when there were too many: the rest is not to be compared. */
  visit(): boolean {
    return ++this.#visits <= visitLimit;
  }

  /** Adds a change of something that these send. */
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

/** A value as a short text; null where there is none. */
function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === "string" ? value : jsonText(value);
  const stored = text.toWellFormed().replaceAll("\u0000", "");
  return stored.length > valueLimit ? `${stored.slice(0, valueLimit - 1).toWellFormed()}…` : stored;
}

/** Those of one that the other does not have. */
export const without = <Item>(one: Iterable<Item>, other: ReadonlySet<Item>): Item[] =>
  Array.from(one).filter((item) => !other.has(item));

/** JSON by which values are compared and shown; what is too deep for it is like everything of its kind. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    if (error instanceof RangeError) return "…"; // the call stack is full
    throw error;
  }
}
