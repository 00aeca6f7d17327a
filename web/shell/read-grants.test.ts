import { describe, expect, it } from 'vitest'
import { permissionKeys } from '#contract/permission.ts'
import { parseGrants } from './me.tsx'

const allGrants = permissionKeys.map((key) => ({ key: key as string, enabled: true }))

describe('the list of permissions', () => {
  it('grants only what is enabled', () => {
    const { can, unknownKeys: unknown } = parseGrants(
      allGrants.map((grant) => ({ ...grant, enabled: grant.key === 'edit_policy' })),
    )
    expect(permissionKeys.filter(can)).toEqual(['edit_policy'])
    expect(unknown).toEqual([])
  })

  it('reports an unknown key and does not grant it', () => {
    const { can, unknownKeys: unknown } = parseGrants([...allGrants, { key: 'fly', enabled: true }])
    expect(unknown).toEqual(['fly'])
    expect(can('fly' as never)).toBe(false)
    expect(permissionKeys.every(can)).toBe(true)
  })

  it('reports a missing key and does not grant it', () => {
    const { can, unknownKeys: unknown } = parseGrants(allGrants.slice(1))
    expect(unknown).toEqual(['is_admin'])
    expect(can('is_admin')).toBe(false)
  })
})
