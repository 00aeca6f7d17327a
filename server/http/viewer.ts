import type { PermissionKey } from '#contract/permission.ts'
import type { Scope } from '#server/stores/scope.ts'
import { Problem } from './problem.ts'

/** A user's id and e-mail address. */
export interface UserIdentity {
  userId: string
  email: string
}

/** The signed-in user of a request, with permissions and Scope. */
export interface Viewer extends UserIdentity {
  organizationId: string
  permissions: readonly PermissionKey[]
  scope: Scope
  /**
   * Whether the user sees every region of the organization, including later ones; otherwise those of the
   * Scope.
   */
  allRegions: boolean
  /** Whether the organization requires a second factor and the user has none; all other calls are refused. */
  mfaEnrollmentRequired: boolean
  /** The administrator who impersonates the user. */
  admin: UserIdentity | null
  sessionId: string
  /** The API key with which the user's rights are used; without one it is a session. */
  apiKey?: { keyId: string; name: string; operator: string | null }
}

/**
 * Finds the viewer of a request by its headers (cookie or bearer token, impersonated user); null if there is
 * none.
 */
export type FindViewer = (headers: Headers) => Promise<Viewer | null>

/** Throws 403 unless the viewer sees all regions of the organization. */
export function requireAllRegions(viewer: Viewer): void {
  if (!viewer.allRegions)
    throw new Problem(
      'forbidden',
      'Only an administrator of all regions can change what belongs to the whole organization.',
    )
}

/**
 * Whether the viewer may see single trips and where vehicles were (docs/metrics.md: personal movement only for those with permission): those who
 * edit policies, and operators, who see their own. A key that is limited to an operator is no operator: it has its owner's permissions.
 */
export const canSeeSingleTrips = ({
  scope,
  permissions,
  apiKey,
}: Pick<Viewer, 'scope' | 'permissions' | 'apiKey'>): boolean =>
  (scope.operators !== null && !apiKey) ||
  permissions.includes('edit_policy') ||
  permissions.includes('is_admin')
