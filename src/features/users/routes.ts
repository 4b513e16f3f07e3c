// The form of users in /v1, and the operations on them, which are additions.
import { defineAdditions } from "#src/rest/route.ts";

export const userFields = `
  fragment UserFields on User {
    object id displayName email photoURL
    urls { location }
  }
`;

const tag = { name: "users", description: "The user of the token, and users who share an organization with them." };

export const userRoutes = defineAdditions(() => tag, {
  getAuthenticatedUser: {
    request: "GET /v1/user",
    summary: "Get the user of the token",
    answer: ["viewer"],
    fields: userFields,
  },
  getUserById: {
    request: "GET /v1/users/{userId}",
    summary: "Get a user who shares an organization with the caller",
    answer: ["user"],
    fields: userFields,
  },
});
