// Which requests are traced, by the rules of OpenTelemetry: decided before anything is made of a request.
import { ROOT_CONTEXT, SamplingDecision } from "@opentelemetry/api";
import { TraceIdRatioBasedSampler } from "@opentelemetry/sdk-trace";

/** What the one who asks says of its own trace. */
interface Parent {
  readonly traceId: string;
  readonly traceFlags: number;
}

/** How many requests are traced in a second since their callers say so: whoever may ask could have all traced else. */
const mostAsked = 10;

/** See the head of this file. */
export class Sampler {
  readonly #ratio: number;
  readonly #isParentBased: boolean;
  readonly #byTraceId: TraceIdRatioBasedSampler;
  readonly #now: () => number;
  /** How many were traced since their callers said so, in which second. */
  #asked = { second: 0, count: 0 };

  /** `now` answers milliseconds. */
  constructor({ ratio, isParentBased = true }: { ratio: number; isParentBased?: boolean }, now = Date.now) {
    this.#ratio = ratio;
    this.#isParentBased = isParentBased;
    this.#byTraceId = new TraceIdRatioBasedSampler(ratio);
    this.#now = now;
  }

  /**
   * Whether a request is traced. Its caller decides, where it may, as long as not too many do; else chance, or what the
   * id of its trace says, which is the same everywhere.
   */
  takes(parent: Parent | null): boolean {
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
