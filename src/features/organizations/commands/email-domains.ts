// The e-mail domains of organizations: which they claim, and looking for the records that show whose they are.
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

/** The domains in lower case. INVALID_INPUT names each that is malformed, reserved, public or given twice. */
export function checkEmailDomains(domains: readonly string[]): string[] {
  if (domains.length > maxDomains)
    throw invalidInput("emailDomains", `must have at most ${maxDomains} entries, and has ${domains.length}.`);
  const names = domains.map((name) => name.trim().toLowerCase());
  const details = names.flatMap((name, index) => {
    const message = problemOf(name) ?? (names.indexOf(name) < index ? "must not be given twice." : null);
    return message === null ? [] : [{ path: `emailDomains.${index}`, message }];
  });
  const [first] = details;
  if (first) throw new DomainError("INVALID_INPUT", `${first.path}: ${first.message}`, details);
  return names;
}

/** Makes these the domains that an organization claims; those that it has claimed before stay as they are. */
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

/** UNAVAILABLE if the DNS gives no answer, CONFLICT if the domain counts for another organization. */
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
  if (problem !== null) throw invalidInput("domain", problem); // it was given before there was this rule
  const { viewer, origin, clock, database } = context;
  const create = { ...key, claimedAt: clock.now(), dueAt: clock.now() };
  const claim = await database.prisma.emailDomain.upsert({ where: { organizationId_domain: key }, create, update: {} });
  const { isThere, isTaken, events } = await checkClaim(context, claim, { actorId: viewer.userId, origin });
  context.feed.wake();
  await goOnAfter(context, events);
  if (isThere === null) throw new DomainError("UNAVAILABLE", "The DNS gave no answer about this domain. Try again.");
  if (isThere && isTaken)
    throw new DomainError(
      "CONFLICT",
      "This domain counts for another organization. Remove the record of that one from the DNS, and try again in three days.",
    );
  return { id: organizationId };
}

const batch = 10;

/**
 * Looks for the records of all due claims; returns how many got no answer. No viewer does this, so it does not go
 * through `change`; each change of a state still leaves its event and its entry in the audit log.
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

/** What a look for a record came to: null where the DNS gave no answer; and whether the domain counts elsewhere. */
interface Looked {
  readonly isThere: boolean | null;
  readonly isTaken: boolean;
  readonly events: readonly DomainEvent[];
}

/** Looks for the record of one claim, and stores what becomes of the claim. */
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

/** Writes what has become of a claim, unless it was taken back by now. Answers the event of a change of its state. */
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
