// The part of PromQL that the alerts use, over two scrapes: rates and increases are the difference between them.
import { readMetrics, type Sample } from "#test/support/metrics.ts";

export interface Scrapes {
  readonly before: string;
  readonly after: string;
}

/** A value by its labels, as text. */
type Vector = ReadonlyMap<string, number>;

const aggregations = {
  sum: (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0),
  max: (values: readonly number[]) => Math.max(...values),
  min: (values: readonly number[]) => Math.min(...values),
};

/** The samples of an alert: it is active if there is one. Throws for an expression that it does not know. */
export function activeBy(expr: string, scrapes: Scrapes): number[] {
  const [, absent] = /^absent\((\w+)\)$/.exec(expr) ?? [];
  if (absent !== undefined) return valuesOf(select(absent, scrapes.after)).length === 0 ? [1] : [];
  const [, left = "", operator, limit] = /^(.+) (>|==) ([\d.]+)$/.exec(expr) ?? [];
  const values = valuesOf(vectorOf(left, scrapes));
  return values.filter((value) => (operator === ">" ? value > Number(limit) : value === Number(limit)));
}

const valuesOf = (vector: Vector): number[] => [...vector.values()];

function vectorOf(expr: string, scrapes: Scrapes): Vector {
  const [dividend, divisor] = expr.split(" / ");
  if (dividend !== undefined && divisor !== undefined) {
    const [all] = valuesOf(vectorOf(divisor, scrapes));
    return new Map([...vectorOf(dividend, scrapes)].map(([key, value]) => [key, value / (all ?? 0)]));
  }
  const [, quantile, buckets = ""] = /^histogram_quantile\(([\d.]+), (.+)\)$/.exec(expr) ?? [];
  if (quantile !== undefined) return new Map([["", quantileOf(Number(quantile), vectorOf(buckets, scrapes))]]);
  const [, name, by = "", inner = ""] = /^(sum|max|min) ?(?:by \((\w+)\) )?\((.+)\)$/.exec(expr) ?? [];
  if (name !== "sum" && name !== "max" && name !== "min") throw new Error(`Unknown expression: ${expr}`);
  const groups = Map.groupBy(samplesOf(inner, scrapes), ({ labels }) => labels[by] ?? "");
  return new Map([...groups].map(([key, of]) => [key, aggregations[name](of.map(({ value }) => value))]));
}

function samplesOf(expr: string, { before, after }: Scrapes): Sample[] {
  const [, selector] = /^(?:rate|increase)\((.+)\[\w+\]\)$/.exec(expr) ?? [];
  if (selector === undefined) return matching(expr, after);
  const earlier = select(selector, before);
  return matching(selector, after).map((sample) => ({
    ...sample,
    value: sample.value - (earlier.get(JSON.stringify(sample.labels)) ?? 0),
  }));
}

const select = (selector: string, text: string): Vector =>
  new Map(matching(selector, text).map(({ labels, value }) => [JSON.stringify(labels), value]));

function matching(selector: string, text: string): Sample[] {
  const [, name, conditions = ""] = /^(\w+)(?:\{(.+)\})?$/.exec(selector) ?? [];
  const all = [...conditions.matchAll(/(\w+)(=~|!=)"([^"]+)"/g)].map(([, label = "", operator, value = ""]) => {
    const pattern = new RegExp(`^(?:${value})$`);
    return (labels: Sample["labels"]) => pattern.test(labels[label] ?? "") === (operator === "=~");
  });
  return readMetrics(text).filter((sample) => sample.name === name && all.every((is) => is(sample.labels)));
}

/** The upper bound of the bucket of a quantile. */
function quantileOf(quantile: number, buckets: Vector): number {
  const sorted = [...buckets].map(([le, count]) => [le === "+Inf" ? Infinity : Number(le), count] as const);
  sorted.sort(([one], [other]) => one - other);
  const rank = quantile * (sorted.at(-1)?.[1] ?? 0);
  return rank === 0 ? 0 : (sorted.find(([, count]) => count >= rank)?.[0] ?? 0);
}
