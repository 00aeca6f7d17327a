import { z } from 'zod'

/** The five keys of the specification, and those of invoices and curb prices. */
export const permissionKeys = [
  'is_admin',
  'edit_geography',
  'edit_policy',
  'publish_to_public_map',
  'edit_curb_regulations',
  'draft_invoices',
  'approve_invoices',
  'issue_invoices',
  'record_payments',
  'approve_curb_prices',
] as const

export const PermissionKey = z.enum(permissionKeys)
export type PermissionKey = z.infer<typeof PermissionKey>

/** A key and whether it is granted: how permissions are sent. */
export const Grant = z.object({ key: PermissionKey, enabled: z.boolean() }).meta({ id: 'Grant' })
export type Grant = z.infer<typeof Grant>

/** What an endpoint requires: nothing, a session, a sign-in with nothing pending, or one key in addition. */
export type Permission = 'public' | 'session' | 'signed_in' | PermissionKey
