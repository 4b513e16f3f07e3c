// A clock that jumps: gateways of the chaos proof load it first. SIGUSR2 shifts the time of the process by
// CLOCK_SHIFT_SECONDS, and back.
import { isMainThread } from "node:worker_threads";

const RightDate = Date;
const rightNow = RightDate.now;
let shiftMs = 0;
const now = () => rightNow() + shiftMs;

if (isMainThread)
  process.on("SIGUSR2", () => {
    shiftMs = shiftMs === 0 ? Number(process.env["CLOCK_SHIFT_SECONDS"]) * 1000 : 0;
  });

globalThis.Date = new Proxy(RightDate, {
  construct: (target, given: unknown[], type) => Reflect.construct(target, given.length > 0 ? given : [now()], type),
  get: (target, name): unknown => (name === "now" ? now : Reflect.get(target, name)),
});
