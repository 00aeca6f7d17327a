import type { Selectable } from 'kysely'
import { type CurbInventory, CurbMapping } from '#contract/curb-imports.ts'
import { Problem } from '#server/http/problem.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Store } from '#server/stores/state.ts'

export type InventoryRow = Selectable<StateTables['curb_inventory']>

/** Settings of an inventory (`curb_inventory.settings`). */
export interface InventorySettings {
  mapping?: CurbMapping
  /** The header of the table for which the mapping was confirmed. */
  header?: string[]
  feed?: StoredFeed
}
export interface StoredFeed {
  url: string
  sealed_token?: string
  every_minutes: number
  publishes: boolean
  last_pull_ms?: number
  last_problem?: string | null
  /** Hash of the records of the last pull. */
  last_hash?: string
}

export const readSettings = (row: Pick<InventoryRow, 'settings'>): InventorySettings =>
  row.settings as InventorySettings

function toInventory(row: InventoryRow, zonesInForce: number): CurbInventory {
  const { mapping, feed } = readSettings(row)
  const parsed = mapping === undefined ? null : CurbMapping.safeParse(mapping)
  return {
    inventory_id: row.inventory_id,
    name: row.name,
    kind: row.kind as CurbInventory['kind'],
    created_time: row.created_time.toISOString(),
    mapping: parsed?.success ? parsed.data : null,
    feed: feed
      ? {
          url: feed.url,
          has_token: feed.sealed_token !== undefined,
          every_minutes: feed.every_minutes,
          publishes: feed.publishes,
          last_pull_time: feed.last_pull_ms === undefined ? null : new Date(feed.last_pull_ms).toISOString(),
          last_problem: feed.last_problem ?? null,
        }
      : null,
    zones_in_force: zonesInForce,
  }
}

/** Finds an inventory of a region. @throws Problem if there is none. */
export async function findInventory(
  store: Store,
  regionId: string,
  inventoryId: string,
): Promise<InventoryRow> {
  const row = await store
    .selectFrom('curb_inventory')
    .selectAll()
    .where('region_id', '=', regionId)
    .where('inventory_id', '=', inventoryId)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found', 'There is no such source of curb data.')
  return row
}

/** Lists the inventories of a region by name, with the numbers of their zones. */
export async function listInventories(store: Store, regionId: string, at: Date): Promise<CurbInventory[]> {
  const rows = await store
    .selectFrom('curb_inventory')
    .selectAll()
    .where('region_id', '=', regionId)
    .orderBy('name')
    .execute()
  const zones = await store
    .selectFrom('curb_zone')
    .select((eb) => ['inventory_id', eb.fn.countAll<string>().as('count')])
    .where('region_id', '=', regionId)
    .where('start_time', '<=', at)
    .where((eb) => eb.or([eb('end_time', 'is', null), eb('end_time', '>', at)]))
    .groupBy('inventory_id')
    .execute()
  const counts = new Map(zones.map((zone) => [zone.inventory_id, Number(zone.count)]))
  return rows.map((row) => toInventory(row, counts.get(row.inventory_id) ?? 0))
}
