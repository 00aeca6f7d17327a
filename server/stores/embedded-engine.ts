import fs from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { Session } from 'chdb'
import { codeIn, type Engine, FactError, type Limits } from './engine.ts'
import { killUntil } from './kill-until.ts'
import { setParameters } from './parameter-text.ts'

/** One session answers one query at a time (a second waits behind it), so a pool of them on one directory. */
const poolSize = 8

const configuration = (directory: string): string => `<clickhouse>
  <mark_cache_size>268435456</mark_cache_size>
  <max_server_memory_usage>6000000000</max_server_memory_usage>
  <backups><allowed_path>${path.join(directory, 'backups')}/</allowed_path></backups>
</clickhouse>`

const settingsOf = (limits: Limits): string =>
  ` settings max_execution_time=${Math.ceil(limits.seconds)}, max_memory_usage=${Math.ceil(limits.memory)}, output_format_json_quote_64bit_integers=1, short_circuit_function_evaluation='enable', max_threads=${Math.max(2, availableParallelism())}`

/** Rows of a JSON answer. An error that comes while rows are on their way stands as text behind them. */
function dataOf(text: string): unknown[] {
  try {
    return (JSON.parse(text) as { data: unknown[] }).data
  } catch {
    const at = text.indexOf('Code: ')
    throw new FactError(codeIn(text), at < 0 ? 'The answer of the fact store broke off' : text.slice(at, at + 1000))
  }
}

/** Opens ClickHouse in this process over a directory. */
export function openEmbeddedEngine(directory: string): Engine {
  fs.mkdirSync(directory, { recursive: true })
  const configFile = path.join(directory, '..', 'chdb.xml')
  fs.writeFileSync(configFile, configuration(directory))
  const open = (): Session => new Session(directory, { connectionArgs: [`--config-file=${configFile}`] })
  const all: Session[] = [open()]
  const idle = [...all]
  const waiting: ((session: Session) => void)[] = []
  let closing = false
  let ticket = 0

  const lease = (): Promise<Session> => {
    if (closing) return Promise.reject(new FactError(null, 'The fact store is closing'))
    const free = idle.pop()
    if (free) return Promise.resolve(free)
    if (all.length < poolSize) {
      const fresh = open()
      all.push(fresh)
      return Promise.resolve(fresh)
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
  const giveBack = (session: Session): void => {
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
      throw new FactError(codeIn(message), message)
    } finally {
      giveBack(session)
    }
  }
  /**
   * The engine ignores query ids and aborts: another session kills the query by its log comment. A comment in the text would
   * not do: a query with parameters stands in the list without it. The quote ends the tag: ticket 1 also begins ticket 12.
   */
  const kill = (tag: string): Promise<unknown> => withSession((session) => session.queryAsync(`kill query where query like '%${tag}%' and query not like 'kill query%' async`))

  const run = (text: string, parameters: Record<string, unknown>, limits: Limits, format: string, signal?: AbortSignal) =>
    withSession(async (session) => {
      signal?.throwIfAborted()
      const tag = `publicway-${process.pid}-${++ticket}`
      let ended = false
      const stop = (): void => void killUntil(() => kill(`${tag}\\'`), () => ended)
      signal?.addEventListener('abort', stop, { once: true })
      try {
        // queryBindAsync would wait for every other bound query of the process; the session is ours until it is given back.
        if (Object.keys(parameters).length) await session.queryAsync(setParameters(parameters))
        signal?.throwIfAborted()
        return await session.queryAsync(`${text}${settingsOf(limits)}, log_comment='${tag}'`, { format })
      } finally {
        ended = true
        signal?.removeEventListener('abort', stop)
      }
    })

  return {
    async rows(text, parameters, limits, signal) {
      const result = await run(text, parameters, limits, 'JSON', signal)
      return dataOf(result.text())
    },
    async command(text, parameters, limits) {
      // DDL takes no SETTINGS clause and no parameters here; statements with parameters are queries (insert … select).
      if (Object.keys(parameters).length) await run(text, parameters, limits, 'Null')
      else await withSession((session) => session.queryAsync(text))
    },
    async insert(table, columns, lines) {
      await withSession((session) => session.insert({ table, columns, values: lines, format: 'TSV' }))
    },
    async close() {
      // Long questions are killed rather than waited for: a shutdown has ten seconds.
      await kill(`publicway-${process.pid}-`).catch(() => undefined)
      closing = true
      while (idle.length < all.length) await new Promise((resolve) => setTimeout(resolve, 20))
      for (const session of all) session.close()
    },
  }
}
