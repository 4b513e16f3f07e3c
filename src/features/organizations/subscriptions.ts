// What subscriptions deliver of organizations, and how a subscription listens to some.
import { DomainError, notFound } from "#src/base/errors.ts";
import { whenAll } from "#src/runtime/waiting.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { audienceOf, type EventType } from "#src/events/declared.ts";
import {
  emailDomainEvents,
  organizationEvents,
  presenceEvents,
  visitorKeyEvents,
} from "#src/features/organizations/events.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { EmailDomainState } from "#src/features/organizations/type/email-domain.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import { defineEvent, type EventFields } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField } from "#src/graph/schema/event-fields.ts";
import { defineSubscription, type Listening } from "#src/graph/schema/subscriptions.ts";

/** NOT_FOUND and FORBIDDEN unless the viewer is in all of the organizations, or in any of those that are left. */
async function requireMembership(context: Context, ids: readonly string[], inHowMany: "all" | "any"): Promise<void> {
  const rows = await whenAll(ids.map((id) => context.reader.row(organizations, id, project(["id"]))));
  const able = ids.filter((id, index) => rows[index] && context.viewer.memberships.has(id));
  if (able.length === ids.length || (inHowMany === "any" && able.length > 0)) return;
  if (rows.some((row) => !row)) throw notFound("organization");
  throw new DomainError("FORBIDDEN", "You need to be in an organization to subscribe to its events.");
}

/** NOT_FOUND when the viewer is not in one of several; later the stream goes on with those that are left. */
export async function listenToOrganizations(context: Context, ids: readonly string[]): Promise<Listening> {
  if (ids.length > 1) await requireMembership(context, ids, "all");
  return {
    scope: { by: "organizationId", ids },
    check: (present) => requireMembership(present, ids, "any"),
    isProven: ({ type }) => ids.length === 1 && audienceOf(type) === "everybody",
  };
}

export const organizationSubjects = {
  organizationId: "Id of the organization.",
  organizationIds: "Ids of 1 to 100 organizations; the stream goes on while any is left.",
};

const organizationOfEvent = (t: EventFields) => ({
  organization: t.rowOrNull(
    organizations,
    ({ event }) => event.organizationId,
    "The organization as it is now; null for those who have left it.",
  ),
});

const definerFor =
  (audience: string) =>
  (name: string, description: string, type: EventType, fields: Parameters<typeof defineEvent>[3]) =>
    defineEvent(name, `${description} ${audience}`, [type], fields);

/** Defines an event of one type; the description also says who gets it. */
export const adminEvent = definerFor("Told to admins.");
export const memberEvent = definerFor("Told to members, who are no guests.");

defineSubscription({
  name: "organizationEvents",
  description:
    "Sends what happens to an organization and its sidebar: settings, spaces, collections, members and teams; and for its admins grants and invite links. Everybody in it may listen, and hears what they may see.",
  subjects: organizationSubjects,
  events: [
    defineEvent("OrganizationCreated", "An organization was created.", [organizationEvents.created], (t) => ({
      ...organizationOfEvent(t),
      title: eventField(t, "String", "title", "Its title then."),
    })),
    defineEvent(
      "OrganizationSettingsChanged",
      "The settings of an organization were changed.",
      [organizationEvents.updated],
      (t) => ({ ...organizationOfEvent(t), ...changesOfEvent(t) }),
    ),
    defineEvent(
      "OrganizationVisitorKeyRotated",
      "An organization got a new visitor key. Told to its admins, without the key.",
      [visitorKeyEvents.rotated],
      organizationOfEvent,
    ),
    defineEvent(
      "EmailDomainStateChanged",
      "A look at the DNS has shown that an e-mail domain is that of an organization, or that its record is gone. Told to its admins.",
      [emailDomainEvents.checked],
      (t) => ({
        ...organizationOfEvent(t),
        domain: eventField(t, "String", "domain", "The domain."),
        state: eventField(t, EmailDomainState, "state", "What it is from then on."),
      }),
    ),
    defineEvent(
      "MemberSeen",
      "A member was there, told at most once a minute. Told to members who are no guests; not kept among `activity`.",
      [presenceEvents.pinged],
      (t) => userOfEvent(t, "the member"),
    ),
  ],
  open: ({ ids }, context) => listenToOrganizations(context, ids),
});
