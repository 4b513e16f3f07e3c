// The GraphQL types of the hostname that a site claims, and of the DNS record that verifies it.
import { graceMs, stateOf } from "#src/base/dns-claim.ts";
import { hostnameLimit, hostnamePattern, recordOf } from "#src/features/sites/model/hostname.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineTexts } from "#src/graph/schema/flag-types.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const SiteHostnameState = defineEnum("SiteHostnameState", "The verification state of a hostname.", {
  pending: "The DNS record was not found yet: the hostname does not serve the site, and other sites may claim it, too.",
  verified: "The last check found the DNS record: the hostname serves the site.",
  missing:
    "The DNS record has disappeared: the hostname serves the site for three more days, and longer if the record returns.",
});

const SiteHostnameRecord = defineTexts(
  "SiteHostnameRecord",
  "The DNS record by which the owner of a hostname assigns it to a site.",
  { name: "Name of the record.", type: "Type of the record, `TXT`.", value: "Required value of the record." },
);

export const SiteHostnameClaim = builder
  .objectRef<NonNullable<ReturnType<typeof claimOf>>>("SiteHostnameClaim")
  .implement({
    description: "The hostname that a site claims, and its verification.",
    fields: (t) => ({
      hostname: t.exposeString("hostname", {
        extensions: limited({ maxLength: hostnameLimit, pattern: hostnamePattern }),
        description: "The hostname.",
      }),
      state: t.expose("state", { type: SiteHostnameState, description: "The verification state." }),
      record: t.expose("record", {
        type: SiteHostnameRecord,
        description: "The record to add to the DNS, and to keep there: it is checked regularly.",
      }),
      claimedAt: t.expose("claimedAt", { type: "DateTime", nullable: true, description: "Time of the claim." }),
      checkedAt: t.expose("checkedAt", {
        type: "DateTime",
        nullable: true,
        description:
          "Time of the last check that got an answer from the DNS; null before that. New claims are checked every five minutes, then less and less often.",
      }),
      verifiedAt: t.expose("verifiedAt", {
        type: "DateTime",
        nullable: true,
        description: "Time since which it serves the site; null while it does not.",
      }),
      keptUntil: t.expose("keptUntil", {
        type: "DateTime",
        nullable: true,
        description: "Time at which the site loses it without its record; null unless the record is missing.",
      }),
    }),
  });

export const claimColumns = [
  "hostname",
  "claimedHostname",
  "hostnameProof",
  "hostnameClaimedAt",
  "hostnameCheckedAt",
  "hostnameVerifiedAt",
  "hostnameMissingSince",
] as const;

export function claimOf(site: Readonly<Record<(typeof claimColumns)[number], string | null>>) {
  const { claimedHostname, hostnameProof, hostnameMissingSince: since } = site;
  if (claimedHostname === null || hostnameProof === null) return null;
  return {
    hostname: claimedHostname,
    state: stateOf({ isVerified: site.hostname !== null, missingSince: since }),
    record: { type: "TXT", ...recordOf({ claimedHostname, hostnameProof }) },
    claimedAt: site.hostnameClaimedAt,
    checkedAt: site.hostnameCheckedAt,
    verifiedAt: site.hostnameVerifiedAt,
    keptUntil: since === null ? null : new Date(Date.parse(since) + graceMs).toISOString(),
  };
}
