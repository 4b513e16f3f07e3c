// A draft of the variables and reusable contents of a content.
import { DomainError, invalidInput, notFound } from "#src/base/errors.ts";
import { isIdOf, lastingId, newId } from "#src/base/ids.ts";
import { checkText, ifGiven, type Optional } from "#src/domain/input.ts";
import { type ContentState, hashText, type ReusableContent } from "#src/features/content/model/content-state.ts";
import {
  checkMarkdown,
  checkVariableName,
  checkVariableValue,
  variableLimit,
} from "#src/features/content/model/checks.ts";

/** Maximum number of reusable contents of a content: every revision stores the list. */
export const reusableContentLimit = 500;

export interface SetVariables {
  /** A value of null deletes the variable. */
  readonly variables: readonly ({ readonly name: string } & Optional<{ value: string }>)[];
}

/** The client chooses the id if texts of the batch include it. */
export type CreateReusableContent = Optional<{ reusableContentId: string }> & { title: string; markdown: string };

export type UpdateReusableContent = Optional<{ title: string; markdown: string }> & {
  readonly reusableContentId: string;
};

type Includes = Pick<ContentState, "variables" | "reusableContents">;

/** The variables and reusable contents of a revision during an edit; `at` is the path of the edit. */
export class IncludesDraft {
  readonly #variables: Map<string, string>;
  readonly #contents: Map<string, ReusableContent>;
  readonly #texts = new Map<string, string>();

  constructor({ variables, reusableContents }: Includes) {
    this.#variables = new Map(Object.entries(variables));
    this.#contents = new Map(Object.entries(reusableContents));
  }

  /** Sets and removes variables; others stay. INVALID_INPUT for invalid ones and more than {@link variableLimit}. */
  setVariables(at: string, { variables }: SetVariables): void {
    for (const [index, { name, value }] of variables.entries()) {
      const path = `${at}/variables/${index}`;
      checkVariableName(`${path}/name`, name);
      if (value === undefined) throw invalidInput(`${path}/value`, "is required; null deletes the variable.");
      if (value === null) this.#variables.delete(name);
      else this.#variables.set(name, checkVariableValue(`${path}/value`, value));
    }
    if (this.#variables.size > variableLimit)
      throw invalidInput(`${at}/variables`, `must leave at most ${variableLimit} variables.`);
  }

  /** INVALID_INPUT for invalid values and more than {@link reusableContentLimit}, CONFLICT for an existing id. */
  createContent(at: string, { reusableContentId, title, markdown }: CreateReusableContent): void {
    if (this.#contents.size >= reusableContentLimit)
      throw new DomainError("INVALID_INPUT", `A content may have at most ${reusableContentLimit} reusable contents.`);
    const id = ifGiven(`${at}/reusableContentId`, reusableContentId, (chosen) => this.#checkNew(at, chosen));
    this.#contents.set(id ?? newId("ReusableContent"), {
      title: checkTitle(at, title),
      documentHash: this.#keepText(at, markdown),
    });
  }

  #checkNew(at: string, id: string): string {
    if (!isIdOf("ReusableContent", id))
      throw invalidInput(`${at}/reusableContentId`, "must have the format of a reusable content id.");
    if (this.#contents.has(id))
      throw new DomainError("CONFLICT", "A reusable content with this id already exists. Choose another id.");
    return id;
  }

  /** NOT_FOUND if it does not exist, INVALID_INPUT for invalid values. */
  updateContent(at: string, { reusableContentId, title, markdown }: UpdateReusableContent): void {
    const id = lastingId("ReusableContent", reusableContentId);
    const content = this.#contents.get(id);
    if (!content) throw notFound("reusable content");
    const documentHash = ifGiven(`${at}/markdown`, markdown, (text) => this.#keepText(at, text));
    this.#contents.set(id, {
      title: ifGiven(`${at}/title`, title, (text) => checkTitle(at, text)) ?? content.title,
      documentHash: documentHash === undefined ? content.documentHash : documentHash,
    });
  }

  deleteContent(reusableContentId: string): void {
    this.#contents.delete(lastingId("ReusableContent", reusableContentId));
  }

  #keepText(at: string, markdown: string): string | null {
    const text = checkMarkdown(`${at}/markdown`, markdown);
    if (text === "") return null;
    const hash = hashText(text);
    this.#texts.set(hash, text);
    return hash;
  }

  finish(): Includes & { readonly documents: ReadonlyMap<string, string> } {
    const used = new Set([...this.#contents.values()].map(({ documentHash }) => documentHash));
    return {
      variables: Object.fromEntries(this.#variables),
      reusableContents: Object.fromEntries(this.#contents),
      documents: new Map([...this.#texts].filter(([hash]) => used.has(hash))),
    };
  }
}

const checkTitle = (at: string, title: string): string => checkText(`${at}/title`, title, { min: 1, max: 200 });
