// Users as /v1 answers them, for the operations of other features.

export const userFields = `
  fragment UserFields on User {
    object id displayName email photoURL
    urls { location }
  }
`;
