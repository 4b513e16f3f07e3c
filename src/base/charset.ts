// The charset of a request body by its Content-Type (RFC 9110, 8.3.2): bodies are read as UTF-8 alone.
import { DomainError } from "#src/base/errors.ts";

/** A parameter of a media type: its name, and its value, quoted or not. */
const parameter = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;

/** `utf8` is not a registered name, but clients that send it mean UTF-8. */
const supported = /^utf-?8$/i;

/** Throws UNSUPPORTED_MEDIA_TYPE if a media type names a charset other than UTF-8. */
export function requireUtf8(contentType: string): void {
  if (!contentType.includes(";")) return;
  for (const [, name = "", quoted, bare = ""] of contentType.matchAll(parameter)) {
    const value = (quoted ?? bare).replaceAll(/\\(.)/gs, "$1");
    if (name.toLowerCase() === "charset" && !supported.test(value))
      throw new DomainError(
        "UNSUPPORTED_MEDIA_TYPE",
        "`Content-Type` must not name a charset other than utf-8: send the body in UTF-8.",
      );
  }
}
