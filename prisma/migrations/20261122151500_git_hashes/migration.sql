-- AlterTable
ALTER TABLE "ContentDocument" ADD COLUMN "oid" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "ContentFile" ADD COLUMN "oid" TEXT COLLATE "C";
