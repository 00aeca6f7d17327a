import type { CurbDecision, CurbSituation, CurbUse } from '#contract/curb-rules.ts'
import { curbUses } from '#contract/curb-rules.ts'
import { dayMs } from '#contract/period.ts'
import type { CurbCalendar } from './local-days.ts'
import { type CurbUser, type CompiledRuleSet, toVerdict } from './rule-set.ts'
import { isWeekly } from './time-spans.ts'
import { type Moment, type Span, createSpan, computeTimeline } from './timeline.ts'

/** A question about a vehicle with a purpose at an instant, in the calendar of a region. */
export interface CurbQuestion extends CurbUser, CurbCalendar {
  /** Milliseconds since 1970. */
  at: number
}

/**
 * The search for the next change proceeds in steps that end after these numbers of days, because most changes
 * are near. Rules that only depend on the week change within 8 days; the other steps are for rules with
 * dates, months and periods.
 */
const searchDays = [8, 40, 400] as const

/**
 * Returns what the rules say about one use of the curb at an instant, until when, and what they say then. The
 * search for a change ends after 400 days.
 */
export function decide(
  ruleSet: CompiledRuleSet,
  question: CurbQuestion & { activity: CurbUse },
): CurbDecision {
  return listDecisions(ruleSet, question, [question.activity]).decisions[question.activity]!
}

/**
 * Returns the state of the curb at an instant and the decisions for all uses. For many rule sets, pass the
 * same `question` object: the local days are computed only once per object.
 */
export function describeSituation(ruleSet: CompiledRuleSet, question: CurbQuestion): CurbSituation {
  const { state, decisions } = listDecisions(ruleSet, question, curbUses)
  return { state, uses: decisions as CurbSituation['uses'] }
}

/** The time spans of the search steps, by question. */
const searchSpans = new WeakMap<CurbQuestion, Span[]>()

/** Returns the time span of a search step. The boundary between two steps is not a change of rules. */
function searchSpan(question: CurbQuestion, step: number): Span {
  const spans = searchSpans.get(question) ?? []
  searchSpans.set(question, spans)
  const stepEnd = (index: number): number => question.at + (searchDays[index] ?? 0) * dayMs
  return (spans[step] ??= createSpan(question, stepEnd(step - 1), stepEnd(step)))
}

/**
 * Returns the number of steps in which a change of a use can be found. Rules that only depend on the week
 * repeat after the second step.
 */
function countSteps(use: CurbUse, ruleSet: CompiledRuleSet): number {
  const spans = ruleSet.byUse[use].flatMap(({ policy }) => policy.spans)
  return spans.length === 0 ? 0 : spans.every(isWeekly) ? 2 : searchDays.length
}

/** Compares each moment with the first one, until a change has been found for each of the uses. */
function listDecisions(ruleSet: CompiledRuleSet, question: CurbQuestion, uses: readonly CurbUse[]) {
  let now: Moment | null = null
  const decisions: Partial<Record<CurbUse, CurbDecision>> = {}
  const steps = new Map(uses.map((use) => [use, countSteps(use, ruleSet)]))
  let undecided = [...uses]
  for (let step = 0; step < searchDays.length && (!now || undecided.length); step++) {
    for (const moment of computeTimeline(ruleSet, question, searchSpan(question, step))) {
      now ??= moment
      const first = now.deciding
      undecided = undecided.filter((use) => {
        if (moment.deciding[use] === first[use]) return true
        decisions[use] = {
          ...toVerdict(first[use], use),
          until: moment.from,
          next: toVerdict(moment.deciding[use], use),
          searched_until: moment.from,
        }
        return false
      })
      if (!undecided.some((use) => step < steps.get(use)!)) break
    }
    undecided = undecided.filter((use) => step + 1 < steps.get(use)!)
  }
  if (!now) throw new RangeError(`${question.at} is not an instant`)
  for (const use of uses)
    decisions[use] ??= {
      ...toVerdict(now.deciding[use], use),
      until: null,
      next: null,
      searched_until: question.at + searchDays.at(-1)! * dayMs,
    }
  return { state: now.state, decisions }
}
