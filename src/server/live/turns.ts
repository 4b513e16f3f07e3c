// Turns at the database for streams: after a restart of a gateway all of them come back at once, and each has to ask
// what it may hear and what it has missed.
import { Shares } from "#src/db/connection/shares.ts";

/** How many ask at a time: enough to keep the connections busy, and few enough that requests are not refused. */
const most = 50;

/** Lets a few do their work at a time, the others in the order in which they came. */
export class Turns {
  readonly #shares = new Shares(most);

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.#shares.tryTake("")) await this.#shares.take("");
    try {
      return await work();
    } finally {
      this.#shares.give("");
    }
  }
}
