import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'

/** Counts the writes of this server to each table of the state store, and those that other servers report. */
export class TableChanges {
  readonly #counts = new Map<string, number>()
  /** How often a write to every table was counted. */
  #allTablesCount = 0
  /** Called with each table that this server writes to. */
  onRecord: (table: string) => void = () => undefined

  record(table: string): void {
    this.recordOther(table)
    this.onRecord(table)
  }

  /** Counts a write of another server. */
  recordOther(table: string): void {
    this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1)
  }

  /** Counts a write to every table, after reports of other servers may have been missed. */
  recordAll(): void {
    this.#allTablesCount++
  }

  /** Returns a number that grows with every write to one of the tables. */
  countFor(tables: readonly string[]): number {
    return tables.reduce((sum, table) => sum + (this.#counts.get(table) ?? 0), this.#allTablesCount)
  }
}

const writePattern =
  /\b(?:insert into|update|delete from|merge into|truncate)\s+(?:"?public"?\.)?"?(\w+)"?/giu

/** Finds the tables that a statement writes to. A false match only invalidates a cache too early. */
export const findTablesWritten = (text: string): string[] =>
  [...text.matchAll(writePattern)].flatMap(([, table]) => (table === undefined ? [] : [table]))

/**
 * Returns whether a statement may have changed rows. Updates of no rows do not count: jobs claim work by
 * updating rows, so servers would otherwise wake each other forever.
 */
function mayHaveWritten({ query }: CompiledQuery, { numAffectedRows }: QueryResult<unknown>): boolean {
  if ('with' in query && query.with) return true
  if (['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'].includes(query.kind))
    return numAffectedRows !== 0n
  return query.kind !== 'SelectQueryNode'
}

/** Wraps the connection's `executeQuery` to report the tables that each statement writes to. */
function reportWrites(
  connection: DatabaseConnection,
  onWrite: (tables: string[]) => void,
): DatabaseConnection['executeQuery'] {
  const run: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection)
  return async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    const result = await run<Row>(query)
    if (mayHaveWritten(query, result)) onWrite(findTablesWritten(query.sql))
    return result
  }
}

/** Wraps a dialect to record writes: after each statement, or after the commit of a transaction. */
export function trackChanges(dialect: Dialect, changes: TableChanges): Dialect {
  /** Tables written to by the open transaction of a connection. */
  const pendingTables = new WeakMap<DatabaseConnection, string[]>()
  const wrappedConnections = new WeakSet<DatabaseConnection>()
  const trackDriver = (driver: Driver): Driver => ({
    init: () => driver.init(),
    destroy: () => driver.destroy(),
    async acquireConnection() {
      const connection = await driver.acquireConnection()
      if (wrappedConnections.has(connection)) return connection
      wrappedConnections.add(connection)
      connection.executeQuery = reportWrites(connection, (tables) => {
        const tablesOfTransaction = pendingTables.get(connection)
        if (tablesOfTransaction) tablesOfTransaction.push(...tables)
        else tables.forEach((table) => changes.record(table))
      })
      return connection
    },
    releaseConnection: (connection) => driver.releaseConnection(connection),
    async beginTransaction(connection, settings) {
      await driver.beginTransaction(connection, settings)
      pendingTables.set(connection, [])
    },
    async commitTransaction(connection) {
      // Writes are recorded even after an error: the commit may have succeeded and only its response was lost.
      try {
        await driver.commitTransaction(connection)
      } finally {
        pendingTables.get(connection)?.forEach((table) => changes.record(table))
        pendingTables.delete(connection)
      }
    },
    async rollbackTransaction(connection) {
      pendingTables.delete(connection)
      await driver.rollbackTransaction(connection)
    },
  })
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => trackDriver(dialect.createDriver()),
    createIntrospector: (kysely) => dialect.createIntrospector(kysely),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}
