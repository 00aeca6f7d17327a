import { pagePath } from '#web/shell/pages.ts'

/** Where everybody reads the policies of a region, or one of them, whatever its revision. */
export const publicAddress = (regionId: string, constantId?: string): string =>
  `/${encodeURIComponent(regionId)}/public/policies${constantId ? `?policy=${constantId}` : ''}`

/** Where a policy is read, or changed. */
export const policyAddress = (regionId: string, constantId: string, act: 'read' | 'edit' = 'read'): string =>
  `${pagePath(regionId, 'policies')}/${constantId}${act === 'edit' ? '/edit' : ''}`
