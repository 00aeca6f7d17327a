import { expect, test } from 'vitest'
import type { MdsRule } from '#contract/mds-policy.ts'
import { importedSpeedUnit } from './imported-rules.ts'
import { canBeViolated, isMeasured } from './is-measured.ts'

const rule = (overrides: Partial<MdsRule>): MdsRule => ({
  name: '',
  rule_id: 'r',
  rule_type: 'count',
  geographies: ['g'],
  ...overrides,
})
const makeImported = (rules: MdsRule[]) => ({
  policy_type: 'unknown',
  imported_mds: { rules, currency: 'USD', provider_ids: [], places: [] },
})

test('A rule can be violated if it has a bound that does not only select what is charged', () => {
  expect(canBeViolated(rule({ maximum: 0 }))).toBe(true)
  expect(canBeViolated(rule({ minimum: 3 }))).toBe(true)
  expect(canBeViolated(rule({}))).toBe(false)
  expect(canBeViolated(rule({ rule_type: 'user', maximum: 3 }))).toBe(false)
  expect(canBeViolated(rule({ rule_type: 'rate', maximum: 3 }))).toBe(false)
  expect(canBeViolated(rule({ rule_type: 'time', maximum: 3, rate_applies_when: 'in_bounds' }))).toBe(false)
  expect(canBeViolated(rule({ rule_type: 'time', maximum: 3, rate_applies_when: 'out_of_bounds' }))).toBe(
    true,
  )
  expect(canBeViolated(rule({ maximum: 3, rate_applies_when: 'in_bounds' }))).toBe(true)
})

test('All types except fees are measured, and imported rules if one can be violated', () => {
  expect(isMeasured({ policy_type: 'no_parking', imported_mds: null })).toBe(true)
  expect(isMeasured({ policy_type: 'trip_fees', imported_mds: null })).toBe(false)
  expect(isMeasured({ policy_type: 'unknown', imported_mds: null })).toBe(false)
  expect(isMeasured(makeImported([rule({ rule_type: 'user' })]))).toBe(false)
  expect(isMeasured(makeImported([rule({ rule_type: 'user' }), rule({ maximum: 1 })]))).toBe(true)
})

test('Imported speeds have the unit of the first speed rule', () => {
  expect(
    importedSpeedUnit({
      rules: [
        rule({}),
        rule({ rule_type: 'speed', rule_units: 'mph' }),
        rule({ rule_type: 'speed', rule_units: 'kph' }),
      ],
    }),
  ).toBe('mph')
  expect(importedSpeedUnit({ rules: [rule({})] })).toBeNull()
})
