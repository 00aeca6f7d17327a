import { createWriteStream } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { getErrorMessage } from '#contract/problem-text.ts'
import { type Engine, FactError, killUntil, type Limits, parseErrorCode, rewriteSettings } from './engine.ts'
import { fileFormats, gzipLevel, progressMs } from './file-formats.ts'
import { getCurrentWork, workloadPriority, totalSessions } from './workloads.ts'
import { parseJsonRows } from './json-rows.ts'

/** One insert may contain facts of many years, so the number of partitions per insert is unlimited. */
const insertSettings = { max_partitions_per_insert_block: '0' }

/** Rows of a region are on one shard, so that joins and subqueries run on that shard alone. */
const shardSettings = {
  distributed_product_mode: 'local',
  optimize_skip_unused_shards: 1,
  distributed_foreground_insert: 1,
} as const

const toSettings = (limits: Limits) => ({
  max_execution_time: Math.ceil(limits.seconds),
  max_memory_usage: String(Math.ceil(limits.memory)),
  output_format_json_quote_64bit_integers: 1 as const,
  short_circuit_function_evaluation: 'enable' as const,
  ...insertSettings,
  ...rewriteSettings,
  priority: String(workloadPriority[getCurrentWork().workload]),
  // Safe, because tables with versions have all rows of a key in one partition.
  do_not_merge_across_partitions_select_final: 1 as const,
  // The server responds once a statement has completed on every reachable replica.
  wait_end_of_query: 1 as const,
})

/** Formats user and password of the URL as SQL for a dictionary. ClickHouse masks shown passwords. */
function formatLogin(url: string): string {
  const { username, password } = new URL(url)
  const quote = (text: string): string =>
    `'${decodeURIComponent(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  return username ? `user ${quote(username)} password ${quote(password)} ` : ''
}

/** Connects to a ClickHouse server (or the entry of a cluster) over HTTP. */
export function openServerEngine(url: string, { isSharded = false } = {}): Engine {
  const client = createClient({
    url,
    // More than the sessions of all workloads, so that kills never wait for queries.
    max_open_connections: totalSessions + 4,
    // Above every query limit, because the server itself ends long queries.
    request_timeout: 660_000,
    // Below the default of the server, which would close an idle connection while a request is sent.
    keep_alive: { idle_socket_ttl: 2000 },
    // Callers log the errors.
    log: { level: ClickHouseLogLevel.OFF },
    ...(isSharded ? { clickhouse_settings: shardSettings } : {}),
  })
  const runner = new QueryRunner(client)
  return {
    dictionaryLogin: formatLogin(url),
    rows: (text, parameters, limits, signal) =>
      runner.run(signal, async (id) => {
        const result = await client.query({
          query: text,
          query_params: parameters,
          clickhouse_settings: toSettings(limits),
          format: 'JSON',
          query_id: id,
        })
        return parseJsonRows(await result.text())
      }),
    write: (text, parameters, { path, format, limits, signal, onProgress }) =>
      runner.run(signal, async (id) => {
        const { name, settings, isGzip } = fileFormats[format]
        const timer = onProgress
          ? setInterval(() => void runner.countReadRows(id).then(onProgress, () => undefined), progressMs)
          : undefined
        try {
          // The server sends rows only once it has all of them, so that no error text can end up in the file.
          const { stream, summary } = await client.exec({
            query: `${text} format ${name}`,
            query_params: parameters,
            clickhouse_settings: { ...toSettings(limits), ...settings },
            query_id: id,
          })
          const file = createWriteStream(path, { mode: 0o600, flush: true })
          const gzip = isGzip ? createGzip({ level: gzipLevel }) : new PassThrough()
          await pipeline(stream, gzip, file, signal ? { signal } : {})
          return Number(summary?.result_rows ?? 0)
        } finally {
          clearInterval(timer)
        }
      }),
    command: (text, parameters, limits) =>
      withFactErrors(async () => {
        await client.command({
          query: text,
          query_params: parameters,
          clickhouse_settings: toSettings(limits),
        })
      }),
    insert: (table, columns, rows, { format = 'TSV', areDistinct = false } = {}) =>
      withFactErrors(async () => {
        await client
          .exec({
            query: `insert into ${table} (${columns.join(', ')}) format ${format}`,
            values: Readable.from([rows], { objectMode: false }),
            clickhouse_settings: { ...insertSettings, optimize_on_insert: areDistinct ? 0 : 1 },
          })
          .then((response) => response.stream.destroy())
      }),
    close: () => client.close(),
  }
}

/** Runs a statement; all its errors become FactError. */
async function withFactErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const message = getErrorMessage(error)
    throw new FactError(
      error instanceof ClickHouseError ? Number(error.code) : parseErrorCode(message),
      message,
    )
  }
}

/** Runs queries under ids by which they can be killed. */
class QueryRunner {
  readonly #client: ClickHouseClient
  #ticket = 0

  constructor(client: ClickHouseClient) {
    this.#client = client
  }

  /** Runs a query that `signal` can abort. It is killed by its id: a closed connection would not stop it. */
  run<Result>(signal: AbortSignal | undefined, query: (id: string) => Promise<Result>): Promise<Result> {
    return withFactErrors(async () => {
      signal?.throwIfAborted()
      const id = `publicway-${process.pid}-${Date.now()}-${++this.#ticket}`
      let hasEnded = false
      const stop = (): void =>
        void killUntil(
          () => this.#kill(id),
          () => hasEnded,
        )
      signal?.addEventListener('abort', stop, { once: true })
      try {
        return await query(id)
      } finally {
        hasEnded = true
        signal?.removeEventListener('abort', stop)
      }
    })
  }

  /** Returns the rows that a running query has read so far. */
  async countReadRows(id: string): Promise<number> {
    const result = await this.#client.query({
      query: 'select read_rows from system.processes where query_id = {id:String}',
      query_params: { id },
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ read_rows: string }>()
    return Number(row?.read_rows ?? 0)
  }

  #kill(id: string): Promise<unknown> {
    return this.#client.command({
      query: 'kill query where query_id = {id:String} async',
      query_params: { id },
    })
  }
}
