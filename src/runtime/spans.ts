// Spans of tracing. Code with parts worth tracing asks for the current span, which is undefined without tracing.
import { Current } from "#src/runtime/current.ts";

/** Attributes of a span. Never what a caller has sent: no values, no variables, no tokens. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export type SpanKind = "server" | "client" | "internal";

export interface Span {
  begin(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
  /** Ends it, as a failure where one is named. A later end does nothing. */
  end(ended?: { name?: string; attributes?: SpanAttributes; failure?: string | undefined }): void;
  /** What another server is told, so that its spans become parts of this one (W3C Trace Context). */
  readonly traceparent: string;
}

/** Begins spans that are part of none here. */
export interface Tracer {
  /** Undefined where it is not traced. `traceparent` is what the one who asks says of its own span. */
  begin(name: string, kind: SpanKind, asked?: { traceparent?: unknown; attributes?: SpanAttributes }): Span | undefined;
}

const spans = new Current<Span>();

/** The span that what runs now is part of. */
export const currentSpan = (): Span | undefined => spans.value;

/** Runs work as part of a span, where there is one. */
export function within<Result>(span: Span | undefined, work: () => Result): Result {
  return span ? spans.run(span, work) : work();
}

/** Runs work as a span of its own, which ends with it: a part of the one that runs now, or a new one of a tracer. */
export function spanned<Result>(
  { name, attributes, tracer }: { name: string; attributes?: SpanAttributes; tracer?: Tracer | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = spans.value;
  const span = parent
    ? parent.begin(name, "internal", attributes)
    : tracer?.begin(name, "internal", { attributes: attributes ?? {} });
  return span ? runAs(span, work) : work();
}

async function runAs<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await spans.run(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end({ failure: error instanceof Error ? error.name : "Error" }); // a message may hold what was sent
    throw error;
  }
}
