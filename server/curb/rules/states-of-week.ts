import type { CurbTransition } from '#contract/curb-rules.ts'
import type { CurbCalendar } from './local-days.ts'
import type { CurbUser, CompiledRuleSet } from './rule-set.ts'
import { type Span, spanOf, timeline } from './timeline.ts'

/** A vehicle and purpose, in the calendar of a region. */
export interface StatesQuestion extends CurbUser, CurbCalendar {}

/** The states of a curb from `from` to `until`, ms since 1970: the first one begins at `from`, each differs from the former. */
export function statesOfWeek(
  ruleSet: CompiledRuleSet,
  question: StatesQuestion,
  from: number,
  until: number,
): CurbTransition[] {
  return statesIn(ruleSet, question, spanOf(question, from, until))
}

function statesIn(ruleSet: CompiledRuleSet, user: CurbUser, span: Span): CurbTransition[] {
  const transitions: CurbTransition[] = []
  for (const { from, state } of timeline(ruleSet, user, span))
    if (transitions.at(-1)?.[1] !== state) transitions.push([from, state])
  return transitions
}
