import { civilClock } from '#contract/civil-clock.ts'
import type { CdsPolicy, CdsRate } from '#contract/cds.ts'
import type { CurbWeek, CurbWeekLine, RateWords } from '#contract/curb-rules.ts'
import { dayMs, dayNumber, getWeekday, type LocalDay, minuteMs } from '#contract/period.ts'
import type { CurbCalendar } from './local-days.ts'
import { compileRuleSet, type CompiledRule, type CurbUser, getRuleMinutes } from './rule-set.ts'
import { createSpan, computeTimeline } from './timeline.ts'

/**
 * Returns the rules of the week of a local day as lines, Monday first. Days with the same lines are combined.
 * Times are those that the local clock shows, as if every day had 24 hours.
 */
export function describeWeek(
  policies: readonly CdsPolicy[],
  question: CurbUser & CurbCalendar,
  day: LocalDay,
): CurbWeek {
  const monday = dayNumber(day) - getWeekday(day) + 1
  const ruleSet = compileRuleSet(policies.map((policy) => toLocalClock(policy, question.timezone)))
  const linesByDay = Array.from({ length: 7 }, (_, i) => {
    const midnight = (monday + i) * dayMs
    const span = createSpan({ timezone: 'UTC', periods: question.periods }, midnight, midnight + dayMs)
    const lines: Omit<CurbWeekLine, 'days'>[] = []
    for (const { from, until, state, stateBy } of computeTimeline(ruleSet, question, span)) {
      const line = {
        from: formatTime(from - midnight),
        until: formatTime(until - midnight),
        state,
        ...describeRule(stateBy),
      }
      const lastLine = lines.at(-1)
      if (lastLine && makeContentKey(lastLine) === makeContentKey(line)) lastLine.until = line.until
      else lines.push(line)
    }
    return lines
  })
  const groupsByContent = new Map<string, { days: number[]; lines: Omit<CurbWeekLine, 'days'>[] }>()
  linesByDay.forEach((lines, i) => {
    const content = JSON.stringify(lines)
    const group = groupsByContent.get(content)
    if (group) group.days.push(i + 1)
    else groupsByContent.set(content, { days: [i + 1], lines })
  })
  return {
    monday: new Date(monday * dayMs).toISOString().slice(0, 10),
    lines: [...groupsByContent.values()].flatMap(({ days, lines }) =>
      lines.map((line) => ({ days, ...line })),
    ),
  }
}

/** Returns the policy with its dates shifted, so that a clock in UTC shows them as the local clock does. */
export function toLocalClock(policy: CdsPolicy, timezone: string): CdsPolicy {
  const clock = civilClock(timezone)
  const shift = (ms: number | undefined): number | undefined => {
    if (ms === undefined) return undefined
    const { day, seconds } = clock.local(ms)
    return day * dayMs + seconds * 1000
  }
  return {
    ...policy,
    time_spans: policy.time_spans?.map((span) => ({
      ...span,
      start_date: shift(span.start_date),
      end_date: shift(span.end_date),
    })),
  }
}

/** Returns the time of day, without seconds. */
const formatTime = (ms: number): string => {
  const minutes = Math.floor(ms / minuteMs)
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Returns what readers see of a line besides its times. Successive lines with the same content are merged. */
const makeContentKey = (line: Omit<CurbWeekLine, 'days'>): string =>
  JSON.stringify({ ...line, from: '', until: '', decided_by: null })

const isPermission = ({ effects }: CompiledRule): boolean => effects.stopping === 'allowed'

/** Describes a rule. Limits and rates are those of a permission; a prohibition has none. */
function describeRule(
  deciding: CompiledRule | null,
): Omit<CurbWeekLine, 'days' | 'from' | 'until' | 'state'> {
  const rule = deciding?.rule
  const permission = deciding && isPermission(deciding) ? deciding.rule : undefined
  return {
    decided_by: deciding && { curb_policy_id: deciding.policy.id, rule: deciding.index },
    max_stay: permission ? getRuleMinutes(permission.max_stay, permission.max_stay_unit) : null,
    no_return: permission ? getRuleMinutes(permission.no_return, permission.no_return_unit) : null,
    rates: (permission?.rate ?? []).map(describeRate),
    user_classes: rule?.user_classes ?? [],
    user_classes_except: rule?.user_classes_except ?? [],
    purposes: rule?.purposes ?? [],
  }
}

const describeRate = (rate: CdsRate): RateWords => ({
  rate: rate.rate,
  unit: rate.rate_unit,
  is_calendar: rate.rate_unit_period === 'calendar',
  from: getRuleMinutes(rate.start_duration ?? 0, rate.rate_unit) ?? 0,
  until: getRuleMinutes(rate.end_duration, rate.rate_unit),
  step: getRuleMinutes(rate.increment_duration, rate.rate_unit),
  maximum_fee: rate.maximum_fee ?? null,
})
