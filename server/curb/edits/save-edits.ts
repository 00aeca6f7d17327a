import { randomUUID } from 'node:crypto'
import { curbZoneFields, type CurbEdits, type CurbZoneEdit, type CurbZoneForm } from '#contract/curb-edits.ts'
import { beginLinks, endLinks } from '../regulations/zone-links.ts'
import { lockCurb, readCurbSettings } from '../store/curb-settings.ts'
import { mirrorLayer } from '../store/mirror-layer.ts'
import {
  capacityRow,
  endZones,
  inBatches,
  type LinkRow,
  recordColumns,
  zoneLength,
  zoneRow,
} from '../store/write-changes.ts'
import { nextModifiedTime } from '#server/geography/shapes/edit/shape-row.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import type { State, Store } from '#server/stores/state.ts'
import { startOfDay } from '#contract/civil-clock.ts'
import { dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import { addChangeSet, type SavedChangeSet } from './change-sets.ts'
import { checkEdits, isSameGeometry } from './check-edits.ts'
import { readZones, type StoredZone, toEditZones } from './edit-zones.ts'
import { followZones } from './follow-zones.ts'

type Actor = Pick<Viewer, 'scope' | 'email'>

interface Writing {
  store: Store
  regionId: string
  /** The time of saving. */
  at: Date
  /** When the changes come into force. */
  effective: Date
  vehicleLengthCm: number
  stored: ReadonlyMap<string, StoredZone>
  edits: CurbZoneEdit[]
  /** Zones that replace a retired one, by its id. */
  successors: Map<string, { id: string; geometry: CurbZoneForm['geometry'] }[]>
  inventoryIds: Set<string>
  /** Ids of the zones that get a policy, by policy. */
  added: Map<string, string[]>
  /** Ids of the zones that lose a policy, by policy. */
  removed: Map<string, string[]>
}

/**
 * Saves drawn and edited zones as one change set, in force now or from a later day on. A zone whose geometry
 * is unchanged retains its id. A zone with another geometry is retired and replaced by a new one in the same
 * inventory.
 * @throws Problem `validation_error` with issues, or `conflict` with CurbEditConflicts. Nothing is changed then.
 */
export async function saveEdits(
  state: State,
  actor: Actor,
  regionId: string,
  edits: CurbEdits,
  at: Date,
): Promise<SavedChangeSet> {
  const region = await findRegion(state, actor.scope, regionId)
  const { settings } = await readCurbSettings(state.as(actor.scope), regionId)
  const write = async (store: Store): Promise<SavedChangeSet> => {
    await lockCurb(store, regionId)
    const edited = [...edits.changed, ...edits.ended]
    const stored = await readZones(
      store,
      regionId,
      edited.map(({ curb_zone_id: id }) => id),
      at,
    )
    await refuseConflicts(store, regionId, edited, stored, at)
    const policyIds = await publishedPolicies(store, regionId)
    const { effective_day: day } = edits
    // Not before the last change of any of the zones, so that the times of the changes of a zone ascend.
    const time = [...stored.values()].reduce((last, { row }) => nextModifiedTime(row.updated_time, last), at)
    const effective = day === null ? time : new Date(startOfDay(day, region.timezone))
    const issues = [
      ...checkEdits(edits, stored, { region, policyIds, effective }),
      ...checkDay(day, localDay(at, region.timezone)),
    ]
    if (issues.length)
      throw new Problem('validation_error', 'Some zones cannot be saved. Nothing was changed.', issues)
    const writing: Writing = {
      store,
      regionId,
      at: time,
      effective,
      vehicleLengthCm: settings.assumedVehicleLength,
      stored,
      edits: [],
      successors: new Map(),
      inventoryIds: new Set(),
      added: new Map(),
      removed: new Map(),
    }
    const savedIds = await writeEdits(writing, edits)
    await mirrorLayer(store, actor.scope, regionId, time)
    const change_set = await addChangeSet(store, {
      regionId,
      at: time,
      effective,
      email: actor.email,
      note: edits.note,
      edits: writing.edits,
      inventoryIds: [...writing.inventoryIds],
    })
    return { change_set, zones: await toEditZones(store, regionId, savedIds, effective) }
  }
  return state.as(actor.scope).transaction().execute(write)
}

/** About ten years. */
const maxDaysAhead = 3660

/** A later day must be after today and not absurdly far ahead. */
const checkDay = (day: LocalDay | null, today: LocalDay): { path: string; message: string }[] =>
  day !== null && (day <= today || dayNumber(day) - dayNumber(today) > maxDaysAhead)
    ? [{ path: 'body.effective_day', message: 'Choose a day after today, at most ten years ahead.' }]
    : []

/** Refuses edits of zones that changed after the editor loaded them. */
async function refuseConflicts(
  store: Store,
  regionId: string,
  edited: readonly { curb_zone_id: string; if_updated_time: string }[],
  stored: ReadonlyMap<string, StoredZone>,
  at: Date,
): Promise<void> {
  const changed = edited.filter(({ curb_zone_id: id, if_updated_time: time }) => {
    const zone = stored.get(id)
    return !zone || zone.row.updated_time.getTime() !== Date.parse(time)
  })
  if (!changed.length) return
  const ids = changed.map(({ curb_zone_id: id }) => id)
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

async function publishedPolicies(store: Store, regionId: string): Promise<Set<string>> {
  const rows = await store
    .selectFrom('curb_policy')
    .select('curb_policy_id')
    .where('region_id', '=', regionId)
    .where('status', '=', 'published')
    .execute()
  return new Set(rows.map(({ curb_policy_id: id }) => id))
}

/** Writes the edits. Returns the ids of the created and changed zones in the order of the request. */
async function writeEdits(
  writing: Writing,
  { created, changed, ended }: Pick<CurbEdits, 'created' | 'changed' | 'ended'>,
): Promise<string[]> {
  const { store, regionId, effective, stored } = writing
  const ids: string[] = []
  const retired: string[] = []
  for (const { zone, from } of created) ids.push(await addZone(writing, zone, from, null))
  for (const { curb_zone_id: id, zone, from } of changed) {
    const before = stored.get(id)!
    if (isSameGeometry(before.form.geometry, zone.geometry)) {
      await changeZone(writing, before, zone)
      ids.push(id)
    } else {
      retired.push(id)
      ids.push(await addZone(writing, zone, [id, ...from], before))
    }
  }
  for (const { curb_zone_id: id } of ended) {
    const { row, form } = stored.get(id)!
    retired.push(id)
    writing.inventoryIds.add(row.inventory_id)
    writing.edits.push({
      act: 'ended',
      curb_zone_id: id,
      prev_curb_zone_ids: [],
      street_name: form.street_name,
      street_side: form.street_side,
      fields: [],
      policies_added: [],
      policies_removed: form.curb_policy_ids,
    })
  }
  await endZones(
    store,
    regionId,
    retired.map((id) => ({ id, end: effective })),
    null,
  )
  for (const [policyId, zoneIds] of writing.removed)
    await endLinks(store, regionId, [policyId], effective, zoneIds)
  for (const [policyId, zoneIds] of writing.added) {
    await beginLinks(store, regionId, policyId, zoneIds, effective)
    for (const id of zoneIds) {
      const end = stored.get(id)?.row.end_time
      if (end) await endLinks(store, regionId, [policyId], end, [id])
    }
  }
  await followZones(store, regionId, retired, writing.successors, effective)
  await namePredecessors(writing)
  return ids
}

/**
 * A replaced zone may have had successors planned for the day on which it would have ended. Adds the zones
 * that replaced it to the predecessors that these successors name.
 */
async function namePredecessors({ store, regionId, stored, successors }: Writing): Promise<void> {
  for (const [id, replacements] of successors) {
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
      const { prev_curb_zone_ids: before } = record as { prev_curb_zone_ids: string[] }
      const previous = [...new Set([...replacements.map((each) => each.id), ...before])]
      await store
        .updateTable('curb_zone')
        .set({ record: JSON.stringify({ ...(record as object), prev_curb_zone_ids: previous }) })
        .where('region_id', '=', regionId)
        .where('curb_zone_id', '=', nextId)
        .execute()
    }
  }
}

/** The CDS record of a zone with the edited fields. */
function editedRecord(form: CurbZoneForm, before: StoredZone | null): Record<string, unknown> {
  const record: Record<string, unknown> = { ...(before?.row.record as Record<string, unknown> | undefined) }
  for (const key of ['name', 'street_name', 'cross_street_start_name', 'cross_street_end_name'] as const)
    if (form[key] === '') delete record[key]
    else record[key] = form[key]
  for (const key of ['street_side', 'num_spaces'] as const)
    if (form[key] === null) delete record[key]
    else record[key] = form[key]
  return record
}

async function changeZone(writing: Writing, before: StoredZone, form: CurbZoneForm): Promise<void> {
  const { store, regionId, at, effective, vehicleLengthCm } = writing
  const { row } = before
  const id = row.curb_zone_id
  const fields = curbZoneFields.filter((field) => {
    const comparable = (zone: CurbZoneForm): unknown =>
      field === 'curb_policy_ids' ? [...new Set(zone.curb_policy_ids)].toSorted() : zone[field]
    return canonicalText(comparable(before.form)) !== canonicalText(comparable(form))
  })
  if (!fields.length) return
  const [previousIds, newIds] = [new Set(before.form.curb_policy_ids), new Set(form.curb_policy_ids)]
  const added = [...newIds].filter((each) => !previousIds.has(each))
  const removed = [...previousIds].filter((each) => !newIds.has(each))
  for (const policyId of added) addTo(writing.added, policyId, id)
  for (const policyId of removed) addTo(writing.removed, policyId, id)
  const hasOtherFields = fields.some((field) => field !== 'curb_policy_ids')
  const record = editedRecord(form, before)
  await store
    .updateTable('curb_zone')
    .set({ updated_time: at, ...(hasOtherFields ? recordColumns(form.geometry, record) : {}) })
    .where('region_id', '=', regionId)
    .where('curb_zone_id', '=', id)
    .execute()
  if (fields.includes('num_spaces'))
    await addCapacity(
      store,
      { regionId, id, lengthCm: row.length_cm },
      form.num_spaces,
      vehicleLengthCm,
      effective,
    )
  writing.inventoryIds.add(row.inventory_id)
  writing.edits.push({
    act: 'changed',
    curb_zone_id: id,
    prev_curb_zone_ids: [],
    street_name: form.street_name,
    street_side: form.street_side,
    fields,
    policies_added: added,
    policies_removed: removed,
  })
}

const addTo = <Value>(lists: Map<string, Value[]>, key: string, value: Value): void => {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

async function addCapacity(
  store: Store,
  zone: { regionId: string; id: string; lengthCm: number },
  spaces: number | null,
  vehicleLengthCm: number,
  at: Date,
): Promise<void> {
  const row = capacityRow({ ...zone, importId: null }, spaces, vehicleLengthCm, at)
  await store
    .insertInto('curb_capacity')
    .values(row)
    .onConflict((conflict) => conflict.columns(['region_id', 'curb_zone_id', 'start_time']).doUpdateSet(row))
    .execute()
}

/**
 * Adds a zone and returns its id. It is new, or it replaces the zones in `from` and belongs to the inventory
 * of the first one. `before` is the zone with the changed geometry, if any. Then the new zone has its id in
 * the source, so that the next import of that source replaces it.
 */
async function addZone(
  writing: Writing,
  form: CurbZoneForm,
  from: readonly string[],
  before: StoredZone | null,
): Promise<string> {
  const { store, regionId, at, effective, stored, vehicleLengthCm } = writing
  const bases = from.flatMap((each) => stored.get(each) ?? [])
  const [firstBase] = bases
  const base = before ?? firstBase ?? null
  const inventoryId = base?.row.inventory_id ?? (await drawnInventory(store, regionId, at))
  const id = randomUUID()
  const record = editedRecord(form, base)
  if (before === null) delete record['user_zone_id']
  // These fields describe the former geometry.
  for (const key of ['length', 'location_references']) delete record[key]
  const earlier = bases.flatMap(({ row }) => {
    const previous = (row.record as Record<string, unknown>)['prev_curb_zone_ids']
    return [row.curb_zone_id, ...(Array.isArray(previous) ? previous.map(String) : [])]
  })
  if (earlier.length) record['prev_curb_zone_ids'] = [...new Set(earlier)]
  const row = zoneRow({
    regionId,
    id,
    inventoryId,
    sourceId: before?.row.source_id ?? id,
    geometry: form.geometry,
    record,
    start: effective,
    end: base?.row.end_time ?? null,
    published: at,
    updated: at,
    importId: null,
  })
  await store.insertInto('curb_zone').values(row).execute()
  await inBatches(newLinks(writing, id, form, bases), (batch) =>
    store.insertInto('curb_zone_policy').values(batch).execute(),
  )
  await addCapacity(
    store,
    { regionId, id, lengthCm: zoneLength(form.geometry, record) },
    form.num_spaces,
    vehicleLengthCm,
    effective,
  )
  for (const each of bases) addTo(writing.successors, each.row.curb_zone_id, { id, geometry: form.geometry })
  const [previousIds, newIds] = [new Set(base?.form.curb_policy_ids ?? []), new Set(form.curb_policy_ids)]
  writing.inventoryIds.add(inventoryId)
  writing.edits.push({
    act: before ? 'replaced' : 'created',
    curb_zone_id: id,
    prev_curb_zone_ids: bases.map((each) => each.row.curb_zone_id),
    street_name: form.street_name,
    street_side: form.street_side,
    fields: curbZoneFields.filter(
      (field) => before !== null && canonicalText(before.form[field]) !== canonicalText(form[field]),
    ),
    policies_added: [...newIds].filter((each) => !previousIds.has(each)),
    policies_removed: [...previousIds].filter((each) => !newIds.has(each)),
  })
  return id
}

/**
 * Links of a new zone to its policies, and links with a later start that it inherits from the zones it
 * replaces.
 */
function newLinks(
  { regionId, at, effective }: Writing,
  id: string,
  form: CurbZoneForm,
  bases: readonly StoredZone[],
): LinkRow[] {
  const before = bases.flatMap(({ links }) => links)
  const links = new Map<string, LinkRow>()
  const add = (policyId: string, start: Date, end: Date | null): void => {
    const key = `${policyId} ${start.getTime()}`
    const known = links.get(key)
    // If the replaced zones have the same link with different ends, the last end counts.
    if (known && (known.end_time === null || (end !== null && end <= (known.end_time as Date)))) return
    links.set(key, {
      region_id: regionId,
      curb_zone_id: id,
      curb_policy_id: policyId,
      start_time: start,
      end_time: end,
    })
  }
  for (const policyId of new Set(form.curb_policy_ids)) {
    const current = before.filter((link) => link.curb_policy_id === policyId && link.start_time <= at)
    if (!current.length) add(policyId, effective, bases[0]?.row.end_time ?? null)
    for (const link of current)
      if (link.end_time === null || link.end_time > effective) add(policyId, effective, link.end_time)
  }
  for (const link of before)
    if (link.start_time > at)
      add(link.curb_policy_id, link.start_time > effective ? link.start_time : effective, link.end_time)
  return [...links.values()]
}

/** Id of the inventory of zones that are drawn by hand. Creates it for the first zone. */
async function drawnInventory(store: Store, regionId: string, at: Date): Promise<string> {
  const known = await store
    .selectFrom('curb_inventory')
    .select('inventory_id')
    .where('region_id', '=', regionId)
    .where('kind', '=', 'drawn')
    .executeTakeFirst()
  if (known) return known.inventory_id
  const id = deriveUuid('drawn inventory', regionId)
  const taken = await store
    .selectFrom('curb_inventory')
    .select('inventory_id')
    .where('region_id', '=', regionId)
    .where('name', '=', 'Drawn')
    .executeTakeFirst()
  await store
    .insertInto('curb_inventory')
    .values({
      inventory_id: id,
      region_id: regionId,
      name: taken ? 'Drawn by hand' : 'Drawn',
      kind: 'drawn',
      created_time: at,
    })
    .execute()
  return id
}
