// The feature "comments".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/comments/access.ts";
import { commentEvents, mentionEvents, replyEvents } from "#src/features/comments/events.ts";
import { storePageMentions } from "#src/features/comments/commands/mentions.ts";
import "#src/features/comments/mutations.ts";
import "#src/features/comments/queries.ts";
import "#src/features/comments/subscriptions.ts";
import { commentRoutes } from "#src/features/comments/routes.ts";
import type { Feature } from "#src/features/feature.ts";

export const comments: Feature = {
  name: "comments",
  routes: commentRoutes,
  events: [commentEvents, replyEvents, mentionEvents],
  actions: actionsIn(access),
  parts: [storePageMentions],
};
