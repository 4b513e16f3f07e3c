// What a worker gets and answers, in the sandbox and at a tunnel.
import { isRecord } from "#src/base/json.ts";
import type { Outcome } from "#src/features/integrations/model/runs/outcome.ts";

/** The type of the event to draw a block, for which the script only reads. */
export const drawingEvent = "ui_render";
/** The type of the event for a public request. */
export const requestEvent = "fetch";
/** The type of the event for a visitor of a site who has to sign in. */
export const signInEvent = "fetch_visitor_authentication";

/** Whether the answer to an event is a response for a browser. */
export const isRequest = (type: string): boolean => type === requestEvent || type === signInEvent;

/** The status of a worker for events that it does not handle. */
const notHandled = 406;
const shownOfAnswer = 1_000;

interface WorkerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64. */
  readonly body: string;
}

/** The response of a worker: whole for a browser, else the JSON that it holds. */
export function answerOfWorker(type: string, response: WorkerResponse): Pick<Outcome, "answer" | "fault"> {
  const { status, body } = response;
  if (isRequest(type)) return { answer: JSON.stringify({ ...response, isBase64: true }), fault: null };
  const text = Buffer.from(body, "base64").toString();
  if (status >= 200 && status < 300) return { answer: jsonIn(text), fault: null };
  if (status === notHandled && type !== drawingEvent) return { answer: "null", fault: null };
  return { answer: null, fault: `The worker answered ${status}: ${text.slice(0, shownOfAnswer)}` };
}

/** The text if it is JSON, else `null`. */
export function jsonIn(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return "null";
  }
}

/** The form that a worker reads, as the sandbox hands it over, in its bytes over HTTP. */
export async function workerForm(event: Readonly<Record<string, unknown>>, environment: string) {
  const form = new FormData();
  const { request, ...others } = event;
  if (!isRecord(request)) form.set("event", JSON.stringify(event));
  else {
    const { body, isBase64, ...rest } = request;
    form.set("event", JSON.stringify({ ...others, request: rest }));
    if (typeof body === "string") form.set("fetch-body", isBase64 ? new Blob([Buffer.from(body, "base64")]) : body);
  }
  form.set("environment", environment);
  const sent = new Response(form);
  return { type: sent.headers.get("content-type") ?? "", body: Buffer.from(await sent.arrayBuffer()) };
}
