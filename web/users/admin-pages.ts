/** Pages of administrators, in the order of their links; named by `shell:pages.<key>`. Some are for administrators of all regions. */
export const adminPages = [
  { key: 'organization', path: '/admin/organization', needsAllRegions: true },
  { key: 'regions', path: '/admin/regions', needsAllRegions: false },
  { key: 'operators', path: '/admin/operators', needsAllRegions: false },
  { key: 'users', path: '/admin/users', needsAllRegions: false },
  { key: 'roles', path: '/admin/roles', needsAllRegions: true },
  { key: 'signInProviders', path: '/admin/sign-in', needsAllRegions: true },
  { key: 'audit', path: '/admin/audit', needsAllRegions: false },
] as const

export type AdminPageKey = (typeof adminPages)[number]['key']
