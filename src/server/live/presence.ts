// Presence: the users with open streams at each subject, here and at the other gateways, in memory only.
import { longestText, type Wakeups } from "#src/events/wakeups.ts";

/** How long, in milliseconds, a user who has left still counts: a page that is loaded again leaves and comes back. */
const departureMs = 500;

/** How often, in milliseconds, a gateway repeats its users, and how long they count at the others without that. */
const repeatMs = 10_000;
const validMs = 2.5 * repeatMs;

/** How many users of a subject a gateway sends to the others. */
const mostSent = 100;

type UsersBySubject = Readonly<Record<string, readonly string[]>>;

/** What a gateway sends to the others: all its users of some subjects, and whether it needs to know theirs. */
interface Report {
  readonly gateway: string;
  readonly users: UsersBySubject;
  readonly asks?: true;
}

interface Remote {
  readonly users: readonly string[];
  readonly receivedAt: number;
}

interface Options {
  /** The id of this gateway, unique among those of a database. */
  readonly gateway: string;
  readonly wakeups: Pick<Wakeups, "publish" | "subscribe">;
  /** Called when the users of a subject may have changed. */
  readonly onChange: (subject: string) => void;
}

export class Presence {
  readonly #options: Options;
  /** The number of streams here, by subject and user. */
  readonly #own = new Map<string, Map<string, number>>();
  /** The users elsewhere, by subject and gateway. */
  readonly #remote = new Map<string, Map<string, Remote>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    this.#options.wakeups.subscribe({
      onText: (text) => this.#receive(reportIn(text)),
      onOpen: () => this.#send(this.#allOwn(), { asks: true }),
    });
    this.#timer = setInterval(() => this.#repeat(), repeatMs);
    this.#timer.unref();
  }

  /** Reports to the others that nobody is here any longer. */
  stop(): void {
    clearInterval(this.#timer);
    const users = Object.fromEntries([...this.#own.keys()].map((subject) => [subject, []]));
    this.#own.clear();
    this.#send(users);
  }

  /** The ids of the users at a subject, in the same order at all gateways. */
  usersAt(subject: string): string[] {
    const elsewhere = [...(this.#remote.get(subject)?.values() ?? [])].flatMap(({ users }) => users);
    return [...new Set([...(this.#own.get(subject)?.keys() ?? []), ...elsewhere])].toSorted();
  }

  enter(subject: string, userId: string): void {
    const users = this.#own.get(subject) ?? new Map<string, number>();
    this.#own.set(subject, users);
    const streams = users.get(userId) ?? 0;
    users.set(userId, streams + 1);
    if (streams === 0) this.#changeOwn(subject);
  }

  leave(subject: string, userId: string): void {
    setTimeout(() => this.#remove(subject, userId), departureMs).unref();
  }

  #remove(subject: string, userId: string): void {
    const users = this.#own.get(subject);
    const streams = users?.get(userId);
    if (!users || streams === undefined) return;
    if (streams > 1) return void users.set(userId, streams - 1);
    users.delete(userId);
    if (users.size === 0) this.#own.delete(subject);
    this.#changeOwn(subject);
  }

  #changeOwn(subject: string): void {
    this.#send({ [subject]: this.#ownAt(subject) });
    this.#options.onChange(subject);
  }

  #ownAt = (subject: string): string[] => [...(this.#own.get(subject)?.keys() ?? [])].slice(0, mostSent);

  #allOwn = (): UsersBySubject =>
    Object.fromEntries([...this.#own.keys()].map((subject) => [subject, this.#ownAt(subject)]));

  #repeat(): void {
    this.#send(this.#allOwn());
    const oldest = performance.now() - validMs;
    for (const [subject, gateways] of this.#remote)
      for (const [gateway, { receivedAt }] of gateways) if (receivedAt < oldest) this.#replace(subject, gateway, []);
  }

  /** Sends users in as many texts as they need. */
  #send(users: UsersBySubject, more: Pick<Report, "asks"> = {}): void {
    const { gateway, wakeups } = this.#options;
    const publish = (part: UsersBySubject) =>
      wakeups.publish(JSON.stringify({ gateway, users: part, ...more } satisfies Report));
    let part: Record<string, readonly string[]> = {};
    let length = 0;
    for (const [subject, ids] of Object.entries(users)) {
      const size = JSON.stringify({ [subject]: ids }).length;
      if (length > 0 && length + size > longestText - 200) {
        publish(part);
        [part, length] = [{}, 0];
      }
      part[subject] = ids;
      length += size;
    }
    if (length > 0 || more.asks) publish(part);
  }

  #receive(report: Report | null): void {
    if (!report) return;
    for (const [subject, users] of Object.entries(report.users)) this.#replace(subject, report.gateway, users);
    if (report.asks) this.#send(this.#allOwn());
  }

  #replace(subject: string, gateway: string, users: readonly string[]): void {
    const gateways = this.#remote.get(subject) ?? new Map<string, Remote>();
    const before = gateways.get(gateway)?.users ?? [];
    if (users.length > 0) gateways.set(gateway, { users, receivedAt: performance.now() });
    else gateways.delete(gateway);
    if (gateways.size > 0) this.#remote.set(subject, gateways);
    else this.#remote.delete(subject);
    if (before.join() !== users.join()) this.#options.onChange(subject);
  }
}

/** A report of a gateway; null for a text of another version. */
function reportIn(text: string): Report | null {
  try {
    const { gateway, users, asks } = JSON.parse(text) as Partial<Report>;
    return gateway !== undefined && users ? { gateway, users, ...(asks && { asks }) } : null;
  } catch {
    return null;
  }
}
