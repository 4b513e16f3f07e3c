// The text that makes the world of a script: the functions of the surface, put together so that a script gets only what
// they add to its global object.
import type { RunLimits } from "#src/sandbox/limits.ts";
import * as addresses from "#src/sandbox/surface-addresses.ts";
import * as calls from "#src/sandbox/surface-calls.ts";
import * as surface from "#src/sandbox/surface.ts";

const functions = [surface, addresses, calls].flatMap((module) => Object.values(module).map(String)).join("\n");

/**
 * An expression: a function that takes the gate, completes the world, and answers `{ run, due }`. What scripts do not
 * get is taken away: memory that threads share, for which they have no use.
 */
export const worldText = ({ logLineLength, timers }: RunLimits): string => `(function (gate) {
"use strict";
${functions}
delete globalThis.SharedArrayBuffer;
delete globalThis.Atomics;
const define = makeDefine(globalThis);
const bytesOf = makeBytesOf();
const describe = makeDescribe(${logLineLength});
const ask = makeAsk(gate);
addConsole(define, gate, describe);
addText(define, gate, bytesOf);
addCrypto(define, gate, bytesOf);
addUrl(define, gate, addSearchParams(define));
addFetch(define, gate, ask, bytesOf);
const due = addTimers(define, gate, ${timers});
return { run: makeRun(gate, ask, describe), due };
})`;
