import type { PermissionKey } from '#contract/permission.ts'
import type { Scope } from '#server/stores/scope.ts'

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
  /** The organization requires a second factor and there is none: nothing else opens before. */
  owesSecondFactor: boolean
  /** The admin who acts in this user's name. */
  admin: Named | null
  sessionId: string
}

/** Finds the viewer of a request by its headers (cookie or bearer token, impersonated user), or none. */
export type ViewerOf = (headers: Headers) => Promise<Viewer | null>
