// What a parsed JSON value is, and how places in it are named.

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The name of a property as a step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The name of a property in a step of a JSON pointer. */
export function pointerName(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
