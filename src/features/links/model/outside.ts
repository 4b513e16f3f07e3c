// Links to addresses outside: which are looked at, what their servers' answers mean, and when they are looked at again.
import type { OutsideLinkStatus } from "#src/generated/prisma/enums.ts";
import { type Backoff, nextTryAt } from "#src/runtime/backoff.ts";

/** The most bytes of an address that is looked at. */
export const addressLimit = 2000;

export const outsideUrl = (address: string): string => address.replace(/#.*$/s, "");

export const isOutside = (address: string): boolean => /^https?:\/\//i.test(address);

export interface Finding {
  readonly status: OutsideLinkStatus;
  readonly reason: string | null;
  /** Whether it may be otherwise soon, so that it is tried again. */
  readonly mayPass: boolean;
}

/** A finding that stays for a while. */
export const lasting = (status: OutsideLinkStatus, reason: string | null): Finding => ({
  status,
  reason,
  mayPass: false,
});

/** What a status of HTTP says. A server that asks for a password or for patience says nothing of the page. */
export function findingOfStatus(status: number): Finding {
  if (status < 400) return lasting("ok", null);
  const reason = `the server answers ${status}`;
  if ([401, 403, 407, 429, 451].includes(status)) return lasting("unchecked", reason);
  return { status: "broken", reason, mayPass: status >= 500 || status === 408 || status === 425 };
}

export interface Remembered {
  readonly status: OutsideLinkStatus;
  readonly reason: string | null;
  readonly checkedAt: Date | null;
  readonly failures: number;
}

const minutes = 60_000;

/** How long, in milliseconds, a finding is valid. */
const validMs = 24 * 60 * minutes;

/** When an address is looked at again after a failure that may pass: after 10 minutes, and after an hour. */
const backoff: Backoff = { firstMs: 10 * minutes, mostMs: 60 * minutes, factor: 6 };

/** So many failures in a row are a finding. */
const mostFailures = 3;

type Judged = Remembered & { readonly dueAt: Date };

/** What is remembered after another look. What may pass changes nothing before it was found three times in a row. */
export function judge(before: Remembered | null, { status, reason, mayPass }: Finding, now: Date): Judged {
  const failures = mayPass ? (before?.failures ?? 0) + 1 : 0;
  if (!mayPass || failures >= mostFailures)
    return { status, reason, checkedAt: now, failures, dueAt: new Date(now.getTime() + validMs) };
  const known = before ?? { status: "unchecked", reason: null, checkedAt: null };
  const dueAt = nextTryAt(backoff, { failures, now });
  return { status: known.status, reason: known.reason, checkedAt: known.checkedAt, failures, dueAt };
}
