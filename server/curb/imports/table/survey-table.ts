import type { CurbFile } from '../curb-format.ts'
import { type TableRecord, readTableRecords } from './table-records.ts'

/** The columns, first rows and values of a table. */
export interface TableSurvey {
  header: string[]
  /** The first rows that are not broken. */
  sample: TableRecord[]
  hasGeometry: boolean
  /** How often each value of a column occurs, for at most `maxValues` distinct values of a column. */
  values: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** Number of rows with counted values. */
const maxSample = 20_000
/** Number of distinct values of a column that are counted. */
const maxValues = 200
/** Number of rows that are returned. */
const maxRecords = 3000

/** Reads the first rows of a table. */
export async function surveyTable(file: CurbFile): Promise<TableSurvey> {
  const header = new Set<string>()
  const sample: TableRecord[] = []
  const values = new Map<string, Map<string, number>>()
  let rows = 0
  for await (const batch of readTableRecords(file)) {
    for (const record of batch) {
      if (!record.fields || rows >= maxSample) continue
      rows++
      if (sample.length < maxRecords) sample.push(record)
      for (const [name, value] of Object.entries(record.fields)) {
        header.add(name)
        countValue(values, name, value)
      }
    }
    if (rows >= maxSample) break
  }
  return {
    header: [...header],
    sample,
    hasGeometry: sample.some(({ geometry }) => geometry !== null),
    values,
  }
}

function countValue(values: Map<string, Map<string, number>>, name: string, value: string): void {
  let counts = values.get(name)
  if (!counts) values.set(name, (counts = new Map()))
  if (counts.size < maxValues || counts.has(value)) counts.set(value, (counts.get(value) ?? 0) + 1)
}
