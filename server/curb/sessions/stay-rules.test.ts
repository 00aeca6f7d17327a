import { expect, test } from 'vitest'
import type { CdsPolicy } from '#contract/cds.ts'
import { compileRuleSet } from '../rules/rule-set.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import type { AwayTime } from './away-times.ts'
import { type CheckedSession, findStayViolations, findStayRule } from './stay-rules.ts'

const minute = 60_000
const start = Date.UTC(2026, 2, 7, 12)
const policies: CdsPolicy[] = [
  {
    curb_policy_id: 'loading',
    published_date: 0,
    priority: 1,
    rules: [
      {
        activity: 'loading',
        max_stay: 30,
        max_stay_unit: 'minute',
        no_return: 1,
        no_return_unit: 'hour',
        user_classes: ['van'],
      },
    ],
  },
  { curb_policy_id: 'others', published_date: 0, priority: 2, rules: [{ activity: 'no loading' }] },
]
const set = { id: 'set', policies, rules: compileRuleSet(policies) }
const index = {
  timezone: 'UTC',
  settings: { designatedPeriods: {} },
  at: () => ({ ruleSetByZone: new Map([['zone', set]]) }),
} as unknown as CurbIndex

const session = (
  id: string,
  from: number,
  minutes: number,
  overrides: Partial<CheckedSession> = {},
): CheckedSession => ({
  sessionId: id,
  zoneId: 'zone',
  vehicle: 'v',
  vehicleType: 'van',
  propulsion: [],
  purpose: '',
  start: start + from * minute,
  end: start + (from + minutes) * minute,
  isOpen: false,
  ...overrides,
})

test('findStayViolations uses the rule of the longest allowed use of the curb', () => {
  expect(findStayRule(index, session('a', 0, 1))).toEqual({
    use: 'loading',
    maxStay: 30,
    noReturn: 60,
    policyId: 'loading',
    rule: 0,
  })
  expect(findStayRule(index, session('a', 0, 1, { vehicleType: 'car' }))).not.toMatchObject({ maxStay: 30 })
  expect(findStayRule(index, session('a', 0, 1, { zoneId: 'other' }))).toBeNull()
})

test('findStayViolations allows a stay of exactly the maximum, and finds longer stays and early returns', () => {
  const violations = findStayViolations(index, [
    session('allowed', 0, 30),
    session('early', 60, 10),
    session('late', 130, 31),
    session('other vehicle', 165, 5, { vehicle: 'w' }),
    session('unknown vehicle', 170, 5, { vehicle: '' }),
  ])
  expect(
    violations.map(({ kind, session: { sessionId }, measuredMs }) => [kind, sessionId, measuredMs / minute]),
  ).toEqual([
    ['no_return', 'early', 30],
    ['max_stay', 'late', 31],
  ])
  expect(violations[0]?.previousId).toBe('allowed')
})

test('findStayViolations applies the away time of a policy in its zones and on its days if it is longer than that of the rule', () => {
  const away: AwayTime = {
    policyId: 'policy',
    minutes: 120,
    zoneIds: new Set(['zone']),
    from: start,
    to: null,
    firstDay: null,
    lastDay: null,
  }
  const stays = [session('first', 0, 10), session('back', 100, 10)]
  const listViolations = (times: readonly AwayTime[]) =>
    findStayViolations(index, stays, times).map(({ kind, limit, rule }) => [kind, limit, rule.policyId])
  expect(listViolations([])).toEqual([])
  expect(listViolations([away])).toEqual([['no_return', 120, 'policy']])
  expect(listViolations([{ ...away, minutes: 80 }])).toEqual([])
  expect(listViolations([{ ...away, zoneIds: new Set(['other']) }])).toEqual([])
  expect(listViolations([{ ...away, to: start + 5 * minute }])).toEqual([])
  expect(listViolations([{ ...away, lastDay: '2026-03-06' }])).toEqual([])
})
