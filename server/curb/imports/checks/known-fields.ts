import { cdsTimeUnits, type CdsTimeUnit, type CurbActivity, curbActivities } from '#contract/cds.ts'
import type { Findings } from '../curb-format.ts'
import { asText, plainKey, plainWord, type RawRecord } from './values.ts'

/** Names of activities in CurbLR and in everyday use. */
const activityNames: Record<string, CurbActivity> = {
  standing: 'stopping',
  'no standing': 'no stopping',
  'passenger loading': 'loading',
  park: 'parking',
  load: 'loading',
  stop: 'stopping',
}

/** Spells the known fields of a record as the standard does: `UserClasses` becomes `user_classes`. */
export function withKnownFields(
  raw: RawRecord,
  fields: readonly string[],
  findings: Findings,
  path: string,
): RawRecord {
  const known = new Map(fields.map((each) => [plainKey(each), each]))
  const record: RawRecord = {}
  for (const [key, value] of Object.entries(raw)) {
    const field = known.get(plainKey(key))
    if (value === null && field) continue
    if (field && field !== key && !Object.hasOwn(raw, field)) {
      record[field] = value
      findings.repair('spelling', `The field is spelled ${field}.`, path + key)
    } else record[key] = value
  }
  return record
}

/** Time unit in any spelling; null if it is none. */
export function timeUnitOf(value: unknown): CdsTimeUnit | null {
  const word = plainWord(asText(value)).replace(/s$/, '')
  const short: Record<string, CdsTimeUnit> = {
    min: 'minute',
    mins: 'minute',
    hr: 'hour',
    h: 'hour',
    sec: 'second',
    mo: 'month',
  }
  return cdsTimeUnits.find((each) => each === word) ?? short[word] ?? null
}

/** Activity in any spelling, with CurbLR's names; null if it is none. */
export function activityOf(value: unknown): CurbActivity | null {
  const word = plainWord(asText(value))
  return curbActivities.find((each) => each === word) ?? activityNames[word] ?? null
}
