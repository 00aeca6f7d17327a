import { z } from 'zod'

/** The five keys of the specification (1-product, section 6). */
export const permissionKeys = [
  'is_admin',
  'edit_geography',
  'edit_policy',
  'publish_to_public_map',
  'edit_curb_regulations',
] as const

export const PermissionKey = z.enum(permissionKeys)
export type PermissionKey = z.infer<typeof PermissionKey>

/** One key and whether it is held: how permissions travel (1-product, section 6). */
export const Grant = z.object({ key: PermissionKey, enabled: z.boolean() }).meta({ id: 'Grant' })
export type Grant = z.infer<typeof Grant>

/**
 * What an endpoint demands: nothing; a session, even one that still owes its second factor; a signed-in user who owes nothing; or,
 * beyond that, one key.
 */
export type Permission = 'public' | 'session' | 'signed_in' | PermissionKey
