import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { ChdbResult } from 'chdb'
import { EmbeddedSessions } from './embedded-sessions.ts'
import { type Engine, FactError, type FileWrite, killUntil, type Limits, rewriteSettings } from './engine.ts'
import { fileFormats, gzipLevel, progressMs } from './file-formats.ts'
import { getCurrentWork, type Workload, workloadPriority } from './workloads.ts'
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

/** Formats a query parameter: escaped like a tab-separated field; arrays in brackets with quoted strings. */
function formatField(value: unknown): string {
  if (Array.isArray(value))
    return `[${value.map((item: unknown) => (typeof item === 'string' ? quoteText(item) : formatField(item))).join(',')}]`
  if (value === null || value === undefined) return '\\N'
  return escapeText(String(value))
}

/** Returns the `SET` statement that sets the parameters of a session's next query. */
export const setParameters = (parameters: Record<string, unknown>): string =>
  `set ${Object.entries(parameters)
    .map(([name, value]) => `param_${name} = ${quoteText(formatField(value))}`)
    .join(', ')}`

const cores = Math.max(2, availableParallelism())
/**
 * Nice value of the threads of heavy and background queries, so that the server's own thread goes first.
 * ClickHouse ignores it if the process may not set it.
 */
const niceValue = 10

/** Formats the settings of a query. Light queries use all cores; running heavy and background ones share. */
function formatSettings(limits: Limits, workload: Workload, longQueries: number): string {
  const isLight = workload === 'light'
  return [
    `max_execution_time=${Math.ceil(limits.seconds)}`,
    `max_memory_usage=${Math.ceil(limits.memory)}`,
    'output_format_json_quote_64bit_integers=1',
    "short_circuit_function_evaluation='enable'",
    'do_not_merge_across_partitions_select_final=1',
    ...Object.entries(rewriteSettings).map(([name, value]) => `${name}=${value}`),
    `priority=${workloadPriority[workload]}`,
    `max_threads=${isLight ? cores : Math.max(1, Math.floor(cores / longQueries))}`,
    ...(isLight ? [] : [`os_threads_nice_value_query=${niceValue}`]),
  ].join(', ')
}

/** Larger inserts go through a file: inline rows are parsed by one thread, at two thirds of the speed. */
const fileInsertMinBytes = 1 << 20
/** ClickHouse's CANNOT_EXTRACT_TABLE_STRUCTURE, which reading a file without rows throws. */
const noStructureCode = 636

type Parameters = Record<string, unknown>

/**
 * Opens ClickHouse (chDB) in this process, with its data in a directory. `hasMerges: false` turns background
 * merges off, so that a restore can compare the rows on disk with those of the backup.
 */
export function openEmbeddedEngine(directory: string, { hasMerges = true } = {}): Engine {
  fs.mkdirSync(directory, { recursive: true })
  const insertFolder = `${directory}-incoming`
  // Files left by a killed process belong to inserts that were never acknowledged.
  fs.rmSync(insertFolder, { recursive: true, force: true })
  fs.mkdirSync(insertFolder, { recursive: true, mode: 0o700 })
  const sessions = new EmbeddedSessions(directory, { hasMerges })
  const runner = new QueryRunner(sessions)
  return {
    isEmbedded: true,
    async rows(text, parameters, limits, signal) {
      const result = await runner.run(text, parameters, { limits, format: 'JSON', signal })
      return parseJsonRows(result.text())
    },
    async write(text, parameters, file) {
      await writeFile(runner, { text, parameters, file })
      return countRows(runner, file)
    },
    async command(text, parameters, limits) {
      // DDL accepts neither SETTINGS nor parameters; statements with parameters are `insert … select`.
      if (Object.keys(parameters).length) await runner.run(text, parameters, { limits, format: 'Null' })
      else await sessions.lease((session) => session.queryAsync(text))
    },
    async insert(table, columns, rows, { format = 'TSV', areDistinct = false } = {}) {
      if (format === 'TSV' && rows.length < fileInsertMinBytes) {
        await sessions.lease((session) => session.insert({ table, columns, values: rows, format }))
        return
      }
      const file = path.join(insertFolder, `${randomUUID()}.${format.toLowerCase()}`)
      try {
        await fs.promises.writeFile(file, rows, { mode: 0o600 })
        await sessions.lease((session) =>
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
      await sessions.kill(`publicway-${process.pid}-`).catch(() => undefined)
      await sessions.close()
    },
  }
}

/** Writes the rows of a query to a new file. */
async function writeFile(
  runner: QueryRunner,
  { text, parameters, file }: { text: string; parameters: Parameters; file: FileWrite },
): Promise<void> {
  const { limits, signal, onProgress } = file
  const { name, settings, isGzip } = fileFormats[file.format]
  const settingTexts = Object.entries(settings).map(
    ([setting, value]) => `, ${setting}=${typeof value === 'number' ? value : quoteText(value)}`,
  )
  let tag = ''
  const timer = onProgress
    ? setInterval(() => void runner.countReadRows(tag).then(onProgress, () => undefined), progressMs)
    : undefined
  try {
    const compression = isGzip ? ` compression 'gzip' level ${gzipLevel}` : ''
    await runner.run(
      `${text} into outfile ${quoteText(file.path)} truncate${compression} format ${name}`,
      parameters,
      {
        limits,
        format: 'Null',
        signal,
        settings: settingTexts.join(''),
        onTag: (queryTag) => (tag = queryTag),
      },
    )
  } finally {
    clearInterval(timer)
  }
}

/** Counts the rows of a written file, because the engine does not report how many it wrote. */
async function countRows(
  runner: QueryRunner,
  { path: file, format, limits, signal }: FileWrite,
): Promise<number> {
  const { counting, isGzip } = fileFormats[format]
  const compression = isGzip ? 'gzip' : 'none'
  const result = await runner
    .run(
      `select ${counting.rows} as n from file(${quoteText(file)}, '${counting.format}', 'auto', '${compression}')`,
      {},
      { limits, format: 'JSON', signal },
    )
    .catch((error: unknown) => {
      if (error instanceof FactError && error.code === noStructureCode) return null
      throw error
    })
  const [row] = result ? ((await parseJsonRows(result.text())) as { n: string }[]) : []
  return Number(row?.n ?? 0)
}

interface RunOptions {
  limits: Limits
  /** Format of the result, as ClickHouse calls it. */
  format: 'JSON' | 'Null'
  signal?: AbortSignal | undefined
  /** Additional settings, each preceded by a comma. */
  settings?: string
  /** Called with the tag that identifies the query in the process list. */
  onTag?: (tag: string) => void
}

/** Runs queries, which can be aborted, with the settings of their workload. */
class QueryRunner {
  readonly #sessions: EmbeddedSessions
  #ticket = 0
  /** Running queries of the heavy and background workloads. */
  #longQueries = 0

  constructor(sessions: EmbeddedSessions) {
    this.#sessions = sessions
  }

  run(
    text: string,
    parameters: Parameters,
    { limits, format, signal, settings = '', onTag }: RunOptions,
  ): Promise<ChdbResult> {
    return this.#sessions.lease(async (session) => {
      signal?.throwIfAborted()
      const logComment = `publicway-${process.pid}-${++this.#ticket}`
      // The tag includes the closing quote, because ticket 1 is a prefix of ticket 12.
      const tag = `${logComment}\\'`
      onTag?.(tag)
      const { workload } = getCurrentWork()
      const isLong = workload !== 'light'
      if (isLong) this.#longQueries++
      let hasEnded = false
      const stop = (): void =>
        void killUntil(
          () => this.#sessions.kill(tag),
          () => hasEnded,
        )
      signal?.addEventListener('abort', stop, { once: true })
      try {
        // Parameters are set with SET, which affects only this leased session, because queryBindAsync would
        // wait for every other query of the process that has parameters.
        if (Object.keys(parameters).length) await session.queryAsync(setParameters(parameters))
        signal?.throwIfAborted()
        const querySettings = formatSettings(limits, workload, this.#longQueries)
        return await session.queryAsync(
          `${text} settings ${querySettings}${settings}, log_comment='${logComment}'`,
          { format },
        )
      } finally {
        hasEnded = true
        if (isLong) this.#longQueries--
        signal?.removeEventListener('abort', stop)
      }
    })
  }

  /** Counts the rows that a query has read so far, in the control session, which never waits for queries. */
  async countReadRows(tag: string): Promise<number> {
    const result = await this.#sessions.control(
      `select sum(read_rows) as n from system.processes where query like '%${tag}%' and query not like '%system.processes%'`,
      { format: 'JSON' },
    )
    const [row] = (await parseJsonRows(result.text())) as { n: string }[]
    return Number(row?.n ?? 0)
  }
}
