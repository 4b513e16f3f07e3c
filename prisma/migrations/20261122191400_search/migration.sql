-- They are trusted: whoever may create in the database may create them.
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;

-- CreateEnum
CREATE TYPE "SearchLanguage" AS ENUM ('arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish', 'yiddish');

-- AlterTable
ALTER TABLE "PresentPage" ADD COLUMN     "words" tsvector;

-- AlterTable
ALTER TABLE "Space" ADD COLUMN     "searchLanguage" "SearchLanguage";

-- CreateTable
CREATE TABLE "SearchText" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "variant" TEXT NOT NULL,
    "vector" tsvector NOT NULL,

    CONSTRAINT "SearchText_pkey" PRIMARY KEY ("hash","variant")
);

-- CreateTable
CREATE TABLE "SearchSection" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "variant" TEXT NOT NULL,
    "place" INTEGER NOT NULL,
    "anchor" TEXT,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "vector" tsvector NOT NULL,

    CONSTRAINT "SearchSection_pkey" PRIMARY KEY ("hash","variant","place")
);

-- CreateTable
CREATE TABLE "SearchWord" (
    "word" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SearchWord_pkey" PRIMARY KEY ("word")
);

-- CreateIndex
CREATE INDEX "SearchText_vector_idx" ON "SearchText" USING GIN ("vector");

-- CreateIndex
CREATE INDEX "SearchWord_word_idx" ON "SearchWord" USING GIN ("word" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "PresentPage_words_idx" ON "PresentPage" USING GIN ("words");

-- Words of texts are read for many hits at once: those of usual ones stay in their rows.
ALTER TABLE "SearchText" SET (toast_tuple_target = 8160);

-- AddForeignKey
ALTER TABLE "SearchText" ADD CONSTRAINT "SearchText_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ContentDocument"("hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SearchSection" ADD CONSTRAINT "SearchSection_hash_variant_fkey" FOREIGN KEY ("hash", "variant") REFERENCES "SearchText"("hash", "variant") ON DELETE CASCADE ON UPDATE CASCADE;

-- A configuration for each language, and one for none: words without accents, by their stems.
DO $$ DECLARE language TEXT; BEGIN
    FOREACH language IN ARRAY array_prepend('simple', enum_range(NULL::"SearchLanguage")::TEXT[]) LOOP
        EXECUTE format('CREATE TEXT SEARCH CONFIGURATION %I (COPY = %I)', 'docgraph_' || language, language);
        EXECUTE format('ALTER TEXT SEARCH CONFIGURATION %I ALTER MAPPING FOR hword, hword_part, word WITH unaccent, %I',
            'docgraph_' || language, CASE language WHEN 'simple' THEN 'simple' ELSE language || '_stem' END);
    END LOOP;
END $$;

-- The configuration of a language, or of `simple`.
CREATE FUNCTION "search_configuration"(language TEXT) RETURNS regconfig LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT ('docgraph_' || language)::regconfig
$$;

-- A text with blanks for all that is no part of a word, and each character of Chinese and Japanese as a word: as
-- `searchable` does (src/features/search/model/words.ts).
CREATE FUNCTION "search_blanks"(text TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT regexp_replace(regexp_replace(normalize(text), '[[:punct:][:cntrl:]$+<=>^`|~\u00a0-\u00bf\u2000-\u2bff\u3000-\u303f\ufe10-\ufe6f\uff01-\uff0f]+', ' ', 'g'),
        '([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])', ' \1 ', 'g')
$$;

-- The words of a page beside its text, in the language of its space.
CREATE FUNCTION "present_page_words"(space TEXT, title TEXT, fields JSONB) RETURNS tsvector LANGUAGE sql STABLE AS $$
    SELECT setweight(to_tsvector(c.configuration, "search_blanks"(title)), 'A')
        || setweight(to_tsvector(c.configuration, "search_blanks"(left(coalesce(fields ->> 'description', ''), 10000))), 'B')
    FROM (SELECT "search_configuration"(coalesce(s."searchLanguage"::TEXT, 'simple')) FROM "Space" s WHERE s."id" = space OFFSET 0) c(configuration)
$$;

CREATE FUNCTION "PresentPage_words"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."words" := "present_page_words"(NEW."spaceId", NEW."title", NEW."fields");
    RETURN NEW;
END $$;

CREATE TRIGGER "PresentPage_words" BEFORE INSERT OR UPDATE OF "title", "fields" ON "PresentPage"
    FOR EACH ROW EXECUTE FUNCTION "PresentPage_words"();

-- A space in another language has other words.
CREATE FUNCTION "Space_search_language"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE "PresentPage" SET "title" = "title" WHERE "spaceId" = NEW."id";
    RETURN NULL;
END $$;

CREATE TRIGGER "Space_search_language" AFTER UPDATE OF "searchLanguage" ON "Space"
    FOR EACH ROW WHEN (OLD."searchLanguage" IS DISTINCT FROM NEW."searchLanguage") EXECUTE FUNCTION "Space_search_language"();

UPDATE "PresentPage" SET "title" = "title";

-- The words of several parts of a text, one after the other.
CREATE AGGREGATE "words_of_all"(tsvector) (SFUNC = tsvector_concat, STYPE = tsvector, INITCOND = '');
