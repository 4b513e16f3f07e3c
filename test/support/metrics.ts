// A parser of the Prometheus text format of /metrics.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples of a text. Throws for an invalid line. */
export function readMetrics(text: string): Sample[] {
  return text.split("\n").flatMap((line) => {
    if (line === "" || line.startsWith("# HELP ") || line.startsWith("# TYPE ")) return [];
    const [, name, labels = "", value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`Invalid metrics line: ${line}`);
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) => [key, text]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

/** The names of all series of a text, with or without samples. */
export function declaredIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram|summary)$/gm)].map(([, name = ""]) => name);
}

/** The sum of the samples with this name and labels; undefined without samples. */
export function sumOf(samples: readonly Sample[], name: string, labels: Sample["labels"] = {}): number | undefined {
  const found = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
