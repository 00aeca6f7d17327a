/** Bounds of one statement; every statement has them. */
export interface Limits {
  /** Seconds until the engine gives up. */
  seconds: number
  /** Bytes of memory. */
  memory: number
}

export const defaultLimits: Limits = { seconds: 30, memory: 3_000_000_000 }

export interface InsertOptions {
  /** ClickHouse's name of the format of the rows; `TSV` if absent. */
  format?: 'TSV' | 'RowBinary'
  /** No two rows have the same key, so the engine need not merge them before it writes. */
  areDistinct?: boolean
}

/** A ClickHouse, embedded or a server: the same SQL. Errors are FactError. */
export interface Engine {
  /** Rows as objects; 64-bit integers come as text. */
  rows(
    text: string,
    parameters: Record<string, unknown>,
    limits: Limits,
    signal?: AbortSignal,
  ): Promise<unknown[]>
  /** A statement without rows. */
  command(text: string, parameters: Record<string, unknown>, limits: Limits): Promise<void>
  /** Inserts rows, with values in the order of `columns`. */
  insert(table: string, columns: readonly string[], rows: Uint8Array, options?: InsertOptions): Promise<void>
  /** How a dictionary reads the server's own tables, where that needs a sign-in: user and password as SQL. */
  dictionaryLogin?: string
  /** Sessions or connections stop, waiting for what runs. */
  close(): Promise<void>
}

/** An error of the fact store with ClickHouse's code (60 unknown table, 47 unknown column, 159 time, 241 memory). */
export class FactError extends Error {
  override name = 'FactError'
  readonly code: number | null
  constructor(code: number | null, message: string) {
    super(message)
    this.code = code
  }
}

/** ClickHouse's number out of its message. */
export const parseErrorCode = (message: string): number | null =>
  Number(/Code: (\d+)/.exec(message)?.[1] ?? NaN) || null
