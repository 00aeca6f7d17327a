/** Pages of administrators, in the order of their links; named by `shell:pages.<key>`. */
export const adminPages = [
  { key: 'organization', path: '/admin/organization' },
  { key: 'regions', path: '/admin/regions' },
  { key: 'operators', path: '/admin/operators' },
  { key: 'users', path: '/admin/users' },
  { key: 'roles', path: '/admin/roles' },
  { key: 'signInProviders', path: '/admin/sign-in' },
  { key: 'audit', path: '/admin/audit' },
] as const

export type AdminPageKey = (typeof adminPages)[number]['key']
