-- CreateTable
CREATE TABLE "PresentPage" (
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "pageId" TEXT COLLATE "C" NOT NULL,
    "parentId" TEXT COLLATE "C",
    "path" TEXT NOT NULL,
    "type" "PageType" NOT NULL,
    "title" TEXT NOT NULL,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "hash" TEXT COLLATE "C",

    CONSTRAINT "PresentPage_pkey" PRIMARY KEY ("spaceId","pageId")
);

-- CreateTable
CREATE TABLE "DerivedText" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "variant" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL,

    CONSTRAINT "DerivedText_pkey" PRIMARY KEY ("hash","kind","variant")
);

-- CreateIndex
CREATE INDEX "PresentPage_hash_idx" ON "PresentPage"("hash");

-- AddForeignKey
ALTER TABLE "PresentPage" ADD CONSTRAINT "PresentPage_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PresentPage" ADD CONSTRAINT "PresentPage_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ContentDocument"("hash") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "DerivedText" ADD CONSTRAINT "DerivedText_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ContentDocument"("hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- The pages that are not the same in two trees, each given by the hash of its top level, or null for none: as they are
-- in the new one, and those that are not there any more. Walks down both trees side by side, where their hashes differ,
-- and below a page whose path has changed: it costs as much as has changed.
CREATE FUNCTION "pages_between"(old_tree TEXT, new_tree TEXT) RETURNS TABLE(
    "pageId" TEXT, "parentId" TEXT, "path" TEXT, "type" "PageType", "title" TEXT, "fields" JSONB, "hash" TEXT, "isThere" BOOLEAN
) LANGUAGE sql STABLE AS $$
    WITH RECURSIVE walk AS (
        SELECT NULL::TEXT AS "pageId", NULL::TEXT AS "parentId", NULL::TEXT AS "oldPath", NULL::TEXT AS "path",
            NULL::JSONB AS "old", NULL::JSONB AS "new", old_tree AS "below", new_tree AS "belowNew"
        UNION ALL
        SELECT x.* FROM walk w
        CROSS JOIN LATERAL (SELECT w."oldPath" IS DISTINCT FROM w."path") m("isMoved")
        CROSS JOIN LATERAL (
            SELECT coalesce(n."pageId", o."pageId"), w."pageId",
                CASE WHEN o."pageId" IS NOT NULL THEN concat_ws('/', w."oldPath", o."state" ->> 2) END,
                CASE WHEN n."pageId" IS NOT NULL THEN concat_ws('/', w."path", n."state" ->> 2) END,
                o."state", n."state", o."childrenHash", n."childrenHash"
            FROM "pages_only_in"(w."below", CASE WHEN NOT m."isMoved" THEN w."belowNew" END) o
            FULL JOIN "pages_only_in"(w."belowNew", CASE WHEN NOT m."isMoved" THEN w."below" END) n ON n."pageId" = o."pageId"
        ) x
        WHERE m."isMoved" OR w."below" IS DISTINCT FROM w."belowNew"
    )
    SELECT w."pageId", w."parentId", w."path", (w."new" ->> 0)::"PageType", w."new" ->> 1, w."new" -> 3, w."new" ->> 4, w."new" IS NOT NULL
    FROM walk w WHERE w."pageId" IS NOT NULL AND (w."old", w."oldPath") IS DISTINCT FROM (w."new", w."path")
$$;

-- Brings the present pages of a space from one tree to another.
CREATE FUNCTION "move_present_pages"(space TEXT, old_tree TEXT, new_tree TEXT) RETURNS VOID LANGUAGE sql AS $$
    WITH changed AS MATERIALIZED (SELECT * FROM "pages_between"(old_tree, new_tree)),
    gone AS (
        DELETE FROM "PresentPage" p USING changed c WHERE p."spaceId" = space AND p."pageId" = c."pageId"
            AND NOT EXISTS (SELECT FROM changed o WHERE o."pageId" = c."pageId" AND o."isThere")
    )
    INSERT INTO "PresentPage" ("spaceId", "pageId", "parentId", "path", "type", "title", "fields", "hash")
    SELECT space, c."pageId", c."parentId", c."path", c."type", c."title", c."fields", c."hash" FROM changed c WHERE c."isThere"
    ON CONFLICT ("spaceId", "pageId") DO UPDATE SET ("parentId", "path", "type", "title", "fields", "hash")
        = (excluded."parentId", excluded."path", excluded."type", excluded."title", excluded."fields", excluded."hash")
$$;

-- Whoever moves the head of a space moves its present pages.
CREATE FUNCTION "Space_present_pages"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "move_present_pages"(
        NEW."id",
        (SELECT r."treeHash" FROM "Revision" r WHERE r."id" = OLD."revisionId"),
        (SELECT r."treeHash" FROM "Revision" r WHERE r."id" = NEW."revisionId")
    );
    RETURN NULL;
END $$;

CREATE TRIGGER "Space_present_pages" AFTER UPDATE OF "revisionId" ON "Space"
    FOR EACH ROW WHEN (OLD."revisionId" <> NEW."revisionId") EXECUTE FUNCTION "Space_present_pages"();

-- The first revision of a space is written after the space, in the same transaction: hence at its end.
CREATE FUNCTION "Space_first_present_pages"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "move_present_pages"(s."id", NULL, r."treeHash")
    FROM "Space" s JOIN "Revision" r ON r."id" = s."revisionId" WHERE s."id" = NEW."id" AND r."treeHash" IS NOT NULL;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "Space_first_present_pages" AFTER INSERT ON "Space" DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION "Space_first_present_pages"();

-- Those of the spaces that are there already.
SELECT "move_present_pages"(s."id", NULL, r."treeHash") FROM "Space" s JOIN "Revision" r ON r."id" = s."revisionId";
