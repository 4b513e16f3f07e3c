// Base64, random bytes and microtasks of scripts; runs inside the sandbox (see surface.ts).
import type { Gate } from "#src/sandbox/surface.ts";

/** Defines `atob` and `btoa`. */
export function addBase64(
  define: (name: string, value: unknown) => void,
  gate: Gate,
  DOMException: new (message?: string, name?: string) => Error,
) {
  const { fromCharCode } = String;
  const invalid = (message: string) => new DOMException(message, "InvalidCharacterError");
  define("btoa", (given: unknown) => {
    const text = String(given);
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 0xff) throw invalid("btoa takes characters up to U+00FF; encode other texts first.");
      bytes[index] = code;
    }
    return gate.base64Of(bytes.buffer);
  });
  define("atob", (given: unknown) => {
    const bytes = gate.bytesOf(String(given));
    if (bytes === null) throw invalid("This is not base64.");
    let text = "";
    for (const byte of new Uint8Array(bytes)) text += fromCharCode(byte);
    return text;
  });
}

/** Defines `queueMicrotask`. */
export function addMicrotasks(define: (name: string, value: unknown) => void) {
  define("queueMicrotask", (callback: unknown) => {
    if (typeof callback !== "function") throw new TypeError("A microtask requires a function.");
    const run = async () => {
      await Promise.resolve();
      callback();
    };
    void run();
  });
}
