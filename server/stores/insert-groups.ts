import { StatementGroups } from './statement-groups.ts'

/** Maximum size of a group of inserts; larger inserts run alone. */
export const maxGroupedBytes = 1 << 18

interface Insert {
  table: string
  columns: readonly string[]
  regionId: string
  lines: Uint8Array
}

/**
 * Joins small inserts into one table. A group has at most one batch of each region, because within one insert
 * a row could replace an equal key of another batch.
 */
export class InsertGroups {
  readonly #groups: StatementGroups<Insert, void>

  constructor(insert: (table: string, columns: readonly string[], lines: Uint8Array) => Promise<void>) {
    this.#groups = new StatementGroups<Insert, void>(
      async (inserts) => {
        const { table, columns } = inserts[0]!
        await insert(table, columns, Buffer.concat(inserts.map(({ lines }) => lines)))
        return []
      },
      ({ lines }) => lines.length,
      maxGroupedBytes,
    )
  }

  /** Resolves when the rows are stored. Other inserts of the group cannot make it fail. */
  insert(table: string, columns: readonly string[], regionId: string, lines: Uint8Array): Promise<void> {
    return this.#groups.add(`${table} ${columns.join()}`, { table, columns, regionId, lines })
  }
}
