// Changes of an interface, and their collection within limits.
import { effectOf, type RuleName, rules, type Sender } from "#src/features/openapi/model/changes/rules.ts";

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
