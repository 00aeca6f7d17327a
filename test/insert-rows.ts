import type { Facts } from '#server/stores/facts.ts'
import { encodeLines } from '#server/stores/row-text.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { ScopedTable } from '#server/stores/sql.ts'

interface RowTarget {
  facts: Facts
  scope: Scope
  regionId: string
}

/** Inserts a row per item. `toRow` returns its fields by column, in the text format and without `region_id`. */
export async function insertRows<Item>(
  { facts, scope, regionId }: RowTarget,
  table: ScopedTable,
  items: readonly Item[],
  toRow: (item: Item, index: number) => Record<string, string | number | bigint>,
): Promise<void> {
  const rows = items.map((item, index) => ({ region_id: regionId, ...toRow(item, index) }))
  if (!rows[0]) return
  await facts.insert(scope, table, {
    columns: Object.keys(rows[0]),
    regionId,
    lines: encodeLines(rows, (row) => `${Object.values(row).join('\t')}\n`),
  })
}
