// External links: the URLs that are checked, the meaning of responses, and the time of the next check.
import type { OutsideLinkStatus } from "#src/generated/prisma/enums.ts";
import { type Backoff, nextTryAt } from "#src/runtime/backoff.ts";

/** Maximum length of a checked URL, in bytes. */
export const addressLimit = 2000;

export const outsideUrl = (address: string): string => address.replace(/#.*$/s, "");

export const isOutside = (address: string): boolean => /^https?:\/\//i.test(address);

export interface Finding {
  readonly status: OutsideLinkStatus;
  readonly reason: string | null;
  /** Whether the finding may change soon, so that the check is retried. */
  readonly isTransient: boolean;
}

/** A finding that is not retried soon. */
export const lasting = (status: OutsideLinkStatus, reason: string | null): Finding => ({
  status,
  reason,
  isTransient: false,
});

/** The finding for an HTTP status. Statuses for authentication or rate limits do not say whether the page exists. */
export function findingOfStatus(status: number): Finding {
  if (status < 400) return lasting("ok", null);
  const reason = `the server returned ${status}`;
  if ([401, 403, 407, 429, 451].includes(status)) return lasting("unchecked", reason);
  return { status: "broken", reason, isTransient: status >= 500 || status === 408 || status === 425 };
}

export interface Remembered {
  readonly status: OutsideLinkStatus;
  readonly reason: string | null;
  readonly checkedAt: Date | null;
  readonly failures: number;
}

const minutes = 60_000;

/** Validity of a finding, in milliseconds. */
const validMs = 24 * 60 * minutes;

/** Delay of retries after transient failures: 10 minutes, then an hour. */
const backoff: Backoff = { firstMs: 10 * minutes, mostMs: 60 * minutes, factor: 6 };

/** Number of consecutive transient failures that count as a finding. */
const mostFailures = 3;

type Judged = Remembered & { readonly dueAt: Date };

/** The state after another check. Transient findings count only after {@link mostFailures} in a row. */
export function judge(before: Remembered | null, { status, reason, isTransient }: Finding, now: Date): Judged {
  const failures = isTransient ? (before?.failures ?? 0) + 1 : 0;
  if (!isTransient || failures >= mostFailures)
    return { status, reason, checkedAt: now, failures, dueAt: new Date(now.getTime() + validMs) };
  const known = before ?? { status: "unchecked", reason: null, checkedAt: null };
  const dueAt = nextTryAt(backoff, { failures, now });
  return { status: known.status, reason: known.reason, checkedAt: known.checkedAt, failures, dueAt };
}
