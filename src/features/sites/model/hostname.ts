// Custom hostnames of sites: their form, the TXT record that verifies their owner, and their claims.
import type { CheckedClaim, DnsClaim } from "#src/base/dns-claim.ts";

/** Hostnames of sites: at least three parts, in lower case (spec 2, section 2.1). */
export const hostnamePattern = "^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$";

/** The most characters of a hostname (spec 2, section 8). */
export const hostnameLimit = 512;

export function recordOf(claim: { readonly claimedHostname: string; readonly hostnameProof: string }) {
  return { name: `_docgraph.${claim.claimedHostname}`, value: `docgraph-site=${claim.hostnameProof}` };
}

/** The columns of a site that a DNS check changes. */
interface ClaimColumns {
  readonly hostname: string | null;
  readonly hostnameCheckedAt: Date | null;
  readonly hostnameVerifiedAt: Date | null;
  readonly hostnameMissingSince: Date | null;
  readonly hostnameDueAt: Date | null;
}

/** The claim in the columns of a site; the site has the hostname unless the claim is pending. */
export const claimIn = (site: ClaimColumns & { readonly hostnameClaimedAt: Date }): DnsClaim => ({
  isVerified: site.hostname !== null,
  claimedAt: site.hostnameClaimedAt,
  checkedAt: site.hostnameCheckedAt,
  verifiedAt: site.hostnameVerifiedAt,
  missingSince: site.hostnameMissingSince,
});

/** The columns of a site whose claim was checked. */
export const columnsOf = (claimedHostname: string, claim: CheckedClaim): ClaimColumns => ({
  hostname: claim.isVerified ? claimedHostname : null,
  hostnameCheckedAt: claim.checkedAt,
  hostnameVerifiedAt: claim.verifiedAt,
  hostnameMissingSince: claim.missingSince,
  hostnameDueAt: claim.dueAt,
});
