import { eventsExtent } from '../queries/drop-offs-extent.ts'
import { dropOffsByShape } from '../queries/drop-offs-by-shape.ts'
import type { Mode } from './mode.ts'
import { sumOf } from './sum-of.ts'

/** Vehicles that operators or the agency put down, by the place, the local day and the hour of it. `n`: events. */
export const dropOffs: Mode = {
  name: 'drop_offs',
  unitOf: (aggregation) => (aggregation === 'daily_drop_offs' ? 'events_per_day' : 'events'),
  isMean: () => false,
  basis: () => null,
  query: dropOffsByShape,
  cubed: () => ({ sums: { events: 'drop_offs' }, byOperator: false }),
  figures(aggregation, { rows, span }) {
    const count = sumOf(rows, 'events')
    const value = aggregation === 'total_drop_offs' ? count : span.days ? count / span.days : null
    return { value, n: count, counts: { count } }
  },
  extent: eventsExtent,
}
