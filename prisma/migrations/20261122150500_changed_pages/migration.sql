-- CreateTable
CREATE TABLE "ChangedPage" (
    "revisionId" TEXT COLLATE "C" NOT NULL,
    "pageId" TEXT COLLATE "C" NOT NULL,
    "contentId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ChangedPage_pkey" PRIMARY KEY ("revisionId","pageId")
);

-- CreateIndex
CREATE INDEX "ChangedPage_contentId_pageId_createdAt_revisionId_idx" ON "ChangedPage"("contentId", "pageId", "createdAt", "revisionId");

-- AddForeignKey
ALTER TABLE "ChangedPage" ADD CONSTRAINT "ChangedPage_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The pages side by side in one tree that are not so in another, each given by its hash. `offset 0` has each looked up.
CREATE FUNCTION "pages_only_in"(tree TEXT, other TEXT) RETURNS TABLE("pageId" TEXT, "childrenHash" TEXT, "state" JSONB)
LANGUAGE sql STABLE AS $$
    SELECT p."pageId", p."childrenHash", jsonb_build_array(p."type", p."title", p."slug", p."fields", p."documentHash")
    FROM (
        SELECT unnest(t."pages") FROM "ContentTree" t WHERE t."hash" = tree EXCEPT
        SELECT unnest(t."pages") FROM "ContentTree" t WHERE t."hash" = other
    ) u("hash") CROSS JOIN LATERAL (SELECT * FROM "ContentPage" c WHERE c."hash" = u."hash" OFFSET 0) p
$$;

-- The pages that were created, edited, moved to another parent or deleted between two trees, each given by the hash of
-- its top level, or null for none. Walks down both trees side by side, only where their hashes differ: it costs as much
-- as has changed. A page that is as it was, but below another one, is met on both sides with all that is below it: what
-- is met twice, below the same page, has not changed.
CREATE FUNCTION "pages_changed"(old_tree TEXT, new_tree TEXT) RETURNS SETOF TEXT LANGUAGE sql STABLE AS $$
    WITH RECURSIVE walk("pageId", "parentId", "was", "is", "old", "new") AS (
        SELECT NULL::TEXT, NULL::TEXT, NULL::JSONB, NULL::JSONB, old_tree, new_tree
        UNION ALL
        SELECT x.* FROM walk w CROSS JOIN LATERAL (
            SELECT coalesce(o."pageId", n."pageId"), w."pageId", o."state", n."state", o."childrenHash", n."childrenHash"
            FROM "pages_only_in"(w."old", w."new") o FULL JOIN "pages_only_in"(w."new", w."old") n ON n."pageId" = o."pageId"
        ) x WHERE w."old" IS DISTINCT FROM w."new"
    )
    SELECT DISTINCT met."pageId" FROM (
        SELECT met."pageId" FROM (
            SELECT w."pageId", w."parentId", w."was" FROM walk w WHERE w."was" IS NOT NULL UNION ALL
            SELECT w."pageId", w."parentId", w."is" FROM walk w WHERE w."is" IS NOT NULL
        ) met("pageId", "parentId", "state") GROUP BY met."pageId", met."parentId", met."state" HAVING count(*) = 1
    ) met
$$;

-- What changed in a revision since its first parent, whoever writes it. Revisions never change.
CREATE FUNCTION "Revision_changed_pages"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "ChangedPage" ("revisionId", "pageId", "contentId", "createdAt")
    SELECT NEW."id", c."pageId", coalesce(NEW."changeRequestId", NEW."spaceId"), NEW."createdAt"
    FROM "pages_changed"((SELECT r."treeHash" FROM "Revision" r WHERE r."id" = NEW."parents"[1]), NEW."treeHash") c("pageId");
    RETURN NULL;
END $$;

CREATE TRIGGER "Revision_changed_pages" AFTER INSERT ON "Revision"
    FOR EACH ROW EXECUTE FUNCTION "Revision_changed_pages"();

INSERT INTO "ChangedPage" ("revisionId", "pageId", "contentId", "createdAt")
SELECT r."id", c."pageId", coalesce(r."changeRequestId", r."spaceId"), r."createdAt"
FROM "Revision" r LEFT JOIN "Revision" b ON b."id" = r."parents"[1]
CROSS JOIN LATERAL "pages_changed"(b."treeHash", r."treeHash") c("pageId");
