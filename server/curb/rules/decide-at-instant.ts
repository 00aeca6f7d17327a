import { type CurbDecision, type CurbSituation, type CurbUse, curbUses } from '#contract/curb-rules.ts'
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

/** Decides one use at an instant, until when, and what comes then, within the next 400 days. */
export function decide(
  ruleSet: CompiledRuleSet,
  question: CurbQuestion & { activity: CurbUse },
): CurbDecision {
  return listDecisions(ruleSet, question, [question.activity]).decisions[question.activity]!
}

/** Returns the state and the decisions for all uses. Local days are cached per `question` object. */
export function describeSituation(ruleSet: CompiledRuleSet, question: CurbQuestion): CurbSituation {
  const { state, decisions } = listDecisions(ruleSet, question, curbUses)
  return { state, uses: decisions as CurbSituation['uses'] }
}

/** The time spans of the search steps, by question. */
const searchSpans = new WeakMap<CurbQuestion, Span[]>()

/** Returns the time span of a search step. The boundary between two steps is not a change of rules. */
function getSearchSpan(question: CurbQuestion, step: number): Span {
  const spans = searchSpans.get(question) ?? []
  searchSpans.set(question, spans)
  const getStepEnd = (index: number): number => question.at + (searchDays[index] ?? 0) * dayMs
  return (spans[step] ??= createSpan(question, getStepEnd(step - 1), getStepEnd(step)))
}

/** Returns in how many steps a change of a use can be found. Weekly rules repeat after the second step. */
function countSteps(use: CurbUse, ruleSet: CompiledRuleSet): number {
  const spans = ruleSet.byUse[use].flatMap(({ policy }) => policy.spans)
  if (spans.length === 0) return 0
  return spans.every(isWeekly) ? 2 : searchDays.length
}

/** Compares each moment with the present one, until a change has been found for each of the uses. */
function listDecisions(ruleSet: CompiledRuleSet, question: CurbQuestion, uses: readonly CurbUse[]) {
  let presentMoment: Moment | null = null
  const decisions: Partial<Record<CurbUse, CurbDecision>> = {}
  const steps = new Map(uses.map((use) => [use, countSteps(use, ruleSet)]))
  let undecidedUses = [...uses]
  for (let step = 0; step < searchDays.length && (!presentMoment || undecidedUses.length); step++) {
    for (const moment of computeTimeline(ruleSet, question, getSearchSpan(question, step))) {
      presentMoment ??= moment
      const presentRules = presentMoment.deciding
      undecidedUses = undecidedUses.filter((use) => {
        if (moment.deciding[use] === presentRules[use]) return true
        decisions[use] = {
          ...toVerdict(presentRules[use], use),
          until: moment.from,
          next: toVerdict(moment.deciding[use], use),
          searched_until: moment.from,
        }
        return false
      })
      if (!undecidedUses.some((use) => step < steps.get(use)!)) break
    }
    undecidedUses = undecidedUses.filter((use) => step + 1 < steps.get(use)!)
  }
  if (!presentMoment) throw new RangeError(`${question.at} is not an instant`)
  for (const use of uses)
    decisions[use] ??= {
      ...toVerdict(presentMoment.deciding[use], use),
      until: null,
      next: null,
      searched_until: question.at + searchDays.at(-1)! * dayMs,
    }
  return { state: presentMoment.state, decisions }
}
