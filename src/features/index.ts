// The registry of features. Its order is the order of dependence: a feature imports only from those before it.
import { users } from "#src/features/users/index.ts";
import { tokens } from "#src/features/tokens/index.ts";
import { organizations } from "#src/features/organizations/index.ts";
import { inviteLinks } from "#src/features/invite-links/index.ts";
import { collections } from "#src/features/collections/index.ts";
import { spaces } from "#src/features/spaces/index.ts";
import { content } from "#src/features/content/index.ts";
import { imports } from "#src/features/imports/index.ts";
import { teams } from "#src/features/teams/index.ts";
import { members } from "#src/features/members/index.ts";
import { grants } from "#src/features/grants/index.ts";
import { changeRequests } from "#src/features/change-requests/index.ts";
import { reviews } from "#src/features/reviews/index.ts";
import { comments } from "#src/features/comments/index.ts";
import { activity } from "#src/features/activity/index.ts";
import { sites } from "#src/features/sites/index.ts";
import type { Feature } from "#src/rest/route.ts";

export const features: readonly Feature[] = [
  users,
  tokens,
  organizations,
  inviteLinks,
  collections,
  spaces,
  content,
  imports,
  teams,
  members,
  grants,
  changeRequests,
  reviews,
  comments,
  activity,
  sites,
];
