// The GraphQL types of the hostname that a site claims, and of the record that shows whose it is.
import { graceMs, stateOf } from "#src/base/dns-claim.ts";
import { hostnameLimit, hostnamePattern, recordOf } from "#src/features/sites/model/hostname.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineTexts } from "#src/graph/schema/flag-types.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const SiteHostnameState = defineEnum("SiteHostnameState", "Whether a hostname is shown to be that of a site.", {
  pending: "Its record has not been seen yet: it does not lead to the site, and other sites may ask for it, too.",
  verified: "Its record was there at the last look: it leads to this site.",
  missing: "Its record was there, and is gone: it leads to this site for three days yet, and longer if it comes back.",
});

const SiteHostnameRecord = defineTexts(
  "SiteHostnameRecord",
  "The record of the DNS by which whoever owns a hostname says that it is for a site.",
  { name: "Its name.", type: "Its type, `TXT`.", value: "What it has to say." },
);

export const SiteHostnameClaim = builder
  .objectRef<NonNullable<ReturnType<typeof claimOf>>>("SiteHostnameClaim")
  .implement({
    description: "The hostname that a site has asked for, and what shows that it is theirs.",
    fields: (t) => ({
      hostname: t.exposeString("hostname", {
        extensions: limited({ maxLength: hostnameLimit, pattern: hostnamePattern }),
        description: "The hostname.",
      }),
      state: t.expose("state", { type: SiteHostnameState, description: "Whether it is shown to be that of the site." }),
      record: t.expose("record", {
        type: SiteHostnameRecord,
        description: "What to put into the DNS, and to leave there: it is looked for again and again.",
      }),
      claimedAt: t.expose("claimedAt", { type: "DateTime", nullable: true, description: "When it was asked for." }),
      checkedAt: t.expose("checkedAt", {
        type: "DateTime",
        nullable: true,
        description:
          "When the DNS last said whether the record is there; null before that. New ones are looked for every five minutes, then ever more rarely.",
      }),
      verifiedAt: t.expose("verifiedAt", {
        type: "DateTime",
        nullable: true,
        description: "Since when it leads to the site; null while it does not.",
      }),
      keptUntil: t.expose("keptUntil", {
        type: "DateTime",
        nullable: true,
        description: "Until when the site keeps it without its record; null unless that is missing.",
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
