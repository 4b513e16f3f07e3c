-- All words of a page are beside each other in one row, those of its text, too: a search is one index and no join.
-- The extension is trusted: whoever may create in the database may create it.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- DropIndex
DROP INDEX "SearchText_vector_idx";
DROP INDEX "PresentPage_words_idx";

-- AlterTable
ALTER TABLE "PresentPage" ADD COLUMN     "allWords" tsvector,
ADD COLUMN     "hasText" BOOLEAN NOT NULL DEFAULT false;

-- What only ranks hits is beside the rows, so that many of these are counted in little time. All else stays in them, ids
-- and hashes too: to sort by one that is not there would be a look into another table for each comparison.
ALTER TABLE "PresentPage" SET (toast_tuple_target = 128);
ALTER TABLE "PresentPage" ALTER COLUMN "allWords" SET STORAGE EXTERNAL;
ALTER TABLE "PresentPage" ALTER COLUMN "spaceId" SET STORAGE MAIN;
ALTER TABLE "PresentPage" ALTER COLUMN "pageId" SET STORAGE MAIN;
ALTER TABLE "PresentPage" ALTER COLUMN "parentId" SET STORAGE MAIN;
ALTER TABLE "PresentPage" ALTER COLUMN "hash" SET STORAGE MAIN;
ALTER TABLE "PresentPage" ALTER COLUMN "words" SET STORAGE MAIN;
ALTER TABLE "PresentPage" ALTER COLUMN "fields" SET STORAGE MAIN;
ALTER TABLE "PresentPage" ALTER COLUMN "title" SET STORAGE MAIN;
ALTER TABLE "PresentPage" ALTER COLUMN "path" SET STORAGE MAIN;
ALTER TABLE "SearchText" RESET (toast_tuple_target);

-- By any of the space, all words, and those of title, description and headings. Partial, since models cannot say what it
-- is.
CREATE INDEX "PresentPage_allWords" ON "PresentPage" USING GIN ("spaceId", "allWords", "words") WHERE "allWords" IS NOT NULL;

-- Pages whose words are not all there.
CREATE INDEX "PresentPage_without_text" ON "PresentPage" ("spaceId", "pageId") WHERE NOT "hasText";

-- The words of a page: of its title and description, and, where words were derived from its text, these, too.
CREATE OR REPLACE FUNCTION "PresentPage_words"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE of_text tsvector;
BEGIN
    SELECT x."vector" INTO of_text FROM "SearchText" x JOIN "Space" s ON s."id" = NEW."spaceId"
    WHERE x."hash" = NEW."hash" AND x."variant" = coalesce(s."searchLanguage"::TEXT, 'simple');
    NEW."words" := "present_page_words"(NEW."spaceId", NEW."title", NEW."fields");
    NEW."allWords" := NEW."words";
    NEW."hasText" := NEW."hash" IS NULL OR of_text IS NOT NULL;
    IF of_text IS NOT NULL THEN
        NEW."allWords" := NEW."words" || of_text;
        NEW."words" := NEW."words" || ts_filter(of_text, '{b}');
    END IF;
    RETURN NEW;
END $$;

DROP TRIGGER "PresentPage_words" ON "PresentPage";
CREATE TRIGGER "PresentPage_words" BEFORE INSERT OR UPDATE OF "title", "fields", "hash" ON "PresentPage"
    FOR EACH ROW EXECUTE FUNCTION "PresentPage_words"();

UPDATE "PresentPage" SET "title" = "title";

-- Where the words of a text are derived anew, those of its pages are, too: until then they keep the old ones. A row that
-- somebody writes at this moment is left as it is.
CREATE FUNCTION "SearchText_gone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "PresentPage" p SET "hasText" = false FROM (
        SELECT o."spaceId", o."pageId" FROM gone g JOIN "PresentPage" o ON o."hash" = g."hash" WHERE o."hasText"
        FOR NO KEY UPDATE OF o SKIP LOCKED
    ) k WHERE p."spaceId" = k."spaceId" AND p."pageId" = k."pageId";
    RETURN NULL;
END $$;

CREATE TRIGGER "SearchText_gone" AFTER DELETE ON "SearchText" REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION "SearchText_gone"();
