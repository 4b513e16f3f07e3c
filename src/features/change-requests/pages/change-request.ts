// The page of one change request.
import { changeRequestForms } from "#src/features/change-requests/pages/forms.ts";
import { parts } from "#src/features/change-requests/pages/selections.ts";
import type { ChangeRequestAnswer } from "#src/features/change-requests/views/answer.ts";
import { changeRequestView } from "#src/features/change-requests/views/change-request.ts";
import { presentAt } from "#src/features/content/pages/content.ts";
import { pathOfChangeRequest } from "#src/features/content/views/place.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { type Asked, definePage, type Page } from "#src/pages/page.ts";

const ofRequest = ({ named: { changeRequestId } }: Asked) => ({ id: changeRequestId });

export const changeRequestPage: Page = definePage<ChangeRequestAnswer>({
  path: pathOfChangeRequest(":spaceId", ":changeRequestId"),
  query: `query ChangeRequestPage($spaceId: ID!, $id: ID!, $pages: String, $comments: String) {
    space(id: $spaceId) {
      id title
      members(first: 200) { nodes { role user { id displayName } } }
      changeRequest(by: { id: $id }) { ...WholeChangeRequest }
      compared: changeRequest(by: { id: $id }) { ...ConflictsOfChangeRequest }
    }
    ...AppFrame
  } ${parts} ${appFrame}`,
  variables: ({ named: { spaceId, changeRequestId }, search }) => ({
    spaceId,
    id: changeRequestId,
    pages: search.get("pages"),
    comments: search.get("comments"),
  }),
  view: (answer, asked) => changeRequestView(answer, asked),
  forms: changeRequestForms,
  listens: [
    {
      subscription: `subscription ChangeRequestChanged($id: ID!) {
        changeRequestEvents(of: { changeRequestId: $id }) { __typename }
      }`,
      variables: ofRequest,
    },
    {
      subscription: `subscription ConversationChanged($id: ID!) {
        commentEvents(of: { changeRequestId: $id }) { __typename }
      }`,
      variables: ofRequest,
    },
    { subscription: presentAt("changeRequestId"), variables: ofRequest },
  ],
});
