import type { FileFormat } from './file-formats.ts'

/** Limits of one statement. */
export interface Limits {
  /** Maximum execution time, seconds. */
  seconds: number
  /** Maximum memory, bytes. */
  memory: number
}

/** Limits of statements unless they need others: 30 seconds and 3 GB. */
export const defaultLimits: Limits = { seconds: 30, memory: 3_000_000_000 }

/** Rewrites that are off: searching all nested selects for them at each level took a quarter of the time. */
export const rewriteSettings = {
  optimize_aggregators_of_group_by_keys: 0,
  optimize_group_by_function_keys: 0,
  optimize_syntax_fuse_functions: 0,
} as const

export interface InsertOptions {
  /** Format of the rows, as ClickHouse calls it; `TSV` by default. */
  format?: 'TSV' | 'RowBinary'
  /** Whether all rows have different keys, so that the engine may skip deduplication. */
  areDistinct?: boolean
}

/** A file that the engine writes. */
export interface FileTarget {
  path: string
  format: FileFormat
}

export interface WriteOptions {
  signal?: AbortSignal | undefined
  /** Called about once a second with the number of rows read so far. */
  onProgress?: ((readRows: number) => void) | undefined
}

/** How the rows of a query are written to a file. */
export interface FileWrite extends FileTarget, WriteOptions {
  limits: Limits
}

/** ClickHouse, embedded or a server; the SQL is the same. All errors are FactError. */
export interface Engine {
  /** Returns rows as objects; 64-bit integers are strings. */
  rows(
    text: string,
    parameters: Record<string, unknown>,
    limits: Limits,
    signal?: AbortSignal,
  ): Promise<unknown[]>
  /** Writes rows of a query to a new file and returns their number. A failure leaves a partial file. */
  write(text: string, parameters: Record<string, unknown>, file: FileWrite): Promise<number>
  /** Runs a statement that returns no rows. */
  command(text: string, parameters: Record<string, unknown>, limits: Limits): Promise<void>
  /** Inserts encoded rows with values in the order of `columns`. */
  insert(table: string, columns: readonly string[], rows: Uint8Array, options?: InsertOptions): Promise<void>
  /** User and password, as SQL, for dictionaries that read the server's own tables, if needed. */
  dictionaryLogin?: string
  /** Whether it runs in this process. */
  isEmbedded?: boolean
  /** Closes the sessions or connections once running statements have ended. */
  close(): Promise<void>
}

/** An error of the fact store with ClickHouse's code: 47 and 60 unknown name, 159 timeout, 241 memory. */
export class FactError extends Error {
  override name = 'FactError'
  readonly code: number | null
  constructor(code: number | null, message: string) {
    super(message)
    this.code = code
  }
}

/** Parses the error code in a message of ClickHouse; null if there is none. */
export const parseErrorCode = (message: string): number | null =>
  Number(/Code: (\d+)/.exec(message)?.[1] ?? NaN) || null

/** Kills are repeated this often, for five seconds. */
const maxKills = 100
const killIntervalMs = 50

/** Kills a query repeatedly until it has ended, because it may not have reached the engine yet. */
export async function killUntil(kill: () => Promise<unknown>, hasEnded: () => boolean): Promise<void> {
  for (let kills = 0; kills < maxKills && !hasEnded(); kills++) {
    await kill().catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, killIntervalMs))
  }
}
