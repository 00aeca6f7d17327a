import { expect, it } from 'vitest'
import type { MdsRule } from '#contract/mds-policy.ts'
import { testFields } from '../test-policy.ts'
import { getSpeedUnit } from './speed-unit.ts'

it('speeds are in the unit of the policy or of its imported rules', () => {
  const rule: MdsRule = { name: 'r', rule_id: 'r', rule_type: 'speed', rule_units: 'mph', geographies: ['g'] }
  const imported = { rules: [rule], currency: 'USD', provider_ids: [], places: [] }
  expect(getSpeedUnit(testFields({ unit: 'kph' }))).toBe('kph')
  expect(getSpeedUnit(testFields({ unit: null, imported_mds: imported }))).toBe('mph')
  expect(getSpeedUnit(testFields({ unit: null, imported_mds: null }))).toBeNull()
})
