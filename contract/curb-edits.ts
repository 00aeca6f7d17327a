import { z } from 'zod'
import { CurbId, StreetSide } from './cds.ts'
import { endpoint } from './endpoint.ts'
import { SeenTime } from './geography.ts'
import { pageSchema, pageQuery } from './page.ts'
import { LocalDay } from './period.ts'
import { Box, GeometryShape } from './place.ts'

// Drawing and editing of curb zones by hand. A drawing session is saved at once, as one change set.

export const maxCurbEdits = 5000

const ShortText = z.string().trim().max(500)

/** The editable fields of a zone. Saving leaves all other fields unchanged. */
export const CurbZoneForm = z.object({
  geometry: GeometryShape,
  name: ShortText,
  street_name: ShortText,
  cross_street_start_name: ShortText,
  cross_street_end_name: ShortText,
  street_side: StreetSide.nullable(),
  /** Marked spaces; null: the capacity is derived from the length. */
  num_spaces: z.number().int().min(0).max(10_000).nullable(),
  /** Published policies that apply from now on, or from the effective day. */
  curb_policy_ids: z.array(CurbId).max(500),
})
export type CurbZoneForm = z.infer<typeof CurbZoneForm>

/** A zone in force with its editable fields. */
export const CurbEditZone = CurbZoneForm.extend({
  curb_zone_id: CurbId,
  /** The source of an imported zone; null: it was drawn. The next import of the source replaces edits. */
  inventory_name: z.string().nullable(),
  length_m: z.number(),
  updated_time: z.string(),
  /** When an earlier change ends the zone. Further changes apply until then and do not affect later ones. */
  end_time: z.string().nullable(),
}).meta({ id: 'CurbEditZone' })
export type CurbEditZone = z.infer<typeof CurbEditZone>

const seenZone = { curb_zone_id: CurbId, if_updated_time: SeenTime }
/** Zones that were split into this one or merged into it. The same change set must change or end them. */
const madeFrom = { from: z.array(CurbId).max(100).default([]) }

/** One change set. A zone with a new geometry gets a new id; its former id is retired. */
export const CurbEdits = z
  .object({
    created: z.array(z.object({ zone: CurbZoneForm, ...madeFrom })).default([]),
    changed: z.array(z.object({ ...seenZone, zone: CurbZoneForm, ...madeFrom })).default([]),
    ended: z.array(z.object(seenZone)).default([]),
    note: z.string().trim().max(500).default(''),
    /** Local day on which the edits take effect; null: now. Names and streets change at once. */
    effective_day: LocalDay.nullable().default(null),
  })
  .refine(
    ({ created, changed, ended }) => created.length + changed.length + ended.length <= maxCurbEdits,
    `At most ${maxCurbEdits} zones at once`,
  )
  .refine(
    ({ changed, ended }) =>
      new Set([...changed, ...ended].map(({ curb_zone_id: id }) => id)).size ===
      changed.length + ended.length,
    'A zone may occur once',
  )
export type CurbEdits = z.infer<typeof CurbEdits>

/** `current` of a refused change set: the zones that another user has changed; null: the zone has ended. */
export const CurbEditConflicts = z.object({
  conflicts: z.array(z.object({ curb_zone_id: CurbId, current: CurbEditZone.nullable() })),
})
export type CurbEditConflicts = z.infer<typeof CurbEditConflicts>

export const curbZoneFields = [
  'geometry',
  'name',
  'street_name',
  'cross_street_start_name',
  'cross_street_end_name',
  'street_side',
  'num_spaces',
  'curb_policy_ids',
] as const satisfies readonly (keyof CurbZoneForm)[]
export type CurbZoneField = (typeof curbZoneFields)[number]

/** What a change set did to one zone. */
export const CurbZoneEdit = z.object({
  act: z.enum(['created', 'changed', 'replaced', 'ended']),
  /** Current id, or the last one of a zone that ended. */
  curb_zone_id: CurbId,
  /** Zones that this one replaces. */
  prev_curb_zone_ids: z.array(CurbId),
  street_name: z.string(),
  street_side: z.string().nullable(),
  fields: z.array(z.enum(curbZoneFields)),
  policies_added: z.array(CurbId),
  policies_removed: z.array(CurbId),
})
export type CurbZoneEdit = z.infer<typeof CurbZoneEdit>

export const CurbChangeSet = z
  .object({
    change_set_id: z.uuid(),
    time: z.string(),
    /** When the change set takes effect; null: at `time`. */
    effective_time: z.string().nullable(),
    by_email: z.string(),
    note: z.string(),
    counts: z.object({
      created: z.number().int(),
      changed: z.number().int(),
      replaced: z.number().int(),
      ended: z.number().int(),
    }),
    edits: z.array(CurbZoneEdit),
  })
  .meta({ id: 'CurbChangeSet' })
export type CurbChangeSet = z.infer<typeof CurbChangeSet>

const regionParams = z.object({ region_id: z.string() })

/** Zones in a box, at most 4,000, or by their ids. */
export const findCurbEditZones = endpoint({
  route: 'POST /regions/{region_id}/curb/edits/zones',
  permission: 'edit_curb_regulations',
  reads: true,
  longBody: true,
  summary: 'Curb zones in force with their editable fields',
  request: {
    params: regionParams,
    body: z.object({ box: Box.nullish(), curb_zone_ids: z.array(CurbId).max(maxCurbEdits).default([]) }),
  },
  response: z.object({ is_complete: z.boolean(), items: z.array(CurbEditZone) }),
})
/**
 * Saves all changes or none. An unusable zone is a 422 with issues that name it, as in
 * `body.changed.3.zone.geometry`; a zone that another user has changed or ended is a 409 with
 * CurbEditConflicts in `current`. `zones` are the created ones followed by the changed ones.
 */
export const saveCurbEdits = endpoint({
  route: 'POST /regions/{region_id}/curb/edits',
  permission: 'edit_curb_regulations',
  longBody: true,
  summary: 'Save drawn and edited curb zones as one change set',
  request: { params: regionParams, body: CurbEdits },
  response: z.object({ change_set: CurbChangeSet, zones: z.array(CurbEditZone) }),
})
export const listCurbChangeSets = endpoint({
  route: 'GET /regions/{region_id}/curb/edits',
  permission: 'edit_curb_regulations',
  summary: 'Change sets of curb zones that were edited by hand, newest first',
  request: {
    params: regionParams,
    query: z.object({ curb_zone_id: CurbId.optional(), ...pageQuery(20, 100) }),
  },
  response: pageSchema(CurbChangeSet),
})
