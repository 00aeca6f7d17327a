import { bind, sql } from '#server/stores/sql.ts'
import { type DayFigure, limits, type Measuring, piecesOf, spanOf } from '../measuring.ts'
import { parkingRows } from '../queries/fact-rows.ts'
import { inAreas } from '../queries/in-grounds.ts'
import { momentsInPieces } from '../queries/pieces.ts'
import { countEvents } from './count-events.ts'

const msOfUnit: Readonly<Record<string, number>> = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 }

/** How long a rest may last, ms. */
export const longestRest = ({ policy: { maximum, unit } }: Measuring['rule']): number =>
  maximum === null ? Infinity : maximum * (msOfUnit[unit ?? 'hours'] ?? 3_600_000)

/** Parking events that begin in a ground. */
export const measureParked = (measuring: Measuring): Promise<DayFigure[]> =>
  countEvents(measuring, parkingRows(measuring.asked, spanOf(measuring.windows)), sql`true`)

/** Of those, the ones that last longer than the limit. */
export function measureParkedLonger(measuring: Measuring): Promise<DayFigure[]> {
  const longest = longestRest(measuring.rule)
  if (longest === Infinity) return Promise.resolve([])
  const most = bind('Int64', String(Math.round(longest)))
  return countEvents(
    measuring,
    parkingRows(measuring.asked, spanOf(measuring.windows)),
    sql`length > ${most}`,
    sql`goes_on and length <= ${most}`,
  )
}

interface Share {
  w: number
  operator: string
  events: string
  inside: string
  vehicles: string
}

/** What share of an operator's parking events begins in the grounds, per cent; who has none is left out. */
export async function measureParkedShare({
  facts,
  scope,
  asked,
  windows,
  indexes,
  signal,
}: Measuring): Promise<DayFigure[]> {
  const events = inAreas(
    momentsInPieces(parkingRows(asked, spanOf(windows)), piecesOf(windows, asked.now)),
    indexes,
  )
  const rows = await facts.rows<Share>(
    scope,
    sql`select w, operator, count() as events, countIf(notEmpty(areas)) as inside, uniqExact(device_id) as vehicles from (${events}) group by w, operator`,
    { ...limits, ...(signal ? { signal } : {}) },
  )
  return rows.map(({ w, operator, events: all, inside, vehicles }) => ({
    day: w - 1,
    operator,
    ground: 0,
    measured: (Number(inside) / Number(all)) * 100,
    vehicles: Number(vehicles),
    uncertain: 0,
    open: false,
  }))
}
