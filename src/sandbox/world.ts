// The world of a script as a text: the globals besides the language, evaluated before the script.
import type { RunLimits } from "#src/sandbox/messages.ts";
import { packageNames } from "#src/sandbox/packages.ts";
import * as addresses from "#src/sandbox/surface-addresses.ts";
import * as bodies from "#src/sandbox/surface-bodies.ts";
import * as bytes from "#src/sandbox/surface-bytes.ts";
import * as calls from "#src/sandbox/surface-calls.ts";
import * as errors from "#src/sandbox/surface-errors.ts";
import * as events from "#src/sandbox/surface-events.ts";
import * as headers from "#src/sandbox/surface-headers.ts";
import * as messages from "#src/sandbox/surface-messages.ts";
import * as worker from "#src/sandbox/surface-worker.ts";
import * as surface from "#src/sandbox/surface.ts";

const modules = [surface, errors, addresses, bytes, events, headers, bodies, messages, calls, worker];
const functions = modules.flatMap((module) => Object.values(module).map(String)).join("\n");

/** A function expression that takes the gate, adds globals, removes shared memory, and returns `{ run, due }` */
export const worldText = ({ logLineLength, timers }: RunLimits): string => `(function (gate) {
"use strict";
${functions}
delete globalThis.SharedArrayBuffer;
delete globalThis.Atomics;
delete globalThis.performance;
addStacks(Error);
const define = makeDefine(globalThis);
const bytesOf = makeBytesOf();
const describe = makeDescribe(${logLineLength});
const ask = makeAsk(gate);
const load = addPackages(globalThis, define, gate, ${JSON.stringify(packageNames)});
const due = addTimers(define, gate, ${timers});
addConsole(define, gate, describe);
addText(define, gate, bytesOf);
addCrypto(define, gate, bytesOf);
addUrl(define, gate, addSearchParams(define));
addMicrotasks(define);
const DOMException = addFailures(define);
addBase64(define, gate, DOMException);
addSignals(define, addEventTarget(define), DOMException);
const codec = makeTextCodec(gate);
const forms = () => load("forms");
const multipart = makeMultipart(gate, codec, forms);
const parts = {
  Headers: addHeaders(define),
  bodies: makeBody(codec, forms, multipart.read),
  sourceOf: makeSourceOf(codec, bytesOf, multipart.write),
};
addRequest(define, parts);
addResponse(define, parts);
const own = { origin: null };
addFetch(define, ask, own);
return { run: makeRun(gate, makeApi(ask), describe, makeRunWorker(gate, load, own)), due };
})`;
