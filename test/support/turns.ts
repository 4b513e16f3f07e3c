// Records in which order users get slots: of operations, connections, threads and memory, which all are semaphores.
import { vi } from "vitest";
import { FairSemaphore, type SlotOwner } from "#src/runtime/fair-semaphore.ts";

interface Wait {
  readonly owner: string;
  /** The owners that got a slot of the same semaphore after this one began to wait for it. */
  readonly before: string[];
}

export interface Turns extends Disposable {
  /** The waits that have ended since the start. */
  readonly ended: readonly Wait[];
  /** Slots that were taken, at once or after a wait. */
  readonly taken: readonly string[];
}

const nameOf = (owner: SlotOwner): string => (typeof owner === "string" ? owner : owner.join(" "));

const methodOf = <Name extends "tryTake" | "take">(name: Name) =>
  Reflect.get(FairSemaphore.prototype, name) as FairSemaphore[Name]; // of its class

/** Records the slots of all semaphores of this process until it is disposed of. */
export function recordTurns(): Turns {
  const [tryTake, take] = [methodOf("tryTake"), methodOf("take")];
  const [ended, taken]: [Wait[], string[]] = [[], []];
  const waiting = new Map<FairSemaphore, Set<Wait>>();
  const enter = (semaphore: FairSemaphore, owner: string): void => {
    taken.push(owner);
    for (const wait of waiting.get(semaphore) ?? []) wait.before.push(owner);
  };
  const trying = vi.spyOn(FairSemaphore.prototype, "tryTake").mockImplementation(function (
    this: FairSemaphore,
    ...given: Parameters<FairSemaphore["tryTake"]>
  ) {
    const isTaken = tryTake.apply(this, given);
    if (isTaken) enter(this, nameOf(given[0]));
    return isTaken;
  });
  const taking = vi.spyOn(FairSemaphore.prototype, "take").mockImplementation(async function (
    this: FairSemaphore,
    ...given: Parameters<FairSemaphore["take"]>
  ) {
    const wait = { owner: nameOf(given[0]), before: [] };
    const waits = waiting.get(this) ?? new Set();
    waiting.set(this, waits.add(wait));
    try {
      await take.apply(this, given);
      waits.delete(wait);
      enter(this, wait.owner);
      ended.push(wait);
    } finally {
      waits.delete(wait);
    }
  });
  return {
    ended,
    taken,
    [Symbol.dispose]() {
      trying.mockRestore();
      taking.mockRestore();
    },
  };
}
