import { expect, it } from 'vitest'
import { emptyPolicy } from '#contract/policy.ts'
import { findConflicts, defaultSide, isChanged, mergePolicy } from './merge-policy.ts'

const base = { ...emptyPolicy(), policy_name: 'Wharf', messages: { 'en-US': 'a', es: 'b' } }

it('finds a change, but not in the order of keys', () => {
  expect(isChanged(base, { ...base, messages: { es: 'b', 'en-US': 'a' } })).toBe(false)
  expect(isChanged(base, { ...base, operators: ['glide'] })).toBe(true)
})

it('finds only fields that the other editor changed to a different value', () => {
  const mine = { ...base, policy_name: 'Mine', days: [1], description: 'both' }
  const theirs = { ...base, policy_name: 'Theirs', end_date: '2027-01-01', description: 'both' }
  const conflicts = findConflicts(base, mine, theirs)
  expect(conflicts.map(({ field, hasBothChanged }) => [field, hasBothChanged])).toEqual([
    ['policy_name', true],
    ['end_date', false],
  ])
  expect(conflicts.map(defaultSide)).toEqual(['mine', 'theirs'])
})

it("uses the user's values, or the other ones if selected", () => {
  const mine = { ...base, policy_name: 'Mine', days: [1] }
  const theirs = { ...base, policy_name: 'Theirs', end_date: '2027-01-01' }
  expect(
    mergePolicy(
      mine,
      theirs,
      new Map([
        ['policy_name', 'mine'],
        ['end_date', 'theirs'],
      ]),
    ),
  ).toEqual({ ...mine, end_date: '2027-01-01' })
  expect(mergePolicy(mine, theirs, new Map([['policy_name', 'theirs']])).policy_name).toBe('Theirs')
})
