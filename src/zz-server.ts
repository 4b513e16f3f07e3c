// temporary: keeps the bench server up
import { startServer } from "#test/bench/server.ts";
const s = await startServer(); console.log(s.url);
process.stdin.resume(); setInterval(()=>{}, 1e6);
