import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CdsPolicy, CdsRate } from '#contract/cds.ts'
import { minuteMs } from '#contract/period.ts'
import type { CurbUse } from '#contract/curb-rules.ts'
import { anyCase } from '../../../test/curb/any-policies.ts'
import { plainCharge } from '../../../test/curb/plain-charge.ts'
import { plainVerdict, type PlainQuestion } from '../../../test/curb/plain-decision.ts'
import { compileRuleSet } from '../rules/rule-set.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import { chargeAcross, type ChargedStay } from './charge-across.ts'

const runs = Number(process.env['CURB_RUNS'] ?? 60)

/** Creates an index of one zone with policies that change over time. */
function createIndex(
  timezone: string,
  epochs: readonly { from: number; policies: readonly CdsPolicy[] }[],
  periods: PlainQuestion['periods'] = new Map(),
): CurbIndex {
  const indexEpochs = epochs.map(({ from, policies }, i) => ({
    from,
    to: epochs[i + 1]?.from ?? null,
    ruleSetByZone: new Map([['zone', { id: String(i), policies, rules: compileRuleSet(policies) }]]),
  }))
  const designatedPeriods = Object.fromEntries([...periods].map(([name, days]) => [name, [...days]]))
  return {
    timezone,
    settings: { designatedPeriods },
    at: (ms: number) => indexEpochs.findLast(({ from }) => from <= ms),
  } as unknown as CurbIndex
}

const stay = (start: number, minutes: number, overrides: Partial<ChargedStay> = {}): ChargedStay => ({
  zoneId: 'zone',
  vehicleType: '',
  propulsion: [],
  purpose: '',
  operator: '',
  start,
  end: start + minutes * minuteMs,
  ...overrides,
})
const policy = (id: string, rate: CdsRate[], overrides: Partial<CdsPolicy> = {}): CdsPolicy => ({
  curb_policy_id: id,
  published_date: 0,
  priority: 1,
  rules: [{ activity: 'parking', rate }],
  ...overrides,
})
const perMinute = (rate: number): CdsRate => ({ rate, rate_unit: 'minute' })
const totalCharge = (index: CurbIndex, chargedStay: ChargedStay): number =>
  chargeAcross(index, chargedStay).reduce((sum, { amount }) => sum + (amount ?? 0), 0)

/** Pittsburgh, $3 per hour: 15 minutes are free, then the price is single, double and triple. */
const pittsburgh: CdsRate[] = [
  { ...perMinute(0), start_duration: 0, end_duration: 15 },
  { ...perMinute(5), start_duration: 15, end_duration: 30 },
  { ...perMinute(10), start_duration: 30, end_duration: 60 },
  { ...perMinute(15), start_duration: 60, end_duration: 120 },
]
const createFlatRate = (rate: number, start: number, end: number): CdsRate => ({
  ...perMinute(rate),
  start_duration: start,
  end_duration: end,
  rate_application_type: 'flat',
})

describe('published tariffs', () => {
  const noon = Date.parse('2026-06-01T12:00:00-04:00')
  it.each<[string, CdsRate[], number, number]>([
    ['Pittsburgh, 12 minutes', pittsburgh, 12, 0],
    ['Pittsburgh, 20 minutes', pittsburgh, 20, 25],
    ['Pittsburgh, 45 minutes', pittsburgh, 45, 225],
    ['Pittsburgh, 2 hours', pittsburgh, 120, 75 + 300 + 900],
    ['Oakland, 22 minutes', [perMinute(3)], 22, 66],
    ...[
      [7, 0],
      [16, 150],
      [28, 150],
      [40, 300],
    ].map(([minutes = 0, amount = 0]): [string, CdsRate[], number, number] => [
      `CDS issue 131, ${minutes} minutes`,
      [createFlatRate(0, 0, 15), createFlatRate(150, 15, 30), createFlatRate(300, 30, 60)],
      minutes,
      amount,
    ]),
  ])('%s', (_, rates, minutes, amount) => {
    const index = createIndex('America/New_York', [{ from: 0, policies: [policy('a', rates)] }])
    expect(totalCharge(index, stay(noon, minutes))).toBe(amount)
  })
})

describe('a stay across rules', () => {
  const timezone = 'America/New_York'
  const day = policy('day', [perMinute(5)], {
    time_spans: [{ time_of_day_start: '08:00', time_of_day_end: '18:00' }],
  })
  const night = policy('night', [perMinute(1)], { priority: 2 })
  const toMs = (time: string): number => Date.parse(`2026-06-01T${time}:00-04:00`)

  it('is charged by each rule in turn', () => {
    const index = createIndex(timezone, [{ from: 0, policies: [day, night] }])
    expect(chargeAcross(index, stay(toMs('17:30'), 60))).toEqual([
      { policyId: 'day', rule: 0, from: toMs('17:30'), until: toMs('18:00'), amount: 150 },
      { policyId: 'night', rule: 0, from: toMs('18:00'), until: toMs('18:30'), amount: 30 },
    ])
  })

  it('restarts durations under another rule, and continues them over midnight under the same rule', () => {
    const free: CdsRate[] = [
      { ...perMinute(0), start_duration: 0, end_duration: 15 },
      { ...perMinute(2), start_duration: 15 },
    ]
    const index = createIndex(timezone, [
      {
        from: 0,
        policies: [
          policy('day', free, { time_spans: day.time_spans! }),
          policy('night', free, { priority: 2 }),
        ],
      },
    ])
    expect(totalCharge(index, stay(toMs('17:30'), 60))).toBe(30 + 30)
    expect(chargeAcross(index, stay(toMs('23:30'), 60))).toMatchObject([{ amount: 90 }])
  })

  it('is charged by the new policy once it replaces another during the stay', () => {
    const index = createIndex(timezone, [
      { from: 0, policies: [policy('old', [perMinute(5)])] },
      { from: toMs('12:10'), policies: [policy('new', [perMinute(7)])] },
    ])
    expect(
      chargeAcross(index, stay(toMs('12:00'), 30)).map(({ policyId, amount }) => [policyId, amount]),
    ).toEqual([
      ['old', 50],
      ['new', 140],
    ])
  })

  it('costs nothing while no rule allows it, and has no amount under rules without rates', () => {
    const closed = policy('closed', [], {
      priority: 0,
      rules: [{ activity: 'no stopping' }],
      time_spans: [{ time_of_day_start: '12:10', time_of_day_end: '12:20' }],
    })
    const index = createIndex(timezone, [{ from: 0, policies: [closed, policy('open', [])] }])
    expect(chargeAcross(index, stay(toMs('12:00'), 30)).map(({ from, amount }) => [from, amount])).toEqual([
      [toMs('12:00'), null],
      [toMs('12:20'), null],
    ])
    expect(chargeAcross(index, stay(toMs('12:10'), 10))).toEqual([])
    const operators = { data_source_operator_id: ['acme'] } as Partial<CdsPolicy>
    const acmeOnly = createIndex(timezone, [
      { from: 0, policies: [policy('acme', [perMinute(1)], operators)] },
    ])
    expect(totalCharge(acmeOnly, stay(toMs('12:00'), 30))).toBe(0)
    expect(totalCharge(acmeOnly, stay(toMs('12:00'), 30, { operator: 'acme' }))).toBe(30)
  })

  it(
    'costs the same as counting minute by minute, across midnight and clock changes',
    { timeout: 120_000 },
    () => {
      const uses: CurbUse[] = ['parking', 'loading', 'unloading', 'stopping']
      /** Cuts the dates of policies to minutes, in which the reference counts. */
      const cutToMinutes = (policies: readonly CdsPolicy[]): CdsPolicy[] =>
        policies.map((policy) => ({
          ...policy,
          ...(policy.time_spans
            ? {
                time_spans: policy.time_spans.map(({ start_date: from, end_date: to, ...span }) => ({
                  ...span,
                  ...(from === undefined ? {} : { start_date: Math.floor(from / minuteMs) * minuteMs }),
                  ...(to === undefined ? {} : { end_date: Math.floor(to / minuteMs) * minuteMs }),
                })),
              }
            : {}),
        }))
      let chargedCount = 0
      fc.assert(
        fc.property(
          anyCase,
          fc.integer({ min: 1, max: 900 }),
          fc.integer({ min: 0, max: 400 }),
          ({ policies: anyPolicies, question }, minutes, minutesToChange) => {
            const policies = cutToMinutes(anyPolicies)
            const laterPolicies = policies.slice(1)
            const start = question.at
            const changeMs = start + minutesToChange * minuteMs
            const user = {
              ...question,
              purposes: question.purposes.slice(0, 1),
              operators: question.operators.slice(0, 1),
            }
            const runsOfRule: { key: string; rates: readonly CdsRate[]; from: number; until: number }[] = []
            for (let at = start; at < start + minutes * minuteMs; at += minuteMs) {
              const currentPolicies = at < changeMs ? policies : laterPolicies
              const by = uses
                .map((use) => plainVerdict(currentPolicies, { ...user, at }, use))
                .find(({ answer }) => answer === 'allowed')?.by
              if (!by) continue
              const rule = currentPolicies.find(({ curb_policy_id: id }) => id === by[0])?.rules[by[1]]
              const last = runsOfRule.at(-1)
              if (last?.until === at && last.key === by.join(' ')) last.until += minuteMs
              else
                runsOfRule.push({
                  key: by.join(' '),
                  rates: rule?.rate ?? [],
                  from: at,
                  until: at + minuteMs,
                })
            }
            const [vehicleType = '', ...propulsion] = user.userClasses
            const [purpose = ''] = user.purposes
            const index = createIndex(
              user.timezone,
              [
                { from: -Infinity, policies },
                { from: changeMs, policies: laterPolicies },
              ],
              user.periods,
            )
            const charges = chargeAcross(
              index,
              stay(start, minutes, { vehicleType, propulsion, purpose, operator: user.operators[0] ?? '' }),
            )
            expect(charges.map(({ from, until, amount }) => [from, until, amount])).toEqual(
              runsOfRule.map(({ rates, from, until }) => [
                from,
                until,
                rates.length ? plainCharge(rates, from, until, user.timezone) : null,
              ]),
            )
            if (charges.some(({ amount }) => amount)) chargedCount++
          },
        ),
        { numRuns: runs },
      )
      expect(chargedCount).toBeGreaterThan(0)
    },
  )
})
