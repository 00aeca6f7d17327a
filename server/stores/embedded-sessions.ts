import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ChdbResult, type QueryOptions, Session } from 'chdb'
import { getErrorMessage } from '#contract/problem-text.ts'
import { FactError, parseErrorCode } from './engine.ts'
import { totalSessions } from './workloads.ts'

/** A session runs one query at a time. The workloads share a pool; one more serves start and shutdown. */
const poolSize = totalSessions + 1

/** Returns the only folder for backups of the embedded engine; on the same disk as its data. */
export const getFactBackupFolder = (directory: string): string => path.join(directory, 'backups')

/**
 * Formats the configuration of the engine. The pool of background threads is larger than the embedded default
 * of two, because mutations cost time per part: with two threads, mutating years of weekly parts takes a
 * minute. Caches are smaller than the defaults, to save memory.
 */
const formatConfiguration = (directory: string, hasMerges: boolean): string => `<clickhouse>
  <mark_cache_size>67108864</mark_cache_size>
  <background_pool_size>8</background_pool_size>
  <primary_index_cache_size>67108864</primary_index_cache_size>
  <index_mark_cache_size>16777216</index_mark_cache_size>
  <query_condition_cache_size>16777216</query_condition_cache_size>
  <compiled_expression_cache_size>16777216</compiled_expression_cache_size>
  <max_thread_pool_free_size>16</max_thread_pool_free_size>
  <max_server_memory_usage>6000000000</max_server_memory_usage>
  <backup_threads>2</backup_threads>
  <backups><allowed_path>${getFactBackupFolder(directory)}/</allowed_path></backups>
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

/**
 * One insert may contain facts of many years, so the number of partitions per insert is unlimited. Parameters
 * are part of the query text here, and lists of zones exceed the default maximum of 256 kB.
 */
const sessionSettings = `max_partitions_per_insert_block=0, max_query_size=${64 << 20}`

const closePollMs = 20

/** The sessions of the embedded engine in a directory, which are leased to one query at a time. */
export class EmbeddedSessions {
  readonly #sessions: Session[]
  readonly #idle: Session[]
  /** Kills and counts use a separate session, so that they never wait for the queries that they are about. */
  readonly #controlSession: Session
  readonly #waiting: ((session: Session) => void)[] = []
  #isClosing = false
  #lastKill: Promise<unknown> = Promise.resolve()

  constructor(directory: string, { hasMerges }: { hasMerges: boolean }) {
    const configFile = path.join(directory, '..', 'chdb.xml')
    fs.writeFileSync(configFile, formatConfiguration(directory, hasMerges))
    const open = (): Session => {
      const session = new Session(directory, { connectionArgs: [`--config-file=${configFile}`] })
      session.query(`set ${sessionSettings}`)
      return session
    }
    // All sessions are opened at start: opening one while the engine is busy would block the server's thread.
    this.#sessions = Array.from({ length: poolSize }, open)
    this.#idle = [...this.#sessions]
    this.#controlSession = open()
  }

  /** Calls `work` with a session, as soon as one is idle. All errors are FactError. */
  async lease<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = await this.#take()
    try {
      return await work(session)
    } catch (error) {
      // An empty query discards output of the failed statement, which would precede the next result.
      await session.queryAsync('select 1').catch(() => undefined)
      if (error instanceof FactError) throw error
      const message = getErrorMessage(error)
      throw new FactError(parseErrorCode(message), message)
    } finally {
      this.#giveBack(session)
    }
  }

  #take(): Promise<Session> {
    if (this.#isClosing) return Promise.reject(new FactError(null, 'The fact store is closing'))
    const session = this.#idle.pop()
    if (session) return Promise.resolve(session)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #giveBack(session: Session): void {
    const startNext = this.#waiting.shift()
    if (startNext) startNext(session)
    else this.#idle.push(session)
  }

  /**
   * Kills the queries with a tag. The engine ignores query ids and abort signals, so another session kills a
   * query by its log comment. A comment in the SQL would not work: it is missing in the process list if the
   * query has parameters.
   */
  kill(tag: string): Promise<unknown> {
    const text = `kill query where query like '%${tag}%' and query not like 'kill query%' async`
    this.#lastKill = this.#lastKill.catch(() => undefined).then(() => this.#controlSession.queryAsync(text))
    return this.#lastKill
  }

  /** Runs a query about other queries at once. */
  control(text: string, options: QueryOptions): Promise<ChdbResult> {
    return this.#controlSession.queryAsync(text, options)
  }

  /** Closes the sessions once their queries have ended. */
  async close(): Promise<void> {
    this.#isClosing = true
    while (this.#idle.length < this.#sessions.length) await wait(closePollMs)
    for (const session of [...this.#sessions, this.#controlSession]) session.close()
  }
}
