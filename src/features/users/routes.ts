// The form of users in /v1, for the operations of other features.

export const userFields = `
  fragment UserFields on User {
    object id displayName email photoURL
    urls { location }
  }
`;
