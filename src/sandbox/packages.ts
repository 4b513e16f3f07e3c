// The packages whose text is evaluated inside the sandbox when a script first uses what they define.
import { readFileSync } from "node:fs";

/** What each package defines, by the name under which the sandbox asks for it. */
export const packageNames = {
  forms: ["FormData", "Blob", "File"],
  streams: ["ReadableStream", "WritableStream", "TransformStream"],
  clone: ["structuredClone"],
} as const;

const addresses: Readonly<Record<string, string>> = {
  forms: import.meta.resolve("formdata-node"),
  streams: import.meta.resolve("web-streams-polyfill"),
  clone: import.meta.resolve("@ungap/structured-clone"),
};

const texts = new Map<string, string>();

/**
 * The text of a module: of a package by its name, such as `clone`, and of a module next to it by the name that QuickJS
 * gives it, such as `clone/serialize.js`. Null for others.
 */
export function packageText(module: string): string | null {
  const [, name = "", file] = /^([a-z]+)(?:\/([a-z]+\.js))?$/.exec(module) ?? [];
  const address = Object.hasOwn(addresses, name) ? addresses[name] : undefined;
  if (address === undefined) return null;
  const text = texts.get(module) ?? readFileSync(new URL(file ?? "", address), "utf8");
  texts.set(module, text);
  return text;
}
