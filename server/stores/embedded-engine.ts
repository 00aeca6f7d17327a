import fs from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Session } from 'chdb'
import { type Engine, FactError, killUntil, type Limits, parseErrorCode } from './engine.ts'
import { fileFormats, gzipLevel, progressMs } from './file-formats.ts'
import { currentWork, type Lane, lanePriority, totalLaneSessions } from './lanes.ts'
import { parseJsonRows } from './json-rows.ts'

const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}
const escapeText = (text: string): string =>
  text.replace(/[\\\0\b\f\n\r\t]/g, (char) => escapes[char] ?? char)
const quoteText = (text: string): string => `'${escapeText(text).replaceAll("'", "\\'")}'`

/**
 * A value as a query parameter: escaped like a tab-separated field; arrays in brackets with quoted strings.
 */
function formatField(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((each: unknown) => (typeof each === 'string' ? quoteText(each) : formatField(each))).join(',')}]`
  if (value === null || value === undefined) return '\\N'
  return escapeText(String(value))
}

/** The `SET` statement that sets the parameters of a session's next query. */
export const setParameters = (parameters: Record<string, unknown>): string =>
  `set ${Object.entries(parameters)
    .map(([name, value]) => `param_${name} = ${quoteText(formatField(value))}`)
    .join(', ')}`

/**
 * A session runs one query at a time, so the lanes share a pool of them; one more serves start and shutdown.
 */
const poolSize = totalLaneSessions + 1

/** The only folder in which the embedded engine may write and read backups; on the same disk as its data. */
export const factBackupFolder = (directory: string): string => path.join(directory, 'backups')

/**
 * Configuration of the engine. The pool of background threads is larger than the embedded default of two,
 * because mutations cost time per part: with two threads, mutating years of weekly parts takes a minute.
 * Caches are smaller than the defaults, to save memory.
 */
const configuration = (directory: string, hasMerges: boolean): string => `<clickhouse>
  <mark_cache_size>67108864</mark_cache_size>
  <background_pool_size>8</background_pool_size>
  <primary_index_cache_size>67108864</primary_index_cache_size>
  <index_mark_cache_size>16777216</index_mark_cache_size>
  <query_condition_cache_size>16777216</query_condition_cache_size>
  <compiled_expression_cache_size>16777216</compiled_expression_cache_size>
  <max_thread_pool_free_size>16</max_thread_pool_free_size>
  <max_server_memory_usage>6000000000</max_server_memory_usage>
  <backup_threads>2</backup_threads>
  <backups><allowed_path>${factBackupFolder(directory)}/</allowed_path></backups>
  <merge_tree>
    <old_parts_lifetime>${oldPartsSeconds}</old_parts_lifetime>${hasMerges ? '' : mergesOff}
  </merge_tree>
</clickhouse>`

/**
 * How long parts are retained after a merge; must be longer than the operating system takes to flush the
 * merged part to disk. With the default (480 seconds), they were a quarter of all parts of a busy server.
 */
const oldPartsSeconds = 120

/** Turns merges off: no parts of more than one byte are merged. */
const mergesOff = `
    <max_bytes_to_merge_at_max_space_in_pool>1</max_bytes_to_merge_at_max_space_in_pool>
    <max_bytes_to_merge_at_min_space_in_pool>1</max_bytes_to_merge_at_min_space_in_pool>`

const cores = Math.max(2, availableParallelism())
/**
 * Nice value of the threads of heavy and background queries, so that the server's own thread goes first.
 * ClickHouse ignores it if the process may not set it.
 */
const niceValue = 10

/** Settings of a query. Light queries use all cores; the running heavy and background queries share them. */
const formatSettings = (limits: Limits, lane: Lane, longQueries: number): string =>
  ` max_execution_time=${Math.ceil(limits.seconds)}, max_memory_usage=${Math.ceil(limits.memory)}, output_format_json_quote_64bit_integers=1, short_circuit_function_evaluation='enable', do_not_merge_across_partitions_select_final=1, priority=${lanePriority[lane]}, max_threads=${lane === 'light' ? cores : Math.max(1, Math.floor(cores / longQueries))}${lane === 'light' ? '' : `, os_threads_nice_value_query=${niceValue}`}`

/**
 * One insert may contain facts of many years, so the number of partitions per insert is unlimited. Parameters
 * are part of the query text here, and lists of zones exceed the default maximum of 256 kB.
 */
const sessionSettings = `max_partitions_per_insert_block=0, max_query_size=${64 << 20}`

/**
 * Larger inserts go through a file: inline rows are parsed by a single thread, at two thirds of the speed.
 */
const fileInsertMinBytes = 1 << 20

/** ClickHouse's CANNOT_EXTRACT_TABLE_STRUCTURE, which reading a file without rows throws. */
const noStructureCode = 636

interface RunOptions {
  signal?: AbortSignal | undefined
  /** Additional settings, each preceded by a comma. */
  settings?: string
  /** Called with the tag that identifies the query in the process list. */
  onTag?: (tag: string) => void
}

/**
 * Opens ClickHouse (chDB) in this process, with its data in a directory. `hasMerges: false` turns background
 * merges off, so that a restore can compare the rows on disk with those of the backup.
 */
export function openEmbeddedEngine(directory: string, { hasMerges = true } = {}): Engine {
  fs.mkdirSync(directory, { recursive: true })
  const configFile = path.join(directory, '..', 'chdb.xml')
  fs.writeFileSync(configFile, configuration(directory, hasMerges))
  const incoming = `${directory}-incoming`
  // Files left by a killed process belong to inserts that were never acknowledged.
  fs.rmSync(incoming, { recursive: true, force: true })
  fs.mkdirSync(incoming, { recursive: true, mode: 0o700 })
  const open = (): Session => {
    const session = new Session(directory, { connectionArgs: [`--config-file=${configFile}`] })
    session.query(`set ${sessionSettings}`)
    return session
  }
  // All sessions are opened at start: opening one later would block the server's thread while the engine is
  // busy.
  const sessions = Array.from({ length: poolSize }, open)
  const idle = [...sessions]
  /** Kills use a separate session, so that they never wait for the queries that they end. */
  const killSession = open()
  const waiting: ((session: Session) => void)[] = []
  let isClosing = false
  let ticket = 0
  /** Running queries of the heavy and background lanes. */
  let longQueries = 0

  const lease = (): Promise<Session> => {
    if (isClosing) return Promise.reject(new FactError(null, 'The fact store is closing'))
    const free = idle.pop()
    if (free) return Promise.resolve(free)
    return new Promise((resolve) => waiting.push(resolve))
  }
  const returnSession = (session: Session): void => {
    const next = waiting.shift()
    if (next) next(session)
    else idle.push(session)
  }
  const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const session = await lease()
    try {
      return await work(session)
    } catch (error) {
      // Runs an empty query, which discards output of the failed or killed statement that would otherwise
      // precede the session's next result.
      await session.queryAsync('select 1').catch(() => undefined)
      if (error instanceof FactError) throw error
      const message = error instanceof Error ? error.message : String(error)
      throw new FactError(parseErrorCode(message), message)
    } finally {
      returnSession(session)
    }
  }
  let lastKill: Promise<unknown> = Promise.resolve()
  /**
   * The engine ignores query ids and abort signals, so another session kills the query by its log comment. A
   * comment in the SQL would not work: it is missing in the process list if the query has parameters. The tag
   * includes the closing quote, because ticket 1 is a prefix of ticket 12.
   */
  const kill = (tag: string): Promise<unknown> => {
    const text = `kill query where query like '%${tag}%' and query not like 'kill query%' async`
    lastKill = lastKill.catch(() => undefined).then(() => killSession.queryAsync(text))
    return lastKill
  }

  const run = (
    text: string,
    parameters: Record<string, unknown>,
    limits: Limits,
    format: string,
    { signal, settings = '', onTag }: RunOptions = {},
  ) =>
    withSession(async (session) => {
      signal?.throwIfAborted()
      const tag = `publicway-${process.pid}-${++ticket}`
      onTag?.(`${tag}\\'`)
      const { lane } = currentWork()
      const isLong = lane !== 'light'
      if (isLong) longQueries++
      let ended = false
      const stop = (): void =>
        void killUntil(
          () => kill(`${tag}\\'`),
          () => ended,
        )
      signal?.addEventListener('abort', stop, { once: true })
      try {
        // Parameters are set with SET, which affects only this leased session, because queryBindAsync would
        // wait for every other query of the process that has parameters.
        if (Object.keys(parameters).length) await session.queryAsync(setParameters(parameters))
        signal?.throwIfAborted()
        return await session.queryAsync(
          `${text} settings${formatSettings(limits, lane, longQueries)}${settings}, log_comment='${tag}'`,
          { format },
        )
      } finally {
        ended = true
        if (isLong) longQueries--
        signal?.removeEventListener('abort', stop)
      }
    })

  /**
   * Counts the rows that a running query has read so far; uses the kill session, which never waits for
   * queries.
   */
  const countReadRows = async (tag: string): Promise<number> => {
    const result = await killSession.queryAsync(
      `select sum(read_rows) as n from system.processes where query like '%${tag}%' and query not like '%system.processes%'`,
      { format: 'JSON' },
    )
    const [row] = (await parseJsonRows(result.text())) as { n: string }[]
    return Number(row?.n ?? 0)
  }

  return {
    isEmbedded: true,
    async rows(text, parameters, limits, signal) {
      const result = await run(text, parameters, limits, 'JSON', { signal })
      return parseJsonRows(result.text())
    },
    async write(text, parameters, limits, { path: file, format }, { signal, onProgress } = {}) {
      const { name, settings, counting, isGzip } = fileFormats[format]
      const values = Object.entries(settings).map(
        ([setting, value]) => `, ${setting}=${typeof value === 'number' ? value : quoteText(value)}`,
      )
      let tag = ''
      const timer = onProgress
        ? setInterval(() => void countReadRows(tag).then(onProgress, () => undefined), progressMs)
        : undefined
      try {
        const compression = isGzip ? ` compression 'gzip' level ${gzipLevel}` : ''
        await run(
          `${text} into outfile ${quoteText(file)} truncate${compression} format ${name}`,
          parameters,
          limits,
          'Null',
          { signal, settings: values.join(''), onTag: (queryTag) => (tag = queryTag) },
        )
      } finally {
        clearInterval(timer)
      }
      // The engine does not report how many rows it wrote, so they are counted in the file.
      const count = await run(
        `select ${counting.rows} as n from file(${quoteText(file)}, '${counting.format}', 'auto', '${isGzip ? 'gzip' : 'none'}')`,
        {},
        limits,
        'JSON',
        { signal },
      ).catch((error: unknown) => {
        if (error instanceof FactError && error.code === noStructureCode) return null
        throw error
      })
      const [row] = count ? ((await parseJsonRows(count.text())) as { n: string }[]) : []
      return Number(row?.n ?? 0)
    },
    async command(text, parameters, limits) {
      // DDL accepts neither SETTINGS nor parameters; statements with parameters are queries (insert …
      // select).
      if (Object.keys(parameters).length) await run(text, parameters, limits, 'Null')
      else await withSession((session) => session.queryAsync(text))
    },
    async insert(table, columns, rows, { format = 'TSV', areDistinct = false } = {}) {
      if (format === 'TSV' && rows.length < fileInsertMinBytes)
        return void (await withSession((session) => session.insert({ table, columns, values: rows, format })))
      const file = path.join(incoming, `${++ticket}.${format.toLowerCase()}`)
      try {
        await fs.promises.writeFile(file, rows, { mode: 0o600 })
        await withSession((session) =>
          session.queryAsync(
            `insert into ${table} (${columns.join(', ')}) settings optimize_on_insert=${areDistinct ? 0 : 1} select * from file('${file.replaceAll(/['\\]/g, '\\$&')}', '${format}')`,
          ),
        )
      } finally {
        await fs.promises.rm(file, { force: true })
      }
    },
    async close() {
      // Running queries are killed instead of awaited, because a shutdown must take less than ten seconds.
      await kill(`publicway-${process.pid}-`).catch(() => undefined)
      isClosing = true
      while (idle.length < sessions.length) await new Promise((resolve) => setTimeout(resolve, 20))
      for (const session of [...sessions, killSession]) session.close()
    },
  }
}
