// The application: one HTTP server with GraphQL, REST, WebSocket and health checks. Used by main and, in process, by
// the tests.
import type { Charge } from "#src/runtime/tenant.ts";
import { chargeTo } from "#src/domain/charge.ts";
import { serveWebSocket } from "#src/server/graphql/websocket.ts";
import { HttpServer } from "#src/server/http/http-server.ts";
import type { AppOptions } from "#src/server/process/app-options.ts";
import { compose } from "#src/server/process/compose.ts";

export interface App {
  /** Charges background work to the user that caused it. */
  readonly charge: Charge;
  /** The paths that are answered; those with a slash at the end are the beginnings of paths. */
  readonly places: readonly string[];
  /** Starts listening. Rejects with the system's error, such as EADDRINUSE. */
  listen(address: { host: string; port: number }): Promise<{ port: number; url: string }>;
  /** From now on `/readyz` is 503 and every answer closes its connection. Requests are served as before. */
  leave(): void;
  /** Stops accepting, lets requests finish for `graceMs`, sends streams what is committed and closes them (1001). */
  close(options?: { graceMs?: number }): Promise<void>;
}

/** Makes the application over an open, migrated database. Closing it leaves the database open. */
export function createApp(options: AppOptions): App {
  const { environment, hub, documents, eventStreams, followers, routes, requests, sockets } = compose(options);
  const { feed, replicas, costQuotas, background } = environment;
  const http = new HttpServer(requests);
  const closeSockets = serveWebSocket(http.server, sockets);
  return {
    charge: chargeTo(costQuotas),
    places: routes.paths,
    async listen({ host, port }) {
      await feed.start();
      await replicas?.start();
      hub.start();
      for (const follower of followers) follower.start(feed);
      const bound = await http.listen(host, port);
      environment.publicUrl ||= bound.url;
      return bound;
    },
    leave: () => requests.leave(),
    close: async ({ graceMs = 10_000 } = {}) => {
      const leaving = { graceMs, flush: () => feed.flush() };
      await Promise.all([
        closeSockets(leaving),
        eventStreams.close(leaving),
        background.close(), // requests may wait for it
        http.close(graceMs).then(() => background.close()), // work that the last of them began
      ]);
      hub.stop();
      documents.close();
      await Promise.all([feed.stop(), replicas?.stop()]);
      await Promise.all(followers.map((follower) => follower.stop()));
    },
  };
}
