// The limits of documents and variables: too long or too deep ones are rejected before parsing, too large selections
// before running. Each check takes time proportional to the length of the text.
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  Source,
  type Token,
  TokenKind,
} from "graphql";
import { inFigures, type OperationLimits, operationLimits } from "#src/base/limits.ts";
import { DomainError } from "#src/base/errors.ts";

export type DocumentLimits = Pick<OperationLimits, "documentBytes" | "tokens" | "levels">;

/** Each is far above what anybody writes by hand. */
const documentLimits = {
  comments: 1_000,
  /** Nested brackets of any kind: the parser recurses at each. A rich document of 100 levels has 200. */
  brackets: 250,
  /** Characters of a name: errors repeat names, a hundred at a time. */
  nameLength: 500,
  /** Fields that an operation selects, fragments expanded: nested fragments can double them with every level. */
  fields: 10_000,
} as const;

export interface Extent {
  readonly fields: number;
  readonly levels: number;
}

const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

class LimitedLexer extends Lexer {
  #depth = 0;

  override advance(): Token {
    const token = super.advance();
    const { kind, start, end } = token;
    if (opening.has(kind)) this.#depth += 1;
    else if (closing.has(kind)) this.#depth -= 1;
    if (this.#depth > documentLimits.brackets)
      throw this.#refusal(`A document may have at most ${documentLimits.brackets} levels of brackets.`, start);
    if (kind === TokenKind.NAME && end - start > documentLimits.nameLength)
      throw this.#refusal(`A name may have at most ${documentLimits.nameLength} characters.`, start);
    return token;
  }

  #refusal(message: string, at: number): GraphQLError {
    return new GraphQLError(message, { source: this.source, positions: [at] });
  }
}

/** Parses a text. Throws a GraphQLError if it is not a document, or exceeds a limit. */
export function parseDocument(
  text: string,
  { documentBytes, tokens: maxLexicalTokens }: DocumentLimits = operationLimits,
): DocumentNode {
  const bytes = text.length > documentBytes ? text.length : Buffer.byteLength(text);
  if (bytes > documentBytes)
    throw new GraphQLError(
      `A document may have at most ${inFigures(documentBytes)} bytes, but this one has ${inFigures(bytes)}. Send values as variables.`,
    );
  const { comments: maxComments } = documentLimits;
  const source = new Source(text);
  return parse(source, { lexer: new LimitedLexer(source), maxLexicalTokens, maxComments });
}

/** Measures the operations of a valid document, each fragment once. */
export function measurer(document: DocumentNode): (operation: OperationDefinitionNode) => Extent {
  const known = new Map<string, Extent>();
  const fragments = new Map<string, SelectionSetNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet);

  function ofFragment(name: string): Extent {
    let extent = known.get(name);
    // Validation has rejected fragments inside themselves.
    if (!extent) known.set(name, (extent = of(fragments.get(name))));
    return extent;
  }

  function of(set: SelectionSetNode | undefined): Extent {
    let fields = 0;
    let levels = set ? 1 : 0;
    for (const node of set?.selections ?? []) {
      const inside = node.kind === Kind.FRAGMENT_SPREAD ? ofFragment(node.name.value) : of(node.selectionSet);
      const isField = node.kind === Kind.FIELD;
      fields += inside.fields + (isField ? 1 : 0);
      levels = Math.max(levels, inside.levels + (isField ? 1 : 0));
    }
    return { fields, levels };
  }

  return ({ selectionSet }) => of(selectionSet);
}

/** The error of an operation that selects too much or too deep, or null. */
export function findExcess({ fields, levels }: Extent, { levels: deepest }: DocumentLimits = operationLimits) {
  const { fields: most } = documentLimits;
  if (fields > most)
    return `The operation selects ${fields} fields, with fragments expanded, and the limit is ${most}: request fewer at once.`;
  if (levels > deepest)
    return `The operation selects ${levels} levels deep, with fragments expanded, and the limit is ${deepest}: request fewer levels at once.`;
  return null;
}

/** How many items all lists in the variables of an operation may have together, also lists inside JSON. */
const mostItems = 100_000;

/** Throws INVALID_INPUT for variables with more items. Takes time by their length only, however deep they are. */
export function requireFewItems(variables: Variables): void {
  const refusal = refusalOf(variables);
  if (refusal) throw refusal;
}

/** The same error as a value; null if missing. */
export function refusalOf(variables: Variables): DomainError | null {
  const items = countItems(variables);
  if (items <= mostItems) return null;
  return new DomainError(
    "INVALID_INPUT",
    `The lists in the variables of an operation may have at most ${inFigures(mostItems)} items in total, but these have ${inFigures(items)}.`,
  );
}

type Variables = Readonly<Record<string, unknown>>;

function countItems(variables: Variables): number {
  let items = 0;
  const open: unknown[] = [variables];
  while (open.length > 0) {
    const value = open.pop();
    const inside: unknown[] = Array.isArray(value) ? value : Object.values(value as object);
    if (Array.isArray(value)) items += value.length;
    for (const item of inside) if (isNested(item)) open.push(item);
  }
  return items;
}

/** Whether a value is a list or object of JSON, as opposed to an uploaded file. */
function isNested(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
