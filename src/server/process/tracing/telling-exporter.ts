// Sends spans by another exporter, and says in the log when that fails: once a minute, for a collector may be away for
// long, and what could not be sent is lost.
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";

const everyMs = 60_000;

/** See the head of this file. */
export class TellingExporter implements SpanExporter {
  readonly #inner: SpanExporter;
  readonly #log: Pick<Logger, "warn">;
  #toldAt = -Infinity;
  #lost = 0;

  constructor(inner: SpanExporter, log: Pick<Logger, "warn">) {
    this.#inner = inner;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter["export"]>[1]): void {
    this.#inner.export(spans, (result) => {
      if (result.error) this.#tell(spans.length, result.error);
      done({ code: result.code }); // the error is told here, so that the library does not
    });
  }

  /** Never the error itself, which may hold the address with a password. */
  #tell(count: number, error: Error): void {
    this.#lost += count;
    const now = performance.now();
    if (now - this.#toldAt < everyMs) return;
    const { code } = error as NodeJS.ErrnoException;
    this.#log.warn({ code: code ?? error.name, lost: this.#lost }, "traces cannot be sent to the collector");
    [this.#toldAt, this.#lost] = [now, 0];
  }

  shutdown(): Promise<void> {
    return this.#inner.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.#inner.forceFlush?.() ?? Promise.resolve();
  }
}
