-- AlterTable
ALTER TABLE "ContentImport" ADD COLUMN     "errorCode" TEXT;

-- AlterTable
ALTER TABLE "Translation" ADD COLUMN     "errorCode" TEXT;
