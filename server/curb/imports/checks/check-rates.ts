import type { CdsRate } from '#contract/cds.ts'
import type { Findings } from '../curb-format.ts'
import { readTimeUnit, renameFields } from './known-fields.ts'
import { asText, isRecord, normalize, type RawRecord, toNumber } from './values.ts'

const rateFields = [
  'rate',
  'rate_unit',
  'rate_unit_period',
  'increment_duration',
  'increment_amount',
  'start_duration',
  'end_duration',
  'maximum_fee',
]
const wholeNumberFields = [
  'increment_duration',
  'increment_amount',
  'start_duration',
  'end_duration',
  'maximum_fee',
] as const

/** Rates of a rule. */
const maxRates = 100

/** Checks the rates of a rule; undefined if it has none. Rates that cannot be read are set aside. */
export function checkRates(raw: unknown, findings: Findings, path: string): CdsRate[] | undefined {
  if (raw === undefined) return undefined
  const list = Array.isArray(raw) ? (raw as unknown[]) : [raw]
  const rates = list
    .slice(0, maxRates)
    .flatMap((rate, index) => checkRate(rate, findings, `${path}[${index}]`) ?? [])
  if (list.length > maxRates)
    findings.repair('too_many', `The rule has more than ${maxRates} rates; the others were left out.`, path)
  if (list.length === 0) findings.repair('empty_list', 'The list of rates is empty; it was left out.', path)
  noteOverlaps(rates, findings, path)
  return rates.length ? rates : undefined
}

/** Checks one rate. Null if it was set aside. */
function checkRate(raw: unknown, findings: Findings, path: string): CdsRate | null {
  if (!isRecord(raw) || Object.keys(raw).length === 0) {
    findings.repair('empty_list', 'A rate without content was left out.', path)
    return null
  }
  const rate = renameFields(raw, rateFields, findings, `${path}.`)
  const amount = toNumber(rate['rate'])
  const unit = readTimeUnit(rate['rate_unit'])
  if (amount === null || amount < 0 || !Number.isInteger(amount) || !unit) {
    findings.repair(
      'rate_set_aside',
      unit
        ? 'The rate is not a whole number of minor units (such as cents); it was set aside.'
        : 'The rate has no valid unit; it was set aside.',
      path,
    )
    return null
  }
  if (rate['rate'] !== amount || rate['rate_unit'] !== unit)
    findings.repair('spelling', `The rate was read as ${amount} per ${unit}.`, path)
  rate['rate'] = amount
  rate['rate_unit'] = unit
  return checkMembers(rate, findings, path)
}

/** Checks the numbers and the period of a rate. Null if the rate was set aside. */
function checkMembers(rate: RawRecord, findings: Findings, path: string): CdsRate | null {
  for (const field of wholeNumberFields) {
    if (rate[field] === undefined) continue
    const number = toNumber(rate[field])
    const min = field.startsWith('increment') ? 1 : 0
    if (number === null || !Number.isInteger(number) || number < min) {
      findings.repair(
        'rate_set_aside',
        `The rate was set aside because its ${field} is not valid.`,
        `${path}.${field}`,
      )
      return null
    }
    if (rate[field] !== number)
      findings.repair('bad_value', `${field} is a text; it was read as a number.`, `${path}.${field}`)
    rate[field] = number
  }
  const { rate_unit_period: period } = rate
  if (period !== undefined && period !== 'rolling' && period !== 'calendar') {
    const word = normalize(asText(period))
    if (word !== 'rolling' && word !== 'calendar') {
      findings.repair(
        'rate_set_aside',
        'The rate was set aside because its rate_unit_period is not valid.',
        path,
      )
      return null
    }
    rate['rate_unit_period'] = word
    findings.repair('spelling', `rate_unit_period was read as ${word}.`, path)
  }
  return rate as CdsRate
}

/** Notes rates that overlap or never apply. */
function noteOverlaps(rates: readonly CdsRate[], findings: Findings, path: string): void {
  const parts = rates
    .map(({ start_duration: start = 0, end_duration: end = Infinity }) => ({ start, end }))
    .toSorted((a, b) => a.start - b.start)
  if (parts.some(({ start }, index) => index > 0 && start < (parts[index - 1]?.end ?? 0)))
    findings.note('overlapping_rates', 'Two rates apply to the same part of a stay.', path)
  if (parts.some(({ start, end }) => end <= start))
    findings.note('never_applies', 'A rate ends before it starts.', path)
}
