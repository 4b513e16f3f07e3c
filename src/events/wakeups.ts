// Wake-ups: a word between gateways that there may be new events. They only shorten the wait: one that is lost loses nothing.

export interface Wakeups {
  /** Tells the other gateways, soon and without waiting for it; many calls at once become one. */
  send(): void;
  /** From now on calls back whenever another gateway says so, and after a time in which a word may have been lost. */
  listen(onWake: () => void): void;
  close(): Promise<void>;
}

/** No word at all, for the only gateway of a database. */
export const silentWakeups: Wakeups = { send() {}, listen() {}, close: () => Promise.resolve() };

/** Runs `work` again and again, but never twice at the same time: what is asked while it runs becomes one more run. */
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
