import { type CdsPolicy, wellKnownPurposes, wellKnownUserClasses } from '#contract/cds.ts'
import { type PolicyFinding, type PolicyFindingCode, policyFindings } from '#contract/curb-rules.ts'
import { dayMs } from '#contract/period.ts'
import { checkPairs } from './check-pairs.ts'
import { checkRates, type RuleFinding } from './check-rates.ts'
import { type CurbCalendar, type DayPart, listLocalDays } from './local-days.ts'
import { compileRuleSet } from './rule-set.ts'
import { findActiveTimes, type CompiledSpan, compileSpan } from './time-spans.ts'

/** The region and time for which policies are checked. */
export interface CheckContext extends CurbCalendar {
  /** Milliseconds since 1970. */
  now: number
  /** User classes and purposes that the city defined besides those that CDS recommends. */
  localClasses?: readonly string[]
}

/** Checks of times look this far ahead, so that they include a leap day. */
const horizonDays = 4 * 366

/** Checks the policies of one zone from now on. Returns findings in the order of the policies. */
export function checkPolicies(policies: readonly CdsPolicy[], context: CheckContext): PolicyFinding[] {
  const days = listLocalDays(context.timezone, context.now, context.now + horizonDays * dayMs)
  const findings = [
    ...policies.flatMap((policy) => [
      ...checkSpans(policy, days, context),
      ...policy.rules.flatMap((rule, index) => [
        ...checkClasses(policy, index, context.localClasses ?? []),
        ...checkRates(policy, rule, index),
      ]),
    ]),
    ...checkPairs(compileRuleSet(policies), days),
  ]
  const positions = new Map(policies.map(({ curb_policy_id: id }, i) => [id, i]))
  return findings
    .map((finding) => ({ ...finding, severity: policyFindings[finding.code] }))
    .sort((a, b) => positions.get(a.curb_policy_id)! - positions.get(b.curb_policy_id)!)
}

/** Finds time spans that are past, never apply, or are probably mistaken. */
function checkSpans(
  policy: CdsPolicy,
  days: readonly DayPart[],
  { now, periods }: CheckContext,
): RuleFinding[] {
  const spans = policy.time_spans ?? []
  const findings: RuleFinding[] = []
  const add = (code: PolicyFindingCode, field: string, message: string): void => {
    findings.push({ code, curb_policy_id: policy.curb_policy_id, rule: null, field, message, other: null })
  }
  const isPast = (span: (typeof spans)[number]): boolean =>
    span.end_date !== undefined && span.end_date <= now
  if (spans.length && spans.every(isPast))
    add(
      'policy_past',
      'time_spans',
      'All time spans of the policy have ended. It no longer applies; remove it from the zone.',
    )
  spans.forEach((span, i) => {
    const field = `time_spans[${i}]`
    if (span.start_date !== undefined && span.end_date !== undefined && span.start_date >= span.end_date)
      return add('span_empty', `${field}.end_date`, 'The time span ends before it starts. Correct its dates.')
    if (isPast(span)) {
      if (!spans.every(isPast))
        add('span_past', `${field}.end_date`, 'The time span has ended. Remove it, or correct its end date.')
      return undefined
    }
    if (!hasDay(compileSpan(span), days))
      add(
        'span_no_day',
        field,
        'No day of the next four years meets all criteria of the time span. Correct its days or months.',
      )
    if (span.time_of_day_end === '23:59')
      add(
        'span_ends_2359',
        `${field}.time_of_day_end`,
        'The last minute of the day is not in the time span. Write 24:00 for the end of the day.',
      )
    if (span.designated_period !== undefined && !periods.has(span.designated_period))
      add(
        'unknown_period',
        `${field}.designated_period`,
        `The region has no days for the period "${span.designated_period}". Add them to the settings, or correct the name.`,
      )
    return undefined
  })
  return findings
}

/** Whether any day meets the criteria of a span. Ignores dates and periods, which may be years ahead. */
function hasDay(span: CompiledSpan, days: readonly DayPart[]): boolean {
  const undated = { ...span, period: null, startDate: -Infinity, endDate: Infinity }
  return findActiveTimes([undated], days, new Map()).length > 0
}

/** Finds user classes and purposes that CDS does not recommend. */
function checkClasses(policy: CdsPolicy, index: number, localNames: readonly string[]): RuleFinding[] {
  const { user_classes: classes = [], user_classes_except: except = [], purposes = [] } = policy.rules[index]!
  // CDS 1.0 lists purposes among the user classes.
  const knownPurposes: readonly string[] = [...wellKnownPurposes, ...localNames]
  const knownClasses: readonly string[] = [...wellKnownUserClasses, ...knownPurposes]
  const toFinding = (name: string, code: PolicyFindingCode, field: string, noun: string): RuleFinding => ({
    code,
    curb_policy_id: policy.curb_policy_id,
    rule: index,
    field,
    message: `${noun} "${name}" is not one that CDS recommends. Check its spelling; other systems may not know it.`,
    other: null,
  })
  const checkUnknownClasses = (field: 'user_classes' | 'user_classes_except', names: readonly string[]) =>
    names
      .filter((name) => !knownClasses.includes(name))
      .map((name) => toFinding(name, 'unknown_user_class', field, 'The user class'))
  return [
    ...checkUnknownClasses('user_classes', classes),
    ...checkUnknownClasses('user_classes_except', except),
    ...purposes
      .filter((name) => !knownPurposes.includes(name))
      .map((name) => toFinding(name, 'unknown_purpose', 'purposes', 'The purpose')),
  ]
}
