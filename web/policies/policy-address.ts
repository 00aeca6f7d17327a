import { pagePath } from '#web/shell/pages.ts'
import { publicAddress } from '#web/shell/public-address.ts'

/** The public page of a region's policies, or of one of them, whatever its revision. */
export const publicPolicyAddress = (regionId: string, constantId?: string): string =>
  `${publicAddress(regionId, 'policies')}${constantId ? `?policy=${constantId}` : ''}`

/** Where a policy is read, or changed. */
export const policyAddress = (regionId: string, constantId: string, act: 'read' | 'edit' = 'read'): string =>
  `${pagePath(regionId, 'policies')}/${constantId}${act === 'edit' ? '/edit' : ''}`

/** The path of a policy's compliance. */
export const complianceAddress = (regionId: string, constantId: string): string =>
  `${pagePath(regionId, 'compliance')}/${constantId}`
