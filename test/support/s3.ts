// A third-party S3 server, with a bucket in a temporary folder.
import { rm } from "node:fs/promises";
import S3rver from "s3rver";
import { testFolder } from "#test/support/test-files.ts";

export interface TestS3 extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
  /** Stops the server. */
  stop(): Promise<void>;
  /** Starts it again at its address with its data. */
  start(): Promise<void>;
}

/** The credentials it accepts, by its documentation. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: "S3RVER", AWS_SECRET_ACCESS_KEY: "S3RVER" };

/** Starts the server on loopback. */
export async function startS3(): Promise<TestS3> {
  const folder = testFolder();
  const bucket = "docgraph-test";
  const open = (port: number) =>
    new S3rver({
      address: "127.0.0.1",
      port,
      silent: true,
      directory: folder.path,
      configureBuckets: [{ name: bucket }],
    });
  let server = open(0);
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    stop: () => server.close(),
    async start() {
      server = open(port);
      await server.run();
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(folder.path, { recursive: true, force: true });
    },
  };
}
