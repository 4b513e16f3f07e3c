// The servers of a database's address: one, or several, of which one accepts writes and another one after a failover.
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { guardMessages } from "#src/db/connection/server-messages.ts";
import { sessionName } from "#src/db/connection/writer-lock.ts";

/** How often the primary is asked whether it still accepts writes, and how long it may take to respond. */
const [lookEveryMs, lookLimitMs] = [1_000, 2_000];

/** None of the servers accepts writes. The code is PostgreSQL's for a failed connection. */
export class NoPrimaryError extends Error {
  override readonly name = "NoPrimaryError";
  readonly code = "08001";
}

/** A connection to one of the servers. */
interface Connected {
  /** Ends the connection, even while a statement runs. */
  cut(): void;
}

/** Finds the primary among servers, and checks it every second: after a failover it cuts connections to the old one. */
export class ServerGroup {
  readonly #addresses: readonly string[];
  readonly #connected = new Map<Connected, string>();
  #found: Promise<string> | undefined;
  #isWatching = false;

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses;
  }

  /** The address of the primary. Throws {@link NoPrimaryError}. */
  primary(): Promise<string> {
    return (this.#found ??= this.#find());
  }

  /** Searches again at the next call: the known server does not respond, or no longer accepts writes. */
  forget(): void {
    this.#found = undefined;
  }

  /** Cuts a connection when another server than that of `address` becomes the primary, until the connection ends. */
  watch(connected: Connected, address: string): void {
    this.#connected.set(connected, address);
    if (!this.#isWatching) void this.#follow();
  }

  hasEnded(connected: Connected): void {
    this.#connected.delete(connected);
  }

  async #follow(): Promise<void> {
    this.#isWatching = true;
    const look = new WriteProbe();
    while (this.#connected.size > 0) {
      await wait(lookEveryMs, undefined, { ref: false });
      const primary = await this.#stillPrimary(look).catch(() => null);
      if (primary === null) continue;
      for (const [connected, address] of this.#connected) if (address !== primary) connected.cut();
    }
    this.#isWatching = false;
    look.end();
  }

  async #stillPrimary(look: WriteProbe): Promise<string> {
    const known = await this.primary();
    try {
      await look.requireWritable(known);
      return known;
    } catch {
      this.forget();
      return await this.primary();
    }
  }

  async #find(): Promise<string> {
    const looks = this.#addresses.map(() => new WriteProbe());
    try {
      return await Promise.any(looks.map((look, index) => look.requireWritable(this.#addresses[index] ?? "")));
    } catch (error) {
      this.forget();
      const causes = error instanceof AggregateError ? error.errors.map((one: Error) => one.message) : [];
      throw new NoPrimaryError(`None of the servers of the database accepts writes: ${causes.join("; ")}`);
    } finally {
      for (const look of looks) look.end();
    }
  }
}

/** Asks servers whether they accept writes, on a connection that is kept while they do. */
class WriteProbe {
  #client: pg.Client | undefined;
  #address = "";

  /** Returns the address. Throws if the server is read-only or does not respond. */
  async requireWritable(address: string): Promise<string> {
    try {
      const client = await this.#clientAt(address);
      const setting = await client.query<{ is: string }>("select current_setting('transaction_read_only') as is");
      if (setting.rows[0]?.is === "off") return address;
    } catch (error) {
      this.end();
      throw error;
    }
    this.end();
    throw new Error(`${new URL(address).host} is read-only`);
  }

  end(): void {
    void this.#client?.end().catch(() => {});
    this.#client = undefined;
  }

  async #clientAt(address: string): Promise<pg.Client> {
    if (this.#client && this.#address === address) return this.#client;
    this.end();
    const limits = { connectionTimeoutMillis: lookLimitMs, query_timeout: lookLimitMs };
    const client = new pg.Client({ connectionString: address, ...sessionName, ...limits });
    client.on("error", () => {}); // the running statement reports it
    guardMessages(client);
    this.#client = client;
    this.#address = address;
    await client.connect();
    return client;
  }
}
