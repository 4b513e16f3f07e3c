// The GraphQL types of the files and the content of a version of an OpenAPI specification.
import { type SpecAddressParts, versionAddress } from "#src/features/openapi/reads/addresses.ts";
import { readFilesystem } from "#src/features/openapi/reads/specs.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

const OpenApiSpecContentUrls = defineLinks(
  "OpenApiSpecContentUrls",
  "Links of the content of a version of an OpenAPI specification.",
  { source: "The document: the same address as `url`." },
  { public: "The same address for everybody; null for a private specification." },
);

/** The address to read a version without a token; `file` is the path of one of its files. */
export const addressDescription =
  "It needs no token: it is permanent for a public specification; for a private one it is signed, and valid for one to two days.";

export type ListedFile = { readonly path: string; readonly blob: string; readonly size: number };
type VersionRow = { readonly id: string; readonly specAddress: SpecAddressParts };

export const OpenApiSpecFile = builder
  .objectRef<{ readonly of: VersionRow; readonly file: ListedFile }>("OpenApiSpecFile")
  .implement({
    description: "An original file of a version of an OpenAPI specification.",
    fields: (t) => ({
      path: t.value("String", "Path; for files of other servers the address.", ({ file }) => file.path),
      size: t.value("Int", "Bytes.", ({ file }) => file.size),
      url: t.string({
        description: `Address of its bytes. ${addressDescription}`,
        resolve: ({ of, file }, _args, context) => versionAddress(context, of, file.path),
      }),
    }),
  });

export const OpenApiSpecVersionContent = builder
  .objectRef<VersionRow & { readonly filesystem: string }>("OpenApiSpecVersionContent")
  .implement({
    description: "The content of a version of an OpenAPI specification.",
    fields: (t) => ({
      filesystem: t.field({
        type: "JSON",
        description: "The parsed original files of the version by path.",
        resolve: ({ filesystem }, _args, context) => readFilesystem(context, filesystem),
      }),
      url: t.string({
        extensions: limited({ format: "uri" }),
        description: `Address of the document: all files bundled, in OpenAPI 3.1 or 3.2, as JSON. ${addressDescription}`,
        resolve: (version, _args, context) => versionAddress(context, version),
      }),
      urls: t.field({
        type: OpenApiSpecContentUrls,
        description: "Links.",
        resolve: (version, _args, context) => {
          const source = versionAddress(context, version);
          return { source, public: version.specAddress.visibility === "public" ? source : null };
        },
      }),
    }),
  });
