import { setImmediate as nextTurn } from 'node:timers/promises'
import { civilClock } from '#contract/civil-clock.ts'
import type { CountLayout, CountOptions } from '#contract/curb-counts.ts'
import type { OccupancySource } from '#contract/curb-occupancy.ts'
import { hourShift } from '#server/fleet/cubes/cube-clock.ts'
import { type CurbFile, CurbFileError } from '../../imports/curb-format.ts'
import { type TableRecord, readTableRecords } from '../../imports/table/table-records.ts'
import { type CountCell, CountSink } from './count-sink.ts'
import { type FileColumns, recognizeColumns } from './file-columns.ts'
import { createHourlyReader } from './hourly-layout.ts'
import { createSensorWeekReader } from './sensor-week-layout.ts'
import { createIntervalReader, createStateReader } from './interval-layout.ts'
import type { Fields, LayoutContext, LayoutReader } from './layout-reader.ts'
import { createSurveyReader } from './survey-layout.ts'

/** Rows at the beginning of a file from which its layout and formats are detected. */
const maxSample = 20_000

const readers: Readonly<Record<CountLayout, (context: LayoutContext) => LayoutReader>> = {
  sensor_week: createSensorWeekReader,
  sensor_hours: createHourlyReader,
  paid_load: createHourlyReader,
  paid_minutes: createHourlyReader,
  survey: createSurveyReader,
  intervals: createIntervalReader,
  states: createStateReader,
  counts: createHourlyReader,
}

/** The source of counts if the user does not state it. */
const defaultSources: Readonly<Record<CountLayout, OccupancySource>> = {
  sensor_week: 'sensor',
  sensor_hours: 'sensor',
  paid_load: 'payment',
  paid_minutes: 'payment',
  survey: 'survey',
  intervals: 'sensor',
  states: 'sensor',
  counts: 'survey',
}

const layoutsText =
  'sensor hours, averages by weekday and hour, paid load, paid minutes, a survey with a column per time of day, arrivals and departures, or states of sensors'

/** What the beginning of a file shows. */
export interface InspectedFile {
  columns: FileColumns
  sample: Fields[]
  /** The file contains no dates, so the user must choose one. */
  needsDate: boolean
}

/** Reads the beginning of a file. @throws CurbFileError if the layout of its columns is unknown. */
export async function inspectCounts(file: CurbFile): Promise<InspectedFile> {
  const sample: Fields[] = []
  for await (const records of readTableRecords(file)) {
    for (const { fields } of records) if (fields && sample.length < maxSample) sample.push(fields)
    if (sample.length >= maxSample) break
  }
  const [first] = sample
  if (!first) throw new CurbFileError('The file has no rows that can be read.')
  const columns = recognizeColumns(Object.keys(first))
  if (!columns)
    throw new CurbFileError(
      `The columns are of no kind of counts that is known: ${layoutsText}. They are: ${Object.keys(first).join(', ').slice(0, 300)}.`,
    )
  const needsDate =
    columns.layout === 'sensor_week' || (columns.layout === 'survey' && columns.columns.date === undefined)
  return { columns, sample, needsDate }
}

/** Reads a file and passes its sums in batches to `store`. Returns the sink with findings and totals. */
export async function readCountFile(
  file: CurbFile,
  { columns, sample }: InspectedFile,
  {
    timezone,
    options,
    now,
    store,
    onProgress,
  }: {
    timezone: string
    options: CountOptions
    now: number
    store: (cells: CountCell[]) => Promise<void>
    onProgress: (sink: CountSink) => Promise<void>
  },
): Promise<CountSink> {
  const clock = civilClock(timezone)
  const source = options.source ?? defaultSources[columns.layout]
  const sink = new CountSink({ source, clock, shift: hourShift(timezone), now })
  const reader = readers[columns.layout]({ columns, options, clock, sample, sink })
  const hidesRows = columns.layout === 'survey'
  for await (const records of readTableRecords(file)) {
    for (const record of records) addRecord(record)
    if (sink.isFull) await store(sink.flush())
    await nextTurn()
    await onProgress(sink)
  }
  for (const _ of reader.finish?.() ?? []) {
    if (sink.isFull) await store(sink.flush())
    await onProgress(sink)
  }
  await store(sink.flush())
  return sink

  function addRecord(record: TableRecord): void {
    sink.rows++
    if (record.fields) return reader.add({ ...record, fields: record.fields })
    // Fields of a survey may contain parts of plates, which must not be stored.
    const text = hidesRows || typeof record.source !== 'string' ? '' : record.source
    sink.reject(record.row, 'broken_row', 'The row has more or fewer fields than the header.', text)
  }
}
