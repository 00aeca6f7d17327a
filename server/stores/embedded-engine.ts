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
 * A value as the text of a parameter: a field of tab-separated values, lists in brackets with quoted strings.
 */
function formatField(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((each: unknown) => (typeof each === 'string' ? quoteText(each) : formatField(each))).join(',')}]`
  if (value === null || value === undefined) return '\\N'
  return escapeText(String(value))
}

/** The `SET` statement with the parameters of a session's next query. */
export const setParameters = (parameters: Record<string, unknown>): string =>
  `set ${Object.entries(parameters)
    .map(([name, value]) => `param_${name} = ${quoteText(formatField(value))}`)
    .join(', ')}`

/**
 * A session runs one query at a time, so the lanes share a pool of them; one more serves start and shutdown.
 */
const poolSize = totalLaneSessions + 1

/** Only here may the embedded engine write and read backups: within its folder, so that it is on the same disk. */
export const factBackupFolder = (directory: string): string => path.join(directory, 'backups')

/**
 * Mutations cost time per part, not per row: with the embedded default of two threads, years of weekly parts
 * take a minute.
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
 * How long merged parts stay in memory and on disk, which must be longer than the system takes to write files to
 * the disk. By default, which is four times as long, they are a quarter of all parts of a busy server.
 */
const oldPartsSeconds = 120

/** Parts of more than a byte are not merged. */
const mergesOff = `
    <max_bytes_to_merge_at_max_space_in_pool>1</max_bytes_to_merge_at_max_space_in_pool>
    <max_bytes_to_merge_at_min_space_in_pool>1</max_bytes_to_merge_at_min_space_in_pool>`

const cores = Math.max(2, availableParallelism())
/**
 * Nice value of the threads of heavy and background queries, so that the server's own thread goes first.
 * ClickHouse ignores it if the process may not set it.
 */
const niceValue = 10

/** Settings of a query. Light queries use all cores, the others share them: `longQueries` are running. */
const formatSettings = (limits: Limits, lane: Lane, longQueries: number): string =>
  ` max_execution_time=${Math.ceil(limits.seconds)}, max_memory_usage=${Math.ceil(limits.memory)}, output_format_json_quote_64bit_integers=1, short_circuit_function_evaluation='enable', do_not_merge_across_partitions_select_final=1, priority=${lanePriority[lane]}, max_threads=${lane === 'light' ? cores : Math.max(1, Math.floor(cores / longQueries))}${lane === 'light' ? '' : `, os_threads_nice_value_query=${niceValue}`}`

/**
 * One insert may contain facts of many years, so there is no limit on the partitions it creates. Parameters are part of a query here, and
 * lists of zones are longer than the engine's 256 kB.
 */
const sessionSettings = `max_partitions_per_insert_block=0, max_query_size=${64 << 20}`

/**
 * From this size on, rows are inserted from a file: inline rows are parsed by one thread, at two thirds of
 * the speed.
 */
const fileInsertMinBytes = 1 << 20

/** CANNOT_EXTRACT_TABLE_STRUCTURE: a file without rows. */
const noStructureCode = 636

interface RunOptions {
  signal?: AbortSignal | undefined
  /** More settings, each after a comma. */
  settings?: string
  /** Called with what identifies the query in the process list. */
  onTag?: (tag: string) => void
}

/**
 * Opens ClickHouse (chDB) in this process, with its data in a directory. Without merges the rows on disk stay
 * those that were written, so that they can be counted.
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
  const all = Array.from({ length: poolSize }, open)
  const idle = [...all]
  /** Kills have a session of their own, so that they never wait for the queries that they end. */
  const killSession = open()
  const waiting: ((session: Session) => void)[] = []
  let closing = false
  let ticket = 0
  /** Running queries of the heavy and background lanes. */
  let longQueries = 0

  const lease = (): Promise<Session> => {
    if (closing) return Promise.reject(new FactError(null, 'The fact store is closing'))
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
      // Output that a failed or killed statement has already written would precede the session's next result.
      await session.queryAsync('select 1').catch(() => undefined)
      if (error instanceof FactError) throw error
      const message = error instanceof Error ? error.message : String(error)
      throw new FactError(parseErrorCode(message), message)
    } finally {
      returnSession(session)
    }
  }
  /**
   * The engine ignores query ids and abort signals, so another session kills the query by its log comment. A
   * comment in the SQL would not work: it is missing in the process list if the query has parameters. The tag
   * includes the closing quote, because ticket 1 is a prefix of ticket 12.
   */
  let lastKill: Promise<unknown> = Promise.resolve()
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
        // queryBindAsync would wait for every other bound query of the process; SET affects only this leased
        // session.
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

  /** Rows that a running query has read; it has a session of its own, which never waits for queries. */
  const readRowsOf = async (tag: string): Promise<number> => {
    const found = await killSession.queryAsync(
      `select sum(read_rows) as n from system.processes where query like '%${tag}%' and query not like '%system.processes%'`,
      { format: 'JSON' },
    )
    const [row] = (await parseJsonRows(found.text())) as { n: string }[]
    return Number(row?.n ?? 0)
  }

  return {
    isEmbedded: true,
    async rows(text, parameters, limits, signal) {
      const result = await run(text, parameters, limits, 'JSON', { signal })
      return parseJsonRows(result.text())
    },
    async write(text, parameters, limits, { path: file, format }, { signal, onProgress } = {}) {
      const { name, settings, counted, isGzip } = fileFormats[format]
      const values = Object.entries(settings).map(
        ([setting, value]) => `, ${setting}=${typeof value === 'number' ? value : quoteText(value)}`,
      )
      let tag = ''
      const timer = onProgress
        ? setInterval(() => void readRowsOf(tag).then(onProgress, () => undefined), progressMs)
        : undefined
      try {
        const compression = isGzip ? ` compression 'gzip' level ${gzipLevel}` : ''
        await run(
          `${text} into outfile ${quoteText(file)} truncate${compression} format ${name}`,
          parameters,
          limits,
          'Null',
          { signal, settings: values.join(''), onTag: (started) => (tag = started) },
        )
      } finally {
        clearInterval(timer)
      }
      // The engine does not say how many rows it wrote.
      const count = await run(
        `select ${counted.rows} as n from file(${quoteText(file)}, '${counted.as}', 'auto', '${isGzip ? 'gzip' : 'none'}')`,
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
      // Running queries are killed instead of awaited: a shutdown has ten seconds.
      await kill(`publicway-${process.pid}-`).catch(() => undefined)
      closing = true
      while (idle.length < all.length) await new Promise((resolve) => setTimeout(resolve, 20))
      for (const session of [...all, killSession]) session.close()
    },
  }
}
