// A series of /metrics, declared by the part of the gateway that it measures.

export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A gauge, or a counter if its name ends with `_total`. */
export interface Series {
  readonly name: `docgraph_${string}`;
  readonly help: string;
  readonly labels?: readonly string[];
  /** The value for several workers, of one for each; the sum by default. */
  readonly ofWorkers?: "max" | "min";
  /** Reads it, at each request to /metrics. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** The samples of a series without labels; empty for an unknown value. */
export const sampleOf = (value: number | null | undefined): readonly Sample[] => (value == null ? [] : [[{}, value]]);

/** A series whose only label is the key of an entry. */
export const samplesBy = (label: string, values: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(values).map(([key, value]) => [{ [label]: key }, value] as const);
