-- An edit of one page among thousands side by side: PostgreSQL makes the level of the one before, and what differs
-- between the two is kept with it. Those that are there stay as they are.

-- AlterTable
ALTER TABLE "ContentTree" ADD COLUMN     "stepFrom" TEXT COLLATE "C",
ADD COLUMN     "stepIs" TEXT[] COLLATE "C",
ADD COLUMN     "stepWas" TEXT[] COLLATE "C";

-- Hashes cannot be compressed, which PostgreSQL would try each time.
ALTER TABLE "ContentTree" ALTER COLUMN "pages" SET STORAGE EXTERNAL;

-- The pages side by side in one tree that are not so in another, each given by its hash. Where one was made of the other,
-- that says what differs. Otherwise mostly the same page stands in each place of both: only the places that differ are
-- looked at as sets.
CREATE OR REPLACE FUNCTION "pages_only_in"(tree TEXT, other TEXT) RETURNS TABLE("pageId" TEXT, "childrenHash" TEXT, "state" JSONB)
LANGUAGE sql STABLE AS $$
    SELECT p."pageId", p."childrenHash", jsonb_build_array(p."type", p."title", p."slug", p."fields", p."documentHash")
    FROM (
        WITH step AS MATERIALIZED (
            SELECT t."stepIs" AS "own", t."stepWas" AS "others" FROM "ContentTree" t WHERE t."hash" = tree AND t."stepFrom" = other
            UNION ALL
            SELECT t."stepWas", t."stepIs" FROM "ContentTree" t WHERE t."hash" = other AND t."stepFrom" = tree
            LIMIT 1
        ), apart AS MATERIALIZED (
            SELECT u."own", u."others" FROM unnest(
                CASE WHEN EXISTS (SELECT FROM step) THEN (SELECT s."own" FROM step s) ELSE (SELECT t."pages" FROM "ContentTree" t WHERE t."hash" = tree) END,
                CASE WHEN EXISTS (SELECT FROM step) THEN (SELECT s."others" FROM step s) ELSE (SELECT t."pages" FROM "ContentTree" t WHERE t."hash" = other) END
            ) u("own", "others") WHERE u."own" IS DISTINCT FROM u."others"
        )
        SELECT a."own" FROM apart a WHERE a."own" IS NOT NULL EXCEPT SELECT a."others" FROM apart a
    ) u("hash") CROSS JOIN LATERAL (SELECT * FROM "ContentPage" c WHERE c."hash" = u."hash" OFFSET 0) p
$$;
