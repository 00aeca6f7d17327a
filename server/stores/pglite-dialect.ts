import type { PGlite } from '@electric-sql/pglite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'

/** PGlite is one connection: whoever holds it (a transaction) makes the others wait. */
export class Mutex {
  #last: Promise<void> = Promise.resolve()
  /** Waits for one's turn; answers how to end it. */
  async acquire(): Promise<() => void> {
    let end: () => void = () => undefined
    const before = this.#last
    this.#last = new Promise((resolve) => {
      end = resolve
    })
    await before
    return end
  }
}

class Connection implements DatabaseConnection {
  readonly #database: PGlite
  readonly end: () => void
  constructor(database: PGlite, end: () => void) {
    this.#database = database
    this.end = end
  }
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await this.#database.query<Row>(query.sql, [...query.parameters])
    return { rows: result.rows, numAffectedRows: BigInt(result.affectedRows ?? 0) }
  }
  // eslint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('PGlite does not stream')
  }
}

/** Kysely on PGlite. */
export class PGliteDialect implements Dialect {
  readonly #database: PGlite
  readonly #turns: Mutex
  constructor(database: PGlite, turns: Mutex) {
    this.#database = database
    this.#turns = turns
  }
  createAdapter = () => new PostgresAdapter()
  createIntrospector: Dialect['createIntrospector'] = (kysely) => new PostgresIntrospector(kysely)
  createQueryCompiler = () => new PostgresQueryCompiler()
  createDriver(): Driver {
    const begin = (text: string) => async (connection: DatabaseConnection) =>
      void (await connection.executeQuery(CompiledQuery.raw(text)))
    return {
      init: () => Promise.resolve(),
      acquireConnection: async () => new Connection(this.#database, await this.#turns.acquire()),
      releaseConnection: async (connection) => (connection as Connection).end(),
      beginTransaction: begin('begin'),
      commitTransaction: begin('commit'),
      rollbackTransaction: begin('rollback'),
      destroy: () => Promise.resolve(),
    }
  }
}
