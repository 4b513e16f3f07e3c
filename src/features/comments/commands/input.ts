// Checks of the input of comments and replies: a text in one of its forms, and reactions.
import { invalidInput } from "#src/base/errors.ts";
import type { GivenDocument } from "#src/documents/document.ts";
import { isSettingsOnly } from "#src/documents/notes.ts";
import { writeDocuments } from "#src/documents/convert.ts";
import { checkText, ifGiven, oneOf, type Optional } from "#src/domain/input.ts";
import { newId } from "#src/base/ids.ts";
import type { Transaction } from "#src/domain/change.ts";

export type Body = Optional<{ markdown: string; document: GivenDocument }>;

/** Longest text, in Unicode characters. */
const markdownLimit = 65_536;

/**
 * The Markdown of a body, which keeps the bytes of unchanged blocks of the text before. INVALID_INPUT for blank or too
 * long text, with a JSON pointer for an invalid document.
 */
export async function readBody({ markdown, document }: Body, before: string | null = null): Promise<string> {
  const [name, value] = oneOf("text", { markdown, document });
  if (name === "markdown") return checkMarkdown("text.markdown", value);
  const [written = ""] = await writeDocuments([{ document: value, path: "text/document", base: before }]);
  // The text of a comment has no final line break; settings and blanks alone do not count as text.
  const isEmpty = isSettingsOnly(written) || /^(?:&#x(?:20|9);|\s)*$/.test(written);
  return checkMarkdown("text.document", isEmpty ? "" : written.replace(/\n$/, ""));
}

/** Keeps whitespace around the text: at its start it is significant in Markdown. */
function checkMarkdown(path: string, markdown: string): string {
  checkText(path, markdown, { min: 1, max: markdownLimit });
  const { length } = Array.from(markdown);
  if (length > markdownLimit)
    throw invalidInput(path, `must have 1 to ${markdownLimit} characters, and has ${length}.`);
  return markdown;
}

export type ReactionInput = Optional<{ addedReactions: readonly string[]; removedReactions: readonly string[] }>;

export interface Reactions {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Maximum number of emojis in each list of an update. */
const listLimit = 50;

/** The variation selector that requests the emoji presentation; many clients omit it. */
const emojiPresentation = "\uFE0F";

/** INVALID_INPUT for more than 50 in a list, an emoji in both lists, or a text that is not one RGI emoji (UTS #51). */
export function checkReactions({ addedReactions, removedReactions }: ReactionInput): Reactions {
  const added = checkEmojis("addedReactions", addedReactions);
  const removed = checkEmojis("removedReactions", removedReactions);
  const both = removed.find((emoji) => added.includes(emoji));
  if (both !== undefined)
    throw invalidInput("removedReactions", `must not contain ${both}, which is also in addedReactions.`);
  return { added, removed };
}

function checkEmojis(path: string, given: readonly string[] | null | undefined): string[] {
  const texts = ifGiven(path, given, (value) => value) ?? [];
  if (texts.length > listLimit)
    throw invalidInput(path, `must have at most ${listLimit} entries, and has ${texts.length}.`);
  return [...new Set(texts.map((text, index) => checkEmoji(`${path}/${index}`, text)))];
}

/** The hexadecimal code points of an emoji, as in the names of emoji image files: `1f44d-1f3fd`. */
const codePointsForm = /^[0-9a-f]{2,6}(?:[-_ ][0-9a-f]{2,6}){0,15}$/i;

function characterOf(text: string): string {
  if (!codePointsForm.test(text)) return text;
  const numbers = text.split(/[-_ ]/).map((part) => Number.parseInt(part, 16));
  return numbers.every((number) => number <= 0x10_ff_ff) ? String.fromCodePoint(...numbers) : text;
}

/** ❤ and ❤️ are one reaction: the emoji is stored with the variation selector. */
function checkEmoji(path: string, text: string): string {
  const given = characterOf(text);
  const emoji = [given, `${given}${emojiPresentation}`].find((form) => /^\p{RGI_Emoji}$/v.test(form));
  if (emoji === undefined) throw invalidInput(path, "must be one emoji.");
  return emoji;
}

/** Changes reactions of a locked comment or reply. Returns those that were added and those that were removed. */
export async function changeReactions(
  transaction: Transaction,
  { on, userId, now }: { on: { commentId: string } | { replyId: string }; userId: string; now: Date },
  { added, removed }: Reactions,
): Promise<Reactions> {
  if (added.length + removed.length === 0) return { added, removed };
  const where = { ...on, userId, emoji: { in: [...added, ...removed] } };
  const present = new Set((await transaction.reaction.findMany({ where })).map(({ emoji }) => emoji));
  const changed = {
    added: added.filter((emoji) => !present.has(emoji)),
    removed: removed.filter((emoji) => present.has(emoji)),
  };
  const data = changed.added.map((emoji) => ({ id: newId("Reaction"), ...on, userId, emoji, reactedAt: now }));
  if (data.length > 0) await transaction.reaction.createMany({ data });
  if (changed.removed.length > 0)
    await transaction.reaction.deleteMany({ where: { ...where, emoji: { in: [...changed.removed] } } });
  return changed;
}
