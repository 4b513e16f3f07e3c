// Documents: texts of callers, parsed and validated once, and cached within limits. Rejected ones are not cached.
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  specifiedRules,
  validate,
} from "graphql";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { cacheOf } from "#src/runtime/cache-budget.ts";
import {
  type DocumentLimits,
  type Extent,
  findExcess,
  measurer,
  parseDocument,
} from "#src/graph/run/document-limits.ts";
import { IncrementalDirectivesRule } from "#src/graph/run/incremental/directives.ts";
import { operationLimits } from "#src/base/limits.ts";
import { isConditional } from "#src/graph/run/selection.ts";
import { mostChoices } from "#src/plan/plan.ts";
import { requestError, withPhase } from "#src/graph/run/errors.ts";

export type Refusal = readonly GraphQLError[];

const rules = [...specifiedRules, IncrementalDirectivesRule];

/** How many megabytes of memory cached documents may take together (approximate): some hundred of usual length. */
const megabytes = 24;

/** Approximate bytes, as measured: of a token with its AST; of a field of a compiled operation. */
const bytes = { token: 400, field: 3_000 } as const;

/** The most fields, fragments expanded, of a document that is compiled. */
const plannedFields = 1_000;

export interface Selected {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  readonly mayBePlanned: boolean;
}

type Make<Made> = (selected: Selected) => Made;

/** A valid document with its operations, which are prepared when first requested. */
class KnownDocument<Made> {
  readonly weight: number;
  readonly #document: DocumentNode;
  readonly #limits: DocumentLimits;
  readonly #operations: ReadonlyMap<OperationDefinitionNode, Extent>;
  readonly #mayBePlanned: boolean;
  readonly #made = new Map<OperationDefinitionNode, Made | Refusal>();

  constructor(document: DocumentNode, limits: DocumentLimits) {
    this.#document = document;
    this.#limits = limits;
    const measure = measurer(document);
    const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
    this.#operations = new Map(operations.map((operation) => [operation, measure(operation)]));
    const fields = [...this.#operations.values()].reduce((sum, extent) => sum + extent.fields, 0);
    this.#mayBePlanned = fields <= plannedFields;
    const plans = this.#mayBePlanned ? (isConditional(document) ? mostChoices : 1) : 0;
    this.weight = bytes.token * (document.tokenCount ?? 0) + bytes.field * fields * plans;
  }

  operation(name: string | undefined, make: Make<Made>): Made | Refusal {
    const operations = [...this.#operations.keys()];
    const definition = operations.find((operation) => operation.name?.value === name) ?? operations[0];
    const isMeant = name === undefined ? operations.length === 1 : definition?.name?.value === name;
    if (!definition || !isMeant) return [missingOperation(name)];
    let made = this.#made.get(definition);
    if (!made) this.#made.set(definition, (made = this.#make(definition, make)));
    return made;
  }

  #make(definition: OperationDefinitionNode, make: Make<Made>): Made | Refusal {
    const excess = findExcess(this.#operations.get(definition) ?? { fields: 0, levels: 0 }, this.#limits);
    if (excess) return [new GraphQLError(excess, { extensions: { code: "INVALID_INPUT" } })];
    return make({ document: this.#document, definition, mayBePlanned: this.#mayBePlanned });
  }
}

/** The documents of a schema. `make` prepares an operation, once while its document is cached. */
export class Documents<Made> {
  readonly #schema: GraphQLSchema;
  readonly #make: Make<Made>;
  readonly #hidesSuggestions: boolean;
  readonly #limits: DocumentLimits;
  readonly #known: BoundedMap<string, KnownDocument<Made>>;

  /** With `limits` they are documents of callers, in a cache among the others of the process. */
  constructor(schema: GraphQLSchema, make: Make<Made>, hidesSuggestions: boolean, limits?: DocumentLimits) {
    const weigh = ({ weight }: KnownDocument<Made>, text: string) => weight + 2 * text.length;
    this.#schema = schema;
    this.#limits = limits ?? operationLimits;
    this.#make = make;
    this.#hidesSuggestions = hidesSuggestions;
    this.#known = limits ? cacheOf("parsed documents", megabytes, weigh) : new BoundedMap(megabytes * 1_000_000, weigh);
  }

  has(text: string): boolean {
    return this.#known.get(text) !== undefined;
  }

  /** The prepared operation of a document, or the errors that keep it from running. */
  operation(text: string, name: string | null | undefined): Made | Refusal {
    const known = this.#known.get(text) ?? this.#read(text);
    return known instanceof KnownDocument ? known.operation(name || undefined, this.#make) : known;
  }

  #read(text: string): KnownDocument<Made> | Refusal {
    let document: DocumentNode;
    try {
      document = parseDocument(text, this.#limits);
    } catch (error) {
      if (error instanceof GraphQLError) return [withPhase(error, "parse")];
      throw error;
    }
    const errors = validate(this.#schema, document, rules, { hideSuggestions: this.#hidesSuggestions });
    if (errors.length > 0) return errors.map((error) => withPhase(error, "validate"));
    const known = new KnownDocument<Made>(document, this.#limits);
    this.#known.keep(text, known);
    return known;
  }
}

function missingOperation(name: string | undefined): GraphQLError {
  const message =
    name === undefined
      ? "The document has several operations: set operationName to the name of one."
      : `The document has no operation with the name "${name.slice(0, 100)}".`;
  return requestError(message, "OPERATION_RESOLUTION_FAILURE");
}
