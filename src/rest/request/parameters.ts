// Parameters: the inputs that a route reads from the path and the query, each by the type of its variable.
import {
  getNamedType,
  getNullableType,
  GraphQLEnumType,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  isEnumType,
  isListType,
  isNonNullType,
} from "graphql";
import { pageSize } from "#src/db/reading/page.ts";
import type { SchemaLimits } from "#src/graph/schema/rest-forms.ts";
import { enumReader, type Reading, readText } from "#src/rest/request/values.ts";
import type { Choice } from "#src/rest/route.ts";
import { restValuesOf } from "#src/rest/type-forms.ts";

export interface Parameter extends Declared {
  readonly variable: string;
  readonly type: GraphQLNamedInputType;
  readonly isList: boolean;
  /** `page` or `limit` of a list. */
  readonly isPaging: boolean;
  readonly required: boolean;
  readonly default: unknown;
  readonly limits: SchemaLimits;
  readonly read: (text: string) => Reading;
}

export interface Declared {
  readonly name: string;
  readonly place: "path" | "query";
  readonly description: string;
}

export interface Variable {
  readonly type: GraphQLInputType;
  readonly default: unknown;
  readonly limits: SchemaLimits;
}

export const isRequired = (variable: Variable): boolean =>
  isNonNullType(variable.type) && variable.default === undefined;

/** The parameter that fills the variable of its name. */
export function parameterOf(variable: Variable, declared: Declared): Parameter {
  const type = getNamedType(variable.type);
  return {
    ...declared,
    variable: declared.name,
    type,
    isList: isListType(getNullableType(variable.type)),
    isPaging: false,
    required: declared.place === "path" || isRequired(variable),
    default: isEnumType(type) ? restValuesOf(type).get(String(variable.default)) : variable.default,
    limits: variable.limits,
    read: readerOf(type),
  };
}

/** The parameters `page` and `limit` of a list. `take` returns the variable that a parameter fills. */
export function pagingParameters(take: (name: string, variable: string) => Variable): Parameter[] {
  const paging = (name: string, variable: string, description: string): Parameter => ({
    ...parameterOf(take(name, variable), { name, place: "query", description }),
    variable,
    isPaging: true,
  });
  const page = paging("page", "after", "Opaque pointer to a page of results, from `next.page`.");
  const limit = paging("limit", "first", "Maximum number of items on a page.");
  return [page, { ...limit, default: pageSize.default, limits: limitRange, read: readLimit }];
}

const limitRange = { minimum: 1, maximum: pageSize.max };

/** The parameter that chooses between two parts of the response. */
export function choiceOf(name: string, { description, variable, values }: Choice, filled: Variable): Parameter {
  const [no, yes] = values;
  const type = new GraphQLEnumType({ name: "Choice", values: { [no]: {}, [yes]: {} } });
  const readValue = enumReader(restValuesOf(type));
  return {
    ...parameterOf(
      { type, default: filled.default === true ? yes : no, limits: {} },
      { name, place: "query", description },
    ),
    variable,
    required: isRequired(filled),
    read(text) {
      const reading = readValue(text);
      return "value" in reading ? { value: reading.value === yes } : reading;
    },
  };
}

function readLimit(text: string): Reading {
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= pageSize.max) return { value };
  return { refusal: `must be a whole number from 1 to ${pageSize.max}.` };
}

function readerOf(type: GraphQLNamedInputType): (text: string) => Reading {
  if (isEnumType(type)) return enumReader(restValuesOf(type));
  return readers[type.name] ?? readText;
}

const readers: Readonly<Record<string, (text: string) => Reading>> = {
  Boolean: (text) =>
    text === "true" || text === "false" ? { value: text === "true" } : { refusal: "must be true or false." },
  Int: (text) => {
    const value = /^-?[0-9]{1,10}$/.test(text) ? Number(text) : Infinity;
    return value === (value | 0) ? { value } : { refusal: "must be a whole number." };
  },
};
