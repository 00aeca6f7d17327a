import type { ManagedOperator } from '#contract/managed-operators.ts'
import type { AuditEntry, ManagedUser, Role } from '#contract/users.ts'
import { permissionKeys, type PermissionKey } from '#contract/permission.ts'

export const testUser = (id: string, overrides: Partial<ManagedUser> = {}): ManagedUser => ({
  id,
  email: `${id}@city.example`,
  name: id,
  disabled: false,
  invited: false,
  roles: [],
  keys: [],
  regionIds: null,
  operators: null,
  secondFactors: 0,
  lastSignInTime: null,
  ...overrides,
})

export const testOperator = (slug: string, name: string): ManagedOperator => ({
  slug,
  name,
  colorHex: `#${'36C'.repeat(2)}`,
  providerId: null,
  isNamed: true,
  feeds: 1,
  hasTrips: true,
})

export const testRole = (id: string, name: string, keys: readonly PermissionKey[] = []): Role => ({
  id,
  name,
  permissions: permissionKeys.map((key) => ({ key, enabled: keys.includes(key) })),
})

export const testEntry = (id: string, overrides: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: '2026-05-01T12:00:00.000Z',
  user_id: 'u1',
  user_email: 'ada@city.example',
  admin_id: null,
  admin_email: null,
  action: 'changeRegion',
  method: 'PATCH',
  path: '/v2/regions/alder',
  status: 200,
  address: '10.0.0.1',
  api_key_id: null,
  ...overrides,
})

export const pageOfItems = <T>(items: readonly T[], total = items.length) => ({
  items,
  total,
  page: 1,
  size: 50,
})
