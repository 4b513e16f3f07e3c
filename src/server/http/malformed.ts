// Refusals of what is not a request yet: with the documented body, written to the socket itself, since Node makes no
// response.
import { randomUUID } from "node:crypto";
import { type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { DomainError, errorBody } from "#src/base/errors.ts";
import { sendError } from "#src/http/send.ts";

/** Answers on a socket that has no response, and closes it. */
export function refuseSocket(socket: Duplex, error: DomainError): void {
  const body = JSON.stringify(errorBody(error));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    "connection: close",
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Has a server refuse bytes that are not HTTP, headers that are too long or too slow, and expectations. */
export function refuseMalformed(server: Server): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    refuseSocket(socket, errorOf(error.code));
  });
  server.on("checkExpectation", (request, response) => {
    request.resume();
    sendError(response, new DomainError("EXPECTATION_FAILED"));
  });
}

function errorOf(code: string | undefined): DomainError {
  if (code === "HPE_HEADER_OVERFLOW") return new DomainError("HEADERS_TOO_LARGE");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new DomainError("REQUEST_TIMEOUT");
  return new DomainError("INVALID_INPUT", "Malformed HTTP/1.1 request.");
}

/** The target of a request as its path and query: proxies may name the host before it (RFC 9112, section 3.2.2). */
export function originForm(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, "");
  if (rest === target) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}
