// The end of long connections when the gateway goes away: one by one, so that not all clients come to the other
// gateways at once.
import { setTimeout as wait } from "node:timers/promises";

/** How long connections end when the gateway stops. */
export interface Leaving {
  /** How long, in milliseconds, connections have until they are cut; they are asked to end within the first half. */
  readonly graceMs: number;
  /** Ends when every event that was committed before has been sent. */
  readonly flush: () => Promise<void>;
}

/** Calls `end` for each connection, spread over half of the grace, each time after all events so far have been sent. */
export async function leave<Connection>(
  { graceMs, flush }: Leaving,
  connections: readonly Connection[],
  end: (connection: Connection) => void,
): Promise<void> {
  const stepMs = graceMs / 2 / connections.length;
  await Promise.all(
    connections.map(async (connection, index) => {
      await wait(stepMs * index);
      await flush();
      end(connection);
    }),
  );
}
