import type { PermissionKey } from '#contract/permission.ts'
import type { Scope } from '#server/stores/scope.ts'
import { Problem } from './problem.ts'

/** A user by id and e-mail. */
export interface Named {
  userId: string
  email: string
}

/** Who asks, with what they may see and do. */
export interface Viewer extends Named {
  organizationId: string
  permissions: readonly PermissionKey[]
  scope: Scope
  /** Sees every region of the organization, also later ones; else only those of the Scope. */
  allRegions: boolean
  /** The organization requires a second factor and there is none: nothing else opens before. */
  owesSecondFactor: boolean
  /** The admin who acts in this user's name. */
  admin: Named | null
  sessionId: string
}

/** Finds the viewer of a request by its headers (cookie or bearer token, impersonated user), or none. */
export type ViewerOf = (headers: Headers) => Promise<Viewer | null>

/** Throws 403 unless the viewer sees all regions of the organization. */
export function requireWholeOrganization(viewer: Viewer): void {
  if (!viewer.allRegions)
    throw new Problem(
      'forbidden',
      'Only an administrator of all regions can change what belongs to the whole organization.',
    )
}
