// What the header Accept says of answers in several pieces.
import type { StreamFormName } from "#src/server/event-stream.ts";

/** Media types with their parameters, in small letters and without blanks and quotes. */
const typesIn = (accept: string): string[] => accept.toLowerCase().replaceAll(/[\s"]/g, "").split(",");

const isMixed = (type: string): boolean => /^multipart\/mixed(;|$)/.test(type) && !/;q=0(\.0*)?(;|$)/.test(type);

/** Whether a client takes what is deferred in parts, in the form that is spoken here: it may name that, or none. */
export const acceptsParts = (accept: string): boolean =>
  typesIn(accept).some(
    (type) => isMixed(type) && !type.includes("subscriptionspec") && !type.includes("incrementalspec"),
  );

/** How a client takes a subscription; undefined where it takes none. */
export function streamFormFor(accept: string): StreamFormName | undefined {
  const types = typesIn(accept);
  if (types.some((type) => /^text\/event-stream(;|$)/.test(type))) return "sse";
  return types.some((type) => isMixed(type) && type.includes("subscriptionspec=1.0")) ? "multipart" : undefined;
}
