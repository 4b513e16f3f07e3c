// The subscription events of organizations, and the scopes of subscriptions to organizations.
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

/** NOT_FOUND or FORBIDDEN unless the viewer is in all of the organizations, or in any of the remaining ones. */
async function requireMembership(context: Context, ids: readonly string[], inHowMany: "all" | "any"): Promise<void> {
  const rows = await whenAll(ids.map((id) => context.reader.row(organizations, id, project(["id"]))));
  const able = ids.filter((id, index) => rows[index] && context.viewer.memberships.has(id));
  if (able.length === ids.length || (inHowMany === "any" && able.length > 0)) return;
  if (rows.some((row) => !row)) throw notFound("organization");
  throw new DomainError("FORBIDDEN", "You need to be in an organization to subscribe to its events.");
}

/** NOT_FOUND if the viewer is not in all of them; later the stream continues with the remaining ones. */
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
  organizationIds: "Ids of 1 to 100 organizations; the stream continues while the viewer is in any of them.",
};

const organizationOfEvent = (t: EventFields) => ({
  organization: t.rowOrNull(
    organizations,
    ({ event }) => event.organizationId,
    "The organization in its current state; null if you have left it.",
  ),
});

const definerFor =
  (audience: string) =>
  (name: string, description: string, type: EventType, fields: Parameters<typeof defineEvent>[3]) =>
    defineEvent(name, `${description} ${audience}`, [type], fields);

/** Defines an event of one type; the description also names the audience. */
export const adminEvent = definerFor("Sent to admins.");
export const memberEvent = definerFor("Sent to members, not to guests.");

defineSubscription({
  name: "organizationEvents",
  description:
    "Sends the events of an organization and its sidebar: settings, spaces, collections, members and teams; and to its admins grants and invite links. For members and guests, who receive the events of objects that are visible to them.",
  subjects: organizationSubjects,
  events: [
    defineEvent("OrganizationCreated", "An organization was created.", [organizationEvents.created], (t) => ({
      ...organizationOfEvent(t),
      title: eventField(t, "String", "title", "The title at the time of the event."),
    })),
    defineEvent(
      "OrganizationSettingsChanged",
      "The settings of an organization were changed.",
      [organizationEvents.updated],
      (t) => ({ ...organizationOfEvent(t), ...changesOfEvent(t) }),
    ),
    defineEvent(
      "OrganizationVisitorKeyRotated",
      "The visitor key of an organization was rotated. Sent to its admins, without the key.",
      [visitorKeyEvents.rotated],
      organizationOfEvent,
    ),
    defineEvent(
      "EmailDomainStateChanged",
      "A DNS check verified an e-mail domain of an organization, or found its record missing. Sent to its admins.",
      [emailDomainEvents.checked],
      (t) => ({
        ...organizationOfEvent(t),
        domain: eventField(t, "String", "domain", "The domain."),
        state: eventField(t, EmailDomainState, "state", "The new state."),
      }),
    ),
    defineEvent(
      "MemberSeen",
      "A member was active, sent at most once a minute. Sent to members, not to guests; not part of `activity`.",
      [presenceEvents.pinged],
      (t) => userOfEvent(t, "the member"),
    ),
  ],
  open: ({ ids }, context) => listenToOrganizations(context, ids),
});
