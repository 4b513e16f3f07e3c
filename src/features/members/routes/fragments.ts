// Members as /v1 answers them.
import { userFields } from "#src/features/users/routes.ts";

/** A member; its id is that of the user. */
export const memberFields = /* GraphQL */ `
  fragment MemberFields on OrganizationMember {
    object
    id: userId
    role
    user {
      ...UserFields
    }
    disabled
    joinedAt
    lastSeenAt
    sso
    spaces: spaceCount
    teams: teamCount
  }
  ${userFields}
`;
