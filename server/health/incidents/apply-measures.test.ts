import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { incidentRuleNames, incidentRules } from '#contract/incident-rules.ts'
import { decideIncident } from './apply-measures.ts'
import { hasRecovered, isViolated, ruleLimits } from './rules.ts'

const five = ruleLimits.illegal_transitions
const low = ruleLimits.volume_low

describe('rules', () => {
  it('state their limits in words', () => {
    const inNumbers = incidentRuleNames.filter(
      (rule) => ruleLimits[rule].opens > 2 || incidentRules[rule].unit === 'percent',
    )
    expect(
      inNumbers.filter((rule) => !incidentRules[rule].opens.includes(`${ruleLimits[rule].opens}`)),
    ).toEqual([])
    expect(incidentRules.illegal_transitions.closes).toContain(`${five.closes}%`)
    expect(incidentRules.volume_low.closes).toContain(`${low.closes}%`)
    expect(incidentRules.schema_violations.closes).toContain(`${ruleLimits.schema_violations.closes}%`)
  })
  it('are never violated and recovered at the same time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...incidentRuleNames),
        fc.double({ min: 0, max: 1000, noNaN: true }),
        (rule, value) => {
          expect(isViolated(ruleLimits[rule], value) && hasRecovered(ruleLimits[rule], value)).toBe(false)
        },
      ),
    )
  })
})

describe('an incident', () => {
  it.each([
    [5, { state: 'none' }, 'nothing'],
    [5.1, { state: 'none' }, 'open'],
    [5.1, { state: 'closed' }, 'reopen'],
    [null, { state: 'none' }, 'nothing'],
    [4.5, { state: 'closed' }, 'nothing'],
    [4.5, { state: 'open', notified: 6 }, 'update'],
    [4, { state: 'open', notified: 6 }, 'close'],
    [0, { state: 'open', notified: 6 }, 'close'],
    [null, { state: 'open', notified: 6 }, 'update'],
    [8.9, { state: 'open', notified: 6 }, 'update'],
    [9, { state: 'open', notified: 6 }, 'worsen'],
  ] as const)('with %s percent and the status %j: %s', (value, status, decision) =>
    expect(decideIncident(five, value, status)).toBe(decision),
  )
  it.each([
    [50, { state: 'none' }, 'nothing'],
    [49, { state: 'none' }, 'open'],
    [55, { state: 'open', notified: 45 }, 'update'],
    [60, { state: 'open', notified: 45 }, 'close'],
    [30, { state: 'open', notified: 45 }, 'worsen'],
    [0, { state: 'open', notified: 0 }, 'update'],
  ] as const)('of a lower limit with %s percent and the status %j: %s', (value, status, decision) =>
    expect(decideIncident(low, value, status)).toBe(decision),
  )
})
