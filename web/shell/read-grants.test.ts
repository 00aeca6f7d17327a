import { describe, expect, it } from 'vitest'
import { permissionKeys } from '#contract/permission.ts'
import { parseGrants } from './me.tsx'

const all = permissionKeys.map((key) => ({ key: key as string, enabled: true }))

describe('the list of permissions', () => {
  it('lets do what is enabled and nothing else', () => {
    const { can, unknownKeys: unknown } = parseGrants(
      all.map((grant) => ({ ...grant, enabled: grant.key === 'edit_policy' })),
    )
    expect(permissionKeys.filter(can)).toEqual(['edit_policy'])
    expect(unknown).toEqual([])
  })

  it('with an unknown key names it, and does not let it in', () => {
    const { can, unknownKeys: unknown } = parseGrants([...all, { key: 'fly', enabled: true }])
    expect(unknown).toEqual(['fly'])
    expect(can('fly' as never)).toBe(false)
    expect(permissionKeys.every(can)).toBe(true)
  })

  it('without a key that we know names it, and takes it for off', () => {
    const { can, unknownKeys: unknown } = parseGrants(all.slice(1))
    expect(unknown).toEqual(['is_admin'])
    expect(can('is_admin')).toBe(false)
  })
})
