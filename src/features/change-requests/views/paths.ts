// The paths of the lists of change requests.
import { pathOfSpace } from "#src/features/content/views/place.ts";

export const pathOfList = (spaceId: string): string => `${pathOfSpace(spaceId)}/change-requests`;
