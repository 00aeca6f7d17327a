import type { CdsPolicy, CdsRate, CdsRule } from '#contract/cds.ts'
import type { PolicyFinding, PolicyFindingCode } from '#contract/curb-rules.ts'
import { activityEffects, getRuleMinutes } from './rule-set.ts'

/** A finding without its severity, which `checkPolicies` adds. */
export type RuleFinding = Omit<PolicyFinding, 'severity'>

/** The part of a stay that a rate charges, in minutes since the arrival. */
interface RatePart {
  /** Position of the rate in its rule. */
  index: number
  from: number
  until: number
}

const toPart = (
  { start_duration: start, end_duration: end, rate_unit: unit }: CdsRate,
  index: number,
): RatePart => ({
  index,
  from: getRuleMinutes(start ?? 0, unit) ?? 0,
  until: getRuleMinutes(end, unit) ?? Infinity,
})

/** Checks the rates of a rule: they must cover a stay up to its maximum, without gaps and overlaps. */
export function checkRates(policy: CdsPolicy, rule: CdsRule, index: number): RuleFinding[] {
  const rates = rule.rate ?? []
  if (rates.length === 0) return []
  const findings: RuleFinding[] = []
  const add = (code: PolicyFindingCode, field: string, message: string): void => {
    findings.push({ code, curb_policy_id: policy.curb_policy_id, rule: index, field, message, other: null })
  }
  if (!Object.values(activityEffects[rule.activity]).includes('allowed')) {
    add('rate_of_prohibition', 'rate', `A rule of "${rule.activity}" has no rates. Remove them.`)
    return findings
  }
  rates.forEach(({ increment_duration: step, start_duration: start = 0, end_duration: end }, i) => {
    if (step !== undefined && end !== undefined && end > start && (end - start) % step !== 0)
      add(
        'rate_increment',
        `rate[${i}].increment_duration`,
        'The duration of the rate is not a multiple of its increment, so the last increment is shorter. Check both.',
      )
  })
  const parts: RatePart[] = []
  for (const part of rates.map(toPart))
    if (part.until <= part.from)
      add(
        'rate_empty',
        `rate[${part.index}].end_duration`,
        'The rate ends before it starts. Correct its durations.',
      )
    else parts.push(part)
  const maxStay = getRuleMinutes(rule.max_stay, rule.max_stay_unit) ?? Infinity
  let coveredUntil = 0
  for (const { index: rateIndex, from, until } of parts.sort((a, b) => a.from - b.from)) {
    if (from < coveredUntil)
      add(
        'rate_overlap',
        `rate[${rateIndex}].start_duration`,
        `Two rates apply from ${formatDuration(from)} to ${formatDuration(Math.min(until, coveredUntil))}. Let one end where the next one starts.`,
      )
    else if (from > coveredUntil && coveredUntil < maxStay)
      add(
        'rate_gap',
        `rate[${rateIndex}].start_duration`,
        `No rate applies from ${formatDuration(coveredUntil)} to ${formatDuration(Math.min(from, maxStay))}. Add a rate; it may be 0.`,
      )
    coveredUntil = Math.max(coveredUntil, until)
  }
  if (coveredUntil < maxStay && parts.length > 0)
    add(
      'rate_too_short',
      maxStay === Infinity ? 'rate' : 'max_stay',
      maxStay === Infinity
        ? `The rates end at ${formatDuration(coveredUntil)}, but there is no maximum stay. Add a rate without an end, or a maximum stay.`
        : `The rates end at ${formatDuration(coveredUntil)}, before the maximum stay of ${formatDuration(maxStay)}. Add a rate for the rest.`,
    )
  return findings
}

function formatDuration(minutes: number): string {
  if (minutes === Infinity) return 'the end of the stay'
  const isWholeHours = minutes >= 60 && minutes % 60 === 0
  return isWholeHours ? `${minutes / 60} h` : `${Number(minutes.toFixed(2))} min`
}
