import { pagePath } from '#web/shell/pages.ts'
import { publicAddress } from '#web/shell/public-address.ts'

/** Address of the public page of a region's policies, or of one policy in any revision. */
export const publicPolicyAddress = (regionId: string, constantId?: string): string =>
  `${publicAddress(regionId, 'policies')}${constantId ? `?policy=${constantId}` : ''}`

/** Path of the page of a policy, or of its editor. */
export const policyAddress = (regionId: string, constantId: string, page: 'read' | 'edit' = 'read'): string =>
  `${pagePath(regionId, 'policies')}/${constantId}${page === 'edit' ? '/edit' : ''}`

/** Path of the compliance page of a policy. */
export const complianceAddress = (regionId: string, constantId: string): string =>
  `${pagePath(regionId, 'compliance')}/${constantId}`
