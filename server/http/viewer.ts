import type { PermissionKey } from '#contract/permission.ts'
import type { Scope } from '#server/stores/scope.ts'
import { Problem } from './problem.ts'

/** A user by id and e-mail. */
export interface UserIdentity {
  userId: string
  email: string
}

/** Who asks, with what they may see and do. */
export interface Viewer extends UserIdentity {
  organizationId: string
  permissions: readonly PermissionKey[]
  scope: Scope
  /** Sees every region of the organization, also later ones; else only those of the Scope. */
  allRegions: boolean
  /** The organization requires a second factor and there is none: nothing else opens before. */
  mfaEnrollmentRequired: boolean
  /** The admin who acts in this user's name. */
  admin: UserIdentity | null
  sessionId: string
}

/** Finds the viewer of a request by its headers (cookie or bearer token, impersonated user), or none. */
export type FindViewer = (headers: Headers) => Promise<Viewer | null>

/** Throws 403 unless the viewer sees all regions of the organization. */
export function requireAllRegions(viewer: Viewer): void {
  if (!viewer.allRegions)
    throw new Problem(
      'forbidden',
      'Only an administrator of all regions can change what belongs to the whole organization.',
    )
}
