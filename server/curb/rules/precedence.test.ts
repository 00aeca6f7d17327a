import { describe, expect, it } from 'vitest'
import { type Effects, type RankedRule, sortByPrecedence, sortByPriority } from './precedence.ts'

const rule = (id: string, priority: number, effects: Effects, index = 0): RankedRule => ({
  policy: { id, priority },
  index,
  effects,
})
const listIds = (rules: readonly RankedRule[]): string[] =>
  rules.map(({ policy, index }) => `${policy.id}${index}`)

describe('the precedence of rules about a use', () => {
  it('puts lower priority numbers first, whatever the rules say', () =>
    expect(
      listIds(
        sortByPrecedence(
          [rule('ban', 3, { parking: 'forbidden' }), rule('paid', 2, { parking: 'allowed' })],
          'parking',
        ),
      ),
    ).toEqual(['paid0', 'ban0']))
  it('puts prohibitions before permissions, and permissions of a lesser use last', () =>
    expect(
      listIds(
        sortByPrecedence(
          [
            rule('loading', 1, { parking: 'exceeded' }),
            rule('paid', 1, { parking: 'allowed' }),
            rule('zebra', 1, { parking: 'forbidden' }),
          ],
          'parking',
        ),
      ),
    ).toEqual(['zebra0', 'paid0', 'loading0']))
  it('leaves out rules that do not concern the use', () =>
    expect(sortByPrecedence([rule('ban', 1, { parking: 'forbidden' })], 'travel')).toEqual([]))
  it('does not depend on the order of the policies', () => {
    const rules = [
      rule('b', 1, { parking: 'allowed' }),
      rule('a', 1, { parking: 'allowed' }, 1),
      rule('a', 1, { parking: 'allowed' }),
    ]
    expect(listIds(sortByPrecedence(rules, 'parking'))).toEqual(['a0', 'a1', 'b0'])
    expect(sortByPrecedence(rules.toReversed(), 'parking')).toEqual(sortByPrecedence(rules, 'parking'))
    expect(listIds(sortByPriority(rules.toReversed()))).toEqual(['a0', 'a1', 'b0'])
  })
})
