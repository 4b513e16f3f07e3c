// Reads the body of an HTTP request, with the one limit that every transport shares.
import type { IncomingMessage } from "node:http";
import { requireUtf8 } from "#src/base/charset.ts";
import { DomainError } from "#src/base/errors.ts";

/** The largest request body in bytes (1 MB), unless a route sets another limit. */
export const bodyLimit = 1_000_000;

/** Throws TOO_LARGE beyond `limit` (the rest is dropped: the connection stays usable), INVALID_INPUT if truncated. */
export function readBody(request: IncomingMessage, limit: number = bodyLimit): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > limit) {
    request.resume();
    return Promise.reject(tooLarge(limit));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      request.off("data", take).resume();
      reject(tooLarge(limit));
    };
    request.on("data", take);
    request.once("end", () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once("error", () => reject(bodyCutOff()));
  });
}

/** The fields of a submitted form. Throws as {@link readBody} does, and UNSUPPORTED_MEDIA_TYPE. */
export async function readForm(request: IncomingMessage, limit: number): Promise<URLSearchParams> {
  requireUtf8(request.headers["content-type"] ?? "");
  return new URLSearchParams((await readBody(request, limit)).toString("utf8"));
}

export const bodyCutOff = (): DomainError =>
  new DomainError("INVALID_INPUT", "The body ended before its declared length. Send the request again.");

const tooLarge = (limit: number): DomainError =>
  new DomainError("TOO_LARGE", `The body must not exceed ${limit} bytes.`);
