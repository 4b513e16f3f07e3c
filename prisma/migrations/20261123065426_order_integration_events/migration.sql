-- AlterTable
ALTER TABLE "IntegrationEvent" ALTER COLUMN "sequence" SET NOT NULL;
