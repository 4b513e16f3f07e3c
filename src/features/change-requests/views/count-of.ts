// Numbers with their nouns.

/** Such as `1 comment` and `2 comments`. */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
