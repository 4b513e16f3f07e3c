// The limit of installations of one organization that a process delivers events to at once, so that neither their runs
// wait for threads behind others that take long, nor other organizations for them.

/** The most installations of one organization that a process works on at once: as many as its scripts have threads. */
const mostOfOrganization = 4;

/** The number of claimed installations by organization. */
export class Turns {
  readonly #most: number;
  readonly #claimed = new Map<string, number>();

  constructor({ scriptsAtOnce }: { scriptsAtOnce: number }) {
    this.#most = Math.min(mostOfOrganization, scriptsAtOnce);
  }

  /** The organizations that must wait until one of their installations is released. */
  get full(): string[] {
    return [...this.#claimed].filter(([, count]) => count >= this.#most).map(([id]) => id);
  }

  add(organizationId: string, change: 1 | -1): void {
    const count = (this.#claimed.get(organizationId) ?? 0) + change;
    if (count > 0) this.#claimed.set(organizationId, count);
    else this.#claimed.delete(organizationId);
  }
}
