// A static file server: node:http that reads the file of the variable FILE for each request, and sends it as HTML.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";

const file = process.env["FILE"] ?? "";

createServer((_request, response) => {
  void stat(file).then(({ size, mtimeMs }) => {
    const headers = { "content-type": "text/html; charset=utf-8", "content-length": size, etag: `"${mtimeMs}"` };
    createReadStream(file).pipe(response.writeHead(200, headers));
  });
}).listen(Number(process.env["PORT"]), process.env["HOST"]);
