// The last uses of tokens and sessions: gathered in memory and written once a minute. A use prolongs a session.
import type { Logger } from "pino";
import { sessionSpans } from "#src/access/sessions.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Instant } from "#src/base/time.ts";
import { type Queries, type Sql, sql } from "#src/db/connection/database.ts";

/** How often uses are written, in milliseconds. */
const everyMs = 60_000;

type Use = readonly [id: string, at: Instant];

const isSession = (id: string): boolean => isIdOf("Session", id);

const usesOf = (uses: readonly Use[]): Sql =>
  sql`unnest(${uses.map(([id]) => id)}::text[], ${uses.map(([, at]) => at)}::timestamptz[])`;

const tokensUsed = (uses: readonly Use[]): Sql => sql`
  with free as (select id from "ApiToken" where id = any(${uses.map(([id]) => id)}::text[]) for update skip locked)
  update "ApiToken" k set "lastUsedAt" = u.at from ${usesOf(uses)} u(id, at) join free on free.id = u.id
  where k.id = u.id and (k."lastUsedAt" is null or k."lastUsedAt" < u.at)`;

const sessionsUsed = (uses: readonly Use[]): Sql => sql`
  with free as (select id from "Session" where id = any(${uses.map(([id]) => id)}::text[]) for update skip locked)
  update "Session" s set "lastUsedAt" = u.at, "expiresAt" = greatest(s."expiresAt",
    least(u.at + ${sessionSpans.idle}::interval, s."createdAt" + ${sessionSpans.longest}::interval))
  from ${usesOf(uses)} u(id, at) join free on free.id = u.id
  where s.id = u.id and s."lastUsedAt" < u.at and s."endedAt" is null`;

/** One for each process, from its start to its stop. */
export class TokenUses {
  readonly #database: Queries;
  readonly #log: Logger;
  /** By the ids of tokens and sessions. */
  readonly #uses = new Map<string, Instant>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Queries, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  /** Notes a use down. */
  note(tokenId: string, at: Instant): void {
    this.#uses.set(tokenId, at);
  }

  start(): void {
    this.#timer = setInterval(() => void this.#write(), everyMs).unref();
  }

  /** Writes what is gathered, and stops. */
  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.#write();
  }

  /** One after the other. What could not be written stays for the next time. */
  #write(): Promise<void> {
    return (this.#writing = this.#writing.then(async () => {
      const uses = [...this.#uses];
      if (uses.length === 0) return;
      try {
        // Another gateway may be writing the same: then it has seen them, too.
        const [tokens, sessions] = [uses.filter(([id]) => !isSession(id)), uses.filter(([id]) => isSession(id))];
        if (tokens.length > 0) await this.#database.query(tokensUsed(tokens));
        if (sessions.length > 0) await this.#database.query(sessionsUsed(sessions));
        for (const [id, at] of uses) if (this.#uses.get(id) === at) this.#uses.delete(id);
      } catch (error) {
        this.#log.warn({ err: error, uses: uses.length }, "the last uses of tokens could not be written yet");
      }
    }));
  }
}
