// The place of a content in the application: that of a space, or of a change request in it.
import type { ChangeRequestName, Content, SpaceAnswer } from "#src/features/content/views/answer.ts";

export interface Place<Shown> {
  /** The path that the paths of its pages begin with. */
  readonly root: string;
  /** Absent for the main content. */
  readonly changeRequest?: ChangeRequestName & { readonly status: string };
  readonly content: Content & Shown;
  /** Whether the viewer may edit this content as it is: not the main content of a locked space. */
  readonly isEditable: boolean;
}

export const pathOfSpace = (spaceId: string): string => `/app/spaces/${spaceId}`;

export const pathOfChangeRequest = (spaceId: string, id: string): string =>
  `${pathOfSpace(spaceId)}/change-requests/${id}`;

/** The content that an answer shows; null if it does not exist for the viewer. */
export function placeOf<Shown>({ space }: SpaceAnswer<Shown>): Place<Shown> | null {
  const { content, changeRequest } = space;
  if (content) {
    const isEditable = space.permissions.edit && space.editMode === "LIVE";
    return { root: pathOfSpace(space.id), content, isEditable };
  }
  if (!changeRequest) return null;
  const { permissions, status } = changeRequest;
  return {
    root: pathOfChangeRequest(space.id, changeRequest.id),
    changeRequest,
    content: changeRequest.content,
    isEditable: permissions.edit && ["DRAFT", "OPEN"].includes(status),
  };
}

/** The path of a page of a content. */
export const pathOfPage = ({ root }: Pick<Place<unknown>, "root">, pageId: string): string => `${root}/pages/${pageId}`;

/** The name of a change request for people. */
export const nameOf = ({ number, subject }: ChangeRequestName): string => `#${number} ${subject || "No subject"}`;
