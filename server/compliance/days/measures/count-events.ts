import { type Sql, sql } from '#server/stores/sql.ts'
import { borderOf } from '../border.ts'
import { type DayFigure, limits, type Measuring, piecesOf } from '../measuring.ts'
import { byGround, inAreas } from '../queries/in-grounds.ts'
import { momentsInPieces } from '../queries/pieces.ts'

interface Row { w: number; operator: string; ground: number; events: string; vehicles: string; known: string; open: number }
interface Place { w: number; operator: string; ground: number; lon: number; lat: number; accuracy: number }

/** Events with a moment and a place, in each window and ground; `w` from 1 up. */
export const placedEvents = ({ asked, rule, windows, indexes }: Measuring, events: Sql): Sql => byGround(inAreas(momentsInPieces(events, piecesOf(windows, asked.now)), indexes), rule.places === 'union')

const keyOf = ({ w, operator, ground }: Pick<Row, 'w' | 'operator' | 'ground'>): string => `${w} ${ground} ${operator}`

/** Events of which `breaks` is true by window, operator and ground; `opens`: those that may still become so. */
export async function countEvents(measuring: Measuring, events: Sql, breaks: Sql, opens = sql`0`): Promise<DayFigure[]> {
  const { facts, scope, rule, signal } = measuring
  const asking = { ...limits, ...(signal ? { signal } : {}) }
  const placed = placedEvents(measuring, events)
  const rows = await facts.rows<Row>(
    scope,
    sql`select w, operator, ground, countIf(${breaks}) as events, uniqExactIf(device_id, ${breaks}) as vehicles, countIf(${breaks} and accuracy > 0) as known, max(${opens}) as open from (${placed}) group by w, operator, ground`,
    asking,
  )
  const uncertain = new Map<string, number>()
  if (rows.some(({ known }) => known !== '0')) {
    const border = borderOf(rule)
    for (const place of await facts.rows<Place>(scope, sql`select w, operator, ground, lon, lat, accuracy from (${placed}) where ${breaks} and accuracy > 0`, asking))
      if (border(place.ground, place.lon, place.lat, place.accuracy)) uncertain.set(keyOf(place), (uncertain.get(keyOf(place)) ?? 0) + 1)
  }
  return rows.map((row) => ({ day: row.w - 1, operator: row.operator, ground: row.ground, measured: Number(row.events), vehicles: Number(row.vehicles), uncertain: uncertain.get(keyOf(row)) ?? 0, open: Number(row.open) > 0 }))
}
