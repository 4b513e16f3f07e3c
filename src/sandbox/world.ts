// The code that makes a script's world of the surface's functions: a script gets what they add to its global object.
import type { RunLimits } from "#src/sandbox/limits.ts";
import * as addresses from "#src/sandbox/surface-addresses.ts";
import * as calls from "#src/sandbox/surface-calls.ts";
import * as surface from "#src/sandbox/surface.ts";

const functions = [surface, addresses, calls].flatMap((module) => Object.values(module).map(String)).join("\n");

/**
 * A function expression that takes the gate, completes the world, removes shared memory, and returns `{ run, due }`.
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
