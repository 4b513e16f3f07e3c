// The header by which callers read what they have written, or heard of, also where another gateway answers, and reads
// from a replica.
import { DomainError } from "#src/base/errors.ts";
import { readLogPosition, writeLogPosition } from "#src/db/replicas/replicas.ts";
import type { Consistency } from "#src/domain/context.ts";
import { decodeEventCursor, type OutboxPosition } from "#src/events/outbox-position.ts";
import type { Exchange } from "#src/server/http/exchange.ts";

/** Answers to what writes have it, and requests that are to see that send it back; or the cursor of a message. */
const consistencyHeader = "x-docgraph-consistency";

/** What a request is to see, and the way to say what it has written. INVALID_INPUT for what was never sent. */
export function consistencyOf({ request, response }: Pick<Exchange, "request" | "response">): Consistency {
  const sent = request.headers[consistencyHeader];
  const after = sent === undefined ? null : readLogPosition(String(sent));
  const heard = sent === undefined || after !== null ? null : cursorIn(String(sent));
  return { after, heard, tell: (position) => void response.setHeader(consistencyHeader, writeLogPosition(position)) };
}

function cursorIn(text: string): OutboxPosition {
  try {
    return decodeEventCursor(text, consistencyHeader);
  } catch {
    throw new DomainError(
      "INVALID_INPUT",
      `The header ${consistencyHeader} takes what an answer had in it, or the cursor of a message, and nothing else.`,
    );
  }
}
