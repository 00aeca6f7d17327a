import { randomUUID } from 'node:crypto'
import { curbZoneFields, type CurbZoneEdit, type CurbZoneForm } from '#contract/curb-edits.ts'
import { appendTo } from '#contract/group-by.ts'
import { canonicalText } from '#server/stores/canonical-text.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import type { Store } from '#server/stores/state.ts'
import {
  toCapacityRow,
  inBatches,
  type LinkRow,
  getRecordColumns,
  computeZoneLength,
  toZoneRow,
} from '../store/zone-rows.ts'
import type { StoredZone } from './edit-zones.ts'
import type { Successor } from './follow-zones.ts'

/** What the zones of a change set are written with, and what is collected meanwhile. */
export interface EditRun {
  store: Store
  regionId: string
  /** The time of saving. */
  at: Date
  /** When the changes come into force. */
  effective: Date
  vehicleLengthCm: number
  /** The changed and ended zones as they were, by id. */
  stored: ReadonlyMap<string, StoredZone>
  collected: {
    edits: CurbZoneEdit[]
    /** Zones that replace a retired one, by its id. */
    successors: Map<string, Successor[]>
    inventoryIds: Set<string>
    /** Ids of the zones that get a policy, by policy. */
    zonesByAddedPolicy: Map<string, string[]>
    /** Ids of the zones that lose a policy, by policy. */
    zonesByRemovedPolicy: Map<string, string[]>
  }
}

/** Changes the fields and policies of a zone that retains its geometry. */
export async function changeZone(run: EditRun, previousZone: StoredZone, form: CurbZoneForm): Promise<void> {
  const { store, regionId, at, collected } = run
  const { row } = previousZone
  const id = row.curb_zone_id
  const fields = curbZoneFields.filter((field) => {
    const toComparable = (zone: CurbZoneForm): unknown =>
      field === 'curb_policy_ids' ? [...new Set(zone.curb_policy_ids)].toSorted() : zone[field]
    return canonicalText(toComparable(previousZone.form)) !== canonicalText(toComparable(form))
  })
  if (!fields.length) return
  const { added, removed } = comparePolicies(previousZone.form, form)
  for (const policyId of added) appendTo(collected.zonesByAddedPolicy, policyId, id)
  for (const policyId of removed) appendTo(collected.zonesByRemovedPolicy, policyId, id)
  const hasOtherFields = fields.some((field) => field !== 'curb_policy_ids')
  const record = editRecord(form, previousZone)
  await store
    .updateTable('curb_zone')
    .set({ updated_time: at, ...(hasOtherFields ? getRecordColumns(form.geometry, record) : {}) })
    .where('region_id', '=', regionId)
    .where('curb_zone_id', '=', id)
    .execute()
  if (fields.includes('num_spaces')) await addCapacity(run, { id, lengthCm: row.length_cm }, form.num_spaces)
  collected.inventoryIds.add(row.inventory_id)
  collected.edits.push({
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

interface Origin {
  /** Ids of the zones that the new zone replaces; it belongs to the inventory of the first one. */
  from: readonly string[]
  /** The zone with the changed geometry, if any. The new one has its source id, for the next import. */
  previousZone: StoredZone | null
}

/** Adds a zone that is new or replaces others. Returns its id. */
export async function addZone(
  run: EditRun,
  form: CurbZoneForm,
  { from, previousZone }: Origin,
): Promise<string> {
  const { store, regionId, at, effective, stored, collected } = run
  const replacedZones = from.flatMap((replacedId) => stored.get(replacedId) ?? [])
  const base = previousZone ?? replacedZones[0] ?? null
  const inventoryId = base?.row.inventory_id ?? (await ensureDrawnInventory(store, regionId, at))
  const id = randomUUID()
  const record = makeRecord(form, base, replacedZones)
  if (previousZone === null) delete record['user_zone_id']
  const row = toZoneRow({
    regionId,
    id,
    inventoryId,
    sourceId: previousZone?.row.source_id ?? id,
    geometry: form.geometry,
    record,
    start: effective,
    end: base?.row.end_time ?? null,
    published: at,
    updated: at,
    importId: null,
  })
  await store.insertInto('curb_zone').values(row).execute()
  await inBatches(makeLinks(run, id, form, replacedZones), (batch) =>
    store.insertInto('curb_zone_policy').values(batch).execute(),
  )
  await addCapacity(run, { id, lengthCm: computeZoneLength(form.geometry, record) }, form.num_spaces)
  for (const zone of replacedZones)
    appendTo(collected.successors, zone.row.curb_zone_id, { id, geometry: form.geometry })
  const policies = comparePolicies(base?.form ?? null, form)
  collected.inventoryIds.add(inventoryId)
  collected.edits.push({
    act: previousZone ? 'replaced' : 'created',
    curb_zone_id: id,
    prev_curb_zone_ids: replacedZones.map((zone) => zone.row.curb_zone_id),
    street_name: form.street_name,
    street_side: form.street_side,
    fields: curbZoneFields.filter(
      (field) =>
        previousZone !== null && canonicalText(previousZone.form[field]) !== canonicalText(form[field]),
    ),
    policies_added: policies.added,
    policies_removed: policies.removed,
  })
  return id
}

/** Makes the record of a new zone: that of `base` with the edited fields, and the zones that it replaces. */
function makeRecord(
  form: CurbZoneForm,
  base: StoredZone | null,
  replacedZones: readonly StoredZone[],
): Record<string, unknown> {
  const record = editRecord(form, base)
  // These fields describe the former geometry.
  for (const key of ['length', 'location_references']) delete record[key]
  const earlierIds = replacedZones.flatMap(({ row }) => {
    const previous = (row.record as Record<string, unknown>)['prev_curb_zone_ids']
    return [row.curb_zone_id, ...(Array.isArray(previous) ? previous.map(String) : [])]
  })
  if (earlierIds.length) record['prev_curb_zone_ids'] = [...new Set(earlierIds)]
  return record
}

/** Returns the CDS record of a zone with the edited fields. */
function editRecord(form: CurbZoneForm, previousZone: StoredZone | null): Record<string, unknown> {
  const record: Record<string, unknown> = {
    ...(previousZone?.row.record as Record<string, unknown> | undefined),
  }
  for (const key of ['name', 'street_name', 'cross_street_start_name', 'cross_street_end_name'] as const)
    if (form[key] === '') delete record[key]
    else record[key] = form[key]
  for (const key of ['street_side', 'num_spaces'] as const)
    if (form[key] === null) delete record[key]
    else record[key] = form[key]
  return record
}

function comparePolicies(
  before: CurbZoneForm | null,
  after: CurbZoneForm,
): { added: string[]; removed: string[] } {
  const previousIds = new Set(before?.curb_policy_ids)
  const newIds = new Set(after.curb_policy_ids)
  return {
    added: [...newIds].filter((id) => !previousIds.has(id)),
    removed: [...previousIds].filter((id) => !newIds.has(id)),
  }
}

/** Stores the capacity of a zone from the effective time on. */
async function addCapacity(
  { store, regionId, vehicleLengthCm, effective }: EditRun,
  zone: { id: string; lengthCm: number },
  spaces: number | null,
): Promise<void> {
  const row = toCapacityRow({ ...zone, regionId, importId: null }, spaces, vehicleLengthCm, effective)
  await store
    .insertInto('curb_capacity')
    .values(row)
    .onConflict((conflict) => conflict.columns(['region_id', 'curb_zone_id', 'start_time']).doUpdateSet(row))
    .execute()
}

/** Returns the links of a new zone to its policies, and later ones inherited from replaced zones. */
function makeLinks(
  { regionId, at, effective }: EditRun,
  id: string,
  form: CurbZoneForm,
  replacedZones: readonly StoredZone[],
): LinkRow[] {
  const previousLinks = replacedZones.flatMap(({ links }) => links)
  const links = new Map<string, LinkRow>()
  const add = (policyId: string, start: Date, end: Date | null): void => {
    const key = `${policyId} ${start.getTime()}`
    const existing = links.get(key)
    // If the replaced zones have the same link with different ends, the last end counts.
    if (existing && (existing.end_time === null || (end !== null && end <= (existing.end_time as Date))))
      return
    links.set(key, {
      region_id: regionId,
      curb_zone_id: id,
      curb_policy_id: policyId,
      start_time: start,
      end_time: end,
    })
  }
  for (const policyId of new Set(form.curb_policy_ids)) {
    const current = previousLinks.filter((link) => link.curb_policy_id === policyId && link.start_time <= at)
    if (!current.length) add(policyId, effective, replacedZones[0]?.row.end_time ?? null)
    for (const link of current)
      if (link.end_time === null || link.end_time > effective) add(policyId, effective, link.end_time)
  }
  for (const link of previousLinks)
    if (link.start_time > at)
      add(link.curb_policy_id, link.start_time > effective ? link.start_time : effective, link.end_time)
  return [...links.values()]
}

/** Returns the id of the inventory of drawn zones. Creates it for the first zone. */
async function ensureDrawnInventory(store: Store, regionId: string, at: Date): Promise<string> {
  const existing = await store
    .selectFrom('curb_inventory')
    .select('inventory_id')
    .where('region_id', '=', regionId)
    .where('kind', '=', 'drawn')
    .executeTakeFirst()
  if (existing) return existing.inventory_id
  const id = deriveUuid('drawn inventory', regionId)
  const sameName = await store
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
      name: sameName ? 'Drawn by hand' : 'Drawn',
      kind: 'drawn',
      created_time: at,
    })
    .execute()
  return id
}
