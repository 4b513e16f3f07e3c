// The servers of a database's address: one, or several of which one takes writes, and after a failover another one.
import pg from "pg";
import { sessionName } from "#src/db/writer-lock.ts";

/** How long one of several servers may take to say whether it takes writes, in milliseconds. */
const lookLimitMs = 2_000;

/** None of the servers takes writes. The code is PostgreSQL's for a connection that could not be made. */
export class NoPrimaryError extends Error {
  override readonly name = "NoPrimaryError";
  readonly code = "08001";
}

/** Finds among several servers the one that takes writes, and remembers it until it is forgotten. */
export class Servers {
  readonly #addresses: readonly string[];
  #found: Promise<string> | undefined;

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
  }

  /** The address of the one that takes writes. Throws {@link NoPrimaryError}. */
  primary(): Promise<string> {
    return (this.#found ??= this.#find());
  }

  /** Looks again for the next who asks: the one that was found does not answer, or takes no writes any more. */
  forget(): void {
    this.#found = undefined;
  }

  async #find(): Promise<string> {
    try {
      return await Promise.any(this.#addresses.map(requireWritable));
    } catch (error) {
      this.forget();
      const causes = error instanceof AggregateError ? error.errors.map((one: Error) => one.message) : [];
      throw new NoPrimaryError(`None of the servers of the database takes writes: ${causes.join("; ")}`);
    }
  }
}

/** Answers the address of a server that takes writes. Throws where it does not, or does not answer. */
async function requireWritable(address: string): Promise<string> {
  const limits = { connectionTimeoutMillis: lookLimitMs, query_timeout: lookLimitMs };
  const client = new pg.Client({ connectionString: address, ...sessionName, ...limits });
  client.on("error", () => {}); // the statement during which it is lost fails
  try {
    await client.connect();
    const { rows } = await client.query<{ isReadOnly: string }>('select current_setting($1) as "isReadOnly"', [
      "transaction_read_only",
    ]);
    if (rows[0]?.isReadOnly !== "off") throw new Error(`${new URL(address).host} is read-only`);
    return address;
  } finally {
    void client.end().catch(() => {});
  }
}
