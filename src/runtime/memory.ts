// The memory of a gateway, in megabytes: how much of it V8, caches and threads use at most.
import { limitCaches } from "#src/runtime/cache-budget.ts";
import { failAfter, FairSemaphore, type OnAbort } from "#src/runtime/fair-semaphore.ts";
import { keepMemory } from "#src/runtime/pooled-memory.ts";
import { unreadAnswers } from "#src/runtime/unread-answers.ts";

/** What each part of a gateway may use. The rest is code, connections and responses. */
export interface MemoryShares {
  /** V8's old generation. */
  readonly heap: number;
  /** A semi-space of V8's young generation, of which there are three. */
  readonly semiSpace: number;
  readonly caches: number;
  /** All threads that work on something large. */
  readonly heavyThreads: number;
  /** All other threads, so that they do not wait for those. */
  readonly lightThreads: number;
  /** How many operations with large responses run at once: each has its response in memory. */
  readonly largeOperations: number;
  /** Responses that clients have not read yet; half of it is kept for the next ones. */
  readonly unreadResponses: number;
}

const megabyte = 1024 * 1024;

/** From so much memory on, V8 keeps its own limits. */
const ampleMegabytes = 4_096;

/** The shares of a gateway with so many megabytes. */
export function sharesOf(megabytes: number): MemoryShares {
  const isAmple = megabytes >= ampleMegabytes;
  return {
    heap: Math.floor(megabytes * 0.4),
    semiSpace: isAmple ? 16 : 8,
    caches: Math.floor(megabytes / 8),
    heavyThreads: Math.floor(megabytes / 4),
    lightThreads: Math.floor(megabytes / 8),
    largeOperations: Math.max(1, Math.floor(megabytes / 1024)),
    unreadResponses: Math.min(256, Math.floor(megabytes / 16)),
  };
}

/** The options of Node for a gateway with so much memory; none if it has plenty. */
export function nodeOptionsFor(megabytes: number): string[] {
  if (megabytes >= ampleMegabytes) return [];
  const { heap, semiSpace } = sharesOf(megabytes);
  return [`--max-old-space-size=${heap}`, `--max-semi-space-size=${semiSpace}`];
}

/** A thread uses so many megabytes beside its old generation: code, stack and young objects. */
const besideHeap = 32;
/** A thread with at most so many megabytes of objects is light. */
export const lightMegabytes = 64;

/** The memory that threads share: a thread starts when enough is free, in turns of users. */
class ThreadMemory {
  readonly #heavy = new FairSemaphore({ most: Infinity, inOrder: true });
  readonly #light = new FairSemaphore({ most: Infinity, inOrder: true });
  #most = Infinity;
  /** Ends idle threads, which keep their memory until others need it. */
  readonly idle = new Set<() => void>();

  limit({ heavyThreads, lightThreads }: Pick<MemoryShares, "heavyThreads" | "lightThreads">): void {
    this.#most = heavyThreads;
    this.#heavy.resize(heavyThreads);
    this.#light.resize(Math.max(lightThreads, lightMegabytes + besideHeap));
  }

  /** The most megabytes of objects that one thread may have. */
  get mostOfOne(): number {
    return Math.max(lightMegabytes, this.#most - besideHeap);
  }

  /** Whether threads wait for memory. */
  get isShort(): boolean {
    return this.waiting > 0;
  }

  get waiting(): number {
    return this.#heavy.waiting + this.#light.waiting;
  }

  /** The megabytes of all threads that count. */
  get taken(): number {
    return this.#heavy.taken + this.#light.taken;
  }

  /** Takes the memory of a thread with so many megabytes of objects, at the user's turn. Returns its release. */
  async take(user: string, megabytes: number): Promise<() => void> {
    const memory = megabytes <= lightMegabytes ? this.#light : this.#heavy;
    const weight = megabytes + besideHeap;
    if (!memory.tryTake(user, weight)) {
      for (const end of this.idle) end();
      await memory.take(user, weight);
    }
    return () => memory.give(user, weight);
  }
}

export const threadMemory = new ThreadMemory();

/** The slots of operations with large responses, in turns of users. */
export const largeOperations = new FairSemaphore({ most: Infinity });

/**
 * How many long responses are written at once at most. One thread writes all: more would only fill the memory of unread
 * responses together, beyond what those that are being written found free.
 */
const mostWriters = 4;

/** Those that write a long response. */
const responseWriters = new FairSemaphore({ most: Infinity });

/** Long responses of a user that are written or not read yet: those that compress them work on as many at once. */
const longResponses = new FairSemaphore({ perOwner: 2 });

/** How long, in milliseconds, a response waits for others of its user, which clients may read slowly. */
const longestWaitMs = 5_000;

/** Waits until few long responses of the user are unread. Returns the function to call when this one was read. */
export async function takeLongResponse(user: string, onAbort: OnAbort): Promise<() => void> {
  let isTaken = longResponses.tryTake(user);
  if (!isTaken) {
    const waited = new Error("The clients of the user read slowly.");
    const wait = longResponses.take(
      user,
      1,
      failAfter(longestWaitMs, () => waited, onAbort),
    );
    isTaken = await wait.then(
      () => true,
      (error: unknown) => {
        if (error !== waited) throw error;
        return false;
      },
    );
  }
  return () => {
    if (isTaken) longResponses.give(user);
    isTaken = false;
  };
}

/** Takes the memory of a long response, in the user's turn, when those before it are read. Returns its release. */
export async function takeResponseMemory(user: string, onAbort: OnAbort): Promise<() => void> {
  if (!responseWriters.tryTake(user)) await responseWriters.take(user, 1, onAbort);
  const free = (): void => responseWriters.give(user);
  try {
    await unreadAnswers.room(onAbort);
    return free;
  } catch (error) {
    free();
    throw error;
  }
}

/** Sets the memory of this process; caches use at most `mostOfCaches` of it. */
export function limitMemory(megabytes: number, mostOfCaches: number): void {
  const shares = sharesOf(megabytes);
  largeOperations.resize(shares.largeOperations);
  responseWriters.resize(Math.min(shares.largeOperations, mostWriters));
  limitCaches(Math.min(mostOfCaches, shares.caches));
  threadMemory.limit(shares);
  unreadAnswers.resize(shares.unreadResponses * megabyte);
  keepMemory((shares.unreadResponses / 2) * megabyte);
}
