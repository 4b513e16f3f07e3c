// A series of /metrics, as the part of the gateway that it is about declares it.

export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A gauge, or a counter where its name ends with `_total`. */
export interface Series {
  readonly name: `docgraph_${string}`;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Reads it, each time that somebody asks for /metrics. */
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** The samples of a series that has no labels; none for a value that is not known. */
export const sampleOf = (value: number | null | undefined): readonly Sample[] => (value == null ? [] : [[{}, value]]);

/** A series whose one label is the key of an entry. */
export const samplesBy = (label: string, values: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(values).map(([key, value]) => [{ [label]: key }, value] as const);
