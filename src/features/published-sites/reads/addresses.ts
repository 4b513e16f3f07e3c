// The sites behind hostnames and ids, for requests to their pages: kept for a moment, since every page asks.
import { inOwnTime } from "#src/db/connection/time-limit.ts";
import { type Database, type Sql, sql } from "#src/db/connection/database.ts";
import { hostnameLimit, hostnamePattern } from "#src/features/sites/model/hostname.ts";
import type { AddressedSite } from "#src/base/public-urls.ts";
import type { SiteVisibility } from "#src/generated/prisma/enums.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import type { PromiseOrValue } from "#src/runtime/waiting.ts";

/** What is known about a site before its visitor is. Nothing of it is an answer by itself. */
export interface FoundSite extends AddressedSite {
  readonly visibility: SiteVisibility;
  readonly published: boolean;
  readonly shareKey: string | null;
  /** Where visitors get a token; null if the site names no such address. */
  readonly signInUrl: string | null;
}

const columns = sql`id, "hostname", "proxyOrigin", "proxyTarget", "visibility", "published", "shareKey", "signInUrl"`;

const hostnameForm = new RegExp(hostnamePattern);

/** How many answers are kept, and for how long, in milliseconds. */
const kept = { answers: 2_000, age: 1_000 } as const;

type Found = PromiseOrValue<FoundSite | null>;

interface Recent {
  readonly since: number;
  site: Found;
}

/** The sites by hostname and by id; changes take effect after `maxAge` milliseconds, a second by default. */
export class SiteAddresses {
  readonly #database: Database;
  readonly #maxAge: number;
  readonly #recent = new BoundedMap<string, Recent>(kept.answers);

  constructor(database: Database, maxAge: number = kept.age) {
    this.#database = database;
    this.#maxAge = maxAge;
  }

  /** The site that owns a verified hostname, in lower case; null for other hosts. */
  byHostname(hostname: string): Found {
    if (hostname.length > hostnameLimit || !hostnameForm.test(hostname)) return null;
    return this.#find(`host ${hostname}`, sql`"hostname" = ${hostname}`);
  }

  byId(id: string): Found {
    return this.#find(`id ${id}`, sql`id = ${id}`);
  }

  #find(key: string, where: Sql): Found {
    const known = this.#recent.get(key);
    if (known && performance.now() - known.since < this.#maxAge) return known.site;
    const site = inOwnTime(() => this.#load(where)); // others wait for it, too
    if (this.#maxAge === 0) return site;
    const recent: Recent = { since: performance.now(), site };
    this.#recent.keep(key, recent);
    site.then(
      (found) => void (recent.site = found),
      () => this.#recent.delete(key),
    );
    return site;
  }

  async #load(where: Sql): Promise<FoundSite | null> {
    const [site] = await this.#database.query<FoundSite>(sql`select ${columns} from "Site" where ${where}`);
    return site ?? null;
  }
}
