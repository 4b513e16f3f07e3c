// The registry of features. Its order is the order of dependence: a feature imports only from those before it.
import { users } from "#src/features/users/index.ts";
import { organizations } from "#src/features/organizations/index.ts";
import { collections } from "#src/features/collections/index.ts";
import { spaces } from "#src/features/spaces/index.ts";
import { changeRequests } from "#src/features/change-requests/index.ts";
import { comments } from "#src/features/comments/index.ts";
import type { Feature } from "#src/rest/route.ts";

export const features: readonly Feature[] = [users, organizations, collections, spaces, changeRequests, comments];
