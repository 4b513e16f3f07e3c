// The feature "collections".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/collections/access.ts";
import { collectionDepartureEvents, collectionEvents } from "#src/features/collections/events.ts";
import "#src/features/collections/mutations.ts";
import "#src/features/collections/queries.ts";
import "#src/features/collections/subscriptions.ts";
import { collectionRoutes } from "#src/features/collections/routes.ts";
import { collectionPage } from "#src/features/collections/pages.ts";
import type { Feature } from "#src/features/feature.ts";

export const collections: Feature = {
  name: "collections",
  routes: collectionRoutes,
  events: [collectionDepartureEvents, collectionEvents],
  actions: actionsIn(access),
  appPages: [collectionPage],
};
