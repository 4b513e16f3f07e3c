// Uploads in tests: the document, files with valid bytes, and the contents of a store.
import { inContent } from "#test/features/content/edits.ts";
import { readdir } from "node:fs/promises";
import type { ReceivedBlob } from "#src/files/file-store.ts";
import { Upload } from "#src/files/upload.ts";
import type { Client, TestApp } from "#test/support/app.ts";

export const uploadDocument = /* GraphQL */ `
  mutation ($input: UploadFileInput!) {
    uploadFile(input: $input) {
      revision {
        id
      }
      file {
        id: fileId
        name
        contentType
        size
        dimensions {
          width
          height
        }
        downloadURL
      }
    }
  }
`;

export interface Uploaded {
  readonly revision: { readonly id: string };
  readonly file: {
    readonly id: string;
    readonly name: string;
    readonly contentType: string;
    readonly size: number;
    readonly dimensions: { readonly width: number; readonly height: number } | null;
    readonly downloadURL: string;
  };
}

export const replaceDocument = uploadDocument
  .replace("UploadFileInput", "ReplaceFileInput")
  .replace("uploadFile", "replaceFile");

/** A replacement that must succeed. */
export async function replaceAs(as: Client, input: Record<string, unknown>): Promise<Uploaded> {
  return (await as.query<{ replaceFile: Uploaded }>(replaceDocument, { input: inContent(input) })).replaceFile;
}

/** Uploads that must succeed. */
export async function uploadAs(as: Client, input: Record<string, unknown>): Promise<Uploaded> {
  return (await as.query<{ uploadFile: Uploaded }>(uploadDocument, { input: inContent(input) })).uploadFile;
}

/** An upload that must succeed. */
export function uploadOf(name: string, blob: ReceivedBlob): Upload {
  const upload = new Upload(0);
  upload.take(name, blob);
  return upload;
}

/** A text file; its content is its name unless it is given. */
export const textFile = (name = "notes.txt", text = name): File => new File([text], name);

/** A PNG that has only a size. */
export function pngFile(name: string, { width, height }: { width: number; height: number }): File {
  const bytes = Buffer.alloc(45);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return new File([bytes], name, { type: "text/html" }); // a wrong type, which must be ignored
}

/** The names of all files in a store's folder, both kept and being received. */
export async function storedIn({ filesFolder }: Pick<TestApp, "filesFolder">): Promise<string[]> {
  const found = await readdir(filesFolder, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}
