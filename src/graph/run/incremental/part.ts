// The later parts of a response, and when each can be sent: after its parent, if its path exists there.
import type { GraphQLError } from "graphql";

type Keys = readonly (string | number)[];

interface At {
  readonly kind: "object" | "items";
  readonly path: Keys;
  readonly label?: string | undefined;
}

/** The payload of a part, in the format of 2022 that clients support. */
export interface SentPart {
  readonly data?: unknown;
  readonly items?: unknown;
  readonly path: Keys;
  readonly label?: string;
  readonly errors?: readonly GraphQLError[];
}

/** One part; the first one is the initial result. */
export class Part {
  readonly errors: GraphQLError[] = [];
  readonly #at: At;
  readonly #parent: Part | null;
  #value: unknown;
  #state: "running" | "settled" | "sent" | "dropped" = "running";

  constructor(at: At, parent: Part | null) {
    this.#at = at;
    this.#parent = parent;
  }

  /** Whether it is not settled yet. A failed part is settled, though some of its work may still run. */
  get isRunning(): boolean {
    return this.#state === "running";
  }

  /** Its payload; null if something below it has failed. */
  settle(value: unknown): void {
    this.#value = value;
    if (this.#state === "running") this.#state = "settled";
  }

  /** Whether it waits neither for itself nor for the part that it depends on. */
  get isDue(): boolean {
    const before = this.#parent ? this.#parent.#state : undefined;
    return before === "dropped" || (this.#state === "settled" && (before === undefined || before === "sent"));
  }

  /** Its payload; null if its path does not exist. */
  take(): SentPart | null {
    if (!this.#hasPlace) {
      this.#state = "dropped";
      return null;
    }
    this.#state = "sent";
    const { kind, path, label } = this.#at;
    return {
      ...(kind === "items" ? { items: this.#value } : { data: this.#value }),
      path,
      ...(label !== undefined && { label }),
      ...(this.errors.length > 0 && { errors: this.errors }),
    };
  }

  get #hasPlace(): boolean {
    if (!this.#parent) return true;
    if (this.#parent.#state === "dropped") return false;
    const { kind, path } = this.#at;
    return this.#parent.#holds(kind === "items" ? path.slice(0, -1) : path);
  }

  #holds(path: Keys): boolean {
    const { kind, path: own } = this.#at;
    const start = kind === "items" ? own.length - 1 : own.length;
    let value = this.#value;
    for (const [index, key] of path.slice(start).entries()) {
      // Items are counted from the first one of the whole list.
      const at = kind === "items" && index === 0 ? Number(key) - Number(own.at(-1)) : key;
      if (typeof value !== "object" || value === null) return false;
      value = (value as Readonly<Record<string | number, unknown>>)[at];
    }
    return typeof value === "object" && value !== null;
  }
}
