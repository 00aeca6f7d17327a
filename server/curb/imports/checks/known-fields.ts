import { cdsTimeUnits, type CdsTimeUnit, type CurbActivity, curbActivities } from '#contract/cds.ts'
import type { Findings } from '../curb-format.ts'
import { asText, normalizeKey, normalize, type RawRecord } from './values.ts'

/** CDS activities by their names in CurbLR and in everyday use. */
const activityNames: Record<string, CurbActivity> = {
  standing: 'stopping',
  'no standing': 'no stopping',
  'passenger loading': 'loading',
  park: 'parking',
  load: 'loading',
  stop: 'stopping',
}

/** Renames fields to their spelling in the standard, such as `UserClasses` to `user_classes`. Removes nulls. */
export function renameFields(
  raw: RawRecord,
  fields: readonly string[],
  findings: Findings,
  path: string,
): RawRecord {
  const fieldsByKey = new Map(fields.map((field) => [normalizeKey(field), field]))
  const record: RawRecord = {}
  for (const [key, value] of Object.entries(raw)) {
    const field = fieldsByKey.get(normalizeKey(key))
    if (value === null && field) continue
    if (field && field !== key && !Object.hasOwn(raw, field)) {
      record[field] = value
      findings.repair('spelling', `The field is spelled ${field}.`, path + key)
    } else record[key] = value
  }
  return record
}

/** Reads a time unit in any spelling. Null if the value is none. */
export function readTimeUnit(value: unknown): CdsTimeUnit | null {
  const word = normalize(asText(value)).replace(/s$/, '')
  const abbreviations: Record<string, CdsTimeUnit> = {
    min: 'minute',
    mins: 'minute',
    hr: 'hour',
    h: 'hour',
    sec: 'second',
    mo: 'month',
  }
  return cdsTimeUnits.find((unit) => unit === word) ?? abbreviations[word] ?? null
}

/** Reads an activity in any spelling, including the names of CurbLR. Null if the value is none. */
export function readActivity(value: unknown): CurbActivity | null {
  const word = normalize(asText(value))
  return curbActivities.find((activity) => activity === word) ?? activityNames[word] ?? null
}
