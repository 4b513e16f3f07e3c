// The GraphQL types of the e-mail domains that an organization claims, and of the DNS records that verify them.
import { graceMs, stateOf } from "#src/base/dns-claim.ts";
import { recordOf } from "#src/features/organizations/model/email-domains.ts";
import type { EmailDomainRow } from "#src/features/organizations/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineTexts } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const EmailDomainState = defineEnum("EmailDomainState", "The verification state of an e-mail domain.", {
  pending: "Not verified: the DNS record was not found yet, or another organization has verified the domain.",
  verified: "Verified: the last check found the DNS record.",
  missing:
    "The DNS record has disappeared: the domain stays verified for three more days, and longer if the record returns.",
});

const EmailDomainRecord = defineTexts(
  "EmailDomainRecord",
  "The DNS record by which the owner of an e-mail domain assigns it to an organization.",
  { name: "Name of the record.", type: "Type of the record, `TXT`.", value: "Required value of the record." },
);

export const EmailDomainClaim = builder.objectRef<ReturnType<typeof claimOf>>("EmailDomainClaim").implement({
  description: "An e-mail domain of an organization, and its verification.",
  fields: (t) => ({
    domain: t.exposeString("domain", { description: "The domain." }),
    state: t.expose("state", { type: EmailDomainState, description: "The verification state." }),
    record: t.expose("record", {
      type: EmailDomainRecord,
      description: "The record to add to the DNS, and to keep there: it is checked regularly.",
    }),
    claimedAt: t.expose("claimedAt", { type: "DateTime", description: "When the organization claimed it." }),
    checkedAt: t.expose("checkedAt", {
      type: "DateTime",
      nullable: true,
      description:
        "Time of the last check that got an answer from the DNS; null before that. `checkEmailDomain` checks at once; otherwise the record is checked every five minutes at first, then less and less often.",
    }),
    verifiedAt: t.expose("verifiedAt", {
      type: "DateTime",
      nullable: true,
      description: "Time since which it is verified; null while it is not.",
    }),
    keptUntil: t.expose("keptUntil", {
      type: "DateTime",
      nullable: true,
      description: "Time until which it stays verified without its record; null unless the record is missing.",
    }),
  }),
});

const instant = (time: string) => new Date(time).toISOString();
const instantOrNull = (time: string | null) => (time === null ? null : instant(time));

export function claimOf(organizationId: string, row: EmailDomainRow) {
  const { domain, missingSince: since } = row;
  return {
    domain,
    state: stateOf(row),
    record: { type: "TXT", ...recordOf({ organizationId, domain }) },
    claimedAt: instant(row.claimedAt),
    checkedAt: instantOrNull(row.checkedAt),
    verifiedAt: instantOrNull(row.verifiedAt),
    keptUntil: since === null ? null : new Date(Date.parse(since) + graceMs).toISOString(),
  };
}
