// How a command runs: its arguments, its help, what it prints, and how it fails.
import { parseArgs, type ParseArgsConfig } from "node:util";
import { explain, isWrongUse, UsageError } from "#src/server/process/start-errors.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** What `parseArgs` reads by these options. */
type Values<Own extends Options> = ReturnType<typeof parseArgs<{ options: Own }>>["values"];

interface Command<Own extends Options> {
  /** How it is called, in one line. */
  readonly usage: string;
  /** What it does and takes: what `--help` says beside the usage. */
  readonly about: string;
  readonly options: Own;
  /**
   * What it takes beside its options: one argument, words that make one together, several arguments, or nothing, which
   * is the default.
   */
  readonly takes?: "one" | "words" | "several" | "nothing";
}

/**
 * Runs a command with the arguments of the process, and prints what `work` answers. The exit code is 2 for wrong
 * arguments, and 1 where it fails; then what a person can mend stands in the errors.
 */
export async function runCommand<Own extends Options>(
  { usage, about, options, takes = "nothing" }: Command<Own>,
  work: (values: Values<Own>, argument: string, several: readonly string[]) => Promise<string | void>,
): Promise<void> {
  try {
    if (asksForHelp()) return void process.stdout.write(`usage: ${usage}\n\n${about}`);
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const argument = positionals.join(" ");
    const isRight = takes === "nothing" ? argument === "" : argument !== "";
    if (!isRight || (takes === "one" && positionals.length > 1)) throw new UsageError(`usage: ${usage}`);
    const text = await work(values, argument, positionals);
    if (text) process.stdout.write(text);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = isWrongUse(error) ? 2 : 1;
  }
}

/** Also beside wrong arguments: who asks for help may not know them. */
function asksForHelp(): boolean {
  const options = { help: { type: "boolean", short: "h" } } as const;
  return parseArgs({ options, strict: false }).values.help === true;
}
