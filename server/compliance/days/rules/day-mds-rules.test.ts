import { expect, test } from 'vitest'
import type { MdsRule } from '#contract/mds-policy.ts'
import { hourMs } from '#contract/period.ts'
import { toDayMdsRules, getRuleHistoryMs } from './day-mds-rules.ts'

const makeRule = (overrides: Partial<MdsRule> = {}): MdsRule => ({
  name: 'n',
  rule_id: 'r',
  rule_type: 'count',
  geographies: ['g'],
  maximum: 1,
  ...overrides,
})
const read = (rules: MdsRule[]) =>
  toDayMdsRules(
    {
      rules,
      currency: 'USD',
      provider_ids: [],
      places: [
        { geography_id: 'g', name: 'g', shape_uuids: ['one', 'two'] },
        { geography_id: 'h', name: 'h', shape_uuids: ['gone', 'two'] },
      ],
    },
    [{ shapeId: 'two' }, { shapeId: 'three' }, { shapeId: 'one' }],
  )

test('MDS rules of a day map geographies to shapes; deleted shapes are ignored', () => {
  expect(
    read([makeRule(), makeRule({ geographies: ['h'] }), makeRule({ geographies: ['h', 'g'] })]).map(
      ({ shapes }) => shapes,
    ),
  ).toEqual([[3, 1], [1], [1, 3]])
})

test('MDS rules of a day are empty if no rule can be violated, or if one cannot be parsed', () => {
  expect(read([makeRule({ rule_type: 'user' })])).toEqual([])
  expect(read([makeRule(), makeRule({ rule_type: 'time' })])).toEqual([])
  expect(read([makeRule(), makeRule({ rule_type: 'tax' })])).toEqual([])
  expect(read(Array.from({ length: 2001 }, () => makeRule()))).toEqual([])
  expect(read([makeRule({ rule_type: 'user' }), makeRule()])).toHaveLength(1)
})

test('MDS rules of a day need as much history as their longest time limit, up to a maximum', () => {
  const makeLimit = (rule_units: string, maximum: number, minimum?: number) =>
    read([makeRule(), makeRule({ rule_type: 'time', rule_units, maximum, minimum })])
  expect(getRuleHistoryMs(read([makeRule()]), 48 * hourMs)).toBe(48 * hourMs)
  expect(getRuleHistoryMs(makeLimit('hours', 3, 1), 48 * hourMs)).toBe(51 * hourMs)
  expect(getRuleHistoryMs(makeLimit('days', 400), 48 * hourMs)).toBe((92 * 24 + 48) * hourMs)
})
