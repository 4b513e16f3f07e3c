// The page with the change requests of a space, with its filters, and the form that starts another one.
import { type ListAnswer, listView } from "#src/features/change-requests/views/list.ts";
import { filterOf } from "#src/features/change-requests/views/filters.ts";
import { pathOfList } from "#src/features/change-requests/views/paths.ts";
import { pathOfChangeRequest } from "#src/features/content/views/place.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

const item = `fragment ListedChangeRequest on ChangeRequest {
  id number subject status reviewStatus updatedAt commentCount createdBy { id displayName } space { id }
}`;

export const listPage: Page = definePage<ListAnswer>({
  path: pathOfList(":spaceId"),
  query: `query ChangeRequestsOfSpace(
    $spaceId: ID!, $statuses: [ChangeRequestStatus!], $mine: Boolean, $subject: String, $after: String,
    $isWaiting: Boolean!
  ) {
    space(id: $spaceId) {
      id title permissions { edit }
      changeRequests(first: 25, after: $after, statuses: $statuses, mine: $mine, subject: $subject)
        @skip(if: $isWaiting) { nodes { ...ListedChangeRequest } pageInfo { hasNextPage endCursor } }
    }
    reviewRequests(first: 100) @include(if: $isWaiting) { nodes { id changeRequest { ...ListedChangeRequest } } }
    ...AppFrame
  } ${item} ${appFrame}`,
  variables: ({ named: { spaceId }, search }) => {
    const { statuses = null, mine = null, isWaiting = false } = filterOf(search);
    const subject = search.get("subject")?.trim() || null;
    return { spaceId, statuses, mine, isWaiting, subject, after: search.get("after") };
  },
  view: (answer, asked) => listView(answer, asked),
  forms: {
    create: defineForm<{ readonly createChangeRequest: { readonly changeRequest: { readonly id: string } } }>({
      mutation: `mutation StartChangeRequest($input: CreateChangeRequestInput!) {
        createChangeRequest(input: $input) { changeRequest { id } }
      }`,
      variables: (fields, { named: { spaceId } }) => ({
        input: { spaceId, subject: fields.get("subject")?.trim() ?? "" },
      }),
      then: ({ createChangeRequest }, { named: { spaceId = "" } }) =>
        pathOfChangeRequest(spaceId, createChangeRequest.changeRequest.id),
    }),
  },
  listens: {
    subscription: `subscription ChangeRequestsOfSpaceChanged($spaceId: ID!) {
      changeRequestEvents(of: { spaceId: $spaceId }) { __typename }
    }`,
    variables: ({ named: { spaceId } }) => ({ spaceId }),
  },
});
