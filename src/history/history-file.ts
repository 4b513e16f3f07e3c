// Reads and validates the file of a documentation history. Independent of where the history is loaded.
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";
import { DomainError } from "#src/base/errors.ts";
import { isStorable } from "#src/base/text/forms.ts";

const text = z.string().refine(isStorable, "has characters that cannot be stored");
const date = z.iso.datetime({ offset: true }).transform((value) => new Date(value));
const path = text.regex(/\S/, "is blank");
/** Path of a file -> name of the blob with its text; null if it was deleted. */
const changedFiles = z.record(path, z.string().nullable());

const stepFields = { subject: text, author: text.min(1), date, after: changedFiles };

const edit = z.object({ kind: z.literal("edit"), ...stepFields });

/** A change request, at the step in which it was merged. It was opened after `startedAfter` steps. */
const changeRequest = z.object({
  kind: z.literal("changeRequest"),
  ...stepFields,
  startedAfter: z.int().min(0),
  edits: changedFiles,
  number: z.int().min(1).max(2_147_483_647).optional(),
  merges: z.enum(["cleanly", "with conflicts"]),
});

const files = z.record(path, z.string());

const historyFormat = z
  .object({
    start: files,
    steps: z.array(z.discriminatedUnion("kind", [edit, changeRequest])).min(1),
    end: files,
    blobs: z.record(z.string(), text),
  })
  .superRefine(({ start, steps, end, blobs }, context) => {
    const changed = steps.flatMap((step) => (step.kind === "edit" ? [step.after] : [step.after, step.edits]));
    const named = [start, end, ...changed];
    for (const blob of named.flatMap((some) => Object.values(some)))
      if (blob !== null && blobs[blob] === undefined)
        return context.addIssue({ code: "custom", path: ["blobs"], message: `${blob} is missing` });
    const numbers = new Set<number>();
    for (const [index, step] of steps.entries()) {
      if (step.kind === "edit") continue;
      const refuse = (field: "startedAfter" | "number", message: string) =>
        context.addIssue({ code: "custom", path: ["steps", index, field], message });
      if (step.startedAfter > index) refuse("startedAfter", `must be at most the index of the step (${index})`);
      if (step.number === undefined) continue;
      if (numbers.has(step.number))
        refuse("number", `${step.number} must be unique, but two change requests have this number`);
      numbers.add(step.number);
    }
  });

/** How a body of documentation was written, step by step. */
export type History = z.infer<typeof historyFormat>;
type HistoryStep = History["steps"][number];
export type HistoryEdit = Extract<HistoryStep, { kind: "edit" }>;
export type HistoryChange = Extract<HistoryStep, { kind: "changeRequest" }>;

export type Files = Readonly<z.infer<typeof changedFiles>>;

/** Far more than any real history: a file that unpacks to more is rejected before it fills the memory. */
const sizeLimit = 512 * 1024 * 1024;

/** The first bytes of every gzip file (RFC 1952, 2.3.1). */
const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** Reads a history, as JSON or gzipped JSON. Throws INVALID_INPUT for a file that is missing or not a history. */
export async function readHistory(path: string): Promise<History> {
  const refuse = (what: string, cause?: unknown) => {
    const because = cause instanceof Error ? ` (${cause.message})` : "";
    return new DomainError("INVALID_INPUT", `${path} ${what}${because}`);
  };
  const refusing = (what: string) => (error: unknown) => {
    throw refuse(what, error);
  };
  const packed = await readFile(path).catch(refusing("cannot be read"));
  const isGzip = packed.subarray(0, 2).equals(gzipMagic);
  const unpack = () => promisify(gunzip)(packed, { maxOutputLength: sizeLimit });
  const unpacked = isGzip ? await unpack().catch(refusing("is not a valid gzip file")) : packed;
  let json: unknown;
  try {
    json = JSON.parse(unpacked.toString("utf8"));
  } catch (error) {
    throw refuse("is not valid JSON", error);
  }
  const { data, error } = historyFormat.safeParse(json);
  if (error) throw refuse(`is not a history:\n${firstIssues(error)}`);
  return data;
}

function firstIssues({ issues }: z.ZodError): string {
  const shown = issues.slice(0, 5).map(({ path, message }) => `  ${path.join(".") || "the file"}: ${message}`);
  return [...shown, ...(issues.length > shown.length ? [`  and ${issues.length - shown.length} more`] : [])].join("\n");
}
