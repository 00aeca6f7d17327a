import { printProgress, secondsSince } from '../../scripts/setup/print-progress.js'
import { startClickHouse } from './start-clickhouse.js'
import { startPostgres } from './start-postgres.js'

/** Starts installed servers. Returns environment variables with their URLs, and a stop function. */
export async function startEngines() {
  const begin = performance.now()
  const [postgres, clickhouse] = await Promise.all([
    attempt('PostgreSQL', 'TEST_DATABASE_URL', startPostgres),
    attempt('ClickHouse', 'TEST_CLICKHOUSE_URL', () => startClickHouse(2)),
  ])
  const environment = {}
  if (postgres) environment.TEST_DATABASE_URL = postgres.url
  if (clickhouse) {
    environment.TEST_CLICKHOUSE_URL = clickhouse[0].url
    environment.TEST_CLICKHOUSE_BACKUPS = clickhouse[0].backups
    environment.TEST_CLICKHOUSE_URL_2 = clickhouse[1].url
    environment.TEST_CLICKHOUSE_TCP_1 = clickhouse[0].native
    environment.TEST_CLICKHOUSE_TCP_2 = clickhouse[1].native
  }
  const started = [postgres && 'PostgreSQL', clickhouse && 'two ClickHouse servers'].filter(Boolean)
  if (started.length > 0) printProgress(`${started.join(' and ')} started in ${secondsSince(begin)}`)
  return {
    environment,
    stop: () => Promise.all([postgres, ...(clickhouse ?? [])].map((engine) => engine?.stop())),
  }
}

async function attempt(name, variable, begin) {
  try {
    return await begin()
  } catch (error) {
    printProgress(`${name} cannot be started (${error.message}); the tests that need ${variable} are skipped`)
    return undefined
  }
}
