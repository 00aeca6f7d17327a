import fs from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Session } from 'chdb'
import { parseErrorCode, type Engine, FactError, type Limits } from './engine.ts'
import { currentWork, type Lane, lanePriority, totalLaneSessions } from './lanes.ts'
import { parseJsonRows } from './json-rows.ts'
import { killUntil } from './kill-until.ts'

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
  text.replace(/[\\\0\b\f\n\r\t]/g, (sign) => escapes[sign] ?? sign)
const quoteText = (text: string): string => `'${escapeText(text).replaceAll("'", "\\'")}'`

/** A value as ClickHouse reads the text of a parameter: a field of tab-separated text, lists in brackets with quoted texts. */
function formatField(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((each: unknown) => (typeof each === 'string' ? quoteText(each) : formatField(each))).join(',')}]`
  if (value === null || value === undefined) return '\\N'
  return escapeText(String(value))
}

/** The statement that sets parameters for the next query of a session. */
export const setParameters = (parameters: Record<string, unknown>): string =>
  `set ${Object.entries(parameters)
    .map(([name, value]) => `param_${name} = ${quoteText(formatField(value))}`)
    .join(', ')}`

/** One session answers one query at a time (a second waits behind it), so a pool of them on one directory: those of the lanes and some for start and end. */
const poolSize = totalLaneSessions + 1

/** A change of rows takes a moment in each part, whatever its size: the embedded engine's own two at a time would need a minute for years of weeks. */
const configuration = (directory: string): string => `<clickhouse>
  <mark_cache_size>268435456</mark_cache_size>
  <background_pool_size>8</background_pool_size>
  <primary_index_cache_size>268435456</primary_index_cache_size>
  <index_mark_cache_size>67108864</index_mark_cache_size>
  <max_server_memory_usage>6000000000</max_server_memory_usage>
  <backups><allowed_path>${path.join(directory, 'backups')}/</allowed_path></backups>
</clickhouse>`

const cores = Math.max(2, availableParallelism())
/** Of the threads of heavy questions, so that the thread that serves goes first. Without the right to lower it again ClickHouse ignores it. */
const niceValue = 10

/** `sharing`: long questions under way, which share the cores; a light one takes them all for a moment. */
const settingsOf = (limits: Limits, lane: Lane, sharing: number): string =>
  ` settings max_execution_time=${Math.ceil(limits.seconds)}, max_memory_usage=${Math.ceil(limits.memory)}, output_format_json_quote_64bit_integers=1, short_circuit_function_evaluation='enable', do_not_merge_across_partitions_select_final=1, priority=${lanePriority[lane]}, max_threads=${lane === 'light' ? cores : Math.max(1, Math.floor(cores / sharing))}${lane === 'light' ? '' : `, os_threads_nice_value_query=${niceValue}`}`

/** Facts of many years may come at once: a row more than a hundred months away from the others is no reason to refuse all. */
const insertSettings = 'max_partitions_per_insert_block=0'

/** Lines of so many bytes go by way of a file: within a statement the engine takes them in one at a time, at two thirds of the speed; of few, the file is what costs. */
const fileInsertMinBytes = 1 << 20

/** Opens ClickHouse in this process over a directory. */
export function openEmbeddedEngine(directory: string): Engine {
  fs.mkdirSync(directory, { recursive: true })
  const configFile = path.join(directory, '..', 'chdb.xml')
  fs.writeFileSync(configFile, configuration(directory))
  const incoming = `${directory}-incoming`
  // What a killed process left there was never acknowledged.
  fs.rmSync(incoming, { recursive: true, force: true })
  fs.mkdirSync(incoming, { recursive: true, mode: 0o700 })
  const open = (): Session => {
    const session = new Session(directory, { connectionArgs: [`--config-file=${configFile}`] })
    session.query(`set ${insertSettings}`)
    return session
  }
  // All of them at once: a session is opened on the thread that serves, which would wait for the engine while it is busy.
  const all = Array.from({ length: poolSize }, open)
  const idle = [...all]
  /** Kills never wait for the questions that they are to end. */
  const killSession = open()
  const waiting: ((session: Session) => void)[] = []
  let closing = false
  let ticket = 0
  /** Heavy ones and those of work in the background. */
  let longQuestions = 0

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
      // What a failed or killed statement has written already would begin the session's next answer.
      await session.queryAsync('select 1').catch(() => undefined)
      if (error instanceof FactError) throw error
      const message = error instanceof Error ? error.message : String(error)
      throw new FactError(parseErrorCode(message), message)
    } finally {
      returnSession(session)
    }
  }
  /**
   * The engine ignores query ids and aborts: another session kills the query by its log comment. A comment in the text would
   * not do: a query with parameters stands in the list without it. The quote ends the tag: ticket 1 also begins ticket 12.
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
    signal?: AbortSignal,
  ) =>
    withSession(async (session) => {
      signal?.throwIfAborted()
      const tag = `publicway-${process.pid}-${++ticket}`
      const { lane } = currentWork()
      const isLong = lane !== 'light'
      if (isLong) longQuestions++
      let ended = false
      const stop = (): void =>
        void killUntil(
          () => kill(`${tag}\\'`),
          () => ended,
        )
      signal?.addEventListener('abort', stop, { once: true })
      try {
        // queryBindAsync would wait for every other bound query of the process; the session is ours until it is given back.
        if (Object.keys(parameters).length) await session.queryAsync(setParameters(parameters))
        signal?.throwIfAborted()
        return await session.queryAsync(
          `${text}${settingsOf(limits, lane, longQuestions)}, log_comment='${tag}'`,
          { format },
        )
      } finally {
        ended = true
        if (isLong) longQuestions--
        signal?.removeEventListener('abort', stop)
      }
    })

  return {
    async rows(text, parameters, limits, signal) {
      const result = await run(text, parameters, limits, 'JSON', signal)
      return parseJsonRows(result.text())
    },
    async command(text, parameters, limits) {
      // DDL takes no SETTINGS clause and no parameters here; statements with parameters are queries (insert … select).
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
      // Long questions are killed rather than waited for: a shutdown has ten seconds.
      await kill(`publicway-${process.pid}-`).catch(() => undefined)
      closing = true
      while (idle.length < all.length) await new Promise((resolve) => setTimeout(resolve, 20))
      for (const session of [...all, killSession]) session.close()
    },
  }
}
