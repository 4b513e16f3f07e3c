// The texts of errors: the `stack` of each begins with its name and message; runs inside the sandbox (see surface.ts).

interface Frame {
  getFunctionName(): string | null;
  getFileName(): string | null;
  getLineNumber(): number;
  getColumnNumber(): number;
  isNative(): boolean;
}

interface ErrorsOfEngine {
  prepareStackTrace?: unknown;
  stackTraceLimit?: unknown;
}

/**
 * Has the engine make the `stack` of all errors, its own included, as other engines do, from the frames of the script.
 * The hooks are removed afterwards: scripts see no frames.
 */
export function addStacks(errors: ErrorsOfEngine) {
  const text = String;
  const frameOf = (site: Frame) => {
    const place = site.isNative()
      ? "native"
      : `${site.getFileName()}:${site.getLineNumber()}:${site.getColumnNumber()}`;
    const name = site.getFunctionName();
    return name === null || name === "" ? `    at ${place}` : `    at ${name} (${place})`;
  };
  errors.prepareStackTrace = (error: Error, sites: Frame[]) => {
    let stack = text(error.name);
    if (error.message !== "") stack += `: ${text(error.message)}`;
    for (let index = 0; index < sites.length; index += 1) {
      const site = sites[index];
      if (site && site.getFileName() !== "world.js") stack += `\n${frameOf(site)}`;
    }
    return stack;
  };
  delete errors.prepareStackTrace;
  delete errors.stackTraceLimit;
}

/** Makes the function that formats any value as a short text: for a log line, or an error with its causes. */
export function makeDescribe(maxLength: number) {
  const { stringify } = JSON;
  const { isArray } = Array;
  const mostCauses = 5;
  const mostLines = 7;
  const cut = (value: unknown) => (typeof value === "string" ? value : "").slice(0, maxLength);
  /** The stack, which a script may have written, below the name and message, which it may have changed since. */
  const textOf = (error: Error) => {
    const [name, message] = [cut(error.name), cut(error.message)];
    const head = message === "" ? name : `${name}: ${message}`;
    const lines = cut(error.stack).split("\n");
    let frames = "";
    for (let index = 0, kept = 1; index < lines.length && kept < mostLines; index += 1)
      if (cut(lines[index]).startsWith("    at ")) {
        frames += `\n${lines[index]}`;
        kept += 1;
      }
    return head + frames;
  };
  const errorOf = (error: Error, depth: number): string => {
    let text = textOf(error);
    const { cause, errors } = error as { cause?: unknown; errors?: unknown };
    if (depth >= mostCauses) return text;
    if (cause !== undefined) text += `\nCaused by: ${plain(cause, depth + 1)}`;
    if (isArray(errors))
      for (let index = 0; index < errors.length && index < mostCauses; index += 1)
        text += `\nOne of them: ${plain(errors[index], depth + 1)}`;
    return text;
  };
  const plain = (value: unknown, depth: number): string => {
    if (typeof value === "string") return cut(value);
    if (value instanceof Error) return cut(errorOf(value, depth));
    if (typeof value !== "object" || value === null) return cut(String(value));
    return cut(stringify(value));
  };
  return (value: unknown): string => {
    try {
      return plain(value, 0);
    } catch {
      return "a value that cannot be shown";
    }
  };
}
