import { escaped } from '#server/stores/row-text.ts'
import type { WayRow } from '../queries/way-shapes.ts'
import type { TouchIndex } from './touch-index.ts'

const degrees = (millionths: string): number[] =>
  millionths === '' ? [] : millionths.split(' ').map((each) => Number(each) / 1e6)

/** What a list says of a way, as a line of tab-separated text. */
export function wayShapeLine(way: WayRow, index: TouchIndex, regionId: string, listId: string): string {
  const shapes = index.touchedBy(degrees(way.lons), degrees(way.lats))
  return `${regionId}\t${listId}\t${way.day}\t${escaped(way.operator)}\t${way.trip_id}\t${way.vehicle_type}\t${way.local_hour}\t[${shapes.join(',')}]\t0\t${way.version}\n`
}
