import fc from 'fast-check'
import { expect, test } from 'vitest'
import { curbUses, type CurbVerdict } from '#contract/curb-rules.ts'
import { dayMs, minuteMs } from '#contract/period.ts'
import { anyCase } from '../../../test/curb/any-policies.ts'
import { plainState, plainVerdict } from '../../../test/curb/plain-decision.ts'
import { decide, describeSituation } from './decide-at-instant.ts'
import { compileRuleSet } from './rule-set.ts'
import { createSpan, computeTimeline } from './timeline.ts'

/** Set CURB_RULES_RUNS=10000 for a longer search. */
const settings = { numRuns: Number(process.env['CURB_RULES_RUNS'] ?? 60) }

const toComparable = ({ answer, decided_by: by, max_stay }: CurbVerdict) => ({
  answer,
  by: by && [by.curb_policy_id, by.rule],
  max_stay,
})

test('The rule engine decides like the reference until the returned instant', () => {
  fc.assert(
    fc.property(anyCase, fc.constantFrom(...curbUses), ({ policies, question }, use) => {
      const decision = decide(compileRuleSet(policies), { ...question, activity: use })
      const plainAt = (at: number) => plainVerdict(policies, { ...question, at }, use)
      const until = decision.until ?? decision.searched_until
      // Nothing changes before that instant: each minute for a day and a half, then a sample of instants.
      const instants = [question.at, until - 1]
      const everyMinuteUntil = question.at + 1.5 * dayMs
      for (let at = question.at; at < Math.min(until, everyMinuteUntil); at += minuteMs) instants.push(at)
      for (let at = everyMinuteUntil; at < until; at += 3.37 * dayMs) instants.push(at)
      const expected = JSON.stringify(toComparable(decision))
      expect(instants.filter((at) => JSON.stringify(plainAt(at)) !== expected)).toEqual([])
      // At that instant the next rule decides, unless the search has ended.
      expect(decision.next === null).toBe(decision.until === null)
      expect(plainAt(until)).toEqual(decision.next ? toComparable(decision.next) : plainAt(until))
      expect(decision.next !== null && JSON.stringify(toComparable(decision.next)) === expected).toBe(false)
    }),
    settings,
  )
}, 3_600_000)

test('The rule engine gives the same states as the reference in each minute', () => {
  fc.assert(
    fc.property(anyCase, ({ policies, question }) => {
      const ruleSet = compileRuleSet(policies)
      const until = question.at + 1.2 * dayMs
      const moments = [...computeTimeline(ruleSet, question, createSpan(question, question.at, until))]
      const transitions = moments
        .filter(({ state }, index) => state !== moments[index - 1]?.state)
        .map(({ from, state }) => [from, state] as const)
      expect(transitions[0]?.[0]).toBe(question.at)
      expect(describeSituation(ruleSet, question).state).toBe(transitions[0]?.[1])
      const plainAt = (at: number) => plainState(policies, { ...question, at })
      transitions.forEach(([from, state], index) => {
        const end = transitions[index + 1]?.[0] ?? until
        const wrongInstants: number[] = []
        for (let at = from; at < end; at += minuteMs) if (plainAt(at) !== state) wrongInstants.push(at)
        if (plainAt(end - 1) !== state) wrongInstants.push(end - 1)
        expect({ state, wrongInstants }).toEqual({ state, wrongInstants: [] })
        expect(transitions[index + 1]?.[1]).not.toBe(state)
      })
    }),
    settings,
  )
}, 3_600_000)
