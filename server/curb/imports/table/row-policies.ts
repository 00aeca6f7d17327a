import type { CdsRate, CdsRule, CdsTimeSpan, CurbActivity } from '#contract/cds.ts'
import type { CurbColumn, CurbMapping, RateBand } from '#contract/curb-imports.ts'
import type { StagedPolicy } from '../../store/staged.ts'
import type { Findings } from '../curb-format.ts'
import { derivePriority } from '../texts/derived-priority.ts'
import { readHours, toTimesOfDay } from '../texts/read-hours.ts'
import { readAmount, readHourlyRate, readRuleText, readStay } from '../texts/read-rule-text.ts'

export type Fields = Readonly<Record<string, string>>

/** Returns the value of the column with a meaning; '' if none is mapped to it. */
export const getMappedValue = (fields: Fields, mapping: CurbMapping, column: CurbColumn): string => {
  const name = mapping.columns[column]
  return name === undefined ? '' : (fields[name] ?? '')
}

/** The content of a rule except its times. */
interface RuleTerms {
  activity: CurbActivity
  /** Minutes. */
  maxStay: number | null
  /** Minor units. */
  ratePerHour: number | null
  classes: string[]
  purposes: string[]
}

const noWords = /^(0|no|none|n\/a)$/i
const yesWords = /^(1|y|yes|true|t)$/i

/** Returns the policies of a row. Rules with uncertain text are set aside and reported. */
export function readRowPolicies(fields: Fields, mapping: CurbMapping, findings: Findings): StagedPolicy[] {
  const mainPolicies = readMainPolicies(fields, mapping, findings)
  const hoursPolicies = mapping.hours_columns.flatMap(
    ({ column, activity, user_classes: classes, purposes }) => {
      const text = fields[column] ?? ''
      if (text === '' || noWords.test(text)) return []
      const spans = readHours(text)
      if (!spans) {
        findings.repair(
          'text_set_aside',
          `The hours “${text.slice(0, 100)}” are not certain; the rule was set aside.`,
          column,
        )
        return []
      }
      return [toPolicy({ activity, classes, purposes, maxStay: null, ratePerHour: null }, spans)]
    },
  )
  return [...mainPolicies, ...hoursPolicies]
}

/** Returns the policies of the columns for one rule: use, stay, rate and hours, or text. */
function readMainPolicies(fields: Fields, mapping: CurbMapping, findings: Findings): StagedPolicy[] {
  const getValue = (column: CurbColumn): string => getMappedValue(fields, mapping, column)
  const use = findUse(getValue('use'), mapping)
  if (!use) {
    findings.repair(
      'rule_set_aside',
      `The mapping does not say what the use “${getValue('use').slice(0, 60)}” means; the rule was set aside.`,
      mapping.columns.use ?? null,
    )
    return []
  }
  const classes = yesWords.test(getValue('accessible'))
    ? [...new Set([...use.user_classes, 'accessible'])]
    : use.user_classes
  const terms: RuleTerms = {
    activity: use.activity,
    classes,
    purposes: use.purposes,
    maxStay: null,
    ratePerHour: null,
  }
  if (getValue('rule_text') !== '') return toTextPolicy(getValue('rule_text'), terms, mapping, findings)
  if (getValue('max_stay') !== '' && !noWords.test(getValue('max_stay'))) {
    terms.maxStay = readStay(getValue('max_stay'), mapping.stay_unit)
    if (terms.maxStay === null) return setAside(findings, mapping, 'max_stay', getValue('max_stay'))
  }
  terms.ratePerHour = readRate(getValue('rate'), terms.maxStay, mapping, findings)
  const bands = readBandPolicies(fields, mapping, terms, findings)
  if (bands) return bands
  const hours = getValue('hours')
  if (hours !== '' && !/^no restrictions?$/i.test(hours)) {
    const spans = readHours(hours)
    return spans ? [toPolicy(terms, spans)] : setAside(findings, mapping, 'hours', hours)
  }
  const hasTerms =
    terms.maxStay !== null ||
    terms.ratePerHour !== null ||
    getValue('use') !== '' ||
    yesWords.test(getValue('accessible'))
  if (!hasTerms) {
    findings.note('no_rules', 'The row has no rule.')
    return []
  }
  if (mapping.columns.hours !== undefined && hours === '' && terms.ratePerHour !== null) {
    findings.repair(
      'missing_field',
      'The row has a rate and no hours; its rule was set aside.',
      mapping.columns.hours,
    )
    return []
  }
  return [toPolicy(terms, [])]
}

function setAside(findings: Findings, mapping: CurbMapping, column: CurbColumn, text: string): [] {
  findings.repair(
    'text_set_aside',
    `“${text.slice(0, 100)}” is not certain; the rule was set aside.`,
    mapping.columns[column] ?? null,
  )
  return []
}

/** The use of rows without one. */
const parkingUse = { activity: 'parking' as const, user_classes: [] as string[], purposes: [] as string[] }

/** Finds the meaning of a row's use: parking if it has none, null if the mapping does not contain it. */
const findUse = (use: string, mapping: CurbMapping): typeof parkingUse | CurbMapping['uses'][number] | null =>
  mapping.columns.use === undefined || use === ''
    ? parkingUse
    : (mapping.uses.find(({ value }) => value === use) ?? null)

function toTextPolicy(
  text: string,
  terms: RuleTerms,
  mapping: CurbMapping,
  findings: Findings,
): StagedPolicy[] {
  const rule = readRuleText(text)
  if (!rule) return setAside(findings, mapping, 'rule_text', text)
  return [toPolicy({ ...terms, maxStay: rule.maxStayMinutes, ratePerHour: rule.ratePerHour }, rule.spans)]
}

/** Reads the rate in minor units per hour. Null if there is none or it was set aside. */
function readRate(
  text: string,
  maxStay: number | null,
  mapping: CurbMapping,
  findings: Findings,
): number | null {
  if (text === '') return null
  const isHourly = mapping.rate_per === 'hour'
  const amount = isHourly ? readHourlyRate(text) : readAmount(text)
  const perStay = amount === null || maxStay === null ? null : (amount * 60) / maxStay
  const perHour = isHourly ? amount : perStay
  if (perHour === null || !Number.isInteger(perHour)) {
    findings.repair(
      'rate_set_aside',
      `The rate “${text.slice(0, 60)}” is not certain; it was set aside.`,
      mapping.columns.rate ?? null,
    )
    return null
  }
  return perHour || null
}

/** Returns the policies from prices by time of day, one per price. Null if the row has no such prices. */
function readBandPolicies(
  fields: Fields,
  mapping: CurbMapping,
  terms: RuleTerms,
  findings: Findings,
): StagedPolicy[] | null {
  const spansByAmount = new Map<number, CdsTimeSpan[]>()
  let hasPrices = false
  for (const band of mapping.bands) {
    const rate = fields[band.rate] ?? ''
    const start = fields[band.start] ?? ''
    const end = fields[band.end] ?? ''
    if (rate === '' || (start === '' && end === '') || (rate === '0' && start === end)) continue
    hasPrices = true
    const amount = readAmount(rate)
    const span = readBandSpan(start, end, band)
    if (amount === null || !span) {
      findings.repair(
        'rate_set_aside',
        `The price “${rate}” from “${start}” to “${end}” is not certain; it was set aside.`,
        band.rate,
      )
      continue
    }
    const spans = spansByAmount.get(amount) ?? []
    spansByAmount.set(amount, spans)
    const sameTimes = spans.find(
      (other) =>
        other.time_of_day_start === span.time_of_day_start && other.time_of_day_end === span.time_of_day_end,
    )
    if (sameTimes) sameTimes.days_of_week = [...(sameTimes.days_of_week ?? []), ...band.days]
    else spans.push({ ...span, days_of_week: [...band.days] })
  }
  if (!hasPrices) return null
  return [...spansByAmount].map(([amount, spans]) =>
    toPolicy({ ...terms, ratePerHour: amount || null }, joinTimes(spans)),
  )
}

/** Joins successive time spans on the same days. */
function joinTimes(spans: readonly CdsTimeSpan[]): CdsTimeSpan[] {
  const joined: CdsTimeSpan[] = []
  for (const span of spans.toSorted((a, b) =>
    (a.time_of_day_start ?? '').localeCompare(b.time_of_day_start ?? ''),
  )) {
    const previous = joined.find(
      (other) =>
        other.time_of_day_end === span.time_of_day_start &&
        String(other.days_of_week) === String(span.days_of_week),
    )
    if (previous && span.time_of_day_end !== undefined) previous.time_of_day_end = span.time_of_day_end
    else joined.push({ ...span })
  }
  return joined
}

function readBandSpan(start: string, end: string, { days }: RateBand): CdsTimeSpan | null {
  const from = readBandMinutes(start)
  const until = readBandMinutes(end)
  if (from === null || until === null || !days.length) return null
  // Some tables have the last minute of a span instead of its end, such as 659 for 11:00.
  return toTimesOfDay({ from, until: until % 60 === 59 ? until + 1 : until })
}

/** Reads minutes after midnight, or a time in words. Null if it is neither. */
function readBandMinutes(text: string): number | null {
  if (/^\d{1,4}(\.0+)?$/.test(text)) return Number(text) <= 1440 ? Number(text) : null
  // The parser only reads ranges, so the time becomes the start of one.
  const spans = readHours(`${text} - ${text === '12AM' ? '1AM' : '12AM'}`)
  const [hours, minutes] = (spans?.[0]?.time_of_day_start ?? '').split(':').map(Number)
  if (hours === undefined || minutes === undefined) return spans ? 0 : null
  return hours * 60 + minutes
}

function toPolicy(
  { activity, classes, purposes, maxStay, ratePerHour }: RuleTerms,
  spans: CdsTimeSpan[],
): StagedPolicy {
  const rate: CdsRate[] = ratePerHour === null ? [] : [{ rate: ratePerHour, rate_unit: 'hour' }]
  const rule: CdsRule = {
    activity,
    ...(maxStay === null ? {} : { max_stay: maxStay, max_stay_unit: 'minute' as const }),
    ...(classes.length ? { user_classes: classes } : {}),
    ...(purposes.length ? { purposes } : {}),
    ...(rate.length ? { rate } : {}),
  }
  const hasUsers = classes.length > 0 || purposes.length > 0
  return {
    priority: derivePriority(activity, {
      hasUsers,
      hasTimes: spans.length > 0,
      period: spans[0]?.designated_period,
    }),
    rules: [rule],
    ...(spans.length ? { time_spans: spans } : {}),
  }
}
