// Trips of a city on two servers, queried as one table.
import { randomBytes } from 'node:crypto'
import { createClient } from '@clickhouse/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { importedTripColumns } from '#server/fleet/trip-columns.ts'
import { migrateFacts } from '#server/stores/open-facts.ts'
import { openServerEngine } from '#server/stores/server-engine.ts'
import { defaultLimits } from '#server/stores/engine.ts'
import { anyTrip, encodeTrips } from './random-trips.ts'

const { TEST_CLICKHOUSE_URL, TEST_CLICKHOUSE_URL_2, TEST_CLICKHOUSE_TCP_1, TEST_CLICKHOUSE_TCP_2 } =
  process.env
const servers = [TEST_CLICKHOUSE_URL, TEST_CLICKHOUSE_URL_2].filter((url) => url !== undefined)

describe.skipIf(servers.length < 2 || !TEST_CLICKHOUSE_TCP_1 || !TEST_CLICKHOUSE_TCP_2)(
  'a table over two ClickHouse servers (skipped without TEST_CLICKHOUSE_URL, _URL_2, _TCP_1 and _TCP_2)',
  () => {
    it('counts and sums the rows of both servers, each trip once', async () => {
      const database = `t_${randomBytes(6).toString('hex')}`
      const trips = fc.sample(anyTrip, { numRuns: 3000, seed: 9 })
      for (const [shard, url] of servers.entries()) {
        const client = createClient({ url })
        await client.command({ query: `create database ${database}` })
        await client.close()
        const engine = openServerEngine(new URL(`/${database}`, url).href)
        await migrateFacts(engine)
        const serverTrips = trips.filter((_, index) => index % servers.length === shard)
        await engine.insert('trips', importedTripColumns, encodeTrips(serverTrips, 'r'))
        await engine.close()
      }

      const engine = openServerEngine(servers[0] ?? '')
      const fromBothServers = 'from remote({addresses:String}, {database:Identifier}, trips)'
      const values = { addresses: `${TEST_CLICKHOUSE_TCP_1},${TEST_CLICKHOUSE_TCP_2}`, database }
      const [sums] = await engine.rows(
        `select
          count() as n,
          uniqExact(trip_id) as ids,
          sum(if(isFinite(distance_m), distance_m, 0)) as meters
        ${fromBothServers}`,
        values,
        defaultLimits,
      )
      expect(sums).toEqual({
        n: String(trips.length),
        ids: String(trips.length),
        meters: trips.reduce((sum, { distanceM }) => sum + (Number.isNaN(distanceM) ? 0 : distanceM), 0),
      })

      const byHour = await engine.rows(
        `select local_hour as hour, count() as n
        ${fromBothServers}
        where operator in {operators:Array(String)}
        group by hour
        order by hour`,
        { ...values, operators: ['lark'] },
        defaultLimits,
      )
      const expected = new Map<number, number>()
      for (const { operator, hour } of trips)
        if (operator === 'lark') expected.set(hour, (expected.get(hour) ?? 0) + 1)
      expect(byHour).toEqual(
        [...expected].sort(([a], [b]) => a - b).map(([hour, n]) => ({ hour, n: String(n) })),
      )
      await engine.close()

      for (const url of servers) {
        const client = createClient({ url })
        await client.command({ query: `drop database ${database}` })
        await client.close()
      }
    })
  },
)
