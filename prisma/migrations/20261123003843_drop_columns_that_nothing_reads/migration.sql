-- AlterTable
ALTER TABLE "Site" DROP COLUMN "ads",
DROP COLUMN "features";

-- AlterTable
ALTER TABLE "SiteSpace" DROP COLUMN "hasAdvancedCustomizationFeature";
