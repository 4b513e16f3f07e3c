// A process of many subscribers, and the orders it takes.
import { fork, type ChildProcess } from "node:child_process";
import path from "node:path";
import type { Answer, Order } from "#test/bench/live/subscribers.ts";

/** A process full of subscribers. */
export class Subscribers {
  readonly #child: ChildProcess = fork(path.join(import.meta.dirname, "subscribers.ts"), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });

  async ask<Type extends Answer["type"]>(order: Order): Promise<Answer & { type: Type }> {
    return new Promise((resolve, reject) => {
      this.#child.once("exit", () => reject(new Error("the subscribers ended")));
      this.#child.once("message", (answer) => resolve(answer as Answer & { type: Type }));
      this.#child.send(order);
    });
  }

  stop(): void {
    this.#child.removeAllListeners("exit");
    this.#child.kill();
  }
}
