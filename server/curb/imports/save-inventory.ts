import { randomUUID } from 'node:crypto'
import type {
  createCurbInventory,
  CurbFeedSettings,
  CurbInventory,
  updateCurbInventory,
} from '#contract/curb-imports.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State, Store } from '#server/stores/state.ts'
import {
  findInventory,
  type InventorySettings,
  listInventories,
  readSettings,
  type StoredFeed,
} from './inventory-store.ts'

/** The purpose for which tokens of feeds are sealed (`SecretBox`). */
export const tokenPurpose = 'curb-feed'

interface Inventories {
  state: State
  secretBox: SecretBox
}

/** Creates an inventory of curb zones. Only those of CDS can have a feed. */
export async function createInventory(
  { state, secretBox }: Inventories,
  { viewer: { scope }, params, body, at }: Call<typeof createCurbInventory>,
): Promise<CurbInventory> {
  const { region_id: regionId } = params
  const { name, kind, feed } = body
  const store = state.as(scope)
  await findRegion(state, scope, regionId)
  if (feed && kind !== 'cds') throw new Problem('validation_error', 'Only CDS sources can be feeds.')
  await requireFreeName(store, regionId, name)
  const inventoryId = randomUUID()
  const settings: InventorySettings = feed ? { feed: sealFeed(secretBox, feed) } : {}
  await store
    .insertInto('curb_inventory')
    .values({
      inventory_id: inventoryId,
      region_id: regionId,
      name,
      kind,
      settings: JSON.stringify(settings),
      created_time: at,
    })
    .execute()
  return readInventory(store, regionId, inventoryId, at)
}

/** Changes the name, mapping or feed of an inventory. Omitted ones are retained. */
export async function updateInventory(
  { state, secretBox }: Inventories,
  { viewer: { scope }, params, body, at }: Call<typeof updateCurbInventory>,
): Promise<CurbInventory> {
  const { region_id: regionId, inventory_id: inventoryId } = params
  const { name, mapping, feed } = body
  const store = state.as(scope)
  const row = await findInventory(store, regionId, inventoryId)
  if (name !== undefined && name !== row.name) await requireFreeName(store, regionId, name)
  if (feed && row.kind !== 'cds') throw new Problem('validation_error', 'Only CDS sources can be feeds.')
  const { feed: previousFeed, ...settings } = readSettings(row)
  const newFeed = feed ? sealFeed(secretBox, feed, previousFeed) : undefined
  const storedFeed = feed === undefined ? previousFeed : newFeed
  const newSettings: InventorySettings = {
    ...settings,
    ...(mapping ? { mapping } : {}),
    ...(storedFeed ? { feed: storedFeed } : {}),
  }
  await store
    .updateTable('curb_inventory')
    .set({ settings: JSON.stringify(newSettings), ...(name === undefined ? {} : { name }) })
    .where('inventory_id', '=', inventoryId)
    .execute()
  return readInventory(store, regionId, inventoryId, at)
}

/**
 * Returns the settings of a feed with a sealed token. Without a new token, the previous one is retained,
 * unless the address is on another server: a token is only sent to the server for which it was entered.
 */
function sealFeed(
  secretBox: SecretBox,
  { token, ...feed }: CurbFeedSettings,
  previous?: StoredFeed,
): StoredFeed {
  const isSameOrigin = previous !== undefined && new URL(previous.url).origin === new URL(feed.url).origin
  const retainedToken = isSameOrigin ? previous.sealed_token : undefined
  const sealedToken = token === undefined ? retainedToken : secretBox.seal(tokenPurpose, token)
  return { ...feed, ...(sealedToken === undefined ? {} : { sealed_token: sealedToken }) }
}

async function requireFreeName(store: Store, regionId: string, name: string): Promise<void> {
  const existing = await store
    .selectFrom('curb_inventory')
    .select('inventory_id')
    .where('region_id', '=', regionId)
    .where('name', '=', name)
    .executeTakeFirst()
  if (existing) throw new Problem('conflict', `There is already a source of curb data named “${name}”.`)
}

async function readInventory(
  store: Store,
  regionId: string,
  inventoryId: string,
  at: Date,
): Promise<CurbInventory> {
  const inventories = await listInventories(store, regionId, at)
  const inventory = inventories.find((item) => item.inventory_id === inventoryId)
  if (!inventory) throw new Problem('not_found', 'There is no such source of curb data.')
  return inventory
}
