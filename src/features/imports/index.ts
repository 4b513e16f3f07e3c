// The feature "imports".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/imports/access.ts";
import { importEvents } from "#src/features/imports/events.ts";
import "#src/features/imports/mutations.ts";
import "#src/features/imports/subscriptions.ts";
import type { Feature } from "#src/rest/route.ts";

export const imports: Feature = { name: "imports", routes: [], events: [importEvents], actions: actionsIn(access) };
