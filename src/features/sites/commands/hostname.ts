// Claims of hostnames by sites, and the DNS checks that verify them.
import { randomBytes } from "node:crypto";
import { invalidInput } from "#src/base/errors.ts";
import type { Database } from "#src/db/connection/database.ts";
import { type CheckedClaim, hasRecord, judge, stateOf } from "#src/base/dns-claim.ts";
import { checkText } from "#src/domain/input.ts";
import { appendEvents } from "#src/events/outbox.ts";
import { siteEvent } from "#src/features/sites/commands/rearrange.ts";
import { siteEvents } from "#src/features/sites/events.ts";
import { claimIn, columnsOf, hostnameLimit, hostnamePattern, recordOf } from "#src/features/sites/model/hostname.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { SiteModel } from "#src/generated/prisma/models.ts";
import type { JobContext } from "#src/jobs/job.ts";

const form = new RegExp(hostnamePattern);

/** A hostname as stored; null without one. INVALID_INPUT if longer than 512 characters or malformed. */
export function checkHostname(hostname: string | null | undefined): string | null | undefined {
  if (hostname == null) return hostname;
  const name = checkText("hostname", hostname, { max: hostnameLimit }).toLowerCase();
  if (form.test(name)) return name;
  throw invalidInput("hostname", "must be a host name of at least three parts, such as docs.example.com.");
}

const noClaim = {
  hostname: null,
  claimedHostname: null,
  hostnameProof: null,
  hostnameClaimedAt: null,
  hostnameCheckedAt: null,
  hostnameVerifiedAt: null,
  hostnameMissingSince: null,
  hostnameDueAt: null,
};

/** The columns of a site that claims another hostname, or none: `hostname` stays null until the claim is verified. */
export function asClaimed(site: SiteModel, hostname: string | null | undefined, now: Date): Partial<SiteModel> {
  if (hostname === undefined || hostname === site.claimedHostname) return {};
  if (hostname === null) return noClaim;
  const hostnameProof = randomBytes(24).toString("base64url");
  return { ...noClaim, claimedHostname: hostname, hostnameProof, hostnameClaimedAt: now, hostnameDueAt: now };
}

type Looking = Pick<JobContext, "database" | "clock" | "readTxtRecords">;

const batch = 10;

/**
 * Looks up the records of all due claims; returns how many lookups failed. A site whose record exists gets the
 * hostname unless another site has it; a site whose record is missing loses it after a grace period. This runs without
 * a viewer, so not through `change`; each change of a state still writes its event.
 */
export async function checkHostnames(looking: Looking): Promise<number> {
  const { database, clock } = looking;
  const now = clock.now();
  let unanswered = 0;
  for (;;) {
    const due = await database.prisma.site.findMany({
      where: { hostnameDueAt: { lte: now }, claimedHostname: { not: null } },
      orderBy: [{ hostnameDueAt: "asc" }, { id: "asc" }],
      take: batch,
    });
    const answers = await Promise.all(due.map((site) => checkClaim(looking, site, now)));
    unanswered += answers.filter((isThere) => isThere === null).length;
    if (due.length < batch) return unanswered;
  }
}

type Claimed = SiteModel & {
  readonly claimedHostname: string;
  readonly hostnameProof: string;
  readonly hostnameClaimedAt: Date;
};

/** Looks up the record of one claim. Returns whether it exists; null if the DNS did not answer. */
async function checkClaim(looking: Looking, site: SiteModel, now: Date): Promise<boolean | null> {
  const { id, claimedHostname, hostnameProof, hostnameClaimedAt } = site;
  const { database } = looking;
  if (claimedHostname === null || hostnameProof === null || hostnameClaimedAt === null) return false; // no claim is due
  const claim = { ...site, claimedHostname, hostnameProof, hostnameClaimedAt };
  const isTaken = (await database.prisma.site.count({ where: { hostname: claimedHostname, id: { not: id } } })) > 0;
  const isThere = isTaken ? false : await hasRecord(looking.readTxtRecords, recordOf(claim));
  try {
    await store(database, claim, judge(claimIn(claim), isThere, now));
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002")) throw error;
    await store(database, claim, judge(claimIn(claim), false, now)); // another site got it just now
  }
  return isThere;
}

/** Writes the new state of a claim and its event, unless the site has changed the claim meanwhile. */
async function store({ prisma }: Database, site: Claimed, claim: CheckedClaim): Promise<void> {
  const { id, hostnameProof, claimedHostname } = site;
  await prisma.$transaction(async (transaction) => {
    const data = columnsOf(claimedHostname, claim);
    const { count } = await transaction.site.updateMany({ where: { id, hostnameProof }, data });
    const [before, state] = [stateOf(claimIn(site)), stateOf(claim)];
    if (count === 0 || before === state) return;
    const payload = { hostname: claimedHostname, state };
    const event = siteEvent(site, { type: siteEvents.hostnameChecked, subjectId: id, payload });
    await appendEvents(transaction, null, [event]);
  });
}
