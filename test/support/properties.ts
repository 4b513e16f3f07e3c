// Before each test file: property tests take the same runs every time; `SEED=… npm test` takes others.
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["SEED"] ?? 20_261_120) });
