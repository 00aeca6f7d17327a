import { RegionGroups } from './region-groups.ts'

/** Larger inserts are not joined with others, and neither are groups above this size. */
export const maxGroupedBytes = 1 << 18

interface Insert {
  table: string
  columns: readonly string[]
  regionId: string
  lines: Uint8Array
}

/** Joins small inserts into one table, so that no row replaces one of another batch of its region within an insert. */
export class InsertGroups {
  readonly #groups: RegionGroups<Insert, void>

  constructor(insert: (table: string, columns: readonly string[], lines: Uint8Array) => Promise<void>) {
    this.#groups = new RegionGroups<Insert, void>(
      async (inserts) => {
        const { table, columns } = inserts[0]!
        await insert(table, columns, Buffer.concat(inserts.map(({ lines }) => lines)))
        return []
      },
      ({ lines }) => lines.length,
      maxGroupedBytes,
    )
  }

  /** Resolves when the rows are stored; rejects only for a failure of these rows or of the store. */
  insert(table: string, columns: readonly string[], regionId: string, lines: Uint8Array): Promise<void> {
    return this.#groups.add(`${table} ${columns.join()}`, { table, columns, regionId, lines })
  }
}
