// What edits of content take.
import { ComputedType, PageCoverSize, PageType, PageWidth } from "#src/features/content/type/page-parts.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";

const VariableChangeInput = builder.inputType("VariableChangeInput", {
  description: "A variable to set or to delete.",
  fields: (t) => ({
    name: t.string({
      required: true,
      description: "Its name: letters, digits, `_` and `-`, at most 100, with a letter or `_` first.",
    }),
    value: t.string({ description: "Its value, at most 1,000 characters; null deletes the variable." }),
  }),
});

const SetVariablesEdit = builder.inputType("SetVariablesEdit", {
  description: "Sets and deletes variables that texts of all pages refer to; those that are not named stay.",
  fields: (t) => ({
    variables: t.field({
      type: [VariableChangeInput],
      required: true,
      description: "What to set and to delete; at most 100 may exist afterwards.",
    }),
  }),
});

const reusableContentId = { required: true, description: "Id of the reusable content." } as const;

const CreateReusableContentEdit = builder.inputType("CreateReusableContentEdit", {
  description: "A new text for pages to share. A content has at most 500.",
  fields: (t) => ({
    reusableContentId: t.id({
      description:
        "Its id, where texts of the batch are to include it: `reu_` with 26 further characters of an id (TypeID) made by the client. CONFLICT when " +
        "there is one with it.",
    }),
    title: t.string({ required: true, description: "Title, 1 to 200 characters." }),
    markdown: t.string({
      required: true,
      description: "Its text, at most 500,000 characters; kept to the last blank.",
    }),
  }),
});

const UpdateReusableContentEdit = builder.inputType("UpdateReusableContentEdit", {
  description: "Changes a reusable content: the fields that are given.",
  fields: (t) => ({
    reusableContentId: t.id(reusableContentId),
    title: t.string({ description: "Title, 1 to 200 characters." }),
    markdown: t.string({ description: "Its text, at most 500,000 characters; kept to the last blank." }),
  }),
});

const DeleteReusableContentEdit = builder.inputType("DeleteReusableContentEdit", {
  description: "Deletes a reusable content; texts that include it stay as they are. Does nothing when it is not there.",
  fields: (t) => ({ reusableContentId: t.id(reusableContentId) }),
});

const PagePlaceInput = builder.inputType("PagePlaceInput", {
  description: "A place among the pages of one parent, beside one of them: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    beforePageId: t.id({ description: "Id of the page right before which it is put." }),
    afterPageId: t.id({ description: "Id of the page right after which it is put." }),
  }),
});

const pagePlace = (t: InputFields) => ({
  place: t.field({ type: PagePlaceInput, description: "Its place there; the last when left out." }),
});

const PageVariableInput = builder.inputType("PageVariableInput", {
  description: "A value that texts of a page refer to by its name.",
  fields: (t) => ({
    name: t.string({ required: true, description: "Its name: letters, digits, `_` and `-`, at most 100." }),
    value: t.string({ required: true, description: "Its value, at most 1,000 characters." }),
  }),
});

const PageLayoutInput = builder.inputType("PageLayoutInput", {
  description: "How a page is laid out, as a whole: what is left out is as its site has it.",
  fields: (t) => ({
    width: t.field({ type: PageWidth, description: "How wide it is shown." }),
    cover: t.boolean({ description: "Whether its cover is shown." }),
    coverSize: t.field({ type: PageCoverSize, description: "How its cover is shown." }),
    title: t.boolean({ description: "Whether its title is shown." }),
    description: t.boolean({ description: "Whether its description is shown." }),
    tableOfContents: t.boolean({ description: "Whether the pages around it are shown beside it." }),
    outline: t.boolean({ description: "Whether its headings are shown beside it." }),
    pagination: t.boolean({ description: "Whether links to the pages before and after it are shown." }),
    metadata: t.boolean({ description: "Whether the time of the last change is shown." }),
  }),
});

const PageCoverInput = builder.inputType("PageCoverInput", {
  description: "The picture of a page, as a whole.",
  fields: (t) => ({
    fileId: t.id({ required: true, description: "Id of the file, one of this content. NOT_FOUND for any other." }),
    fileDarkId: t.id({ description: "Id of the file where colours are dark; the same one when left out." }),
    yPos: t.float({ description: "How far it is moved down, in pixels: -100,000 to 100,000." }),
  }),
});

const PageComputedInput = builder.inputType("PageComputedInput", {
  description: "How a page is computed, and from what, as a whole.",
  fields: (t) => ({
    type: t.field({ type: ComputedType, required: true, description: "How it is computed." }),
    spec: t.string({
      required: true,
      description: "Slug or id of the OpenAPI specification, which need not be there yet.",
    }),
    doc: t.string({ description: "The part of it to show, such as `models`; all of it when left out." }),
  }),
});

const ContentOwnerInput = builder.inputType("ContentOwnerInput", {
  description: "Whose content is meant: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    spaceId: t.id({ description: "Id of the space, for its main content." }),
    changeRequestId: t.id({ description: "Id of the change request." }),
  }),
});

export const contentOwner = (t: InputFields) => ({
  contentOf: t.field({ type: ContentOwnerInput, required: true, description: "Whose content it is." }),
});

const pageFields = (t: InputFields) => ({
  slug: t.string({
    description: "Its part of the path: letters and digits with `-`, `_` and `.` between them, at most 100.",
  }),
  markdown: t.string({ description: "Its text, at most 500,000 characters; kept to the last blank." }),
  document: t.field({
    type: "RichDocument",
    description:
      "Its text as a rich document, in the place of `markdown`: stored as Markdown; what Markdown cannot say is kept in comments of HTML there.",
  }),
  emoji: t.string({ description: "An emoji, at most 50 characters; null for none." }),
  icon: t.string({ description: "Name of an icon, at most 100 characters; null for none." }),
  description: t.string({ description: "What it is about, at most 1,000 characters; null for nothing." }),
  layout: t.field({ type: PageLayoutInput, description: "How it is laid out; null as its site has it." }),
  cover: t.field({ type: PageCoverInput, description: "Its picture; null for none." }),
  hidden: t.boolean({ description: "Whether it is left out of tables of contents." }),
  noIndex: t.boolean({ description: "Whether it is left out of the site's own search." }),
  noRobotsIndex: t.boolean({ description: "Whether search engines are asked to leave it out." }),
  variables: t.field({
    type: [PageVariableInput],
    description: "All values that its text refers to, at most 100; null for none.",
  }),
  target: t.string({
    description:
      "Where a link leads: an address with http, https or mailto, `page:` with the id of a page and perhaps `#` and an anchor (of another space with " +
      "`<id of the space>/` before the page), `file:`, `space:`, `user:` or `collection:` with an id, or `openapi:` with the slug or id of a specification.",
  }),
  computed: t.field({ type: PageComputedInput, description: "How a computed page is computed, and from what." }),
});

const pageId = { required: true, description: "Id of the page: `pageId`, or `id` in any revision." } as const;

const CreatePageEdit = builder.inputType("CreatePageEdit", {
  description: "A new page.",
  fields: (t) => ({
    pageId: t.id({
      description:
        "Id of the page, where later edits of the batch are to name it: `pag_` with 26 further characters of an id (TypeID) made by the " +
        "client. CONFLICT when a page has it.",
    }),
    type: t.field({ type: PageType, description: "What it is; a document when left out." }),
    title: t.string({ required: true, description: "Title, 1 to 200 characters." }),
    parentId: t.id({ description: "Id of the page to put it below; the top when left out." }),
    ...pagePlace(t),
    ...pageFields(t),
  }),
});

const UpdatePageEdit = builder.inputType("UpdatePageEdit", {
  description: "Changes a page: the fields that are given. CONFLICT when a page beside it has the slug.",
  fields: (t) => ({
    pageId: t.id(pageId),
    title: t.string({ description: "Title, 1 to 200 characters." }),
    ...pageFields(t),
  }),
});

const MovePageEdit = builder.inputType("MovePageEdit", {
  description:
    "Moves a page with everything below it. INVALID_INPUT below itself, CONFLICT when a page there has its slug.",
  fields: (t) => ({
    pageId: t.id(pageId),
    parentId: t.id({
      description: "Id of the page to put it below; null is the top, left out it stays in its parent.",
    }),
    ...pagePlace(t),
  }),
});

const DeletePageEdit = builder.inputType("DeletePageEdit", {
  description: "Deletes a page with everything below it. Does nothing when it is not there.",
  fields: (t) => ({ pageId: t.id(pageId) }),
});

const DeleteFileEdit = builder.inputType("DeleteFileEdit", {
  description:
    "Removes a file from the content; earlier revisions keep it. Does nothing when it is not there. Covers and links are left as they are: " +
    "`deletedFilesInUse` of the payload says which of them lead nowhere now.",
  fields: (t) => ({ fileId: t.id({ required: true, description: "Id of the file." }) }),
});

export const ContentEditInput = builder.inputType("ContentEditInput", {
  description: "One edit of a batch: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    createPage: t.field({ type: CreatePageEdit, description: "Creates a page; a slug that is taken gets a number." }),
    updatePage: t.field({ type: UpdatePageEdit, description: "Changes a page." }),
    movePage: t.field({ type: MovePageEdit, description: "Moves a page." }),
    deletePage: t.field({ type: DeletePageEdit, description: "Deletes a page." }),
    setVariables: t.field({ type: SetVariablesEdit, description: "Sets and deletes variables of the whole content." }),
    createReusableContent: t.field({ type: CreateReusableContentEdit, description: "Creates a reusable content." }),
    updateReusableContent: t.field({ type: UpdateReusableContentEdit, description: "Changes a reusable content." }),
    deleteReusableContent: t.field({ type: DeleteReusableContentEdit, description: "Deletes a reusable content." }),
    deleteFile: t.field({ type: DeleteFileEdit, description: "Deletes a file." }),
  }),
});
