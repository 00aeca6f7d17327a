import type { z } from 'zod'
import { startOfDay, endOfDay } from '#contract/civil-clock.ts'
import { csvLine } from '#contract/csv.ts'
import type { getParkingSessionsByMakeModel } from '#contract/parking-sessions.ts'
import type { Region } from '#contract/regions.ts'
import { Problem } from '#server/http/problem.ts'
import { RawResponse } from '#server/http/route.ts'
import {
  type MakeModelSums,
  readParkingByMakeModel,
} from '#server/fleet/reports/read-parking-by-make-model.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'

type Endpoint = typeof getParkingSessionsByMakeModel
type ParkingSessionsQuery = z.output<Endpoint['request']['query']>

const columns = [
  'operator',
  'vehicle_type',
  'make',
  'model',
  'parking_sessions',
  'total_parked_duration',
  'average_parked_duration',
] as const

const toFigures = ({ operator, vehicle_type, sessions, minutes }: MakeModelSums) => ({
  operator,
  vehicle_type,
  parking_sessions: Number(sessions),
  total_parked_duration: minutes,
  average_parked_duration: minutes / Number(sessions),
})

/** Whether JSON is requested: by `format`, or else by an Accept header that contains JSON and not CSV. */
const wantsJson = (format: ParkingSessionsQuery['format'], headers: Headers): boolean => {
  const accept = headers.get('accept') ?? ''
  return format ? format === 'json' : /application\/json/i.test(accept) && !/text\/csv/i.test(accept)
}

/** Returns sessions by make and model, as CSV or JSON. CSV has empty cells where both are unknown. */
export async function readParkingSessions(
  facts: Facts,
  {
    scope,
    region,
    at,
    signal,
    headers,
  }: { scope: Scope; region: Region; at: Date; signal: AbortSignal; headers: Headers },
  { start_date, end_date, operators, vehicle_types: vehicleTypes, format }: ParkingSessionsQuery,
): Promise<z.output<Endpoint['response']> | RawResponse> {
  if (end_date < start_date)
    throw new Problem('validation_error', 'query.end_date: The last day is before the first', [
      { path: 'query.end_date', message: 'The last day is before the first' },
    ])
  const splitList = (text: string | undefined): string[] =>
    (text ?? '').split(',').flatMap((item) => item.trim() || [])
  const rows = await readParkingByMakeModel(
    facts,
    scope,
    {
      regionId: region.regionId,
      from: startOfDay(start_date, region.timezone),
      until: endOfDay(end_date, region.timezone),
      now: at.getTime(),
      operators: splitList(operators),
      vehicleTypes: splitList(vehicleTypes),
    },
    signal,
  )
  const isKnown = ({ make, model }: MakeModelSums): boolean => make !== '' || model !== ''
  const items = rows.filter(isKnown).map((row) => ({ make: row.make, model: row.model, ...toFigures(row) }))
  const unknownItems = rows.filter((row) => !isKnown(row)).map(toFigures)
  if (wantsJson(format, headers)) return { start_date, end_date, items, without_make_model: unknownItems }
  const lines = [...items, ...unknownItems.map((figures) => ({ make: '', model: '', ...figures }))].map(
    (item) => csvLine(columns.map((name) => item[name])),
  )
  return new RawResponse(Buffer.from([csvLine(columns), ...lines, ''].join('\n')), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="parking-sessions-by-make-model_${region.regionId}_${start_date}_${end_date}.csv"`,
    vary: 'Accept',
  })
}
