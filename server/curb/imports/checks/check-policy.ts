import {
  CdsPolicyContent,
  type CdsRule,
  type CdsTimeUnit,
  wellKnownPurposes,
  wellKnownUserClasses,
} from '#contract/cds.ts'
import type { Findings } from '../curb-format.ts'
import type { StagedPolicy } from '../../store/staged.ts'
import { checkRates } from './check-rates.ts'
import { checkTimeSpans } from './check-time-spans.ts'
import { readActivity, readTimeUnit, renameFields } from './known-fields.ts'
import { asText, isRecord, normalize, type RawRecord, toMilliseconds, toNumber, toText } from './values.ts'

/** The priority of policies without one. They come after all others. */
export const lastPriority = 99
const maxPriority = 1_000_000

const policyFields = [
  'curb_policy_id',
  'published_date',
  'name',
  'description',
  'priority',
  'rules',
  'time_spans',
]
const ruleFields = [
  'name',
  'description',
  'activity',
  'max_stay',
  'max_stay_unit',
  'no_return',
  'no_return_unit',
  'user_classes',
  'user_classes_except',
  'purposes',
  'rate',
]

/**
 * Checks a CDS policy: spelling, empty lists, times, rates and user classes. Rules that cannot be read are
 * set aside and reported. Returns null and refuses the policy if no rule is left, or if it is unclear when it
 * applies.
 */
export function checkPolicy(raw: unknown, findings: Findings, path = ''): StagedPolicy | null {
  if (!isRecord(raw)) {
    findings.refuse('not_a_record', 'The policy is not an object with fields.', path || null)
    return null
  }
  const policy = renameFields(raw, policyFields, findings, path)
  policy['priority'] = readPriority(policy['priority'], findings, path)
  checkTexts(policy, findings, path)
  const published = toMilliseconds(policy['published_date'])
  if (published) policy['published_date'] = published.ms
  else delete policy['published_date']
  const rules = toList(policy['rules'])
  if (!Array.isArray(rules) || !rules.some((rule) => isRecord(rule) && Object.keys(rule).length)) {
    findings.refuse('no_rules', 'The policy has no rules.', `${path}rules`)
    return null
  }
  const validRules = rules.flatMap((rule, index) => checkRule(rule, findings, `${path}rules[${index}]`) ?? [])
  if (!validRules.length) {
    findings.refuse('no_rules', 'No rule of the policy could be read.', `${path}rules`)
    return null
  }
  policy['rules'] = validRules
  const spans = checkTimeSpans(policy['time_spans'], findings, `${path}time_spans`)
  if (spans === 'refused') return null
  if (spans) policy['time_spans'] = spans
  else delete policy['time_spans']
  return requirePolicyFits(policy, findings, path)
}

/** Wraps a record in place of a list in a list. Other values are returned unchanged. */
const toList = (value: unknown): unknown => (isRecord(value) ? [value] : value)

/** Refuses a policy that does not fit CDS. */
function requirePolicyFits(policy: RawRecord, findings: Findings, path: string): StagedPolicy | null {
  const parsed = CdsPolicyContent.safeParse(policy)
  if (parsed.success) return parsed.data as StagedPolicy
  const [issue] = parsed.error.issues
  findings.refuse(
    'bad_value',
    `A value does not fit CDS: ${issue?.message ?? 'unknown'}`,
    path + (issue?.path.join('.') ?? ''),
  )
  return null
}

/** Reads the priority of a policy; `lastPriority` if it is not valid. */
function readPriority(value: unknown, findings: Findings, path: string): number {
  const number = toNumber(value)
  if (number !== null && Number.isInteger(number) && number >= 0 && number <= maxPriority) {
    if (typeof value !== 'number')
      findings.repair('bad_value', 'The priority is a text; it was read as a number.', `${path}priority`)
    return number
  }
  findings.repair(
    'missing_priority',
    `The policy has no valid priority; it comes last (${lastPriority}).`,
    `${path}priority`,
  )
  return lastPriority
}

function checkTexts(record: RawRecord, findings: Findings, path: string): void {
  for (const [field, max] of [
    ['name', 500],
    ['description', 5000],
  ] as const) {
    if (record[field] === undefined) continue
    const text = toText(record[field], max)
    if (text === null) delete record[field]
    else {
      if (typeof record[field] === 'string' && record[field].length > max)
        findings.repair('bad_value', `The text was cut to ${max} characters.`, path + field)
      record[field] = text
    }
  }
}

/** A rule that is being checked. The checks replace its values by those that they read. */
interface RuleCheck {
  rule: RawRecord
  findings: Findings
  path: string
}

/** Checks a rule of a policy; null if it was set aside. */
function checkRule(raw: unknown, findings: Findings, path: string): CdsRule | null {
  if (!isRecord(raw) || Object.keys(raw).length === 0) {
    findings.repair('rule_set_aside', 'A rule without content was left out.', path)
    return null
  }
  const rule = renameFields(raw, ruleFields, findings, `${path}.`)
  const { activity } = rule
  if (activity === undefined || activity === '') {
    findings.repair('no_activity', 'The rule has no activity and was set aside.', `${path}.activity`)
    return null
  }
  const knownActivity = readActivity(activity)
  if (!knownActivity) {
    findings.repair(
      'unknown_activity',
      `The activity “${asText(activity).slice(0, 60)}” is not known; the rule was set aside.`,
      `${path}.activity`,
    )
    return null
  }
  if (knownActivity !== activity)
    findings.repair('spelling', `The activity was read as ${knownActivity}.`, `${path}.activity`)
  rule['activity'] = knownActivity
  checkTexts(rule, findings, `${path}.`)
  const check: RuleCheck = { rule, findings, path }
  for (const field of ['max_stay', 'no_return'] as const) if (!checkDuration(check, field)) return null
  checkWords(check, 'user_classes', wellKnownUserClasses)
  checkWords(check, 'user_classes_except', wellKnownUserClasses)
  checkWords(check, 'purposes', wellKnownPurposes)
  const rates = checkRates(rule['rate'], findings, `${path}.rate`)
  if (rates) rule['rate'] = rates
  else delete rule['rate']
  return rule as CdsRule
}

/** Lengths of the units that always have the same length. */
const secondsPerUnit: Partial<Record<CdsTimeUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
}

/** Checks a limit. Returns whether the rule can be used; without its limit, stays would be unlimited. */
function checkDuration({ rule, findings, path }: RuleCheck, field: 'max_stay' | 'no_return'): boolean {
  const unitField = `${field}_unit`
  const unit = rule[unitField] === undefined ? 'minute' : readTimeUnit(rule[unitField])
  if (rule[unitField] !== undefined && unit && rule[unitField] !== unit) {
    rule[unitField] = unit
    findings.repair('spelling', `The unit was read as ${unit}.`, `${path}.${unitField}`)
  }
  const value = rule[field]
  if (value === undefined || value === '') {
    delete rule[field]
    if (!unit) delete rule[unitField]
    return true
  }
  const number = toNumber(value)
  if (number === null || number < 0 || !unit) {
    findings.repair(
      'rule_set_aside',
      `The rule was set aside because its ${field} is not valid.`,
      `${path}.${field}`,
    )
    return false
  }
  if (Number.isInteger(number)) {
    if (typeof value !== 'number')
      findings.repair('bad_value', `${field} is a text; it was read as a number.`, `${path}.${field}`)
    rule[field] = number
    return true
  }
  const seconds = Math.round(number * (secondsPerUnit[unit] ?? Number.NaN))
  if (!Number.isFinite(seconds)) {
    findings.repair(
      'rule_set_aside',
      `The rule was set aside because its ${field} is not a whole number.`,
      `${path}.${field}`,
    )
    return false
  }
  const isMinutes = seconds % 60 === 0
  rule[field] = isMinutes ? seconds / 60 : seconds
  rule[unitField] = isMinutes ? 'minute' : 'second'
  findings.repair(
    'bad_value',
    `${field} is not a whole number; it was converted to ${isMinutes ? 'minutes' : 'seconds'}.`,
    `${path}.${field}`,
  )
  return true
}

/** Words of a list. */
const maxWords = 100

/** Checks a list of user classes or purposes. Values that are not well known are reported, but retained. */
function checkWords({ rule, findings, path }: RuleCheck, field: string, wellKnown: readonly string[]): void {
  const value = rule[field]
  if (value === undefined) return
  const single = typeof value === 'string' && value !== '' ? [value] : []
  const list = Array.isArray(value) ? (value as unknown[]) : single
  if (!Array.isArray(value) && list.length)
    findings.repair('bad_value', 'One value in place of a list was read as a list.', `${path}.${field}`)
  const words: string[] = []
  for (const item of list.slice(0, maxWords)) {
    const text = toText(item, 100)
    if (text === null) continue
    const wellKnownWord = wellKnown.find((word) => normalize(word) === normalize(text))
    if (wellKnownWord && wellKnownWord !== text)
      findings.repair('spelling', `“${text}” was read as ${wellKnownWord}.`, `${path}.${field}`)
    if (!wellKnownWord)
      findings.note(
        'unknown_user_class',
        `“${text}” is not a well-known value of ${field}.`,
        `${path}.${field}`,
      )
    const word = wellKnownWord ?? text
    if (!words.includes(word)) words.push(word)
  }
  if (list.length > maxWords)
    findings.repair(
      'too_many',
      `${field} has more than ${maxWords} values; the others were left out.`,
      `${path}.${field}`,
    )
  if (words.length) rule[field] = words
  else {
    delete rule[field]
    findings.repair('empty_list', `${field} has no values; it was left out.`, `${path}.${field}`)
  }
}
