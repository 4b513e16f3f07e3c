// Runs a command: parses its arguments, and prints its help, progress, output and errors.
import { parseArgs, type ParseArgsConfig } from "node:util";
import { isWrongUse, UsageError } from "#src/base/usage-error.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The values that `parseArgs` returns for these options. */
type Values<Own extends Options> = ReturnType<typeof parseArgs<{ options: Own }>>["values"];

interface Command<Own extends Options> {
  readonly usage: string;
  /** The text of `--help` below the usage. */
  readonly about: string;
  readonly options: Own;
  /** Positional arguments: exactly one, at most one, words that form one, several, or `nothing` (the default). */
  readonly takes?: "one" | "optional" | "words" | "optional-words" | "several" | "nothing";
}

/**
 * Runs a command with the arguments of the process, and prints its output. Exits with 2 for wrong arguments, else 1 if
 * it fails. `work` imports what it needs, so that help and errors of arguments do not load docgraph.
 */
export async function runCommand<Own extends Options>(
  { usage, about, options, takes = "nothing" }: Command<Own>,
  work: (values: Values<Own>, argument: string, several: readonly string[]) => Promise<string | void>,
): Promise<void> {
  try {
    if (asksForHelp()) return void process.stdout.write(`usage: ${usage}\n\n${about}`);
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const argument = positionals.join(" ");
    const isRight = takes.startsWith("optional") || (takes === "nothing") === (argument === "");
    const isOne = takes === "one" || takes === "optional";
    if (!isRight || (isOne && positionals.length > 1)) throw new UsageError(`usage: ${usage}`);
    const text = await work(values, argument, positionals);
    if (text) process.stdout.write(text);
  } catch (error) {
    process.stderr.write(`${await sentenceFor(error)}\n`);
    process.exitCode = isWrongUse(error) ? 2 : 1;
  }
}

async function sentenceFor(error: unknown): Promise<string> {
  if (error instanceof Error && isWrongUse(error)) return error.message;
  // src/run.js prints it: modules that could explain it may be missing, too.
  if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") throw error;
  const { explain } = await import("#src/server/process/start-errors.ts");
  return explain(error);
}

/** Also true beside wrong arguments, since a user who needs help may not know the right ones. */
function asksForHelp(): boolean {
  const options = { help: { type: "boolean", short: "h" } } as const;
  return parseArgs({ options, strict: false }).values.help === true;
}

/** Prints progress to stderr, at most one line per second: stdout has the result alone. */
export function sayProgress(): (sentence: string) => void {
  let last = performance.now();
  return (sentence) => {
    if (performance.now() - last < 1000) return;
    last = performance.now();
    process.stderr.write(`${sentence}\n`);
  };
}

/** A size in megabytes or gigabytes, such as `12.3 MB`. */
export function sizeOf(bytes: number): string {
  const [unit, of] = bytes < 1e9 ? ["MB", 1e6] : ["GB", 1e9];
  return `${(bytes / Number(of)).toFixed(1)} ${unit}`;
}
