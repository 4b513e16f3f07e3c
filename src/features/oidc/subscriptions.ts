// The subscription events of OpenID providers, and of first sign-ins.
import { oidcMemberEvents, oidcProviderEvents } from "#src/features/oidc/events.ts";
import { oidcProviders } from "#src/features/oidc/reads.ts";
import { adminEvent, memberEvent } from "#src/features/organizations/subscriptions.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { userOfEvent } from "#src/features/users/subscriptions.ts";
import { changesOfEvent, eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import type { EventFields } from "#src/graph/schema/events.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";

const named = (t: EventFields) => ({
  oidcProviderId: t.value("ID", "Id of the OpenID provider.", ({ event }) => event.subjectId),
  label: eventField(t, "String", "label", "Label."),
});

const providerOfEvent = (t: EventFields) => ({ ...named(t), oidcProvider: rowNow(t, oidcProviders) });

extendSubscription("organizationEvents", [
  adminEvent("OidcProviderCreated", "An OpenID provider was added.", oidcProviderEvents.created, providerOfEvent),
  adminEvent("OidcProviderChanged", "An OpenID provider was changed.", oidcProviderEvents.updated, (t) => ({
    ...providerOfEvent(t),
    ...changesOfEvent(t),
    isSecretChanged: eventField(t, "Boolean", "isSecretChanged", "Whether its client secret was changed."),
  })),
  adminEvent(
    "OidcProviderActivated",
    "The first user signed in with an OpenID provider.",
    oidcProviderEvents.activated,
    providerOfEvent,
  ),
  adminEvent("OidcProviderDeleted", "An OpenID provider was deleted.", oidcProviderEvents.deleted, named),
  memberEvent(
    "MemberJoinedByOidc",
    "A user joined an organization by OpenID Connect.",
    oidcMemberEvents.joined,
    (t) => ({
      ...userOfEvent(t, "the new member"),
      role: eventField(t, Role, "role", "Their role; null for a guest."),
      oidcProviderId: eventIdField(t, "oidcProviderId", "Id of the OpenID provider."),
    }),
  ),
]);
