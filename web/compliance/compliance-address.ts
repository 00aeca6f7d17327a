import { pagePath } from '#web/shell/pages.ts'

/** The page of one policy's compliance. */
export const complianceAddress = (regionId: string, constantId: string): string =>
  `${pagePath(regionId, 'compliance')}/${constantId}`
