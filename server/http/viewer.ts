import type { PermissionKey } from '#contract/permission.ts'
import type { Scope } from '#server/stores/scope.ts'

/** Who asks, with what they may see and do. */
export interface Viewer {
  userId: string
  email: string
  organizationId: string
  permissions: readonly PermissionKey[]
  scope: Scope
}

/** Finds the viewer of a request by its headers (cookie or bearer token), or none. */
export type ViewerOf = (headers: Headers) => Promise<Viewer | null>
