// The feature "comments".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/comments/access.ts";
import { commentEvents, mentionEvents, replyEvents } from "#src/features/comments/events.ts";
import { mentionEmail } from "#src/features/comments/commands/emails.ts";
import { storePageMentions } from "#src/features/comments/commands/mentions.ts";
import "#src/features/comments/mutations.ts";
import "#src/features/comments/queries.ts";
import "#src/features/comments/subscriptions.ts";
import { commentAdditions, commentRoutes } from "#src/features/comments/routes.ts";
import { pageCommentsPages } from "#src/features/comments/pages/page-comments.ts";
import type { Feature } from "#src/features/feature.ts";

export const comments: Feature = {
  name: "comments",
  routes: [...commentRoutes, ...commentAdditions],
  events: [commentEvents, replyEvents, mentionEvents],
  actions: actionsIn(access),
  parts: [storePageMentions],
  emails: [mentionEmail],
  appPages: pageCommentsPages,
};
