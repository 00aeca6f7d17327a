import type { State } from '#server/stores/state.ts'

/** A state store that answers every question of a table with its rows, whatever the conditions; `asked` counts the questions. */
export function fakeState(tables: Record<string, readonly object[]>): { state: State; readTables: string[] } {
  const readTables: string[] = []
  const questionOf = (table: string): unknown =>
    new Proxy(
      {},
      {
        get(_, name) {
          const rows = tables[table] ?? []
          if (name === 'execute' || name === 'executeTakeFirst') readTables.push(table)
          if (name === 'execute') return () => Promise.resolve(rows)
          if (name === 'executeTakeFirst') return () => Promise.resolve(rows[0])
          return () => questionOf(table)
        },
      },
    )
  return { state: { as: () => ({ selectFrom: questionOf }) } as unknown as State, readTables }
}
