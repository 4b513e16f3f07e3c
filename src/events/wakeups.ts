// Gateways notify each other of new events. A lost notification only delays them.

export interface Wakeups {
  /** Notifies the other gateways, soon and without waiting for it; many calls at once become one. */
  send(): void;
  /** From now on calls back when another gateway notifies, and after a time in which a notification may be lost. */
  listen(onWake: () => void): void;
  close(): Promise<void>;
}

/** No notifications, for the only gateway of a database. */
export const silentWakeups: Wakeups = { send() {}, listen() {}, close: () => Promise.resolve() };

/** Runs `work`, never twice at the same time: however often it is called while it runs, it runs once more. */
export function coalesced(work: () => Promise<void>): () => void {
  let isRunning = false;
  let isAsked = false;
  async function run(): Promise<void> {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await work();
    }
    isRunning = false;
  }
  return () => {
    isAsked = true;
    if (!isRunning) void run();
  };
}
