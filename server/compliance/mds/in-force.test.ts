import { expect, test } from 'vitest'
import { findInForce } from './evaluate-case.ts'

const policy = (policyId: string, from: number, to = Infinity, supersedes: string[] = []) => ({
  policyId,
  from,
  to,
  supersedes,
})
const idsInForce = (policies: ReturnType<typeof policy>[], at: number) =>
  findInForce(policies, at).map(({ policyId }) => policyId)

test('A policy applies from its start, and no longer at its end', () => {
  expect([9, 10, 19, 20].map((at) => idsInForce([policy('a', 10, 20)], at))).toEqual([[], ['a'], ['a'], []])
})

test('A policy is superseded when its successor begins, and remains superseded when that ends', () => {
  const policies = [policy('a', 0), policy('b', 10, 20, ['a'])]
  expect([9, 10, 20].map((at) => idsInForce(policies, at))).toEqual([['a'], ['b'], []])
})

test('A policy is superseded through a chain, also by a policy that names several', () => {
  const policies = [
    policy('a', 0),
    policy('b', 5, Infinity, ['a']),
    policy('c', 0),
    policy('d', 10, Infinity, ['b', 'c']),
  ]
  expect([0, 5, 10].map((at) => idsInForce(policies, at))).toEqual([['a', 'c'], ['b', 'c'], ['d']])
})
