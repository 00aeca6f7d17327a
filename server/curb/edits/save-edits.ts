import { startOfDay } from '#contract/civil-clock.ts'
import type { CurbEdits, saveCurbEdits } from '#contract/curb-edits.ts'
import { dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import { getNextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { State, Store } from '#server/stores/state.ts'
import { beginLinks, endLinks } from '../regulations/zone-links.ts'
import { lockCurb, readCurbSettings } from '../store/curb-settings.ts'
import { mirrorLayer } from '../store/mirror-layer.ts'
import { endZones } from '../store/zone-rows.ts'
import { addChangeSet, type SavedChangeSet } from './change-sets.ts'
import { checkEdits, isSameGeometry } from './check-edits.ts'
import { readZones, type StoredZone, toEditZones } from './edit-zones.ts'
import { followZones } from './follow-zones.ts'
import { addZone, changeZone, type EditRun } from './write-zones.ts'

/**
 * Saves drawn and edited zones as one change set, in force now or from a later day on. A zone whose geometry
 * is unchanged retains its id. A zone with another geometry is retired and replaced by a new one in the same
 * inventory.
 * @throws Problem `validation_error` with issues, or `conflict` with CurbEditConflicts; nothing is changed.
 */
export async function saveEdits(
  state: State,
  { viewer, params, body: edits, at }: Call<typeof saveCurbEdits>,
): Promise<SavedChangeSet> {
  const { scope, email } = viewer
  const { region_id: regionId } = params
  const region = await findRegion(state, scope, regionId)
  const { settings } = await readCurbSettings(state.as(scope), regionId)
  const write = async (store: Store): Promise<SavedChangeSet> => {
    await lockCurb(store, regionId)
    const editedZones = [...edits.changed, ...edits.ended]
    const editedIds = editedZones.map(({ curb_zone_id: id }) => id)
    const storedZones = await readZones(store, regionId, editedIds, at)
    await refuseConflicts(store, { regionId, edited: editedZones, stored: storedZones, at })
    const policyIds = await findPublishedPolicies(store, regionId)
    const { effective_day: day } = edits
    // Not before the last change of any of the zones, so that the times of the changes of a zone ascend.
    const time = [...storedZones.values()].reduce(
      (last, { row }) => getNextModifiedTime(row.updated_time, last),
      at,
    )
    const effective = day === null ? time : new Date(startOfDay(day, region.timezone))
    const issues = [
      ...checkEdits(edits, storedZones, { region, policyIds, effective }),
      ...checkDay(day, localDay(at, region.timezone)),
    ]
    if (issues.length)
      throw new Problem('validation_error', 'Some zones cannot be saved. Nothing was changed.', issues)
    const run: EditRun = {
      store,
      regionId,
      at: time,
      effective,
      vehicleLengthCm: settings.assumedVehicleLength,
      stored: storedZones,
      collected: {
        edits: [],
        successors: new Map(),
        inventoryIds: new Set(),
        zonesByAddedPolicy: new Map(),
        zonesByRemovedPolicy: new Map(),
      },
    }
    const savedIds = await writeEdits(run, edits)
    await mirrorLayer(store, scope, regionId, time)
    const change_set = await addChangeSet(store, {
      regionId,
      at: time,
      effective,
      email,
      note: edits.note,
      edits: run.collected.edits,
      inventoryIds: [...run.collected.inventoryIds],
    })
    return { change_set, zones: await toEditZones(store, regionId, savedIds, effective) }
  }
  return state.as(scope).transaction().execute(write)
}

/** About ten years. */
const maxDaysAhead = 3660

/** Returns the problem of an effective day that is not after today or absurdly far ahead. */
const checkDay = (day: LocalDay | null, today: LocalDay): { path: string; message: string }[] =>
  day !== null && (day <= today || dayNumber(day) - dayNumber(today) > maxDaysAhead)
    ? [{ path: 'body.effective_day', message: 'Choose a day after today, at most ten years ahead.' }]
    : []

interface EditedZones {
  regionId: string
  edited: readonly { curb_zone_id: string; if_updated_time: string }[]
  /** The edited zones that are in force, by id. */
  stored: ReadonlyMap<string, StoredZone>
  at: Date
}

/** Refuses edits of zones that changed after the editor loaded them. */
async function refuseConflicts(store: Store, { regionId, edited, stored, at }: EditedZones): Promise<void> {
  const conflicts = edited.filter(({ curb_zone_id: id, if_updated_time: time }) => {
    const zone = stored.get(id)
    return !zone || zone.row.updated_time.getTime() !== Date.parse(time)
  })
  if (!conflicts.length) return
  const ids = conflicts.map(({ curb_zone_id: id }) => id)
  const currentZones = new Map(
    (await toEditZones(store, regionId, ids, at)).map((zone) => [zone.curb_zone_id, zone]),
  )
  throw new Problem(
    'conflict',
    `Somebody changed ${ids.length === 1 ? 'a zone' : `${ids.length} zones`} after you began. Nothing was saved. Choose between the two.`,
    undefined,
    { conflicts: ids.map((id) => ({ curb_zone_id: id, current: currentZones.get(id) ?? null })) },
  )
}

async function findPublishedPolicies(store: Store, regionId: string): Promise<Set<string>> {
  const rows = await store
    .selectFrom('curb_policy')
    .select('curb_policy_id')
    .where('region_id', '=', regionId)
    .where('status', '=', 'published')
    .execute()
  return new Set(rows.map(({ curb_policy_id: id }) => id))
}

/** Writes the edits. Returns the ids of the created and changed zones in the order of the request. */
async function writeEdits(run: EditRun, { created, changed, ended }: CurbEdits): Promise<string[]> {
  const { store, regionId, effective, stored } = run
  const savedIds: string[] = []
  const retiredIds: string[] = []
  for (const { zone, from } of created) savedIds.push(await addZone(run, zone, { from, previousZone: null }))
  for (const { curb_zone_id: id, zone, from } of changed) {
    const previousZone = stored.get(id)!
    if (isSameGeometry(previousZone.form.geometry, zone.geometry)) {
      await changeZone(run, previousZone, zone)
      savedIds.push(id)
    } else {
      retiredIds.push(id)
      savedIds.push(await addZone(run, zone, { from: [id, ...from], previousZone }))
    }
  }
  for (const { curb_zone_id: id } of ended) {
    retiredIds.push(id)
    recordEnd(run, stored.get(id)!)
  }
  const endings = retiredIds.map((id) => ({ id, end: effective }))
  await endZones(store, regionId, endings, null)
  await writeLinks(run)
  const { successors } = run.collected
  await followZones(store, { regionId, retiredIds, successors, at: effective })
  await namePredecessors(run)
  return savedIds
}

/** Adds the end of a zone to what the run collects. */
function recordEnd({ collected }: EditRun, { row, form }: StoredZone): void {
  collected.inventoryIds.add(row.inventory_id)
  collected.edits.push({
    act: 'ended',
    curb_zone_id: row.curb_zone_id,
    prev_curb_zone_ids: [],
    street_name: form.street_name,
    street_side: form.street_side,
    fields: [],
    policies_added: [],
    policies_removed: form.curb_policy_ids,
  })
}

/** Ends and begins links of the changed zones to policies. Links do not outlast their zone. */
async function writeLinks({ store, regionId, effective, stored, collected }: EditRun): Promise<void> {
  for (const [policyId, zoneIds] of collected.zonesByRemovedPolicy)
    await endLinks(store, { regionId, policyIds: [policyId], end: effective, zoneIds })
  for (const [policyId, zoneIds] of collected.zonesByAddedPolicy) {
    await beginLinks(store, { regionId, policyId, zoneIds, begin: effective })
    for (const id of zoneIds) {
      const end = stored.get(id)?.row.end_time
      if (end) await endLinks(store, { regionId, policyIds: [policyId], end, zoneIds: [id] })
    }
  }
}

/** Successors planned for the end of a replaced zone then also name the zones that replaced it. */
async function namePredecessors({ store, regionId, stored, collected }: EditRun): Promise<void> {
  for (const [id, replacements] of collected.successors) {
    const end = stored.get(id)?.row.end_time
    if (!end) continue
    const following = await store
      .selectFrom('curb_zone')
      .select(['curb_zone_id', 'record'])
      .where('region_id', '=', regionId)
      .where('start_time', '=', end)
      .where('record', '@>', JSON.stringify({ prev_curb_zone_ids: [id] }))
      .execute()
    for (const { curb_zone_id: nextId, record } of following) {
      const { prev_curb_zone_ids: namedIds } = record as { prev_curb_zone_ids: string[] }
      const previousIds = [...new Set([...replacements.map((zone) => zone.id), ...namedIds])]
      await store
        .updateTable('curb_zone')
        .set({ record: JSON.stringify({ ...(record as object), prev_curb_zone_ids: previousIds }) })
        .where('region_id', '=', regionId)
        .where('curb_zone_id', '=', nextId)
        .execute()
    }
  }
}
