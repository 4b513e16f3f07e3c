// Stopping a gateway with an unresponsive client. Other clients are tested in transports.test.ts.
import { expect, test } from "vitest";
import { openStream } from "#test/live/stream.ts";
import { testApp, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("a stopping gateway cuts a client that does not respond", async () => {
  const { editor, space } = await world.space();
  const ending = await testApp({ beside: app });
  const stream = await openStream(ending.url, editor.token, { space: space.id });
  await stream.next();
  stream.raw.socket.pause();
  await ending.close(); // the protocol would wait for half a minute, which is longer than this test may take
  stream.raw.socket.resume();
  expect((await stream.raw.closed).code).toBe(1001);
});
