// Tracing spans. Code worth tracing uses the current span, which is undefined without tracing.
import { Current } from "#src/runtime/current.ts";

/** Attributes of a span. Never input of a caller: no values, no variables, no tokens. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export type SpanKind = "server" | "client" | "internal";

export interface Span {
  begin(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
  /** Ends it, with a failure if given. A second end has no effect. */
  end(ended?: { name?: string; attributes?: SpanAttributes; failure?: string | undefined }): void;
  /** The header for requests to other servers, so that their spans join this trace (W3C Trace Context). */
  readonly traceparent: string;
}

/** Starts root spans. */
export interface Tracer {
  /** Undefined if not traced. `traceparent` is the header of the caller. */
  begin(name: string, kind: SpanKind, asked?: { traceparent?: unknown; attributes?: SpanAttributes }): Span | undefined;
}

const spans = new Current<Span>();

/** The span of the current async context. */
export const currentSpan = (): Span | undefined => spans.value;

/** Runs work as part of a span, if there is one. */
export function within<Result>(span: Span | undefined, work: () => Result): Result {
  return span ? spans.run(span, work) : work();
}

/** Runs work as a span, which ends with it: a child of the current one, or a root span of a tracer. */
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
    span.end({ failure: error instanceof Error ? error.name : "Error" }); // a message may contain input
    throw error;
  }
}
