import { expect, test } from 'vitest'
import { systemScope } from '#server/identity/scope.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { CurbIndex } from '../store/curb-index.ts'
import type { PayingAccount } from './curb-accounts.ts'
import { SessionFeeCache } from './session-fee-cache.ts'

const account: PayingAccount = {
  accountId: 'acme',
  name: 'Acme',
  kind: 'fleet',
  operatorNames: [],
  vehicles: [],
}

test('The cache of session fees computes the fees of a period once until sessions, rules or accounts change', async () => {
  let changes = 1n
  let queries = 0
  const facts = {
    rows: () => {
      queries++
      return Promise.resolve([{ stay_count: '3' }])
    },
  } as unknown as Facts
  const cache = new SessionFeeCache()
  const createIndex = (version: number) => ({ version, timezone: 'UTC', currency: 'USD' }) as CurbIndex
  const read = async (version: number, accounts: readonly PayingAccount[], day = '2026-06-30') => {
    const earlierQueries = queries
    const place = { scope: systemScope, regionId: 'alder', timezone: 'UTC' }
    const sums = await cache.read(facts, createIndex(version), {
      place,
      days: { start_date: '2026-06-01', end_date: day },
      accounts,
      changes: new Map([
        ['2026-05-31', 1n],
        ['2026-06-08', changes],
      ]),
    })
    return { sums, queries: queries - earlierQueries }
  }
  const [first, shared] = await Promise.all([read(1, [account]), read(1, [account])])
  expect(first.sums).toMatchObject({ all: 3, noAccount: 3 })
  expect(shared.sums).toEqual(first.sums)
  expect(queries).toBe(1)
  const again = await read(1, [account])
  expect(again).toEqual({ sums: first.sums, queries: 0 })
  expect((await read(1, [account], '2026-06-29')).queries).toBe(1)
  expect((await read(2, [account])).queries).toBe(1)
  expect((await read(1, [{ ...account, name: 'Acme Parcel' }])).queries).toBe(1)
  changes = 2n
  expect((await read(1, [account])).queries).toBe(1)
})
