-- An edit of one page of a large space costs what it changes: nothing is sorted or scanned as a whole.

-- The pages side by side in one tree that are not so in another, each given by its hash. Mostly the same page stands in
-- each place of both: only the places that differ are looked at as sets.
CREATE OR REPLACE FUNCTION "pages_only_in"(tree TEXT, other TEXT) RETURNS TABLE("pageId" TEXT, "childrenHash" TEXT, "state" JSONB)
LANGUAGE sql STABLE AS $$
    SELECT p."pageId", p."childrenHash", jsonb_build_array(p."type", p."title", p."slug", p."fields", p."documentHash")
    FROM (
        WITH apart AS MATERIALIZED (
            SELECT u."own", u."others" FROM unnest(
                (SELECT t."pages" FROM "ContentTree" t WHERE t."hash" = tree),
                (SELECT t."pages" FROM "ContentTree" t WHERE t."hash" = other)
            ) u("own", "others") WHERE u."own" IS DISTINCT FROM u."others"
        )
        SELECT a."own" FROM apart a WHERE a."own" IS NOT NULL EXCEPT SELECT a."others" FROM apart a
    ) u("hash") CROSS JOIN LATERAL (SELECT * FROM "ContentPage" c WHERE c."hash" = u."hash" OFFSET 0) p
$$;

-- Brings the present pages of a space from one tree to another. PostgreSQL cannot know how few have changed: as an array
-- their ids are looked up in the index.
CREATE OR REPLACE FUNCTION "move_present_pages"(space TEXT, old_tree TEXT, new_tree TEXT) RETURNS VOID LANGUAGE sql AS $$
    WITH changed AS MATERIALIZED (SELECT * FROM "pages_between"(old_tree, new_tree)),
    gone AS (
        DELETE FROM "PresentPage" p WHERE p."spaceId" = space AND p."pageId" = ANY (ARRAY(
            SELECT c."pageId" FROM changed c GROUP BY c."pageId" HAVING NOT bool_or(c."isThere")
        ))
    )
    INSERT INTO "PresentPage" ("spaceId", "pageId", "parentId", "path", "type", "title", "fields", "hash")
    SELECT space, c."pageId", c."parentId", c."path", c."type", c."title", c."fields", c."hash" FROM changed c WHERE c."isThere"
    ON CONFLICT ("spaceId", "pageId") DO UPDATE SET ("parentId", "path", "type", "title", "fields", "hash")
        = (excluded."parentId", excluded."path", excluded."type", excluded."title", excluded."fields", excluded."hash")
$$;

-- Locks the main content of a space until the transaction ends, and gives its active revision, of which a statement that
-- waited for the lock could not know: it sees what was there when it began. No row for a space that is gone.
CREATE FUNCTION "locked_main_content"(space TEXT, organization TEXT) RETURNS TABLE(
    "editMode" "SpaceEditMode", "revisionId" TEXT, "treeHash" TEXT, "filesHash" TEXT, "variables" JSONB, "reusableContents" JSONB,
    "createdAt" TIMESTAMPTZ
) LANGUAGE sql VOLATILE AS $$
    SELECT FROM "Space" s WHERE s."id" = space AND s."organizationId" = organization AND s."deletedAt" IS NULL FOR NO KEY UPDATE;
    SELECT s."editMode", r."id", r."treeHash", r."filesHash", r."variables", r."reusableContents", r."createdAt"
    FROM "Space" s JOIN "Revision" r ON r."id" = s."revisionId"
    WHERE s."id" = space AND s."organizationId" = organization AND s."deletedAt" IS NULL;
$$;
