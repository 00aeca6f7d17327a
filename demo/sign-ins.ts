import { type PermissionKey, permissionKeys } from '#contract/permission.ts'

/** Who can sign in to the demo city. Its data is made up, so its passwords are no secret. */
export const signIns: readonly {
  email: string
  password: string
  role: string
  permissions: readonly PermissionKey[]
}[] = [
  {
    email: 'admin@portmeridian.example',
    password: 'meridian-admin',
    role: 'administrator',
    permissions: permissionKeys,
  },
  {
    email: 'planner@portmeridian.example',
    password: 'meridian-planner',
    role: 'planner',
    permissions: ['edit_geography', 'edit_policy'],
  },
  { email: 'viewer@portmeridian.example', password: 'meridian-viewer', role: 'viewer', permissions: [] },
]
