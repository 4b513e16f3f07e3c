// The e-mail domains that organizations claim, and the DNS checks that verify them.
import { DomainError, invalidInput, notFound } from "#src/base/errors.ts";
import type { Database } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { goOnAfter, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { type CheckedClaim, type DnsClaim, hasRecord, judge, stateOf } from "#src/base/dns-claim.ts";
import { type Actor, noOrigin, writeAudit } from "#src/events/audit.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { appendEvents } from "#src/events/outbox.ts";
import { mayUpdateOrganization } from "#src/features/organizations/access.ts";
import { emailDomainEvents } from "#src/features/organizations/events.ts";
import { problemOf, recordOf } from "#src/features/organizations/model/email-domains.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { EmailDomainModel } from "#src/generated/prisma/models.ts";
import type { JobContext } from "#src/jobs/job.ts";

const maxDomains = 100;

/** The domains in lower case. INVALID_INPUT names each malformed, reserved, public or repeated domain. */
export function checkEmailDomains(domains: readonly string[]): string[] {
  if (domains.length > maxDomains)
    throw invalidInput("emailDomains", `must have at most ${maxDomains} entries, but has ${domains.length}.`);
  const names = domains.map((name) => name.trim().toLowerCase());
  const details = names.flatMap((name, index) => {
    const message = problemOf(name) ?? (names.indexOf(name) < index ? "must not be repeated." : null);
    return message === null ? [] : [{ path: `emailDomains.${index}`, message }];
  });
  const [first] = details;
  if (first) throw new DomainError("INVALID_INPUT", `${first.path}: ${first.message}`, details);
  return names;
}

/** Replaces the claimed domains of an organization; claims it already has stay unchanged. */
export async function claimEmailDomains(
  transaction: Transaction,
  organizationId: string,
  { domains, now }: { domains: readonly string[]; now: Date },
): Promise<void> {
  await transaction.emailDomain.deleteMany({ where: { organizationId, domain: { notIn: [...domains] } } });
  const data = domains.map((domain) => ({ organizationId, domain, claimedAt: now, dueAt: now }));
  await transaction.emailDomain.createMany({ data, skipDuplicates: true });
}

type Looking = Pick<JobContext, "database" | "clock" | "readTxtRecords">;

const nobody: Actor = { actorId: null, origin: noOrigin };

/** UNAVAILABLE if the DNS does not answer, CONFLICT if another organization has verified the domain. */
export async function checkEmailDomain(
  context: Context,
  input: { organizationId: string; domain: string },
): Promise<{ id: string }> {
  const organization = await context.reader.found(organizations, input.organizationId, project(["emailDomains"]));
  const { id: organizationId, emailDomains } = organization;
  await requireAllowed(context, mayUpdateOrganization, { organizationId });
  const key = { organizationId, domain: input.domain.trim().toLowerCase() };
  if (!emailDomains.includes(key.domain)) throw notFound("e-mail domain");
  const problem = problemOf(key.domain);
  if (problem !== null) throw invalidInput("domain", problem); // it was claimed before this rule existed
  const { viewer, origin, clock, database } = context;
  const create = { ...key, claimedAt: clock.now(), dueAt: clock.now() };
  const claim = await database.prisma.emailDomain.upsert({ where: { organizationId_domain: key }, create, update: {} });
  const { isThere, isTaken, events } = await checkClaim(context, claim, { actorId: viewer.userId, origin });
  context.feed.wake();
  await goOnAfter(context, events);
  if (isThere === null) throw new DomainError("UNAVAILABLE", "The DNS lookup of this domain failed. Try again later.");
  if (isThere && isTaken)
    throw new DomainError(
      "CONFLICT",
      "Another organization has verified this domain. Remove its record from the DNS, and try again in three days.",
    );
  return { id: organizationId };
}

const batch = 10;

/**
 * Looks up the records of all due claims; returns how many lookups failed. This runs without a viewer, so not
 * through `change`; each change of a state still writes its event and its audit entry.
 */
export async function checkDueEmailDomains(looking: Looking): Promise<number> {
  const { database, clock } = looking;
  const now = clock.now();
  let unanswered = 0;
  for (;;) {
    const due = await database.prisma.emailDomain.findMany({
      where: { dueAt: { lte: now } },
      orderBy: [{ dueAt: "asc" }, { organizationId: "asc" }, { domain: "asc" }],
      take: batch,
    });
    const answers = await Promise.all(due.map((claim) => checkClaim(looking, claim, nobody)));
    unanswered += answers.filter(({ isThere }) => isThere === null).length;
    if (due.length < batch) return unanswered;
  }
}

/** The result of a lookup: null if the DNS did not answer; and whether another organization has verified the domain. */
interface Looked {
  readonly isThere: boolean | null;
  readonly isTaken: boolean;
  readonly events: readonly DomainEvent[];
}

/** Looks up the record of one claim, and stores the new state of the claim. */
async function checkClaim({ database, clock, readTxtRecords }: Looking, claim: EmailDomainModel, by: Actor) {
  const { organizationId, domain } = claim;
  const isThere = await hasRecord(readTxtRecords, recordOf(claim));
  const where = { verifiedDomain: domain, organizationId: { not: organizationId } };
  const isTaken = (await database.prisma.emailDomain.count({ where })) > 0;
  const store = async (isTaken: boolean): Promise<Looked> => {
    const checked = judge(asDnsClaim(claim), isThere && !isTaken, clock.now());
    return { isThere, isTaken, events: await storeClaim(database, claim, { checked, by }) };
  };
  try {
    return await store(isTaken);
  } catch (error) {
    if (!(error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002")) throw error;
    return store(true); // another organization got it just now
  }
}

const asDnsClaim = (claim: EmailDomainModel): DnsClaim => ({ ...claim, isVerified: claim.verifiedDomain !== null });

/** Writes the new state of a claim, unless it was withdrawn meanwhile. Returns the event of a change of its state. */
async function storeClaim(
  { prisma }: Database,
  claim: EmailDomainModel,
  { checked, by }: { checked: CheckedClaim; by: Actor },
): Promise<DomainEvent[]> {
  const { organizationId, domain, verifiedDomain } = claim;
  const { isVerified, ...times } = checked;
  return prisma.$transaction(async (transaction) => {
    const { count } = await transaction.emailDomain.updateMany({
      where: { organizationId, domain, verifiedDomain },
      data: { ...times, verifiedDomain: isVerified ? domain : null },
    });
    const state = stateOf(checked);
    if (count === 0 || state === stateOf(asDnsClaim(claim))) return [];
    const payload = { domain, state };
    const event = { type: emailDomainEvents.checked, subjectId: organizationId, organizationId, payload };
    await appendEvents(transaction, by.actorId, [event]);
    await writeAudit(transaction, by, [event]);
    return [event];
  });
}
