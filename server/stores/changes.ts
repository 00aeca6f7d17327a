import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'

/** How often each table of the state store was written to by this process. */
export class TableChanges {
  readonly #counts = new Map<string, number>()

  record(table: string): void {
    this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1)
  }

  /** Grows with every change that was made to one of the tables. */
  countFor(tables: readonly string[]): number {
    return tables.reduce((sum, table) => sum + (this.#counts.get(table) ?? 0), 0)
  }
}

const writePattern =
  /\b(?:insert into|update|delete from|merge into|truncate)\s+(?:"?public"?\.)?"?(\w+)"?/giu

/** The tables that a statement writes to (a word too many does no harm). */
export const tablesWritten = (text: string): string[] =>
  [...text.matchAll(writePattern)].flatMap(([, table]) => (table === undefined ? [] : [table]))

/** The connection's own way of running, telling of what was written. */
function reportWrites(
  connection: DatabaseConnection,
  note: (tables: string[]) => void,
): DatabaseConnection['executeQuery'] {
  const run: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection)
  return async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    const result = await run<Row>(query)
    // A question with no writing in it need not be read through.
    if (query.query.kind !== 'SelectQueryNode' || query.query.with) note(tablesWritten(query.sql))
    return result
  }
}

/** The dialect, telling of what is written: of a statement by itself when it is done, of a transaction when it is committed. */
export function trackChanges(dialect: Dialect, changes: TableChanges): Dialect {
  const pending = new WeakMap<DatabaseConnection, string[]>()
  const seen = new WeakSet<DatabaseConnection>()
  const watch = (driver: Driver): Driver => ({
    init: () => driver.init(),
    destroy: () => driver.destroy(),
    async acquireConnection() {
      const connection = await driver.acquireConnection()
      if (seen.has(connection)) return connection
      seen.add(connection)
      connection.executeQuery = reportWrites(connection, (tables) => {
        const pendingTables = pending.get(connection)
        if (pendingTables) pendingTables.push(...tables)
        else tables.forEach((table) => changes.record(table))
      })
      return connection
    },
    releaseConnection: (connection) => driver.releaseConnection(connection),
    async beginTransaction(connection, settings) {
      await driver.beginTransaction(connection, settings)
      pending.set(connection, [])
    },
    async commitTransaction(connection) {
      // Also where the answer to the commit is lost: it may have been made.
      try {
        await driver.commitTransaction(connection)
      } finally {
        pending.get(connection)?.forEach((table) => changes.record(table))
        pending.delete(connection)
      }
    },
    async rollbackTransaction(connection) {
      pending.delete(connection)
      await driver.rollbackTransaction(connection)
    },
  })
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => watch(dialect.createDriver()),
    createIntrospector: (kysely) => dialect.createIntrospector(kysely),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}
