// The parts of the query for the page of a change request.

const text = `fragment ChangedText on TextChange { linesAdded linesRemoved hunks(contextLines: 2) {
  beforeStart afterStart lines { kind text }
} }`;

const conflict = `fragment ShownConflict on ChangeRequestConflict {
  conflictId message takesText
  ... on PageFieldConflict { page { title } field oursValue theirsValue }
  ... on PageTextConflict { page { title } oursText theirsText }
  ... on PageDeletionConflict { page { title } deletedBy }
  ... on PageMoveConflict { page { title } oursParent { title } theirsParent { title } }
  ... on PageParentConflict { page { title } deletedBy }
  ... on PageSlugConflict { oursPage { title } theirsPage { title } }
  ... on PageOrderConflict { oursPages { title } theirsPages { title } }
  ... on VariableConflict { name ours theirs }
  ... on ReusableContentTitleConflict { ours theirs }
  ... on ReusableContentTextConflict { oursText theirsText }
  ... on ReusableContentDeletionConflict { deletedBy }
}`;

const changes = `fragment ProposedChanges on ContentChanges {
  pages(first: 20, after: $pages) {
    totalCount pageInfo { hasNextPage endCursor }
    nodes {
      pageId kinds move fields { field before after } text { ...ChangedText }
      before { title path parent { title } } after { title path parent { title } }
    }
  }
  reusableContents { reusableContentId before { title } after { title } text { ...ChangedText } }
  variables { name before after }
  createdFiles(first: 50) { nodes { fileId name } }
  deletedFiles(first: 50) { nodes { fileId name } }
}`;

/** What a conversation shows of a list of comments. */
export const conversation = `fragment Conversation on CommentConnection {
  totalCount pageInfo { hasNextPage endCursor }
  nodes {
    id status postedAt editedAt body { markdown html } postedBy { id displayName } resolvedBy { id displayName }
    reactions { emoji count viewerHasReacted } permissions { delete edit reply resolve }
    target { node { key preview } page { pageId title outdated } }
    replies(first: 100) { nodes {
      id postedAt editedAt body { markdown html } postedBy { id displayName } permissions { delete edit reply resolve }
      reactions { emoji count viewerHasReacted }
    } }
  }
}`;

/** Fragments of everything about a change request, and of its conflicts. */
export const parts = `fragment WholeChangeRequest on ChangeRequest {
  id number subject status reviewStatus outdated revisionId createdAt mergedAt
  createdBy { id displayName } mergedBy { id displayName }
  permissions { comment edit merge requestReviews review update }
  changes { ...ProposedChanges }
  brokenLinks(first: 10) { totalCount nodes { address locationReferences { page { title } } } }
  comments(first: 50, after: $comments) { ...Conversation }
  reviews(first: 50) { nodes {
    id status outdated message messageHtml reviewedAt requestedAt reviewer { id displayName } permissions { dismiss withdraw }
  } }
}
fragment ConflictsOfChangeRequest on ChangeRequest { conflicts { ...ShownConflict } }
${changes} ${text} ${conflict} ${conversation}`;
