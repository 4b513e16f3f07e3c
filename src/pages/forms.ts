// Forms of pages as the adapter runs them: a POST to the address of the page, with the name of the form in a field.
import { GraphQLError } from "graphql";
import { DomainError, type ErrorCode, type ErrorDetail, errorCodes } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { Upload } from "#src/files/upload.ts";
import { zipStream } from "#src/files/zip-stream.ts";
import { findFailure } from "#src/graph/run/errors.ts";
import type { Executor, Operation } from "#src/graph/run/execute.ts";
import { answerBeforeFiles, resultWithinLimits } from "#src/graph/run/within-limits.ts";
import { html, type Html } from "#src/http/html.ts";
import type { SentFile, SentForm } from "#src/pages/form-body.ts";
import { type Asked, type Form, type FormProblem, type Page, type ShownAgain, shownAgain } from "#src/pages/page.ts";
import { prepareQuery } from "#src/pages/prepare-query.ts";

/** The path that the browser goes to, what to show again, or what was wrong, with the status of that page. */
type Submitted =
  | { readonly to: string; readonly notice: string }
  | (Omit<ShownAgain, "fields"> & { readonly problem?: FormProblem; readonly status?: number });

/** Where the files of forms go until their mutations keep them. */
export interface FormFiles {
  readonly files: FileStore;
  readonly maxFileSize: number;
}

/** The sender of a form: each run of a mutation has a context of its own. */
type Sender = () => Promise<Context>;

export type SubmitForm = (sender: Sender, asked: Asked, sent: SentForm) => Promise<Submitted>;

type Answer = Awaited<ReturnType<typeof resultWithinLimits>>;

interface Run {
  readonly form: Form<never>;
  readonly operation: Operation;
  readonly sender: Sender;
  readonly asked: Asked;
  readonly sent: SentForm;
}

/** Makes the runner of the forms of one page. Throws INVALID_INPUT for the name of another form. */
export function submitterOf(
  executor: Executor,
  forms: NonNullable<Page["forms"]>,
  files: FormFiles | undefined,
): SubmitForm {
  const operations = new Map<string, Operation>();
  return async (sender, asked, sent) => {
    const { fields } = sent;
    // A button after the files of its form names it in the address: fields come before files.
    const name = fields.get("form") ?? asked.search.get("form") ?? "";
    asked.search.delete("form");
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (!form) throw new DomainError("INVALID_INPUT", "This page does not have the form that was sent.");
    if (form === shownAgain) return { problem: { form: name, message: null, fields } };
    const operation = operations.get(name) ?? prepareQuery(executor, form.mutation);
    operations.set(name, operation);
    const run = { form, operation, sender, asked, sent };
    const answering = form.takes && files ? answersWithFiles(run, files) : answerWithoutFiles(run);
    const answers = await answering.catch(refusalOf);
    const errors = answers.flatMap((answer) => answer.errors ?? []);
    const failure = findFailure(errors);
    if (failure) throw failure.originalError ?? new Error(failure.message);
    const [first] = errors;
    const { then } = form;
    const all: readonly unknown[] = answers.map(({ data }) => data); // by the selection of the document
    if (!first) return outcomeOf(form, then(all.at(-1) as never, asked, fields, all as never), name);
    const details = detailsIn(first.message, first.extensions["details"]);
    const problem = { form: name, message: first.message, ...details, fields };
    return { problem, status: statusOf(first.extensions["code"]) };
  };
}

/** Details that the message does not contain. */
function detailsIn(message: string, given: unknown): Pick<FormProblem, "details"> {
  const details = (given ?? []) as readonly ErrorDetail[]; // of a DomainError
  return details.some((one) => !message.includes(one.message)) ? { details } : {};
}

/** What is wrong with the fields or files of a form before its mutation runs is said on its page, too. */
function refusalOf(error: unknown): Answer[] {
  if (!(error instanceof DomainError) || !["INVALID_INPUT", "TOO_LARGE"].includes(error.code)) throw error;
  return [{ errors: [new GraphQLError(error.message, { extensions: { code: error.code, details: error.details } })] }];
}

async function answerWithoutFiles({ form, operation, sender, asked, sent }: Run): Promise<Answer[]> {
  for await (const { name } of sent.files)
    throw new DomainError("INVALID_INPUT", `This button does not send files: the file ${name} was not stored.`);
  return [await resultWithinLimits(await sender(), operation, form.variables(sent.fields, asked))];
}

/** The answers for all files, up to the first with an error: the files before that one are stored. */
async function answersWithFiles(run: Run, { files, maxFileSize }: FormFiles): Promise<Answer[]> {
  const sent = run.form.takes === "one archive" ? archiveOf(run.sent, maxFileSize) : run.sent.files;
  const answers: Answer[] = [];
  for await (const { name, bytes } of sent) {
    const answer = await answerFor(run, name, () => files.receive(bytes, maxFileSize));
    answers.push(answer);
    if (answer.errors) return answers;
  }
  if (answers.length === 0) throw new DomainError("INVALID_INPUT", "Choose a file first.");
  return answers;
}

/** A file is received once it is known that the mutation may have it. */
async function answerFor(
  { form, operation, sender, asked, sent }: Run,
  name: string,
  receive: () => ReturnType<FileStore["receive"]>,
): Promise<Answer> {
  const context = await sender();
  const upload = new Upload(0);
  const variables = form.variables(sent.fields, asked, upload);
  const early = await answerBeforeFiles(context, operation, variables);
  if (early) return early;
  try {
    upload.take(name, await receive());
    return await resultWithinLimits(context, operation, variables);
  } finally {
    await upload.drop();
  }
}

/** The archive that was sent, or one with all files that were sent. */
async function* archiveOf({ files }: SentForm, maxFileSize: number): AsyncGenerator<Pick<SentFile, "name" | "bytes">> {
  const first = await files.next();
  if (first.done) return;
  if (/\.zip$/i.test(first.value.name) && first.value.path === first.value.name) return yield first.value;
  async function* all() {
    yield first.value as SentFile; // it is not done
    yield* files;
  }
  yield { name: "folder.zip", bytes: zipStream(neededOf(all()), maxFileSize) as AsyncIterable<Buffer> };
}

/** Without the files of tools, which are many: an import would skip them. */
async function* neededOf(files: AsyncIterable<SentFile>): AsyncGenerator<SentFile> {
  for await (const file of files)
    if (!/(?:^|\/)(?:\.git|node_modules)\//.test(file.path)) yield file;
    else for await (const _chunk of file.bytes); // to the end of the part
}

function outcomeOf({ notice = "Done." }: Form<never>, then: string | ShownAgain, form: string): Submitted {
  if (typeof then === "string") return { to: then, notice };
  const { fields, ...shows } = then;
  return fields ? { ...shows, problem: { form, message: null, fields } } : shows;
}

const statusOf = (code: unknown): number =>
  typeof code === "string" && Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode].status : 400;

interface FormLook {
  readonly style?: string;
  /** Whether it has a field with files, which must be its last one. */
  readonly hasFiles?: boolean;
}

/** A form of the page that shows it. `inside` has its fields and its button. */
export const formOf = (name: string, inside: Html, { style = "", hasFiles = false }: FormLook = {}): Html =>
  html`<form method="post" class="${style}" ${hasFiles ? html`enctype="multipart/form-data"` : ""}>
    <input type="hidden" name="form" value="${name}" />
    ${inside}
  </form>`;

/** What was wrong with a form, above it; nothing if it was not sent. */
export const problemOf = ({ problem }: Pick<Asked, "problem">, form: string): Html =>
  problem?.form === form && problem.message !== null
    ? html`<p class="problem" role="alert">${problem.message}</p>
        ${problem.details ? detailsOf(problem.details) : ""}`
    : html``;

const detailsOf = (details: readonly ErrorDetail[]): Html =>
  html`<ul class="problem-details">
    ${details.slice(0, 20).map(({ path, message }) => html`<li><code>${path}</code> ${message}</li>`)}
  </ul>`;

/** What a field contained when its form was refused, or else its value. */
export const filled = ({ problem }: Pick<Asked, "problem">, form: string, name: string, value = ""): string =>
  problem?.form === form ? (problem.fields.get(name) ?? "") : value;
