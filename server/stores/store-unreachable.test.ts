import { expect, test } from 'vitest'
import { FactError } from './engine.ts'
import { isStoreUnreachable } from './store-unreachable.ts'

const withCode = (message: string, code: string): Error => Object.assign(new Error(message), { code })

test.each([
  withCode('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
  withCode('terminating connection due to administrator command', '57P01'),
  new Error('Connection terminated unexpectedly'),
  new Error('timeout exceeded when trying to connect'),
  new AggregateError([withCode('connect ECONNREFUSED ::1:5432', 'ECONNREFUSED')]),
  new FactError(null, 'connect ECONNREFUSED 127.0.0.1:8123'),
  new FactError(null, 'socket hang up'),
])('isStoreUnreachable recognizes %s', (error) => {
  expect(isStoreUnreachable(error)).toBe(true)
})

test.each([
  withCode('duplicate key value', '23505'),
  new FactError(159, 'Code: 159. Timeout exceeded: ECONNRESET in a text'),
  new FactError(60, 'Code: 60. There is no table'),
  new Error('something else'),
  'ECONNREFUSED',
])('isStoreUnreachable ignores the error %s', (error) => {
  expect(isStoreUnreachable(error)).toBe(false)
})
