// Parsed JSON values: type guards, JSON pointers, and checks by a JSON schema of ours.
import type { DefinedError, ValidateFunction } from "ajv";
import { DomainError, type ErrorDetail } from "#src/base/errors.ts";

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The name of a property as a step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The name of a property in a step of a JSON pointer. */
export function pointerName(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Returns the problems of a value with their JSON pointers; empty if it is valid. */
export type FormCheck = (value: unknown) => Promise<ErrorDetail[]>;

/** The check of a JSON schema. */
export function formCheck(form: object): FormCheck {
  let validator: Promise<ValidateFunction> | undefined;
  return async (value) => {
    const hasForm = await (validator ??= compiled(form));
    return hasForm(value) ? [] : ((hasForm.errors ?? []) as DefinedError[]).map(faultOf);
  };
}

/** Loaded on first use: ajv takes 50 ms to start. */
async function compiled(form: object): Promise<ValidateFunction> {
  const { Ajv } = await import("ajv");
  return new Ajv({ allErrors: true, allowUnionTypes: true }).compile(form);
}

function faultOf(error: DefinedError): ErrorDetail {
  const { instancePath: path, message = "is not valid" } = error;
  switch (error.keyword) {
    case "additionalProperties":
      return { path: `${path}/${pointerStep(error.params.additionalProperty)}`, message: "must not be given here." };
    case "required":
      return { path: `${path}/${pointerStep(error.params.missingProperty)}`, message: "must be given." };
    case "const":
      return { path, message: `must be ${JSON.stringify(error.params.allowedValue)}.` };
    case "enum": {
      const allowed = error.params.allowedValues.map((one) => JSON.stringify(one));
      return { path, message: `must be one of ${allowed.join(", ")}.` };
    }
    default:
      return { path, message: `${message}.` };
  }
}

/** INVALID_INPUT for a value at a path of the input, such as `jsonSchema`, with at most 100 details. */
export function refusedForm(at: string, what: string, faults: readonly ErrorDetail[]): DomainError {
  const details = faults.slice(0, 100).map(({ path, message }) => ({ path: `${at}${path}`, message }));
  const first = details.map(({ path, message }) => `${path}: ${message}`).slice(0, 3);
  return new DomainError("INVALID_INPUT", `${what}: ${first.join(" ")}`, details);
}
