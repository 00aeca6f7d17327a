import type { CurbDecision, CurbSituation, CurbUse } from '#contract/curb-rules.ts'
import { curbUses } from '#contract/curb-rules.ts'
import type { CurbCalendar } from './local-days.ts'
import { type CurbUser, type CompiledRuleSet, verdictOf } from './rule-set.ts'
import { isWeekly } from './time-spans.ts'
import { type Moment, type Span, spanOf, timeline } from './timeline.ts'

/** A vehicle and purpose at an instant, in the calendar of a region. */
export interface CurbQuestion extends CurbUser, CurbCalendar {
  /** ms since 1970. */
  at: number
}

const dayMs = 86_400_000
/** A rule of the week changes within 8 days; the other steps are for dates, months and periods. */
const searchDays = [8, 40, 400] as const

/**
 * What the rules say about one use of the curb at an instant, until when, and what applies then. The search for a change ends
 * after 400 days.
 */
export function decide(
  ruleSet: CompiledRuleSet,
  question: CurbQuestion & { activity: CurbUse },
): CurbDecision {
  return decisionsFor(ruleSet, question, [question.activity]).decisions[question.activity]!
}

/** The state of the curb at an instant and the decisions for all uses. For many rule sets, ask with the same object: it has their days. */
export function situationAt(ruleSet: CompiledRuleSet, question: CurbQuestion): CurbSituation {
  const { state, decisions } = decisionsFor(ruleSet, question, curbUses)
  return { state, uses: decisions as CurbSituation['uses'] }
}

/** The steps of the search by question. */
const spansOf = new WeakMap<CurbQuestion, Span[]>()

/** The timeline restarts at the end of each step, which is not a change by itself. */
function searchSpan(question: CurbQuestion, step: number): Span {
  const spans = spansOf.get(question) ?? []
  spansOf.set(question, spans)
  const endOf = (at: number): number => question.at + (searchDays[at] ?? 0) * dayMs
  return (spans[step] ??= spanOf(question, endOf(step - 1), endOf(step)))
}

/** How many steps can find a change of a use: a rule of the week that does not change in the second one never does. */
function stepsFor(use: CurbUse, ruleSet: CompiledRuleSet): number {
  const spans = ruleSet.byUse[use].flatMap(({ policy }) => policy.spans)
  return spans.length === 0 ? 0 : spans.every(isWeekly) ? 2 : searchDays.length
}

function decisionsFor(ruleSet: CompiledRuleSet, question: CurbQuestion, uses: readonly CurbUse[]) {
  let now: Moment | null = null
  const decisions: Partial<Record<CurbUse, CurbDecision>> = {}
  const steps = new Map(uses.map((use) => [use, stepsFor(use, ruleSet)]))
  let open = [...uses]
  for (let step = 0; step < searchDays.length && (!now || open.length); step++) {
    for (const moment of timeline(ruleSet, question, searchSpan(question, step))) {
      now ??= moment
      const first = now.deciding
      open = open.filter((use) => {
        if (moment.deciding[use] === first[use]) return true
        decisions[use] = {
          ...verdictOf(first[use], use),
          until: moment.from,
          next: verdictOf(moment.deciding[use], use),
          searched_until: moment.from,
        }
        return false
      })
      if (!open.some((use) => step < steps.get(use)!)) break
    }
    open = open.filter((use) => step + 1 < steps.get(use)!)
  }
  if (!now) throw new RangeError(`${question.at} is not an instant`)
  for (const use of uses)
    decisions[use] ??= {
      ...verdictOf(now.deciding[use], use),
      until: null,
      next: null,
      searched_until: question.at + searchDays.at(-1)! * dayMs,
    }
  return { state: now.state, decisions }
}
