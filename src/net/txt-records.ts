// Reading TXT records of the DNS, by which people show that a hostname is theirs.
import { Resolver } from "node:dns/promises";

/** Answers the TXT records of a name: none where it has none. Rejects where the DNS gives no answer. */
export type ReadTxtRecords = (name: string) => Promise<readonly string[]>;

/** What the DNS says of names that have no such record, and of those that it cannot hold. */
const absence: readonly unknown[] = ["ENOTFOUND", "ENODATA", "EBADNAME"];

/** Reads by the servers of this machine, or by these: addresses with ports. A server has 3 seconds, twice. */
export function txtRecordReader(servers?: readonly string[]): ReadTxtRecords {
  return async (name) => {
    const resolver = new Resolver({ timeout: 3000, tries: 2 });
    if (servers) resolver.setServers([...servers]);
    try {
      const records = await resolver.resolveTxt(name);
      return records.map((parts) => parts.join(""));
    } catch (error) {
      if (error instanceof Error && "code" in error && absence.includes(error.code)) return [];
      throw error;
    }
  };
}
