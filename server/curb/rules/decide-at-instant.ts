import type { CurbDecision, CurbSituation, CurbUse } from '#contract/curb-rules.ts'
import { curbUses } from '#contract/curb-rules.ts'
import type { CurbCalendar } from './local-days.ts'
import { type CurbUser, type CompiledRuleSet, verdictOf } from './rule-set.ts'
import { type Moment, spanOf, timeline } from './timeline.ts'

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
  return decisionFor(ruleSet, question, question.activity)
}

/** The state of the curb at an instant and the decisions for all uses. */
export function situationAt(ruleSet: CompiledRuleSet, question: CurbQuestion): CurbSituation {
  const { state } = firstMoment(ruleSet, question)
  const uses = curbUses.map((use) => [use, decisionFor(ruleSet, question, use)])
  return { state, uses: Object.fromEntries(uses) as CurbSituation['uses'] }
}

function firstMoment(ruleSet: CompiledRuleSet, question: CurbQuestion): Moment {
  const span = spanOf(question, question.at, question.at + 1)
  for (const moment of timeline(ruleSet, question, span)) return moment
  throw new RangeError(`${question.at} is not an instant`)
}

function decisionFor(ruleSet: CompiledRuleSet, question: CurbQuestion, use: CurbUse): CurbDecision {
  const { at } = question
  const now = firstMoment(ruleSet, question).deciding[use]
  let searched = at
  // The timeline restarts at the end of each step, which is not a change by itself.
  for (const days of searchDays) {
    const span = spanOf(question, searched, at + days * dayMs)
    for (const { from, deciding } of timeline(ruleSet, question, span))
      if (deciding[use] !== now)
        return {
          ...verdictOf(now, use),
          until: from,
          next: verdictOf(deciding[use], use),
          searched_until: from,
        }
    searched = at + days * dayMs
  }
  return { ...verdictOf(now, use), until: null, next: null, searched_until: searched }
}
