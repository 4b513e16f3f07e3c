// Custom hostnames of sites: their form, the TXT record that shows whose one is, and what a look for it comes to.

/** Hostnames of sites: three parts or more, in lower case (spec 2, section 2.1). */
export const hostnamePattern = "^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$";

/** The most characters of a hostname (spec 2, section 8). */
export const hostnameLimit = 512;

/** Waiting for its record; shown to be owned; shown so, but without its record for the time being. */
export type HostnameState = "pending" | "verified" | "missing";

/** The state of a claim, whose site has the hostname unless it is pending. */
export function stateOf(claim: { hostname: string | null; hostnameMissingSince: unknown }): HostnameState {
  if (claim.hostname === null) return "pending";
  return claim.hostnameMissingSince === null ? "verified" : "missing";
}

/** The TXT record that shows the ownership of a hostname. */
export function recordOf(claim: { readonly claimedHostname: string; readonly hostnameProof: string }) {
  return { name: `_docgraph.${claim.claimedHostname}`, value: `docgraph-site=${claim.hostnameProof}` };
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** How long a site keeps a hostname whose record is gone: people move their zones, and mend what they have broken. */
export const graceMs = 3 * dayMs;

/** How often the records of hostnames are looked for that sites have, and of those whose record is gone. */
const [verifiedMs, missingMs] = [dayMs / 4, 60 * minuteMs];

/** The columns of a site that a look at the DNS changes. */
export interface ClaimColumns {
  readonly hostname: string | null;
  readonly hostnameCheckedAt: Date | null;
  readonly hostnameVerifiedAt: Date | null;
  readonly hostnameMissingSince: Date | null;
  readonly hostnameDueAt: Date | null;
}

interface Claim extends ClaimColumns {
  readonly claimedHostname: string;
  readonly hostnameClaimedAt: Date;
}

/**
 * What becomes of a claim when its record is there, when it is not, or, by null, when the DNS gave no answer: that says
 * nothing against it. A site whose record is gone keeps the hostname for {@link graceMs}; then the claim waits again.
 */
export function judge(claim: Claim, isThere: boolean | null, now: Date): ClaimColumns {
  const { hostname, hostnameCheckedAt, hostnameVerifiedAt, hostnameMissingSince } = claim;
  const checked = { hostname, hostnameCheckedAt: isThere === null ? hostnameCheckedAt : now };
  const inMs = (wait: number) => ({ hostnameDueAt: new Date(now.getTime() + wait) });
  if (isThere) {
    const since = { hostnameVerifiedAt: hostname === null ? now : hostnameVerifiedAt, hostnameMissingSince: null };
    return { ...checked, hostname: claim.claimedHostname, ...since, ...inMs(verifiedMs) };
  }
  if (hostname === null)
    return { ...checked, hostnameVerifiedAt: null, hostnameMissingSince: null, ...inMs(patience(claim, now)) };
  if (isThere === null) return { ...checked, hostnameVerifiedAt, hostnameMissingSince, ...inMs(missingMs) };
  const missingSince = hostnameMissingSince ?? now;
  if (now.getTime() - missingSince.getTime() < graceMs)
    return { ...checked, hostnameVerifiedAt, hostnameMissingSince: missingSince, ...inMs(missingMs) };
  return { ...checked, hostname: null, hostnameVerifiedAt: null, hostnameMissingSince: null, ...inMs(missingMs) };
}

/** How long to wait for a record: ever longer, from five minutes after the claim to a day. */
function patience({ hostnameClaimedAt }: Claim, now: Date): number {
  const age = now.getTime() - hostnameClaimedAt.getTime();
  return Math.min(Math.max(age / 4, 5 * minuteMs), dayMs);
}
