// The examples of the OpenAPI description: requests and answers of the demo, which `npm run examples` writes.
import { readFile } from "node:fs/promises";

/** What an operation is sent and answers, as JSON; what it has none of is absent. */
export interface Example {
  /** The body of a request. */
  readonly body?: unknown;
  /** The body of the answer to it, or to a request without one. */
  readonly answer?: unknown;
}

/** Examples by the names of their operations. */
export type Examples = Readonly<Record<string, Example>>;

/** Reads the examples from their file. */
export async function readExamples(): Promise<Examples> {
  const text = await readFile(new URL("examples.json", import.meta.url), "utf8");
  return JSON.parse(text) as Examples; // a test writes them in this form
}
