// The paths of the pages of change requests.

export const pathOfSpace = (spaceId: string): string => `/app/spaces/${spaceId}`;

export const pathOfList = (spaceId: string): string => `${pathOfSpace(spaceId)}/change-requests`;

export const pathOf = (spaceId: string, changeRequestId: string): string => `${pathOfList(spaceId)}/${changeRequestId}`;
