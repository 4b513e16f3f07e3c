// Claims of hostnames by sites, and the DNS checks that verify them.
import { randomBytes } from "node:crypto";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { inFigures } from "#src/base/limits.ts";
import { type Database, type Queries, sql } from "#src/db/connection/database.ts";
import { type CheckedClaim, hasRecord, judge, stateOf } from "#src/base/dns-claim.ts";
import { requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText } from "#src/domain/input.ts";
import { appendEvents } from "#src/events/outbox.ts";
import { mayCheckSiteHostname } from "#src/features/sites/access.ts";
import { loadSite, type Within } from "#src/features/sites/commands/load.ts";
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

/** A sentence with the number of sites that are not served at the hostname that they claim. */
export async function warnOfUnverifiedHostnames(database: Queries): Promise<string[]> {
  const [row] = await database.query<{ count: number }>(
    sql`select count(*)::int from "Site" where "claimedHostname" is not null and hostname is null`,
  );
  if (!row || row.count === 0) return [];
  const what = row.count === 1 ? "1 site is" : `${inFigures(row.count)} sites are`;
  return [`${what} not served at the claimed hostname, since its TXT record is not verified.`];
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

/**
 * Looks up the record of a site's claim now, and returns the values of the DNS; none without a claim. UNAVAILABLE if
 * the DNS does not answer.
 */
export async function checkSiteHostname(
  context: Context,
  input: Within & { readonly siteId: string },
): Promise<{ id: string; foundValues: readonly string[] }> {
  const loaded = await loadSite(context, input.siteId, input);
  await requireAllowed(context, mayCheckSiteHostname, loaded);
  const site = await context.database.prisma.site.findUniqueOrThrow({ where: { id: loaded.id } });
  const { id, claimedHostname } = site;
  if (claimedHostname === null) return { id, foundValues: [] };
  const foundValues: string[] = [];
  const readTxtRecords = async (name: string): Promise<readonly string[]> => {
    const records = await context.readTxtRecords(name);
    foundValues.push(...records);
    return records;
  };
  const isThere = await checkClaim({ ...context, readTxtRecords }, site, context.clock.now());
  context.feed.wake();
  if (isThere === null)
    throw new DomainError("UNAVAILABLE", "The DNS lookup of this hostname failed. Try again later.");
  if (!isThere && foundValues.length === 0 && (await isServed(context.database, site)))
    throw new DomainError("CONFLICT", "Another site serves this hostname. Its admins have to give it up first.");
  return { id, foundValues };
}

/** Whether another site serves the claimed hostname. */
const isServed = async ({ prisma }: Database, { id, claimedHostname }: SiteModel): Promise<boolean> =>
  (await prisma.site.count({ where: { hostname: claimedHostname, id: { not: id } } })) > 0;

type Claimed = SiteModel & {
  readonly claimedHostname: string;
  readonly hostnameProof: string;
  readonly hostnameClaimedAt: Date;
};

/** Looks up the record of one claim. Returns whether it exists; null if the DNS did not answer. */
async function checkClaim(looking: Looking, site: SiteModel, now: Date): Promise<boolean | null> {
  const { claimedHostname, hostnameProof, hostnameClaimedAt } = site;
  const { database } = looking;
  if (claimedHostname === null || hostnameProof === null || hostnameClaimedAt === null) return false; // no claim is due
  const claim = { ...site, claimedHostname, hostnameProof, hostnameClaimedAt };
  const isThere = (await isServed(database, site)) ? false : await hasRecord(looking.readTxtRecords, recordOf(claim));
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
