// A client of server-sent events that returns the fields of each event, parsed as the EventSource specification says.

export interface ServerSentEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

export interface EventStreamClient {
  readonly response: Response;
  /** The next event; null at the end. Skips comments. */
  next(): Promise<ServerSentEvent | null>;
  close(): Promise<void>;
}

/** Opens a stream. */
export async function openEventStream(
  url: string,
  init: RequestInit & { headers: Record<string, string> },
): Promise<EventStreamClient> {
  const abort = new AbortController();
  const response = await fetch(url, {
    ...init,
    headers: Object.assign({ accept: "text/event-stream" }, init.headers),
    signal: abort.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";

  async function block(): Promise<string | null> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end !== -1) {
        const found = text.slice(0, end);
        text = text.slice(end + 2);
        return found;
      }
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return null;
      text += chunk.value;
    }
  }

  return {
    response,
    async next() {
      for (;;) {
        const found = await block();
        if (found === null) return null;
        const fields = new Map(
          found.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
        );
        const event = fields.get("event");
        if (event !== undefined) return { event, id: fields.get("id"), data: fields.get("data") ?? "" };
      }
    },
    async close() {
      abort.abort();
      await reader?.cancel().catch(() => {}); // it ends with the abort
    },
  };
}
