// Conditions of sections and site spaces: the visitors who see them, in a subset of CEL (Common Expression Language).
import { type ASTNode, Environment, EvaluationError, ParseError } from "@marcbachmann/cel-js";
import type { Claims } from "#src/base/visitor-claims.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";

export interface DeclaredClaims {
  readonly signed: ReadonlySet<string>;
  readonly unsigned: ReadonlySet<string>;
}

type ConditionProblem = { readonly message: string };

export const conditionLimit = 1024;

/** A parsed condition: its evaluator, and the claims it uses. */
interface Compiled {
  readonly evaluate: (visitor: object) => unknown;
  readonly asked: readonly Asked[];
}

type Asked = { readonly isUnsigned: boolean; readonly claim: string; readonly node: ASTNode };

/*
 * The parser and evaluator is @marcbachmann/cel-js 8.0.0: one package of 0.2 MB without dependencies, with limits of
 * nodes and nesting in the parser and positions in its errors. @bufbuild/cel 0.6.1, the other maintained one, follows
 * more of the specification, but needs four packages of 11 MB, has no limits, and does not export its check of types.
 * The difference (messages, timestamps, 64 bits) does not matter here: claims are booleans.
 */
const language = new Environment({ limits: { maxAstNodes: 512, maxDepth: 32 } }).registerVariable("visitor", "map");

/** A cache of parsed conditions by their text, limited by the sum of their characters. */
const known = new BoundedMap<string, Compiled | ConditionProblem>(200_000, (_value, text) => text.length + 100);

/**
 * Whether a visitor with these claims sees the part with this condition; everybody does if null. An error, such as a
 * missing claim, hides it. Never throws; each of at most 512 nodes is evaluated at most once.
 */
export function holds(condition: string | null, claims: Claims): boolean {
  return condition === null || outcomeOf(condition, claims) === true;
}

export function outcomeOf(condition: string, claims: Claims): boolean | ConditionProblem {
  const compiled = compile(condition);
  if ("message" in compiled) return compiled;
  try {
    return compiled.evaluate({ visitor: new Map([["claims", claimsMap(claims)]]) }) === true;
  } catch (error) {
    return problemOfError(condition, error);
  }
}

/** The boolean claims by name. `unsigned` is always present. */
function claimsMap(claims: Claims): Map<string, unknown> {
  const { unsigned } = claims;
  const group = typeof unsigned === "object" && unsigned !== null ? Object.entries(unsigned) : [];
  return new Map<string, unknown>([...answered(Object.entries(claims)), ["unsigned", new Map(answered(group))]]);
}

const answered = (entries: [string, unknown][]): [string, unknown][] =>
  entries.filter(([, value]) => typeof value === "boolean");

/** The reason why a condition is invalid with these declared claims; null if it is valid. */
export function problemOf(condition: string, { signed, unsigned }: DeclaredClaims): ConditionProblem | null {
  const compiled = compile(condition);
  if ("message" in compiled) return compiled;
  const unknown = compiled.asked.find(({ isUnsigned, claim }) => !(isUnsigned ? unsigned : signed).has(claim));
  if (!unknown) return null;
  const where = unknown.isUnsigned ? "below `unsigned` of the adaptive schema" : "in the adaptive schema";
  return problemAt(condition, unknown.node, `the claim \`${unknown.claim}\` is not declared ${where} of the site.`);
}

/** The conjunction of two conditions; null if one is invalid, or if both together are too long or deep. */
export function bothOf(one: string, other: string): string | null {
  const both = `(${closed(one)}) && (${closed(other)})`;
  return [one, other, both].some((condition) => "message" in compile(condition)) ? null : both;
}

/** A comment at the end extends to the end of its line. */
const closed = (condition: string): string => (condition.includes("//") ? `${condition}\n` : condition);

function compile(condition: string): Compiled | ConditionProblem {
  const before = known.get(condition);
  if (before) return before;
  const compiled = read(condition);
  known.keep(condition, compiled);
  return compiled;
}

function read(condition: string): Compiled | ConditionProblem {
  if (Array.from(condition).length > conditionLimit) return { message: `is longer than ${conditionLimit} characters.` };
  try {
    const evaluate = language.parse(condition);
    const asked: Asked[] = [];
    readNode(evaluate.ast, asked);
    return { evaluate, asked };
  } catch (error) {
    return problemOfError(condition, error);
  }
}

/** A part of CEL that conditions may not use, with its position. */
class Refused extends Error {
  readonly node: ASTNode;

  constructor(node: ASTNode, message: string) {
    super(message);
    this.node = node;
  }
}

/** Checks that a node is boolean by its parts, and collects the claims it uses. */
function readNode(node: ASTNode, asked: Asked[]): void {
  switch (node.op) {
    case "value":
      if (typeof node.args !== "boolean")
        throw new Refused(node, "the only values allowed here are `true` and `false`.");
      return;
    case "!_":
      readNode(node.args, asked);
      return;
    case "&&":
    case "||":
    case "==":
    case "!=":
    case "?:":
      for (const part of node.args) readNode(part, asked);
      return;
    case "id":
    case ".":
    case "[]":
      asked.push(claimAt(node));
      return;
    case "call":
      asked.push(readHas(node, node.args));
      return;
    default:
      throw new Refused(node, onlyThese);
  }
}

const onlyThese = "a condition may contain only claims, has(), `true`, `false`, !, &&, ||, ==, !=, ?: and parentheses.";

function readHas(node: ASTNode, [name, given]: readonly [string, readonly ASTNode[]]): Asked {
  const [path] = given;
  if (name !== "has" || given.length !== 1 || !path) throw new Refused(node, onlyThese);
  if (path.op !== ".") throw new Refused(path, "has() takes a claim by its name, such as `visitor.claims.customer`.");
  return claimAt(path);
}

/** The claim that a path refers to: `visitor.claims.a`, `visitor.claims["a"]`, or the same below `unsigned`. */
function claimAt(node: ASTNode): Asked {
  const [root, claims, ...rest] = namesOf(node);
  const [first, second] = rest;
  const isUnsigned = first === "unsigned";
  const claim = isUnsigned ? second : first;
  if (root !== "visitor" || claims !== "claims" || claim === undefined || rest.length !== (isUnsigned ? 2 : 1))
    throw new Refused(node, "this is not a claim: write `visitor.claims.name` or `visitor.claims.unsigned.name`.");
  return { isUnsigned, claim, node };
}

function namesOf(node: ASTNode): string[] {
  if (node.op === "id") return [node.args];
  if (node.op === ".") return [...namesOf(node.args[0]), node.args[1]];
  if (node.op !== "[]") throw new Refused(node, onlyThese);
  const [of, key] = node.args;
  if (key.op !== "value" || typeof key.args !== "string") throw new Refused(key, "write the name in quotes.");
  return [...namesOf(of), key.args];
}

function problemOfError(condition: string, error: unknown): ConditionProblem {
  if (error instanceof Refused) return problemAt(condition, error.node, error.message);
  if (error instanceof EvaluationError && error.code === "no_such_key")
    return problemAt(condition, error.range, "the visitor does not have this claim.");
  if (error instanceof ParseError || error instanceof EvaluationError)
    return problemAt(condition, error.range, `${error.summary}.`);
  return { message: "cannot be evaluated." }; // an unexpected error of the parser or evaluator
}

/** A problem with its position, counted in characters from 1, and the text there. */
function problemAt(condition: string, place: { start: number; end: number } | undefined, message: string) {
  if (!place) return { message };
  const at = Array.from(condition.slice(0, place.start)).length + 1;
  const text = Array.from(condition.slice(place.start, place.end).trim());
  const shown = text.length > 60 ? `${text.slice(0, 60).join("")}…` : text.join("");
  return { message: `at character ${at}${shown && ` (\`${shown}\`)`}: ${message}` };
}
