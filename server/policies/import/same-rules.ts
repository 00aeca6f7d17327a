import { type MdsRule, mdsDays } from '#contract/mds-policy.ts'
import { canonicalText } from '../canonical-text.ts'

const sorted = (values: readonly string[] | null | undefined): string[] | null =>
  values?.length ? [...new Set(values)].sort() : null

/** What a rule asks, whatever it is called: what is left out, null and the standard's defaults are one. */
function meaning(rule: MdsRule): string {
  const { rule_type: type, states, rate_amount: amount, days } = rule
  const from = (rule.start_time ?? '00:00:00').padEnd(8, ':00')
  const until = (rule.end_time ?? '23:59:59').padEnd(8, ':00').replace(/^24:00:00$/, '23:59:59')
  const named = Object.entries(states ?? {})
  return canonicalText({
    type,
    units: rule.rule_units ?? (type === 'count' ? 'devices' : null),
    geographies: sorted(rule.geographies),
    states: named.length ? Object.fromEntries(named.map(([state, events]) => [state, sorted(events)])) : null,
    vehicles: sorted(rule.vehicle_types),
    drives: sorted(rule.propulsion_types),
    access: sorted(rule.accessibility_options),
    bounds: [
      rule.minimum || null,
      rule.maximum ?? null,
      rule.inclusive_minimum ?? true,
      rule.inclusive_maximum ?? true,
    ],
    rate:
      amount == null
        ? null
        : [amount, rule.rate_recurrence ?? null, rule.rate_applies_when ?? 'out_of_bounds'],
    window: [from, until, days?.length && days.length < mdsDays.length ? sorted(days) : null],
    messages: Object.keys(rule.messages ?? {}).length ? rule.messages : null,
    value: rule.value_url ?? null,
  })
}

/** Whether two lists of rules ask the same, in whatever order and by whatever names. */
export const sameRules = (a: readonly MdsRule[], b: readonly MdsRule[]): boolean =>
  a.length === b.length && canonicalText(a.map(meaning).sort()) === canonicalText(b.map(meaning).sort())
