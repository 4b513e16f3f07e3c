// HTTP/1.1 as bytes: requests written unchanged, and responses parsed strictly, as by a proxy that would pass on extra
// bytes as the next response.
import { connect, type Socket } from "node:net";

/** A response framed as in RFC 9112. */
export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  /** By lowercase name; only `set-cookie` may be repeated. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** A request to write. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For an endless stream: the messages that were read. */
  readonly mostChunks?: number;
}

/** The bytes of a request: a body is JSON unless headers say otherwise. */
export const bytesOf = ({ method, path, accept, headers = {}, body }: RawRequest): string => {
  const length =
    body === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
  const all = { host: "localhost", ...(accept === undefined ? {} : { accept }), ...length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
};

/** All bytes of a new connection until it closes. */
export const rawAnswer = (url: string, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    socket.once("end", () => resolve(text)).once("error", reject);
  });

/** A keep-alive connection. It throws at the first byte that violates the standard. */
export class RawConnection implements Disposable {
  readonly #socket: Socket;
  readonly #chunks: AsyncIterator<Buffer>;
  #read = Buffer.alloc(0);

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true);
    this.#chunks = this.#socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Sends a request, and reads exactly its response. `maxEvents` ends a stream after that many chunks. */
  async ask(method: string, request: string, { mostChunks = Infinity } = {}): Promise<RawAnswer> {
    if (this.#read.length > 0)
      throw new Error(`Bytes after the answer before: ${this.#read.toString("latin1", 0, 80)}`);
    this.#socket.write(request);
    const [first = "", ...lines] = (await this.#until("\r\n\r\n")).split("\r\n");
    const [, status = "", reason = ""] = /^HTTP\/1\.1 ([1-5]\d\d) ([\w' -]*)$/.exec(first) ?? [];
    if (status === "") throw new Error(`Not a status line: ${first}`);
    const headers = headersIn(lines);
    const body = await this.#body({ method, status: Number(status), headers, mostChunks });
    return { status: Number(status), reason, headers, body };
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  async #body(of: Pick<RawAnswer, "status" | "headers"> & { method: string; mostChunks: number }): Promise<Buffer> {
    const { status, headers } = of;
    const [length, encoding] = [headers.get("content-length"), headers.get("transfer-encoding")];
    if (length !== undefined && encoding !== undefined) throw new Error("Both Content-Length and Transfer-Encoding");
    const isEmpty = status === 204 || status === 304;
    if (status === 204 && (length !== undefined || encoding !== undefined)) throw new Error("A framed 204");
    if (isEmpty || of.method === "HEAD") return Buffer.alloc(0);
    if (encoding !== undefined) {
      if (encoding !== "chunked") throw new Error(`Transfer-Encoding: ${encoding}`);
      return this.#chunked(of.mostChunks);
    }
    if (length === undefined || !/^\d+$/.test(length)) throw new Error(`Content-Length: ${length}`);
    return this.#take(Number(length));
  }

  async #chunked(mostChunks: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    while (chunks.length < mostChunks) {
      const size = await this.#until("\r\n");
      if (!/^[\da-f]+$/i.test(size)) throw new Error(`Not the size of a chunk: ${size}`);
      const chunk = await this.#take(Number.parseInt(size, 16));
      if ((await this.#take(2)).toString("latin1") !== "\r\n") throw new Error("No line end after a chunk");
      if (chunk.length === 0) break;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async #until(mark: string): Promise<string> {
    for (;;) {
      const at = this.#read.indexOf(mark);
      if (at >= 0) return (await this.#take(at + mark.length)).toString("latin1", 0, at);
      await this.#more();
    }
  }

  async #take(size: number): Promise<Buffer> {
    while (this.#read.length < size) await this.#more();
    const taken = this.#read.subarray(0, size);
    this.#read = this.#read.subarray(size);
    return taken;
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next();
    if (next.done)
      throw new Error(`The connection closed in the middle of an answer: ${this.#read.toString("latin1")}`);
    this.#read = Buffer.concat([this.#read, next.value]);
  }
}

function headersIn(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", value = ""] = /^([\w!#$%&'*+.^`|~-]+): ?([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (name === "") throw new Error(`Not a header: ${line}`);
    if (headers.has(name.toLowerCase()) && name.toLowerCase() !== "set-cookie") throw new Error(`Twice: ${line}`);
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}
