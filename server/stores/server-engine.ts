import { Readable } from 'node:stream'
import { ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { parseErrorCode, type Engine, FactError, type Limits } from './engine.ts'
import { currentWork, lanePriority, totalLaneSessions } from './lanes.ts'
import { parseJsonRows } from './json-rows.ts'
import { killUntil } from './kill-until.ts'

/** Facts of many years may come at once: a row more than a hundred months away from the others is no reason to refuse all. */
const insertSettings = { max_partitions_per_insert_block: '0' }

const settingsOf = (limits: Limits) => ({
  max_execution_time: Math.ceil(limits.seconds),
  max_memory_usage: String(Math.ceil(limits.memory)),
  output_format_json_quote_64bit_integers: 1 as const,
  short_circuit_function_evaluation: 'enable' as const,
  ...insertSettings,
  priority: String(lanePriority[currentWork().lane]),
  // Rows of one key lie in one partition of every table that keeps versions.
  do_not_merge_across_partitions_select_final: 1 as const,
  // A statement has happened when it is answered, on every replica that is reached.
  wait_end_of_query: 1 as const,
})

/** User and password of the address as a dictionary's source takes them; ClickHouse hides the password from who reads its definition. */
function formatLogin(url: string): string {
  const { username, password } = new URL(url)
  const text = (part: string): string =>
    `'${decodeURIComponent(part).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  return username ? `user ${text(username)} password ${text(password)} ` : ''
}

/** Reaches a ClickHouse server (or cluster entry) over HTTP. */
export function openServerEngine(url: string): Engine {
  // Connections for the questions of all lanes, and more for kills, which never wait for them.
  // Longer than any limit of ours: the server ends what takes too long. What goes wrong is thrown, and told by who asked.
  const client = createClient({
    url,
    max_open_connections: totalLaneSessions + 4,
    request_timeout: 660_000,
    keep_alive: { idle_socket_ttl: 2000 },
    log: { level: ClickHouseLogLevel.OFF },
  })
  let ticket = 0
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw new FactError(
        error instanceof ClickHouseError ? Number(error.code) : parseErrorCode(message),
        message,
      )
    }
  }
  return {
    dictionaryLogin: formatLogin(url),
    rows: (text, parameters, limits, signal) =>
      guard(async () => {
        signal?.throwIfAborted()
        const id = `publicway-${process.pid}-${Date.now()}-${++ticket}`
        // Closing the connection does not stop a query here: it is killed by its id.
        let ended = false
        const stop = (): void =>
          void killUntil(
            () =>
              client.command({
                query: 'kill query where query_id = {id:String} async',
                query_params: { id },
              }),
            () => ended,
          )
        signal?.addEventListener('abort', stop, { once: true })
        try {
          const result = await client.query({
            query: text,
            query_params: parameters,
            clickhouse_settings: settingsOf(limits),
            format: 'JSON',
            query_id: id,
          })
          return await parseJsonRows(await result.text())
        } finally {
          ended = true
          signal?.removeEventListener('abort', stop)
        }
      }),
    command: (text, parameters, limits) =>
      guard(async () => {
        await client.command({
          query: text,
          query_params: parameters,
          clickhouse_settings: settingsOf(limits),
        })
      }),
    insert: (table, columns, rows, { format = 'TSV', areDistinct = false } = {}) =>
      guard(async () => {
        await client
          .exec({
            query: `insert into ${table} (${columns.join(', ')}) format ${format}`,
            values: Readable.from([rows], { objectMode: false }),
            clickhouse_settings: { ...insertSettings, optimize_on_insert: areDistinct ? 0 : 1 },
          })
          .then((answer) => answer.stream.destroy())
      }),
    close: () => client.close(),
  }
}
