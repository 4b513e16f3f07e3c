// GraphQL inputs of edits of content.
import { ComputedType, PageCoverSize, PageType, PageWidth } from "#src/features/content/type/page-parts.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";

const VariableChangeInput = builder.inputType("VariableChangeInput", {
  description: "A variable to set or to delete.",
  fields: (t) => ({
    name: t.string({
      required: true,
      description: "Name: at most 100 letters, digits, `_` and `-`, starting with a letter or `_`.",
    }),
    value: t.string({ description: "Value, at most 1,000 characters; null deletes the variable." }),
  }),
});

const SetVariablesEdit = builder.inputType("SetVariablesEdit", {
  description: "Sets and deletes variables for the texts of all pages; other variables stay unchanged.",
  fields: (t) => ({
    variables: t.field({
      type: [VariableChangeInput],
      required: true,
      description: "Variables to set or delete; at most 100 may exist afterwards.",
    }),
  }),
});

const reusableContentId = { required: true, description: "Id of the reusable content." } as const;

const CreateReusableContentEdit = builder.inputType("CreateReusableContentEdit", {
  description: "Creates a reusable content. A content may have at most 500.",
  fields: (t) => ({
    reusableContentId: t.id({
      description:
        "Id chosen by the client if texts of the batch include it: `reu_` and the 26 characters of a TypeID. CONFLICT if " +
        "the id exists.",
    }),
    title: t.string({ required: true, description: "Title, 1 to 200 characters." }),
    markdown: t.string({
      required: true,
      description: "Text, at most 500,000 characters; whitespace is preserved.",
    }),
  }),
});

const UpdateReusableContentEdit = builder.inputType("UpdateReusableContentEdit", {
  description: "Changes a reusable content; omitted fields stay unchanged.",
  fields: (t) => ({
    reusableContentId: t.id(reusableContentId),
    title: t.string({ description: "Title, 1 to 200 characters." }),
    markdown: t.string({ description: "Text, at most 500,000 characters; whitespace is preserved." }),
  }),
});

const DeleteReusableContentEdit = builder.inputType("DeleteReusableContentEdit", {
  description: "Deletes a reusable content; texts that include it stay unchanged. Has no effect if it does not exist.",
  fields: (t) => ({ reusableContentId: t.id(reusableContentId) }),
});

const PagePlaceInput = builder.inputType("PagePlaceInput", {
  description: "A position among the pages of the same parent: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    beforePageId: t.id({ description: "Places it directly before the page with this id." }),
    afterPageId: t.id({ description: "Places it directly after the page with this id." }),
    index: t.int({ description: "Places it at this index, counted from 0; last if the parent has fewer pages." }),
  }),
});

const pagePlace = (t: InputFields) => ({
  place: t.field({ type: PagePlaceInput, description: "Position in the parent; last by default." }),
});

const PageVariableInput = builder.inputType("PageVariableInput", {
  description: "A variable for the text of one page.",
  fields: (t) => ({
    name: t.string({
      required: true,
      description: "Name: at most 100 letters, digits, `_` and `-`, starting with a letter or `_`.",
    }),
    value: t.string({ required: true, description: "Value, at most 1,000 characters." }),
  }),
});

const PageLayoutInput = builder.inputType("PageLayoutInput", {
  description: "The layout of a page; replaces the previous layout. Omitted fields use the settings of the site.",
  fields: (t) => ({
    width: t.field({ type: PageWidth, description: "Width of the page." }),
    cover: t.boolean({ description: "Whether to show the cover." }),
    coverSize: t.field({ type: PageCoverSize, description: "Size of the cover." }),
    title: t.boolean({ description: "Whether to show the title." }),
    description: t.boolean({ description: "Whether to show the description." }),
    tableOfContents: t.boolean({ description: "Whether to show the navigation of pages." }),
    outline: t.boolean({ description: "Whether to show the list of headings." }),
    pagination: t.boolean({ description: "Whether to show links to the previous and next page." }),
    metadata: t.boolean({ description: "Whether to show the time of the last change." }),
  }),
});

const PageCoverInput = builder.inputType("PageCoverInput", {
  description: "The cover image of a page; replaces the previous cover.",
  fields: (t) => ({
    fileId: t.id({
      required: true,
      description: "Id of a file of this content. NOT_FOUND if the content does not have it.",
    }),
    fileDarkId: t.id({ description: "Id of the file for dark mode; by default the same file." }),
    yPos: t.float({ description: "Vertical offset in pixels, -100,000 to 100,000." }),
  }),
});

const PageComputedInput = builder.inputType("PageComputedInput", {
  description: "The computation of a page; replaces the previous one.",
  fields: (t) => ({
    type: t.field({ type: ComputedType, required: true, description: "Kind of the computation." }),
    spec: t.string({
      required: true,
      description: "Slug or id of an OpenAPI specification of the organization that is visible to you.",
    }),
    doc: t.string({ description: "The part to show, for example `models`; by default the whole specification." }),
  }),
});

const ContentOwnerInput = builder.inputType("ContentOwnerInput", {
  description: "The owner of a content: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    spaceId: t.id({ description: "Id of the space, for its main content." }),
    changeRequestId: t.id({ description: "Id of the change request." }),
  }),
});

export const contentOwner = (t: InputFields) => ({
  contentOf: t.field({
    type: ContentOwnerInput,
    required: true,
    description: "The space or change request with the content.",
  }),
});

const pageFields = (t: InputFields) => ({
  slug: t.string({
    description: "Last part of the path: at most 100 letters and digits, separated by `-`, `_` and `.`.",
  }),
  markdown: t.string({ description: "Text, at most 500,000 characters; whitespace is preserved." }),
  document: t.field({
    type: "RichDocument",
    description:
      "Text as a rich document, instead of `markdown`. It is stored as Markdown, with HTML comments for features that Markdown lacks.",
  }),
  emoji: t.string({ description: "Emoji, at most 50 characters; null removes it." }),
  icon: t.string({ description: "Name of an icon, at most 100 characters; null removes it." }),
  description: t.string({ description: "Description, at most 1,000 characters; null removes it." }),
  layout: t.field({ type: PageLayoutInput, description: "Layout; null uses the settings of the site." }),
  cover: t.field({ type: PageCoverInput, description: "Cover image; null removes it." }),
  hidden: t.boolean({ description: "Whether to hide it from tables of contents." }),
  noIndex: t.boolean({ description: "Whether to exclude it from the site search." }),
  noRobotsIndex: t.boolean({ description: "Whether to ask search engines not to index it." }),
  variables: t.field({
    type: [PageVariableInput],
    description: "All variables of the page, at most 100; null removes them.",
  }),
  target: t.string({
    description:
      "Target of a link: an http, https or mailto URL; `page:` with the id of a page and optionally `#` and an anchor (for another space with " +
      "`<id of the space>/` before the page); `file:`, `space:`, `user:` or `collection:` with an id; or `openapi:` with the slug or id of a specification.",
  }),
  computed: t.field({ type: PageComputedInput, description: "Computation of a computed page." }),
});

const pageId = { required: true, description: "Id of the page: `pageId`, or `id` in any revision." } as const;

const CreatePageEdit = builder.inputType("CreatePageEdit", {
  description: "Creates a page.",
  fields: (t) => ({
    pageId: t.id({
      description:
        "Id chosen by the client if later edits of the batch name the page: `pag_` and the 26 characters of a TypeID. " +
        "CONFLICT if the id exists.",
    }),
    type: t.field({ type: PageType, description: "Type; a document by default." }),
    title: t.string({ required: true, description: "Title, 1 to 200 characters." }),
    parentId: t.id({ description: "Id of the parent page; by default the top level." }),
    ...pagePlace(t),
    ...pageFields(t),
  }),
});

const UpdatePageEdit = builder.inputType("UpdatePageEdit", {
  description: "Changes a page; omitted fields stay unchanged. CONFLICT if a sibling page has the slug.",
  fields: (t) => ({
    pageId: t.id(pageId),
    title: t.string({ description: "Title, 1 to 200 characters." }),
    ...pageFields(t),
  }),
});

const MovePageEdit = builder.inputType("MovePageEdit", {
  description:
    "Moves a page with its subpages. INVALID_INPUT if the new parent is the page or one of its subpages, CONFLICT if a new sibling has its slug.",
  fields: (t) => ({
    pageId: t.id(pageId),
    parentId: t.id({
      description: "Id of the new parent page; null is the top level. By default it stays in its parent.",
    }),
    ...pagePlace(t),
  }),
});

const DeletePageEdit = builder.inputType("DeletePageEdit", {
  description: "Deletes a page with its subpages. Has no effect if it does not exist.",
  fields: (t) => ({ pageId: t.id(pageId) }),
});

const RevertPageEdit = builder.inputType("RevertPageEdit", {
  description:
    "Sets the title, slug, settings and text of a page to those of an earlier revision; it stays where it is. NOT_FOUND if it is not in both.",
  fields: (t) => ({
    pageId: t.id(pageId),
    revisionId: t.id({
      description:
        "Id of a revision of the space; by default the main content on which the change request is based. Required for the main content.",
    }),
  }),
});

const CreateFileEdit = builder.inputType("CreateFileEdit", {
  description: "Adds a small file to the content. See `uploadFile` for larger ones.",
  fields: (t) => ({
    name: t.string({ required: true, description: "File name, 1 to 200 characters without `/` and `\\`." }),
    base64: t.string({ description: "The bytes in base64, at most 1,000,000; either these or `url` must be given." }),
    url: t.string({
      description:
        "Address, with https or http, from which the gateway fetches at most 1,000,000 bytes. INVALID_INPUT if that fails.",
    }),
  }),
});

const DeleteFileEdit = builder.inputType("DeleteFileEdit", {
  description:
    "Removes a file from the content; earlier revisions keep it. Has no effect if it does not exist. Covers and links stay unchanged: " +
    "`deletedFilesInUse` of the payload lists those that are broken now.",
  fields: (t) => ({ fileId: t.id({ required: true, description: "Id of the file." }) }),
});

export const ContentEditInput = builder.inputType("ContentEditInput", {
  description: "One edit of a batch: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    createPage: t.field({ type: CreatePageEdit, description: "Creates a page; a number is added to a taken slug." }),
    updatePage: t.field({ type: UpdatePageEdit, description: "Changes a page." }),
    movePage: t.field({ type: MovePageEdit, description: "Moves a page." }),
    deletePage: t.field({ type: DeletePageEdit, description: "Deletes a page." }),
    revertPage: t.field({ type: RevertPageEdit, description: "Sets a page back to an earlier revision." }),
    setVariables: t.field({ type: SetVariablesEdit, description: "Sets and deletes variables of the whole content." }),
    createReusableContent: t.field({ type: CreateReusableContentEdit, description: "Creates a reusable content." }),
    updateReusableContent: t.field({ type: UpdateReusableContentEdit, description: "Changes a reusable content." }),
    deleteReusableContent: t.field({ type: DeleteReusableContentEdit, description: "Deletes a reusable content." }),
    createFile: t.field({ type: CreateFileEdit, description: "Adds a file." }),
    deleteFile: t.field({ type: DeleteFileEdit, description: "Deletes a file." }),
  }),
});
