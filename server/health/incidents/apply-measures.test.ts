import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { incidentRuleNames, incidentRules } from '#contract/incident-rules.ts'
import { decide } from './apply-measures.ts'
import { isRight, isWrong, ruleLimits } from './rules.ts'

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
  it('never judge a figure wrong and right at once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...incidentRuleNames),
        fc.double({ min: 0, max: 1000, noNaN: true }),
        (rule, value) => {
          expect(isWrong(ruleLimits[rule], value) && isRight(ruleLimits[rule], value)).toBe(false)
        },
      ),
    )
  })
})

describe('an incident', () => {
  it.each([
    [5, { is: 'none' }, 'nothing'],
    [5.1, { is: 'none' }, 'open'],
    [5.1, { is: 'closed' }, 'reopen'],
    [null, { is: 'none' }, 'nothing'],
    [4.5, { is: 'closed' }, 'nothing'],
    [4.5, { is: 'open', notified: 6 }, 'keep'],
    [4, { is: 'open', notified: 6 }, 'close'],
    [0, { is: 'open', notified: 6 }, 'close'],
    [null, { is: 'open', notified: 6 }, 'keep'],
    [8.9, { is: 'open', notified: 6 }, 'keep'],
    [9, { is: 'open', notified: 6 }, 'worse'],
  ] as const)('at %s percent that is %j: %s', (value, standing, decision) =>
    expect(decide(five, value, standing)).toBe(decision),
  )
  it.each([
    [50, { is: 'none' }, 'nothing'],
    [49, { is: 'none' }, 'open'],
    [55, { is: 'open', notified: 45 }, 'keep'],
    [60, { is: 'open', notified: 45 }, 'close'],
    [30, { is: 'open', notified: 45 }, 'worse'],
    [0, { is: 'open', notified: 0 }, 'keep'],
  ] as const)('of too few at %s percent that is %j: %s', (value, standing, decision) =>
    expect(decide(low, value, standing)).toBe(decision),
  )
})
