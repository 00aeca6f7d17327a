import type { Store } from '#server/stores/state.ts'
import type { LocalDay } from '#contract/period.ts'
import type { CurbIndex } from '../store/curb-index.ts'

/** A published policy with the time before a vehicle may return (`curb_metadata.away_time`). */
export interface AwayTime {
  policyId: string
  minutes: number
  /** Null for all zones. */
  zoneIds: ReadonlySet<string> | null
  /** When the policy is in force, ms since 1970, half-open. A null end means that it has not ended. */
  from: number
  to: number | null
  /** Local days on which the policy applies, both included. Null means unlimited. */
  firstDay: LocalDay | null
  lastDay: LocalDay | null
}

/** Reads the policies of a region with an away time. Their shapes are the shapes of curb zones. */
export async function readAwayTimes(store: Store, index: CurbIndex): Promise<AwayTime[]> {
  const rows = await store
    .selectFrom('policy')
    .select(['constant_policy_id', 'fields', 'effective_time', 'superseded_time', 'unpublished_time'])
    .where('region_id', '=', index.regionId)
    .where('effective_time', 'is not', null)
    .orderBy('constant_policy_id')
    .orderBy('effective_time')
    .execute()
  const zoneByShape = new Map<string, string>()
  const awayTimes: AwayTime[] = []
  for (const row of rows) {
    const fields = row.fields as {
      curb_metadata?: { away_time?: number | null } | null
      shape_uuids?: string[]
      start_date?: LocalDay | null
      end_date?: LocalDay | null
    }
    const minutes = fields.curb_metadata?.away_time ?? 0
    if (!(minutes > 0) || row.effective_time === null) continue
    if (!zoneByShape.size) for (const zone of index.zones) zoneByShape.set(zone.shapeId, zone.id)
    const ends = [row.superseded_time, row.unpublished_time].flatMap((time) => time?.getTime() ?? [])
    const shapes = fields.shape_uuids ?? []
    awayTimes.push({
      policyId: row.constant_policy_id,
      minutes,
      zoneIds: shapes.length ? new Set(shapes.flatMap((id) => zoneByShape.get(id) ?? [])) : null,
      from: row.effective_time.getTime(),
      to: ends.length ? Math.min(...ends) : null,
      firstDay: fields.start_date ?? null,
      lastDay: fields.end_date ?? null,
    })
  }
  return awayTimes
}
