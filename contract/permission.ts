import { z } from 'zod'

/** The five keys of the specification (1-product, section 6). */
export const permissionKeys = ['is_admin', 'edit_geography', 'edit_policy', 'publish_to_public_map', 'edit_curb_regulations'] as const

export const PermissionKey = z.enum(permissionKeys)
export type PermissionKey = z.infer<typeof PermissionKey>

/** What an endpoint demands: nothing, a signed-in user, or one key. */
export type Permission = 'public' | 'signed_in' | PermissionKey
