// The subscription events of SAML providers, and of first sign-ins.
import { adminEvent, memberEvent } from "#src/features/organizations/subscriptions.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { samlMemberEvents, samlProviderEvents } from "#src/features/saml/events.ts";
import { samlProviders } from "#src/features/saml/reads.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import type { EventFields } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const named = (t: EventFields) => ({
  samlProviderId: t.value("ID", "Id of the SAML provider.", ({ event }) => event.subjectId),
  label: eventField(t, "String", "label", "Label."),
});

const providerOfEvent = (t: EventFields) => ({ ...named(t), samlProvider: rowNow(t, samlProviders) });

extendSubscription("organizationEvents", [
  adminEvent("SamlProviderCreated", "A SAML provider was added.", samlProviderEvents.created, providerOfEvent),
  adminEvent("SamlProviderChanged", "A SAML provider was changed.", samlProviderEvents.updated, (t) => ({
    ...providerOfEvent(t),
    ...changesOfEvent(t),
    isCertificateChanged: eventField(t, "Boolean", "isCertificateChanged", "Whether its certificates were changed."),
  })),
  adminEvent(
    "SamlProviderActivated",
    "The first user signed in with a SAML provider.",
    samlProviderEvents.activated,
    providerOfEvent,
  ),
  adminEvent("SamlProviderDeleted", "A SAML provider was deleted.", samlProviderEvents.deleted, named),
  memberEvent(
    "MemberJoinedBySaml",
    "A user joined an organization by single sign-on.",
    samlMemberEvents.joined,
    (t) => ({
      ...userOfEvent(t, "the new member"),
      role: eventField(t, Role, "role", "Their role; null for a guest."),
      samlProviderId: eventIdField(t, "samlProviderId", "Id of the SAML provider."),
    }),
  ),
]);
