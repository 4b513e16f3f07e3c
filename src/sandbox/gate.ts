// The boundary between a script and its thread: texts, numbers and bytes are checked and copied; no object crosses.
import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";

const algorithms: ReadonlyMap<string, string> = new Map(
  ["SHA-1", "SHA-256", "SHA-384", "SHA-512"].map((name) => [name, name.replace("-", "").toLowerCase()]),
);
const maxText = 32_000_000;
const mostRandom = 65_536;

/** Reads a value out of the sandbox; a value of another type is read as null. */
export function valueOf(vm: QuickJSContext, handle: QuickJSHandle): string | number | boolean | Uint8Array | null {
  const type = vm.typeof(handle);
  if (type === "number") return vm.getNumber(handle);
  if (type === "boolean") return vm.dump(handle) === true;
  if (type === "string") {
    const length = vm.getProp(handle, "length").consume((value) => vm.getNumber(value));
    return length > maxText ? null : vm.getString(handle);
  }
  return type === "object" ? bytesOf(vm, handle) : null;
}

function bytesOf(vm: QuickJSContext, handle: QuickJSHandle): Uint8Array | null {
  try {
    return vm.getArrayBuffer(handle).consume(({ value }) => Uint8Array.from(value));
  } catch {
    return null;
  }
}

/** Passes a string, a number, a boolean or bytes into the sandbox; anything else becomes null. */
export function handleOf(vm: QuickJSContext, value: unknown): QuickJSHandle {
  if (typeof value === "string") return vm.newString(value);
  if (typeof value === "number") return vm.newNumber(value);
  if (typeof value === "boolean") return value ? vm.true : vm.false;
  return value instanceof Uint8Array ? vm.newArrayBuffer(Uint8Array.from(value).buffer) : vm.null;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const bytes = (value: unknown): Uint8Array => (value instanceof Uint8Array ? value : new Uint8Array());

/** The functions that need only their arguments. */
export const pureFunctions: Readonly<Record<string, (...values: readonly unknown[]) => string | Uint8Array | null>> = {
  encode: (value) => Buffer.from(textIn(text(value))), // as JSON: a NUL would end the text at the boundary
  decode: (value, isFatal) => decoded(bytes(value), isFatal === true),
  digest: (algorithm, value) => {
    const name = algorithms.get(text(algorithm));
    return name === undefined ? null : createHash(name).update(bytes(value)).digest();
  },
  hmac: (algorithm, key, value) => {
    const name = algorithms.get(text(algorithm));
    return name === undefined ? null : createHmac(name, bytes(key)).update(bytes(value)).digest();
  },
  uuid: () => randomUUID(),
  random: (length) => randomBytes(Math.min(Number(length) || 0, mostRandom)),
  base64Of: (value) => Buffer.from(bytes(value)).toString("base64"),
  bytesOf: (value) => bytesOfBase64(text(value)),
  address: (value, base, part, to) => address(text(value), base, part, text(to)),
};

function textIn(json: string): string {
  const value: unknown = JSON.parse(json);
  return text(value);
}

function decoded(value: Uint8Array, isFatal: boolean): string | null {
  try {
    return JSON.stringify(new TextDecoder("utf-8", { fatal: isFatal }).decode(value));
  } catch {
    return null;
  }
}

/** By the forgiving decoding of the Infra standard: blanks are left out, and padding may be missing. */
function bytesOfBase64(value: string): Uint8Array | null {
  const plain = value.replaceAll(/[\t\n\f\r ]/g, "");
  const bare = plain.length % 4 === 0 ? plain.replace(/={1,2}$/, "") : plain;
  return /^[A-Za-z0-9+/]*$/.test(bare) && bare.length % 4 !== 1 ? Buffer.from(bare, "base64") : null;
}

const parts = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port"] as const;
const laterParts = ["pathname", "search", "hash"] as const;

function address(value: string, base: unknown, part: unknown, to: string): string | null {
  const url = URL.parse(value, typeof base === "string" ? base : undefined);
  if (!url) return null;
  const settable = [...parts, ...laterParts].find((name) => name === part);
  if (settable !== undefined && settable !== "origin" && !set(url, settable, to)) return null;
  return JSON.stringify(Object.fromEntries([...parts, ...laterParts].map((name) => [name, url[name]])));
}

function set(url: URL, part: Exclude<(typeof parts)[number] | (typeof laterParts)[number], "origin">, to: string) {
  try {
    url[part] = to;
    return true;
  } catch {
    return false; // `href` is the only property that throws
  }
}
