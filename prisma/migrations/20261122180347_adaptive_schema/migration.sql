-- AlterTable
ALTER TABLE "Site" ADD COLUMN     "adaptiveSchema" JSON,
ADD COLUMN     "adaptiveSchemaUpdatedAt" TIMESTAMPTZ(3);
