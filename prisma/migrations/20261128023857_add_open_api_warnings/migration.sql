-- AlterTable
ALTER TABLE "OpenApiSpecVersion" ADD COLUMN     "warningCount" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "warnings" JSONB NOT NULL DEFAULT '[]';
