// OpenTelemetry traces, sent to a collector. Which requests are traced is decided first, so that all others cost
// nothing; only loaded if a collector is configured.
import {
  ROOT_CONTEXT,
  SamplingDecision,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type * as base from "#src/runtime/spans.ts";

interface TracingOptions {
  /** The address of the collector; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  /** Sent with the spans; they may contain a key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly version: string;
  /** The part of the requests that is traced, from 0 to 1. */
  readonly ratio: number;
  /** Whether requests with a trace follow the sampling of their caller, as they do by default. */
  readonly isParentBased?: boolean;
  readonly log: Pick<Logger, "warn">;
  /** How long, in milliseconds, spans are batched; by default a second. */
  readonly gatherMs?: number;
  /** How long, in milliseconds, the stop waits for unsent spans: the collector may be unreachable. */
  readonly flushMs?: number;
}

/** How long the collector may take for one batch, in milliseconds. */
const exportMs = 5_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

export class Tracing implements base.Tracer {
  readonly #tracer: Tracer;
  readonly #provider: TracerProvider;
  readonly #sampler: Sampler;
  readonly #flushMs: number;

  constructor(options: TracingOptions) {
    const { endpoint, headers, serviceName, version, log, gatherMs = 1_000, flushMs = 2_000 } = options;
    this.#flushMs = flushMs;
    const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
    const sender = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: exportMs });
    const exporter = new TellingExporter(sender, log);
    this.#sampler = new Sampler(options);
    this.#provider = new TracerProvider({
      sampler: new AlwaysOnSampler(), // only traced requests create spans
      resource: resourceFromAttributes({ "service.name": serviceName, "service.version": version }),
      spanLimits: { attributeValueLengthLimit: 4_000 },
      spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: gatherMs })],
    });
    this.#tracer = this.#provider.getTracer("docgraph", version);
  }

  begin(
    name: string,
    kind: base.SpanKind,
    { traceparent, attributes = {} }: { traceparent?: unknown; attributes?: base.SpanAttributes } = {},
  ): base.Span | undefined {
    const parent = readTraceparent(traceparent);
    if (!this.#sampler.takes(parent))
      return parent ? new PassedSpan(`00-${parent.traceId}-${parent.spanId}-00`) : undefined;
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    return new RecordedSpan(this.#tracer, span);
  }

  /** Sends the remaining spans, but does not wait for it for long. */
  async stop(): Promise<void> {
    const ended = Promise.withResolvers<void>();
    const timer = setTimeout(ended.resolve, this.#flushMs);
    await Promise.race([this.#provider.shutdown().catch(() => {}), ended.promise]);
    clearTimeout(timer);
  }
}

class RecordedSpan implements base.Span {
  readonly #tracer: Tracer;
  readonly #span: OtelSpan;

  constructor(tracer: Tracer, span: OtelSpan) {
    this.#tracer = tracer;
    this.#span = span;
  }

  get traceparent(): string {
    const { traceId, spanId } = this.#span.spanContext();
    return `00-${traceId}-${spanId}-01`;
  }

  begin(name: string, kind: base.SpanKind, attributes: base.SpanAttributes = {}): base.Span {
    const context = trace.setSpan(ROOT_CONTEXT, this.#span);
    return new RecordedSpan(this.#tracer, this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, context));
  }

  end({ name, attributes, failure }: Parameters<base.Span["end"]>[0] = {}): void {
    if (!this.#span.isRecording()) return;
    if (name !== undefined) this.#span.updateName(name);
    if (attributes) this.#span.setAttributes(attributes);
    if (failure !== undefined) this.#span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    this.#span.end();
  }
}

/** The span of an unsampled trace: it is only passed on, so that other servers do not sample it either. */
class PassedSpan implements base.Span {
  readonly traceparent: string;

  constructor(traceparent: string) {
    this.traceparent = traceparent;
  }

  begin(): base.Span {
    return this;
  }

  end(): void {}
}

/** Parses a header `traceparent` (https://www.w3.org/TR/trace-context/#traceparent-header); null if invalid. */
function readTraceparent(given: unknown) {
  const match = typeof given === "string" ? /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(given) : null;
  const [, traceId = "", spanId = "", flags = ""] = match ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

const everyMs = 60_000;

/** Logs failures to send spans, once a minute: a collector may be unreachable for long, and such spans are lost. */
class TellingExporter implements SpanExporter {
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
      done({ code: result.code }); // reported here, so that the library does not
    });
  }

  /** Without the error itself, which may contain the address with a password. */
  #tell(count: number, error: Error): void {
    this.#lost += count;
    const now = performance.now();
    if (now - this.#toldAt < everyMs) return;
    const { code } = error as NodeJS.ErrnoException;
    this.#log.warn({ code: code ?? error.name, lost: this.#lost }, "could not send traces to the collector");
    [this.#toldAt, this.#lost] = [now, 0];
  }

  shutdown(): Promise<void> {
    return this.#inner.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.#inner.forceFlush?.() ?? Promise.resolve();
  }
}

/** How many requests per second are traced at their callers' request: otherwise any caller could have all traced. */
const mostAsked = 10;

/** Decides by the rules of OpenTelemetry which requests are traced, before anything is made of a request. */
export class Sampler {
  readonly #ratio: number;
  readonly #isParentBased: boolean;
  readonly #byTraceId: TraceIdRatioBasedSampler;
  readonly #now: () => number;
  /** How many were traced at their callers' request, in which second. */
  #asked = { second: 0, count: 0 };

  /** `now` returns milliseconds. */
  constructor({ ratio, isParentBased = true }: { ratio: number; isParentBased?: boolean }, now = Date.now) {
    this.#ratio = ratio;
    this.#isParentBased = isParentBased;
    this.#byTraceId = new TraceIdRatioBasedSampler(ratio);
    this.#now = now;
  }

  /** The caller decides, within the limit; otherwise chance, or the trace id, with the same result everywhere. */
  takes(parent: { readonly traceId: string; readonly traceFlags: number } | null): boolean {
    if (!parent) return Math.random() < this.#ratio;
    if (this.#isParentBased) {
      if ((parent.traceFlags & 1) === 0) return false;
      if (this.#isAskedSeldom()) return true;
    }
    const { decision } = this.#byTraceId.shouldSample(ROOT_CONTEXT, parent.traceId);
    return decision === SamplingDecision.RECORD_AND_SAMPLED;
  }

  #isAskedSeldom(): boolean {
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#asked.second) this.#asked = { second, count: 0 };
    return this.#asked.count++ < mostAsked;
  }
}
