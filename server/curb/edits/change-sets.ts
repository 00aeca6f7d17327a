import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { CurbChangeSet, CurbEditZone, CurbZoneEdit, listCurbChangeSets } from '#contract/curb-edits.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'

/** A stored change set, with its zones after the change. */
export interface SavedChangeSet {
  change_set: CurbChangeSet
  zones: CurbEditZone[]
}

interface NewChangeSet {
  regionId: string
  at: Date
  effective: Date
  email: string
  note: string
  edits: CurbZoneEdit[]
  inventoryIds: string[]
}

/** Stores a change set and returns it. A change set without edits is returned but not stored. */
export async function addChangeSet(
  store: Store,
  { regionId, at, effective, email, note, edits, inventoryIds }: NewChangeSet,
): Promise<CurbChangeSet> {
  const countEdits = (act: CurbZoneEdit['act']): number => edits.filter((edit) => edit.act === act).length
  const changeSet: CurbChangeSet = {
    change_set_id: randomUUID(),
    time: at.toISOString(),
    effective_time: effective > at ? effective.toISOString() : null,
    by_email: email,
    note,
    counts: {
      created: countEdits('created'),
      changed: countEdits('changed'),
      replaced: countEdits('replaced'),
      ended: countEdits('ended'),
    },
    edits,
  }
  if (!edits.length) return changeSet
  const zoneIds = edits.flatMap(({ curb_zone_id: id, prev_curb_zone_ids: previous }) => [id, ...previous])
  await store
    .insertInto('curb_change_set')
    .values({
      change_set_id: changeSet.change_set_id,
      region_id: regionId,
      change_time: at,
      effective_time: effective > at ? effective : null,
      by_email: email,
      note,
      counts: JSON.stringify(changeSet.counts),
      edits: JSON.stringify(edits),
      zone_ids: JSON.stringify([...new Set(zoneIds)]),
      inventory_ids: JSON.stringify(inventoryIds),
    })
    .execute()
  return changeSet
}

const toChangeSet = (row: Selectable<StateTables['curb_change_set']>): CurbChangeSet => ({
  change_set_id: row.change_set_id,
  time: row.change_time.toISOString(),
  effective_time: row.effective_time?.toISOString() ?? null,
  by_email: row.by_email,
  note: row.note,
  counts: row.counts as CurbChangeSet['counts'],
  edits: row.edits as CurbZoneEdit[],
})

/** Lists the change sets of a region or of one zone, newest first. */
export async function listChangeSets(
  state: State,
  { viewer: { scope }, params, query }: Call<typeof listCurbChangeSets>,
): Promise<{ items: CurbChangeSet[]; total: number; page: number; size: number }> {
  const { region_id: regionId } = params
  const { curb_zone_id: zoneId, page, size } = query
  await findRegion(state, scope, regionId)
  const changeSets = state
    .as(scope)
    .selectFrom('curb_change_set')
    .where('region_id', '=', regionId)
    .$if(zoneId !== undefined, (rows) => rows.where('zone_ids', '@>', JSON.stringify([zoneId])))
  const [rows, count] = await Promise.all([
    changeSets
      .selectAll()
      .orderBy('change_time', 'desc')
      .orderBy('change_set_id')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    changeSets.select(({ fn }) => fn.countAll().as('count')).executeTakeFirst(),
  ])
  return { items: rows.map(toChangeSet), total: Number(count?.count ?? 0), page, size }
}
