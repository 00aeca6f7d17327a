import type { LocalDay } from '#contract/period.ts'
import {
  type CurbEdits,
  type CurbEditZone,
  curbZoneFields,
  type CurbZoneField,
  type CurbZoneForm,
} from '#contract/curb-edits.ts'

/** A zone that was drawn (`base` is null), edited, or ended (`now` is null). */
export interface DraftZone {
  id: string
  base: CurbEditZone | null
  now: CurbZoneForm | null
  /** Stored zones from which this one was split or merged. */
  from: readonly string[]
}

/** Unsaved changes by zone, in the order of the first edit. */
export type ZoneDraft = ReadonlyMap<string, DraftZone>

export const emptyDraft: ZoneDraft = new Map()

const newIdPrefix = 'new:'
/** Tests whether an id belongs to a zone that is not stored yet. */
export const isNewId = (id: string): boolean => id.startsWith(newIdPrefix)
/** Returns an unused id such as `new:3` for a zone that is not stored yet. */
export const nextNewId = (draft: ZoneDraft): string =>
  `${newIdPrefix}${1 + Math.max(0, ...[...draft.keys()].filter(isNewId).map((id) => Number(id.slice(newIdPrefix.length))))}`

/** Returns the editable fields of a stored zone. */
export const toForm = (zone: CurbEditZone): CurbZoneForm => ({
  geometry: zone.geometry,
  name: zone.name,
  street_name: zone.street_name,
  cross_street_start_name: zone.cross_street_start_name,
  cross_street_end_name: zone.cross_street_end_name,
  street_side: zone.street_side,
  num_spaces: zone.num_spaces,
  curb_policy_ids: zone.curb_policy_ids,
})

/** Returns a field; policies without order and repeats. */
const readField = (form: CurbZoneForm, field: CurbZoneField): unknown =>
  field === 'curb_policy_ids' ? [...new Set(form.curb_policy_ids)].toSorted() : form[field]

/** Returns the fields in which two versions of a zone differ. */
export const findChangedFields = (base: CurbZoneForm, now: CurbZoneForm): CurbZoneField[] =>
  curbZoneFields.filter(
    (field) =>
      base[field] !== now[field] &&
      JSON.stringify(readField(base, field)) !== JSON.stringify(readField(now, field)),
  )

/** Returns the draft with a zone changed. A zone that equals the stored one is removed from the draft. */
export function putZone(draft: ZoneDraft, zone: DraftZone): ZoneDraft {
  const next = new Map(draft)
  const previous = draft.get(zone.id)
  const base = previous?.base ?? zone.base
  const from = [...new Set([...(previous?.from ?? []), ...zone.from])].filter((id) => id !== zone.id)
  const isUnchanged =
    zone.now === null
      ? base === null
      : base !== null && !from.length && !findChangedFields(toForm(base), zone.now).length
  if (isUnchanged) next.delete(zone.id)
  else next.set(zone.id, { id: zone.id, base, now: zone.now, from })
  return next
}

/** Returns the draft without the changes of one zone. */
export function revertZone(draft: ZoneDraft, id: string): ZoneDraft {
  const next = new Map(draft)
  next.delete(id)
  return next
}

/** A zone of the list of unsaved changes; `fields` have changed. */
export interface DraftChange {
  id: string
  form: CurbZoneForm
  kind: 'created' | 'changed' | 'deleted'
  fields: CurbZoneField[]
}

/** Lists the changes that will be saved. */
export const listChanges = (draft: ZoneDraft): DraftChange[] =>
  [...draft.values()].flatMap(({ id, base, now }): DraftChange[] => {
    const form = now ?? (base && toForm(base))
    if (!form) return []
    const kind = base === null ? 'created' : now === null ? 'deleted' : 'changed'
    return [{ id, form, kind, fields: base && now ? findChangedFields(toForm(base), now) : [] }]
  })

/** Returns the request for a draft, and the ids of the zones at each position of its lists. */
export function toChangeSet(
  draft: ZoneDraft,
  note: string,
  effectiveDay: LocalDay | null = null,
): { body: CurbEdits; ids: Record<'created' | 'changed' | 'ended', string[]> } {
  const zones = [...draft.values()]
  const created = zones.filter(({ base, now }) => base === null && now !== null)
  const changed = zones.filter(({ base, now }) => base !== null && now !== null)
  const ended = zones.filter(({ base, now }) => base !== null && now === null)
  const identify = ({ id, base }: DraftZone) => ({ curb_zone_id: id, if_updated_time: base!.updated_time })
  // An origin is sent only if the same change set changes it: its change may have been reverted.
  const affected = new Set([...changed, ...ended].map(({ id }) => id))
  const getOrigins = ({ from }: DraftZone): string[] => from.filter((id) => affected.has(id))
  return {
    body: {
      created: created.map((zone) => ({ zone: zone.now!, from: getOrigins(zone) })),
      changed: changed.map((zone) => ({ ...identify(zone), zone: zone.now!, from: getOrigins(zone) })),
      ended: ended.map(identify),
      note,
      effective_day: effectiveDay,
    },
    ids: {
      created: created.map(({ id }) => id),
      changed: changed.map(({ id }) => id),
      ended: ended.map(({ id }) => id),
    },
  }
}
