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
  /** Whether the user sees every region of the organization, also future ones; else those in the Scope. */
  allRegions: boolean
  /** Whether a required second factor is missing. Until it is added, most calls are refused. */
  mfaEnrollmentRequired: boolean
  /** The administrator who impersonates the user; null if nobody does. */
  admin: UserIdentity | null
  sessionId: string
  /** The API key of the call, which acts with the user's rights; absent for a session. */
  apiKey?: { keyId: string; name: string; operator: string | null }
}

/** Finds the viewer of a request by cookie, bearer token and impersonated user; null without one. */
export type FindViewer = (headers: Headers) => Promise<Viewer | null>

/** Throws the Problem `forbidden` unless the viewer sees every region of the organization. */
export function requireAllRegions(viewer: Viewer): void {
  if (!viewer.allRegions)
    throw new Problem(
      'forbidden',
      'Only an administrator of all regions can change what belongs to the whole organization.',
    )
}

/**
 * Returns whether the viewer may see single trips and positions of vehicles (docs/metrics.md: personal
 * movement only for those with permission). Users who edit policies may, and operators, who see their own. A
 * key that is limited to an operator has the permissions of its owner, not of an operator.
 */
export const canSeeSingleTrips = ({
  scope,
  permissions,
  apiKey,
}: Pick<Viewer, 'scope' | 'permissions' | 'apiKey'>): boolean =>
  (scope.operators !== null && !apiKey) ||
  permissions.includes('edit_policy') ||
  permissions.includes('is_admin')
