// The GraphQL types of the e-mail domains that an organization claims, and of the records that show whose they are.
import { graceMs, stateOf } from "#src/base/dns-claim.ts";
import { recordOf } from "#src/features/organizations/model/email-domains.ts";
import type { EmailDomainRow } from "#src/features/organizations/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineTexts } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const EmailDomainState = defineEnum("EmailDomainState", "Whether an e-mail domain counts for an organization.", {
  pending: "Its record has not been seen yet, or the domain counts for another organization: it does not count.",
  verified: "Its record was there at the last look: it counts.",
  missing: "Its record was there, and is not any longer: it counts for three days yet, and longer if it comes back.",
});

const EmailDomainRecord = defineTexts(
  "EmailDomainRecord",
  "The record of the DNS by which the owner of an e-mail domain says that it is for an organization.",
  { name: "Its name.", type: "Its type, `TXT`.", value: "What it has to say." },
);

export const EmailDomainClaim = builder.objectRef<ReturnType<typeof claimOf>>("EmailDomainClaim").implement({
  description: "An e-mail domain of an organization, and what shows that it is theirs.",
  fields: (t) => ({
    domain: t.exposeString("domain", { description: "The domain." }),
    state: t.expose("state", { type: EmailDomainState, description: "Whether it counts for the organization." }),
    record: t.expose("record", {
      type: EmailDomainRecord,
      description: "What to put into the DNS, and to leave there: it is looked for again and again.",
    }),
    claimedAt: t.expose("claimedAt", { type: "DateTime", description: "When the organization got it." }),
    checkedAt: t.expose("checkedAt", {
      type: "DateTime",
      nullable: true,
      description:
        "When the DNS last said whether the record is there; null before that. `checkEmailDomain` looks at once; by itself it is looked for every five minutes at first, then ever more rarely.",
    }),
    verifiedAt: t.expose("verifiedAt", {
      type: "DateTime",
      nullable: true,
      description: "Since when it counts; null while it does not.",
    }),
    keptUntil: t.expose("keptUntil", {
      type: "DateTime",
      nullable: true,
      description: "Until when it counts without its record; null unless that is missing.",
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
