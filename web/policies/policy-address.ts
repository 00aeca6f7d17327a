import { pagePath } from '#web/shell/pages.ts'

/** Where everybody reads the policies of a region, or one of them. */
export const publicAddress = (regionId: string, policyId?: string): string =>
  `/${encodeURIComponent(regionId)}/public/policies${policyId ? `?policy=${policyId}` : ''}`

/** Where a policy is read, or changed. */
export const policyAddress = (regionId: string, constantId: string, act: 'read' | 'edit' = 'read'): string =>
  `${pagePath(regionId, 'policies')}/${constantId}${act === 'edit' ? '/edit' : ''}`
