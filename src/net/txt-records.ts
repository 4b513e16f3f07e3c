// Reads TXT records of the DNS, by which people prove that they own a hostname.
import { Resolver } from "node:dns/promises";

/** Returns the TXT records of a name; empty without any. Rejects if the DNS gives no answer. */
export type ReadTxtRecords = (name: string) => Promise<readonly string[]>;

/** The DNS errors for names without such a record, and for names that it cannot contain. */
const absence: readonly unknown[] = ["ENOTFOUND", "ENODATA", "EBADNAME"];

/** Uses the resolvers of this machine, or these: addresses with ports. A resolver has 3 seconds, twice. */
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
