-- AlterTable
ALTER TABLE "Site" ADD COLUMN     "customization" JSONB,
ADD COLUMN     "signInUrl" TEXT;

-- CreateTable
CREATE TABLE "FormerPath" (
    "spaceId" TEXT COLLATE "C" NOT NULL,
    "path" TEXT NOT NULL,
    "pageId" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "FormerPath_pkey" PRIMARY KEY ("spaceId","path")
);

-- AddForeignKey
ALTER TABLE "FormerPath" ADD CONSTRAINT "FormerPath_spaceId_fkey" FOREIGN KEY ("spaceId") REFERENCES "Space"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Keeps the path that a page of the present content had before. Longer paths do not fit into an index.
CREATE FUNCTION "PresentPage_former_path"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "FormerPath" ("spaceId", "path", "pageId") VALUES (OLD."spaceId", OLD."path", OLD."pageId")
    ON CONFLICT ("spaceId", "path") DO UPDATE SET "pageId" = excluded."pageId";
    RETURN NULL;
END $$;

CREATE TRIGGER "PresentPage_former_path" AFTER UPDATE OF "path" ON "PresentPage"
    FOR EACH ROW WHEN (OLD."path" <> NEW."path" AND octet_length(OLD."path") <= 2000) EXECUTE FUNCTION "PresentPage_former_path"();
