import { type Sql, sql } from '#server/stores/sql.ts'
import type { Placing } from '../ask-by-shape.ts'
import type { Posed } from '../modes/mode.ts'
import { askedMoments } from './asked-pieces.ts'
import { dropOffEventsOf } from './drop-off-events.ts'
import { factConditions } from './fact-conditions.ts'
import { instant } from '#server/stores/instant.ts'
import { sumsByShape } from '#server/mobility/sums-by-shape.ts'

/** Drop-offs by shape: `events`. */
export function dropOffsByShape({ filters, time, bucket }: Posed, placing: Placing): Sql {
  const events = dropOffEventsOf(
    filters.region_id,
    sql`event_time >= ${instant(time.from)} and event_time < ${instant(time.until)}`,
  )
  const asked = askedMoments(sql`select * from (${events}) where ${factConditions(filters)}`, time, bucket)
  return sumsByShape({
    facts: sql`select lon, lat${bucket ? sql`, bucket` : sql``}, toUInt64(1) as events from (${asked})`,
    keys: bucket ? ['bucket'] : [],
    sums: ['events'],
    ...placing,
  })
}
