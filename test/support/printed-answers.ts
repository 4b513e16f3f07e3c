// Compares an answer with the one that a page prints, where `…` matches any text.

const patternOf = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", "[^]*?");

const plain = (text: string) => text.replaceAll("\r\n", "\n").trim();

export const isPrinted = (text: string, printed: string): boolean =>
  new RegExp(`^${patternOf(plain(printed))}$`).test(plain(text));

/** For streams, which also have lines that only show that the connection works. */
export const includesPrinted = (text: string, printed: string): boolean =>
  new RegExp(patternOf(plain(printed))).test(plain(text));

/**
 * What of a JSON value is printed: without the properties that are left out, and with `…` where that is printed. It
 * equals what is printed where the answer is as printed.
 */
export function asPrinted(value: unknown, printed: unknown): unknown {
  if (typeof printed === "string" && typeof value === "string") return isPrinted(value, printed) ? printed : value;
  if (printed === "…") return printed;
  if (Array.isArray(printed) && Array.isArray(value)) {
    const isCut = printed.at(-1) === "…";
    const items = isCut ? value.slice(0, printed.length - 1) : value;
    return [...items.map((item, index) => asPrinted(item, printed[index])), ...(isCut ? ["…"] : [])];
  }
  if (!isRecord(printed) || !isRecord(value)) return value;
  return Object.fromEntries(Object.keys(printed).map((key) => [key, asPrinted(value[key], printed[key])]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
