import Papa from 'papaparse'
import type { Finding } from '#server/fleet/events/finding.ts'
import { type Fault, faultsText } from './fault.ts'
import { earliestTime, Fields, newReading } from './fields.ts'
import { findingOf } from './finding-of.ts'
import type { MdsContext } from './mds-context.ts'
import { earlierVehicleTypes, vehicleTypes } from './vehicle-words.ts'

export const reportColumns = [
  'provider_id',
  'start_date',
  'duration',
  'special_group_type',
  'geography_id',
  'vehicle_type',
  'trip_count',
  'rider_count',
] as const

/** One row of an MDS report: trips and riders of a group in a month. -1 means fewer than ten. */
export interface ReportRow {
  operator: string
  /** First day of the month, `YYYY-MM-DD`. */
  startDate: string
  group: string
  /** '' for the whole operating area. */
  geographyId: string
  /** The standard's term. */
  vehicleType: string
  tripCount: number
  riderCount: number
}

/** An invalid row as received, and why. */
export interface BadReportRow {
  item: Record<string, string>
  faults: readonly Fault[]
}

const groups: ReadonlySet<string> = new Set(['low_income', 'adaptive_scooter', 'all_riders'])
const types: ReadonlySet<string> = new Set([...vehicleTypes, ...earlierVehicleTypes])
const wholeNumber = /^-?\d{1,12}$/

function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

function readRow(item: Record<string, string>, context: MdsContext): ReportRow | readonly Fault[] {
  const reading = newReading(context)
  // Numbers and nulls are texts in CSV.
  const counts = Object.fromEntries(
    (['trip_count', 'rider_count'] as const).map((key) => [
      key,
      item[key] ? (wholeNumber.test(item[key]) ? Number(item[key]) : item[key]) : undefined,
    ]),
  )
  const named = Object.fromEntries(
    Object.entries(item).map(([key, text]) => [key, text === '' || text === 'null' ? null : text]),
  )
  const fields = new Fields({ ...named, ...counts }, reading)
  fields.provider()
  const startDate = fields.text('start_date')
  if (startDate && !isDay(startDate)) fields.bad('start_date', 'must be a day, as in 2026-01-01')
  else if (startDate && (Date.parse(startDate) < earliestTime || Date.parse(startDate) > context.received))
    fields.bad('start_date', 'must lie between 2018 and its receipt')
  if (fields.needs('duration') && item['duration'] !== 'P1M') fields.bad('duration', 'must be P1M')
  const group = fields.oneOf('special_group_type', groups)
  const geographyId = fields.uuidIfAny('geography_id')
  const vehicleType = fields.oneOf('vehicle_type', types)
  const tripCount = fields.integer('trip_count', -1)
  const riderCount = fields.integer('rider_count', -1)
  return reading.faults.length
    ? reading.faults
    : { operator: context.operator, startDate, group, geographyId, vehicleType, tripCount, riderCount }
}

/** Reads a report of MDS 2.0 (CSV). Null if its header is not that of the standard. */
export function readReports(
  text: string,
  context: MdsContext,
): { rows: ReportRow[]; bad: BadReportRow[]; findings: Finding[] } | null {
  const [header = [], ...lines] = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    delimiter: ',',
    skipEmptyLines: true,
  }).data
  if (
    header.length !== reportColumns.length ||
    !reportColumns.every((name, at) => header[at]?.trim() === name)
  )
    return null
  const [rows, bad, findings]: [ReportRow[], BadReportRow[], Finding[]] = [[], [], []]
  lines.forEach((cells, index) => {
    const item = Object.fromEntries(reportColumns.map((name, at) => [name, (cells[at] ?? '').trim()]))
    const read = readRow(item, context)
    if ('startDate' in read) return void rows.push(read)
    bad.push({ item, faults: read })
    findings.push(findingOf('schema', `line ${index + 2}`, read[0]?.field ?? '', faultsText(read), item))
  })
  return { rows, bad, findings }
}
