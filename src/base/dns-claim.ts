// Claims of DNS names: a claim is valid while its TXT record exists, and for a grace period after.

/** Waiting for its record; verified by it; verified, but without its record for the time being. */
export type ClaimState = "pending" | "verified" | "missing";

export interface DnsClaim {
  readonly isVerified: boolean;
  readonly claimedAt: Date;
  readonly checkedAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly missingSince: Date | null;
}

/** A claim after its record was looked up. */
export interface CheckedClaim extends Omit<DnsClaim, "claimedAt"> {
  /** When its record is looked up next. */
  readonly dueAt: Date;
}

/** The state of a claim. */
export function stateOf(claim: { readonly isVerified: boolean; readonly missingSince: unknown }): ClaimState {
  if (!claim.isVerified) return "pending";
  return claim.missingSince === null ? "verified" : "missing";
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How long a claim stays valid without its record, in milliseconds. */
export const graceMs = 3 * dayMs;
/** How often records of verified claims are looked up, and how often missing ones. */
const [verifiedMs, missingMs] = [dayMs / 4, 60 * minuteMs];

/** A claim after a lookup; null (no answer) changes nothing. A verified one stays valid for {@link graceMs}. */
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

/** The wait before the next lookup of a pending claim: from five minutes up to a day, growing with its age. */
function patience({ claimedAt }: DnsClaim, now: Date): number {
  const age = now.getTime() - claimedAt.getTime();
  return Math.min(Math.max(age / 4, 5 * minuteMs), dayMs);
}

/** Whether a TXT record exists; null if the DNS did not answer. */
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
