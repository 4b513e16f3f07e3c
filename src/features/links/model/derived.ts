// What is derived from texts for links: by which name and version, and the anchors of a text.
import { sectionsOf } from "#src/features/content/model/sections.ts";

/** A kind of what is derived; its version is raised when its function makes something else. */
export interface KindOf {
  readonly name: string;
  readonly version: number;
}

export const linksOf: KindOf = { name: "links", version: 1 };
export const anchorsOf: KindOf = { name: "anchors", version: 2 };

export const anchorsIn = (markdown: string): string[] => sectionsOf(markdown).flatMap(({ anchor }) => anchor ?? []);
