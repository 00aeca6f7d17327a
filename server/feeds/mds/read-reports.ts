import Papa from 'papaparse'
import type { Finding } from '#server/fleet/events/feed-records.ts'
import { type FieldError, describeErrors } from './field-error.ts'
import { earliestTime, Fields, createReading } from './fields.ts'
import { createFinding } from './create-finding.ts'
import type { MdsContext } from './mds-context.ts'
import { earlierVehicleTypes, vehicleTypes } from './vehicle-words.ts'

/** The columns of a report, in this order. */
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

/** A row of an MDS report: the trips and riders of a group in a month. -1 means fewer than ten. */
export interface ReportRow {
  operator: string
  /** The first day of the month, `YYYY-MM-DD`. */
  startDate: string
  group: string
  /** '' for the entire operating area. */
  geographyId: string
  /** A vehicle type of MDS. */
  vehicleType: string
  tripCount: number
  riderCount: number
}

/** An invalid row as received, with its errors. */
export interface BadReportRow {
  item: Record<string, string>
  errors: readonly FieldError[]
}

const specialGroupTypes: ReadonlySet<string> = new Set(['low_income', 'adaptive_scooter', 'all_riders'])
const reportVehicleTypes: ReadonlySet<string> = new Set([...vehicleTypes, ...earlierVehicleTypes])
const integerPattern = /^-?\d{1,12}$/

/** Returns whether a text is an existing day, `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function readRow(item: Record<string, string>, context: MdsContext): ReportRow | readonly FieldError[] {
  const reading = createReading(context)
  // CSV has no types: counts are converted to numbers, and empty cells to null.
  const readCount = (cell: string | undefined): string | number | undefined =>
    cell && integerPattern.test(cell) ? Number(cell) : cell || undefined
  const counts = { trip_count: readCount(item['trip_count']), rider_count: readCount(item['rider_count']) }
  const cells = Object.fromEntries(
    Object.entries(item).map(([key, text]) => [key, text === '' || text === 'null' ? null : text]),
  )
  const fields = new Fields({ ...cells, ...counts }, reading)
  fields.checkProvider()
  const startDate = fields.text('start_date')
  if (startDate && !isDay(startDate)) fields.addError('start_date', 'must be a day, as in 2026-01-01')
  else if (startDate && (Date.parse(startDate) < earliestTime || Date.parse(startDate) > context.received))
    fields.addError('start_date', 'must be between 2018 and its receipt')
  if (fields.requires('duration') && item['duration'] !== 'P1M') fields.addError('duration', 'must be P1M')
  const group = fields.oneOf('special_group_type', specialGroupTypes)
  const geographyId = fields.optionalUuid('geography_id')
  const vehicleType = fields.oneOf('vehicle_type', reportVehicleTypes)
  const tripCount = fields.integer('trip_count', -1)
  const riderCount = fields.integer('rider_count', -1)
  return reading.errors.length
    ? reading.errors
    : { operator: context.operator, startDate, group, geographyId, vehicleType, tripCount, riderCount }
}

/** Reads a report of MDS 2.0 (CSV). Returns null if its header is not that of the standard. */
export function readReports(
  text: string,
  context: MdsContext,
): { rows: ReportRow[]; badRows: BadReportRow[]; findings: Finding[] } | null {
  const [header = [], ...lines] = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    delimiter: ',',
    skipEmptyLines: true,
  }).data
  if (
    header.length !== reportColumns.length ||
    !reportColumns.every((name, index) => header[index]?.trim() === name)
  )
    return null
  const rows: ReportRow[] = []
  const badRows: BadReportRow[] = []
  const findings: Finding[] = []
  lines.forEach((cells, lineIndex) => {
    const item = Object.fromEntries(reportColumns.map((name, index) => [name, (cells[index] ?? '').trim()]))
    const result = readRow(item, context)
    if ('startDate' in result) return void rows.push(result)
    badRows.push({ item, errors: result })
    // Lines are numbered from 1, and the first one is the header.
    findings.push(
      createFinding({
        kind: 'schema',
        recordId: `line ${lineIndex + 2}`,
        field: result[0]?.field ?? '',
        reason: describeErrors(result),
        item,
      }),
    )
  })
  return { rows, badRows, findings }
}
