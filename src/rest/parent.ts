// Parents: resources with routes of the same form below them, such as the comments of spaces and change requests.

/**
 * The resource that a route belongs to. What exists below several is written once, as a function from the parent to the
 * row: `listSpaceComments: list(space), listChangeRequestComments: list(changeRequest)`.
 */
export interface Parent {
  /** What it is, for sentences: `change request`. */
  readonly noun: string;
  /** Its path, such as `/v1/spaces/{spaceId}/change-requests/{changeRequestId}`. */
  readonly path: `/v1/${string}`;
  /** Response names from `data` down to it: `["space", "changeRequest"]`. */
  readonly answer: readonly string[];
}

/** The parent at a path whose parameters are ids: `{teamId}` is the argument `id` of the field `team`. */
export function parentAt(noun: string, path: Parent["path"]): Parent {
  return { noun, path, answer: [...path.matchAll(/\{(\w+)Id\}/g)].map(([, name = ""]) => name) };
}
