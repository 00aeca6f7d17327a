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
import { poolWait } from '#server/metrics/server-metrics.ts'
import type { EmbeddedStatements } from './embedded-statements.ts'

/** A lock for PGlite's only connection: statements wait while a transaction uses it. */
export class Mutex {
  #lastRelease: Promise<void> = Promise.resolve()
  /** Waits for the lock and returns the function that releases it. */
  async acquire(): Promise<() => void> {
    let release: () => void = () => undefined
    const previousRelease = this.#lastRelease
    this.#lastRelease = new Promise((resolve) => {
      release = resolve
    })
    const beginMs = performance.now()
    await previousRelease
    poolWait.observe({ store: 'state' }, (performance.now() - beginMs) / 1000)
    return release
  }
}

class Connection implements DatabaseConnection {
  readonly #statements: EmbeddedStatements
  readonly release: () => void
  constructor(statements: EmbeddedStatements, release: () => void) {
    this.#statements = statements
    this.release = release
  }
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const result = await this.#statements.run<Row>(query.sql, query.parameters)
    return { rows: result.rows, numAffectedRows: BigInt(result.affectedRows ?? 0) }
  }
  // eslint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('PGlite does not stream')
  }
}

/** Kysely's dialect for PGlite. */
export class PGliteDialect implements Dialect {
  readonly #statements: EmbeddedStatements
  readonly #mutex: Mutex
  constructor(statements: EmbeddedStatements, mutex: Mutex) {
    this.#statements = statements
    this.#mutex = mutex
  }
  createAdapter = () => new PostgresAdapter()
  createIntrospector: Dialect['createIntrospector'] = (kysely) => new PostgresIntrospector(kysely)
  createQueryCompiler = () => new PostgresQueryCompiler()
  createDriver(): Driver {
    const execute = (text: string) => async (connection: DatabaseConnection) =>
      void (await connection.executeQuery(CompiledQuery.raw(text)))
    return {
      init: () => Promise.resolve(),
      acquireConnection: async () => new Connection(this.#statements, await this.#mutex.acquire()),
      releaseConnection: async (connection) => (connection as Connection).release(),
      beginTransaction: execute('begin'),
      commitTransaction: execute('commit'),
      rollbackTransaction: execute('rollback'),
      destroy: () => Promise.resolve(),
    }
  }
}
