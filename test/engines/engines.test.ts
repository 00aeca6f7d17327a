// The servers support what the platform requires. Tests of the stores also run on them.
import { createClient } from '@clickhouse/client'
import { Client } from 'pg'
import { expect, test } from 'vitest'

const {
  TEST_DATABASE_URL,
  TEST_CLICKHOUSE_URL,
  TEST_CLICKHOUSE_URL_2,
  TEST_CLICKHOUSE_TCP_1,
  TEST_CLICKHOUSE_TCP_2,
} = process.env

test.skipIf(!TEST_DATABASE_URL)('PostgreSQL is 15 or newer and speaks UTF-8', async () => {
  const client = new Client({ connectionString: TEST_DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  )
  await client.end()
  expect(rows[0].version).toBeGreaterThanOrEqual(150_000)
  expect(rows[0].encoding).toBe('UTF8')
})

test.skipIf(!TEST_CLICKHOUSE_URL)('both ClickHouse servers answer over HTTP with one version', async () => {
  const versions = await Promise.all([TEST_CLICKHOUSE_URL, TEST_CLICKHOUSE_URL_2].map(readVersion))
  expect(versions[0]).toMatch(/^\d+\.\d+/)
  expect(versions[1]).toBe(versions[0])
})

test.skipIf(!TEST_CLICKHOUSE_URL)('a query on one ClickHouse server reaches the other', async () => {
  const client = createClient({ url: TEST_CLICKHOUSE_URL })
  const result = await client.query({
    query: 'SELECT count() AS servers FROM remote({addresses:String}, system.one)',
    query_params: { addresses: `${TEST_CLICKHOUSE_TCP_1},${TEST_CLICKHOUSE_TCP_2}` },
    format: 'JSONEachRow',
  })
  expect(await result.json()).toEqual([{ servers: 2 }])
  await client.close()
})

async function readVersion(url: string | undefined) {
  const client = createClient({ url })
  const result = await client.query({ query: 'SELECT version() AS version', format: 'JSONEachRow' })
  const rows = await result.json<{ version: string }>()
  await client.close()
  return rows[0]?.version
}
