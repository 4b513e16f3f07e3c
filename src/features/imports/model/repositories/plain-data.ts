// Plain data in the notations of configuration files: JSON with comments, and literals of JavaScript and TOML, which
// are read without running anything. Calls, templates with values and other code become undefined.

/** Anything that JSON can hold, with undefined where the source has code. */
type Plain = unknown;

const deepest = 100;

/** Maximum length of a source, in UTF-16 code units. */
export const longestSource = 1_000_000;

const blank = /(?:\s|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))*/y;
const comments = { script: blank, toml: /(?:\s|#[^\n]*)*/y };
const word = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
const number = /[+-]?(?:0x[\da-f]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w:-])/iy;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "\n": "" };

/** A reader of one literal after the other in a source. */
export class LiteralReader {
  readonly #source: string;
  readonly #blank: RegExp;
  /** Constants of the source by name, as spread or named in literals. */
  readonly #constants: ReadonlyMap<string, Plain>;
  at: number;
  #stuckAt = -1;

  constructor(source: string, of: { at?: number; isToml?: boolean; constants?: ReadonlyMap<string, Plain> } = {}) {
    this.#source = source;
    this.#blank = of.isToml ? comments.toml : comments.script;
    this.#constants = of.constants ?? new Map();
    this.at = of.at ?? 0;
  }

  /** The value at the current position; code that is not a literal is skipped up to the end of the value. */
  value(depth = 0): Plain {
    this.#skip(this.#blank);
    const start = this.at;
    const read = depth > deepest ? undefined : this.#literal(depth);
    const end = this.at;
    this.#skip(this.#blank);
    if (/^(?:as|satisfies)\s/.test(this.#source.slice(this.at, this.at + 10))) {
      this.#rest();
      return read;
    }
    const next = this.#source[this.at];
    const isEnd = next === undefined || ",;]})".includes(next) || this.#source.slice(end, this.at).includes("\n");
    if (end > start && isEnd) return read;
    this.#rest();
    return undefined;
  }

  #literal(depth: number): Plain {
    const character = this.#source[this.at] ?? "";
    if (character === "{") return this.#object(depth);
    if (character === "[") return this.#array(depth);
    if (`"'\``.includes(character) && character !== "") return this.#text(character);
    const digits = this.#take(number);
    if (digits !== null) return Number(digits.replaceAll("_", ""));
    const name = this.#take(word);
    if (name === "true" || name === "false") return name === "true";
    if (name === "null") return null;
    return name === null ? undefined : this.#constants.get(name);
  }

  #array(depth: number): Plain[] {
    const items: Plain[] = [];
    for (this.at++; !this.#ends("]"); this.#next()) {
      if (this.#source.startsWith("...", this.at)) {
        this.at += 3;
        const spread = this.value(depth + 1);
        if (Array.isArray(spread)) items.push(...(spread as Plain[]));
      } else items.push(this.value(depth + 1));
    }
    return items;
  }

  #object(depth: number): Record<string, Plain> {
    const entries: [string, Plain][] = [];
    for (this.at++; !this.#ends("}"); this.#next()) {
      if (this.#source.startsWith("...", this.at)) {
        this.at += 3;
        const spread = this.value(depth + 1);
        if (typeof spread === "object" && spread !== null) entries.push(...Object.entries(spread));
        continue;
      }
      const key = this.#key();
      this.#skip(this.#blank);
      const separator = this.#source[this.at];
      if (key !== null && (separator === ":" || separator === "=")) {
        this.at++;
        entries.push([key, this.value(depth + 1)]);
      } else if (key !== null && separator !== undefined && ",}".includes(separator))
        entries.push([key, this.#constants.get(key)]);
      else this.#rest();
    }
    return Object.fromEntries(entries);
  }

  #key(): string | null {
    const character = this.#source[this.at] ?? "";
    if (`"'`.includes(character) && character !== "") return this.#text(character) ?? null;
    return this.#take(word) ?? this.#take(/\d+/y);
  }

  #text(quote: string): string | undefined {
    const triple = quote.repeat(3);
    const mark = quote !== "`" && this.#source.startsWith(triple, this.at) ? triple : quote;
    let text = "";
    for (this.at += mark.length; this.at < this.#source.length; this.at++) {
      if (this.#source.startsWith(mark, this.at)) {
        this.at += mark.length;
        return quote === "`" && text.includes("${") ? undefined : text.replace(/^\n/, mark === triple ? "" : "\n");
      }
      const character = this.#source[this.at] ?? "";
      if (character === "\\" && !(quote === "'" && this.#blank === comments.toml)) text += this.#escape();
      else text += character;
    }
    return undefined;
  }

  #escape(): string {
    const next = this.#source[++this.at] ?? "";
    const digits = next === "u" ? this.#source.slice(this.at + 1, this.at + 5) : "";
    if (!/^[\da-f]{4}$/i.test(digits)) return escapes[next] ?? next;
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  /** Goes behind the comma of an item, and behind a bracket that does not match. */
  #next(): void {
    this.#skip(this.#blank);
    if (",)".includes(this.#source[this.at] ?? " ")) this.at++;
    else if (this.#stuckAt === this.at) this.at++;
    this.#stuckAt = this.at;
  }

  #ends(bracket: string): boolean {
    this.#skip(this.#blank);
    if (this.at >= this.#source.length) return true;
    if (this.#source[this.at] !== bracket) return false;
    this.at++;
    return true;
  }

  /** Skips code up to the comma or bracket that ends the value around it. */
  #rest(): void {
    let depth = 0;
    for (let moved = false; this.at < this.#source.length; moved = true) {
      const character = this.#source[this.at] ?? "";
      if (depth === 0 && (character === "," || "]})".includes(character)) && moved) return;
      if (depth === 0 && "]})".includes(character)) return;
      if ("[{(".includes(character)) depth++;
      else if ("]})".includes(character)) depth--;
      if (`"'\``.includes(character)) this.#text(character);
      else this.at++;
      this.#skip(/(?:\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))*/y);
    }
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#source)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    this.at += pattern.exec(this.#source)?.[0].length ?? 0;
  }
}

const constant = /^[ \t]*(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=\n]{0,200})?=\s*(?=[[{"'])/gm;
const exported = /^[ \t]*(?:export\s+default|(?:module\.)?exports\s*=|export\s*=)\s*/m;

/** The value that a module of JavaScript or TypeScript exports, as far as it is plain data; JSON as well. */
export function readModule(source: string): unknown {
  const text = source.slice(0, longestSource);
  const constants = new Map<string, unknown>();
  for (const { 0: found, 1: name = "", index } of text.matchAll(constant))
    constants.set(name, new LiteralReader(text, { at: index + found.length, constants }).value());
  const start = exported.exec(text);
  const end = start ? start.index + start[0].length : 0;
  // `defineConfig({ ... })`, `withNextra({ ... })` and the like hand on their first argument
  const call = /^[\w$.]+\s*\(\s*(?=[[{])/.exec(text.slice(end, end + 200))?.[0].length ?? 0;
  return new LiteralReader(text, { at: end + call, constants }).value();
}

const table = /^\s*\[(\[?)\s*([\w."'-]+)\s*\]?\]\s*(?:#.*)?$/;
const pair = /^\s*([\w-]+|"[^"]*"|'[^']*')(?:\.([\w.-]+))?\s*=\s*/;

/** The tables and values of a text in TOML. Dates and what is not valid become their source or are left out. */
export function readToml(source: string): Record<string, unknown> {
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let current = root;
  let at = 0;
  while (at < source.length && at < longestSource) {
    const end = source.indexOf("\n", at);
    const line = source.slice(at, end === -1 ? undefined : end);
    const [, isList, name] = table.exec(line) ?? [];
    const [start, key = "", inner] = pair.exec(line) ?? [];
    if (name !== undefined) current = tableAt(root, name.replaceAll(/["']/g, "").split("."), isList === "[");
    else if (start !== undefined) {
      const reader = new LiteralReader(source, { at: at + start.length, isToml: true });
      const read = reader.value();
      const value =
        read ??
        line
          .slice(start.length)
          .replace(/\s+#.*$/, "")
          .trim();
      const holder = inner === undefined ? current : tableAt(current, [key.replaceAll(/["']/g, "")], false);
      holder[inner ?? key.replaceAll(/["']/g, "")] = value;
      if (read !== undefined) at = reader.at - 1; // it may have several lines
    }
    const next = source.indexOf("\n", at);
    at = next === -1 ? source.length : next + 1;
  }
  return root;
}

function tableAt(from: Record<string, unknown>, names: readonly string[], isList: boolean): Record<string, unknown> {
  let at = from;
  for (const [index, name] of names.entries()) {
    const known = Object.hasOwn(at, name) ? at[name] : undefined;
    const inner = Array.isArray(known) ? (known.at(-1) as unknown) : known;
    const isNew = typeof inner !== "object" || inner === null || (isList && index === names.length - 1);
    const made: Record<string, unknown> = isNew
      ? (Object.create(null) as Record<string, unknown>)
      : (inner as Record<string, unknown>);
    if (isNew) at[name] = isList && index === names.length - 1 ? [...(Array.isArray(known) ? known : []), made] : made;
    at = made;
  }
  return at;
}
