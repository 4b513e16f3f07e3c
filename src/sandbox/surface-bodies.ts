// Bodies of requests and responses of scripts by the Fetch standard; runs inside the sandbox (see surface.ts).
// Not whatwg-fetch: it reads UTF-8 as Latin-1. Not undici or node-fetch: they need modules of Node.
import type { Gate } from "#src/sandbox/surface.ts";

/** `FormData`, `Blob` and `File` of the package that the sandbox loads on first use. */
export interface Forms {
  readonly FormData: new () => Form;
  readonly Blob: new (parts: readonly unknown[], options?: { type?: string }) => BlobOfScript;
  readonly File: new (parts: readonly unknown[], name: string, options?: { type?: string }) => BlobOfScript;
}

interface BlobOfScript {
  readonly type: string;
  readonly name?: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

interface Form {
  append(name: string, value: unknown): void;
  entries(): Iterable<[string, unknown]>;
}

interface Stream {
  getReader(): { read(): Promise<{ done: boolean; value?: unknown }> };
  tee(): [Stream, Stream];
}

/** What a body was made of. */
export interface BodySource {
  readonly read: () => Promise<ArrayBuffer>;
  /** The content type that it implies; null for bytes. */
  readonly type: string | null;
  readonly form?: Form;
  readonly stream?: Stream;
}

export interface TextCodec {
  encode(text: string): ArrayBuffer;
  decode(bytes: ArrayBuffer): string;
}

/** Makes the functions that turn texts into UTF-8 and back. */
export function makeTextCodec(gate: Gate): TextCodec {
  const { stringify, parse } = JSON;
  return {
    encode: (text) => gate.encode(stringify(text.toWellFormed())),
    decode: (bytes) => String(parse(gate.decode(bytes, false) ?? '""')),
  };
}

/** Makes the function that reads any value that the standard allows as a body; null for none. */
export function makeSourceOf(codec: TextCodec, bytesOf: (data: unknown) => ArrayBuffer, write: WriteForm) {
  const joined = (pieces: readonly Uint8Array[]) => {
    const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all.buffer;
  };
  const collect = async (stream: Stream) => {
    const reader = stream.getReader();
    const pieces: Uint8Array[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read())
      pieces.push(new Uint8Array(bytesOf(next.value)));
    return joined(pieces);
  };
  const is = (value: unknown, name: string) =>
    typeof value === "object" && value !== null && typeof (value as Record<string, unknown>)[name] === "function";
  return (body: unknown): BodySource | null => {
    if (body === null || body === undefined) return null;
    if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) {
      const bytes = bytesOf(body);
      return { read: async () => bytes, type: null };
    }
    if (is(body, "getReader")) {
      const stream = body as Stream;
      return { read: () => collect(stream), type: null, stream };
    }
    if (is(body, "getAll") && is(body, "append") && !(body instanceof URLSearchParams)) {
      const { type, read } = write(body as unknown as Form);
      return { read, type, form: body as unknown as Form };
    }
    if (is(body, "arrayBuffer") && is(body, "slice")) {
      const blob = body as BlobOfScript;
      return { read: () => blob.arrayBuffer(), type: blob.type === "" ? null : blob.type };
    }
    const bytes = codec.encode(String(body));
    const isParams = body instanceof URLSearchParams;
    const type = isParams ? "application/x-www-form-urlencoded;charset=UTF-8" : "text/plain;charset=UTF-8";
    return { read: async () => bytes, type };
  };
}

type WriteForm = (form: Form) => { readonly type: string; readonly read: () => Promise<ArrayBuffer> };

/** Makes the functions that write and read `multipart/form-data` (RFC 7578). */
export function makeMultipart(gate: Gate, codec: TextCodec, forms: () => Forms) {
  const { fromCharCode } = String;
  const binaryOf = (bytes: ArrayBuffer) => {
    let text = "";
    for (const byte of new Uint8Array(bytes)) text += fromCharCode(byte);
    return text;
  };
  const bytesIn = (binary: string) => {
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    return bytes.buffer;
  };
  const escaped = (name: string) => name.replace(/["\r\n]/g, (one) => ({ '"': "%22", "\r": "%0D" })[one] ?? "%0A");
  const unescaped = (name: string) => name.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n");
  const write: WriteForm = (form) => {
    const boundary = `----form-${gate.uuid()}`;
    const read = async () => {
      let all = "";
      for (const [name, value] of form.entries()) {
        const file = typeof value === "string" ? null : (value as BlobOfScript);
        const about = file
          ? `; filename="${escaped(file.name ?? "blob")}"\r\nContent-Type: ${file.type || "application/octet-stream"}`
          : "";
        const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"${about}\r\n\r\n`;
        const content = file ? await file.arrayBuffer() : codec.encode(String(value));
        all += `${binaryOf(codec.encode(head))}${binaryOf(content)}\r\n`;
      }
      return bytesIn(`${all}--${boundary}--\r\n`);
    };
    return { type: `multipart/form-data; boundary=${boundary}`, read };
  };
  const read = (type: string, bytes: ArrayBuffer) => {
    const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
    const boundary = quoted ?? plain;
    if (boundary === undefined) throw new TypeError("This multipart/form-data names no boundary.");
    const { FormData, File } = forms();
    const form = new FormData();
    const parts = `\r\n${binaryOf(bytes)}`.split(`\r\n--${boundary}`);
    for (const part of parts.slice(1)) {
      if (part.startsWith("--")) break;
      const end = part.indexOf("\r\n\r\n");
      const head = codec.decode(bytesIn(part.slice(0, Math.max(0, end))));
      const [, name] = /[; ]name="([^"]*)"/i.exec(head) ?? [];
      if (end < 0 || name === undefined) throw new TypeError("A part of this multipart/form-data has no name.");
      const [, file] = /; *filename="([^"]*)"/i.exec(head) ?? [];
      const [, contentType] = /^content-type: *(.*)$/im.exec(head) ?? [];
      const content = bytesIn(part.slice(end + 4));
      const options = { type: (contentType ?? "").trim() };
      const value = file === undefined ? codec.decode(content) : new File([content], unescaped(file), options);
      form.append(unescaped(name), value);
    }
    return form;
  };
  return { write, read };
}

/** Makes the class that `Request` and `Response` extend, a body that is read once, and what shares one for a clone. */
export function makeBody(
  codec: TextCodec,
  forms: () => Forms,
  readMultipart: (type: string, bytes: ArrayBuffer) => Form,
) {
  const { parse } = JSON;
  const shared = new WeakMap<object, BodySource>();
  const streamed = (stream: Stream, type: string | null): BodySource => ({
    stream,
    type,
    read: () => new Response(stream as never).arrayBuffer(),
  });
  class Body {
    #source: BodySource | null;
    #isUsed = false;
    readonly #typeOf: () => string;
    constructor(source: BodySource | null, typeOf: () => string) {
      this.#source = source;
      this.#typeOf = typeOf;
    }
    static share(body: Body): BodySource | null {
      if (body.#isUsed) throw new TypeError("The body was already read.");
      const source = body.#source;
      if (!source?.stream) return source;
      const [one, other] = source.stream.tee();
      body.#source = streamed(one, source.type);
      return streamed(other, source.type);
    }
    get bodyUsed() {
      return this.#isUsed;
    }
    get body() {
      const source = this.#source;
      if (!source || source.stream) return source?.stream ?? null;
      const start = async (controller: ReadableStreamDefaultController) => {
        controller.enqueue(new Uint8Array(await source.read()));
        controller.close();
      };
      const stream = new ReadableStream({ start }) as unknown as Stream;
      this.#source = streamed(stream, source.type);
      return stream;
    }
    #take() {
      if (this.#isUsed) throw new TypeError("The body was already read.");
      this.#isUsed = this.#source !== null;
      return this.#source;
    }
    async arrayBuffer() {
      return (await this.#take()?.read()) ?? new ArrayBuffer(0);
    }
    async bytes() {
      return new Uint8Array(await this.arrayBuffer());
    }
    async text() {
      return codec.decode(await this.arrayBuffer());
    }
    async json() {
      return parse(await this.text()) as unknown;
    }
    async blob() {
      return new (forms().Blob)([await this.arrayBuffer()], { type: this.#typeOf() });
    }
    async formData() {
      const type = this.#typeOf();
      const source = this.#take();
      if (source?.form) return source.form;
      const bytes = (await source?.read()) ?? new ArrayBuffer(0);
      if (/^multipart\/form-data/i.test(type)) return readMultipart(type, bytes);
      if (!/^application\/x-www-form-urlencoded/i.test(type)) throw new TypeError("The body is not a form.");
      const form = new (forms().FormData)();
      for (const [name, value] of new URLSearchParams(codec.decode(bytes))) form.append(name, value);
      return form;
    }
  }
  const { share } = Body;
  Reflect.deleteProperty(Body, "share");
  const keep = (source: BodySource | null) => {
    const token = {};
    if (source) shared.set(token, source);
    return source && token;
  };
  return {
    Body,
    /** A value that represents the body of another message, which can be read as well. */
    share: (body: object) => keep(share(body as Body)),
    sharedIn: (value: unknown) => (typeof value === "object" && value !== null ? shared.get(value) : undefined),
  };
}
