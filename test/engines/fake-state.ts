import { TableChanges } from '#server/stores/changes.ts'
import type { State } from '#server/stores/state.ts'

/** Returns a state store that ignores conditions. `readTables` lists the table of each query. */
export function fakeState(tables: Record<string, readonly object[]>): {
  state: State
  readTables: string[]
} {
  const readTables: string[] = []
  const fakeQuery = (table: string): unknown =>
    new Proxy(
      {},
      {
        get(_, name) {
          const rows = tables[table] ?? []
          // A query is not a promise.
          if (name === 'then') return undefined
          if (String(name).startsWith('execute')) readTables.push(table)
          if (name === 'execute') return () => Promise.resolve(rows)
          if (name === 'executeTakeFirst') return () => Promise.resolve(rows[0])
          if (name === 'executeTakeFirstOrThrow')
            return (problem: () => Error) =>
              rows.length ? Promise.resolve(rows[0]) : Promise.reject(problem())
          return () => fakeQuery(table)
        },
      },
    )
  const state = { as: () => ({ selectFrom: fakeQuery }), changes: new TableChanges() } as unknown as State
  return { state, readTables }
}
