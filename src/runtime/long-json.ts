// JSON of large data: serialized, and measured, with pauses.
// Not @discoveryjs/json-ext: it takes twice as long, and measures without pauses, which blocks the process.
import { isPauseDue, pause } from "#src/runtime/yielding.ts";

/** The most values and characters that are serialized at once; and about as many that are encoded at once. */
const [mostValues, mostCharacters, pieceLength] = [5_000, 262_144, 262_144];

interface Open {
  readonly of: object;
  /** The names of an object; null for an array. */
  readonly names: readonly string[] | null;
  next: number;
}

/** The UTF-8 of `JSON.stringify` of plain data, in pieces, each short enough not to block. */
export async function longJson(data: unknown): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  const open: Open[] = [];
  let text = "";
  const write = (value: unknown): void => {
    if (isSmall(value)) {
      text += JSON.stringify(value) ?? "null";
      return;
    }
    const of = value as object; // an object or array
    const names = Array.isArray(of) ? null : Object.keys(of);
    text += names ? "{" : "[";
    open.push({ of, names, next: 0 });
  };
  write(data);
  for (let innermost = open.at(-1); innermost; innermost = open.at(-1)) {
    if (text.length > pieceLength) {
      pieces.push(Buffer.from(text));
      text = "";
      if (isPauseDue()) await pause();
    }
    const { of, names } = innermost;
    const index = innermost.next++;
    if (index === (names ?? (of as unknown[])).length) {
      text += names ? "}" : "]";
      open.pop();
      continue;
    }
    const name = names?.[index];
    text += `${index > 0 ? "," : ""}${name === undefined ? "" : `${JSON.stringify(name)}:`}`;
    write(Reflect.get(of, name ?? index));
  }
  pieces.push(Buffer.from(text));
  return pieces;
}

/** Whether a value is primitive, or so small that it can be serialized at once. */
function isSmall(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  let [values, characters] = [0, 0];
  const inside: object[] = [value];
  for (let next = inside.pop(); next; next = inside.pop()) {
    const items: unknown[] = Array.isArray(next) ? next : Object.values(next);
    values += items.length;
    if (values > mostValues) return false;
    for (const item of items) {
      if (typeof item === "string") characters += item.length;
      else if (typeof item === "object" && item !== null) inside.push(item);
    }
    if (characters > mostCharacters) return false;
  }
  return true;
}

/** The number of characters of all texts in plain data. Stops counting beyond `limit`. */
export function textLength(data: unknown, limit: number): Promise<number> {
  return sumOf(data, (value) => (typeof value === "string" ? value.length : 0), limit);
}

/** The approximate number of bytes of plain data as JSON, without escapes. */
export function jsonLength(data: unknown): Promise<number> {
  const besides = 6; // quotes, a colon and a comma, or the digits of a number
  const bytesOf = (value: unknown) => (typeof value === "string" ? Buffer.byteLength(value) : 0);
  return sumOf(data, (value, name) => besides + name.length + bytesOf(value));
}

/** The sum over all values, each with its name in its object; stops beyond `limit`. */
async function sumOf(data: unknown, weigh: (value: unknown, name: string) => number, limit = Infinity) {
  let sum = weigh(data, "");
  const inside = [data];
  while (inside.length > 0 && sum <= limit) {
    const next = inside.pop();
    if (typeof next !== "object" || next === null) continue;
    if (isPauseDue()) await pause();
    for (const name in next) {
      const item = (next as Record<string, unknown>)[name];
      sum += weigh(item, Array.isArray(next) ? "" : name);
      if (typeof item === "object" && item !== null) inside.push(item);
    }
  }
  return sum;
}
