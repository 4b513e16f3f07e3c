// Members as REST answers them.

/** A member; its id is that of the user. */
export const memberFields = /* GraphQL */ `
  fragment MemberFields on OrganizationMember {
    object
    id: userId
    role
    user {
      object
      id
      displayName
      email
      photoURL
      urls {
        location
      }
    }
    disabled
    joinedAt
    lastSeenAt
    sso
    spaces: spaceCount
    teams: teamCount
  }
`;
