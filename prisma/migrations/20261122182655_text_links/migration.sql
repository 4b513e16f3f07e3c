-- CreateEnum
CREATE TYPE "LinkRelation" AS ENUM ('reference', 'embed', 'image');

-- CreateTable
CREATE TABLE "TextLink" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "place" INTEGER NOT NULL,
    "relation" "LinkRelation" NOT NULL,
    "address" TEXT NOT NULL,

    CONSTRAINT "TextLink_pkey" PRIMARY KEY ("hash","place")
);

-- CreateTable
CREATE TABLE "TextAnchors" (
    "hash" TEXT COLLATE "C" NOT NULL,
    "anchors" TEXT[],

    CONSTRAINT "TextAnchors_pkey" PRIMARY KEY ("hash")
);

-- AddForeignKey
ALTER TABLE "TextLink" ADD CONSTRAINT "TextLink_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ContentDocument"("hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TextAnchors" ADD CONSTRAINT "TextAnchors_hash_fkey" FOREIGN KEY ("hash") REFERENCES "ContentDocument"("hash") ON DELETE CASCADE ON UPDATE CASCADE;

-- What leads from other spaces to a page.
CREATE INDEX "TextLink_other_space_idx" ON "TextLink"("address") WHERE "address" LIKE 'page:spc\_%';
