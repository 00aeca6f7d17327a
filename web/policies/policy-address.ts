import { pagePath } from '#web/shell/pages.ts'

/** Where a policy is read, or changed. */
export const policyAddress = (regionId: string, constantId: string, act: 'read' | 'edit' = 'read'): string =>
  `${pagePath(regionId, 'policies')}/${constantId}${act === 'edit' ? '/edit' : ''}`
