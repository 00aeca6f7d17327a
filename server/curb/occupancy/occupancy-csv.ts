import type { OccupancyResponse } from '#contract/curb-occupancy.ts'
import { csvLine } from '#contract/csv.ts'

/** Returns the occupancy by zone and hour of the day as CSV. */
export function writeOccupancyCsv({ kind, start_date, end_date, zones }: OccupancyResponse): string {
  const header = [
    'curb_zone_id',
    'street_name',
    'street_side',
    'name',
    'kind',
    'source',
    'first_day',
    'last_day',
    'days',
    'capacity',
    'capacity_basis',
    'coverage',
    'occupancy',
    'occupied_space_hours',
    'known_space_hours',
    ...Array.from({ length: 24 }, (_, hour) => `occupancy_${String(hour).padStart(2, '0')}`),
  ]
  const toText = (value: number | string | null): string => String(value ?? '')
  return [
    header,
    ...zones.map((zone) => [
      zone.curb_zone_id,
      zone.street_name,
      toText(zone.street_side),
      zone.name,
      kind,
      toText(zone.source),
      start_date,
      end_date,
      toText(zone.days),
      toText(zone.capacity),
      toText(zone.capacity_basis),
      toText(zone.coverage),
      toText(zone.occupancy),
      toText(zone.occupied_hours),
      toText(zone.known_hours),
      ...zone.hours.map(toText),
    ]),
  ]
    .map((row) => `${csvLine(row)}\n`)
    .join('')
}
