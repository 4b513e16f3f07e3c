// Claims of names in the DNS: a claim counts while the DNS has the TXT record that it asks for, and for a grace after.

/** Waiting for its record; verified by it; verified, but without its record for the time being. */
export type ClaimState = "pending" | "verified" | "missing";

/** What is known of a claim. */
export interface DnsClaim {
  readonly isVerified: boolean;
  readonly claimedAt: Date;
  readonly checkedAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly missingSince: Date | null;
}

/** What a look at the DNS makes of a claim. */
export interface CheckedClaim extends Omit<DnsClaim, "claimedAt"> {
  /** When its record is looked for again. */
  readonly dueAt: Date;
}

/** The state of a claim. */
export function stateOf(claim: { readonly isVerified: boolean; readonly missingSince: unknown }): ClaimState {
  if (!claim.isVerified) return "pending";
  return claim.missingSince === null ? "verified" : "missing";
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How long a claim counts whose record is gone: people move their zones, and repair what they have broken. */
export const graceMs = 3 * dayMs;

/** How often the records of verified claims are looked for, and of those whose record is gone. */
const [verifiedMs, missingMs] = [dayMs / 4, 60 * minuteMs];

/**
 * What becomes of a claim when its record is there, when it is not, or, by null, when the DNS gave no answer: that says
 * nothing against it. A claim whose record is gone counts for {@link graceMs}; then it waits again.
 */
export function judge(claim: DnsClaim, isThere: boolean | null, now: Date): CheckedClaim {
  const { isVerified, verifiedAt, missingSince } = claim;
  const checkedAt = isThere === null ? claim.checkedAt : now;
  const inMs = (wait: number) => ({ checkedAt, dueAt: new Date(now.getTime() + wait) });
  const pending = { isVerified: false, verifiedAt: null, missingSince: null };
  if (isThere)
    return { isVerified: true, verifiedAt: isVerified ? verifiedAt : now, missingSince: null, ...inMs(verifiedMs) };
  if (!isVerified) return { ...pending, ...inMs(patience(claim, now)) };
  if (isThere === null) return { isVerified, verifiedAt, missingSince, ...inMs(missingMs) };
  const since = missingSince ?? now;
  if (now.getTime() - since.getTime() >= graceMs) return { ...pending, ...inMs(missingMs) };
  return { isVerified, verifiedAt, missingSince: since, ...inMs(missingMs) };
}

/** How long to wait for a record: ever longer, from five minutes after the claim to a day. */
function patience({ claimedAt }: DnsClaim, now: Date): number {
  const age = now.getTime() - claimedAt.getTime();
  return Math.min(Math.max(age / 4, 5 * minuteMs), dayMs);
}

/** Whether the DNS has a TXT record; null where it gave no answer. */
export async function hasRecord(
  readTxtRecords: (name: string) => Promise<readonly string[]>,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<boolean | null> {
  try {
    const records = await readTxtRecords(name);
    return records.some((record) => record.trim() === value);
  } catch {
    return null; // the job says how many
  }
}
