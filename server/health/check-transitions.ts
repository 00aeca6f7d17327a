import type { Facts } from '#server/stores/facts.ts'
import type { FeedChecks } from './day-facts.ts'
import type { HealthRegion } from './health-region.ts'
import { transitionCountsSql, type TransitionRow } from './queries/transitions.ts'
import type { Span } from './span.ts'
import { type EventType, type VehicleState, vehicleStateNames } from '#contract/vehicle-states.ts'
import { isLegalTransition, legalTransitions, type StateMachine } from '#server/fleet/events/state-machine.ts'

/** Returns the state machine of a mode; an unknown one is checked like micromobility. */
const toStateMachine = (name: string): StateMachine =>
  Object.hasOwn(legalTransitions, name) ? (name as StateMachine) : 'micromobility'

/**
 * Returns whether events of these types, in this order, can lead from one state to the other through any
 * states in between. Without events the state must not change.
 */
export function isLegalSequence(
  machine: string,
  from: string,
  types: readonly string[],
  to: string,
): boolean {
  let reachedStates: VehicleState[] = [from as VehicleState]
  if (types.length === 0) return from === to
  for (const [index, type] of types.entries()) {
    const candidates = index === types.length - 1 ? [to as VehicleState] : vehicleStateNames
    reachedStates = candidates.filter((state) =>
      reachedStates.some((earlierState) =>
        isLegalTransition(toStateMachine(machine), earlierState, type as EventType, state),
      ),
    )
  }
  return reachedStates.length > 0
}

/** The input of the counts of a region. */
export interface CountContext {
  facts: Facts
  region: HealthRegion
  /** Ids of feeds in MDS 1.2, which has another state machine. */
  earlierFeeds: readonly string[]
  /** Milliseconds since 1970. */
  at: number
}

/** The number of judged and illegal transitions of a feed, and the illegal ones (`ways`). */
export type FeedTransitions = Pick<FeedChecks, 'operator' | 'feed' | 'judged' | 'illegal' | 'ways'>

/** Checks transitions against the state machine, by feed. */
export function checkTransitions(rows: readonly TransitionRow[]): FeedTransitions[] {
  const feeds = new Map<string, FeedTransitions>()
  for (const { operator, feed, machine, before, types: joinedTypes, state, count: countText } of rows) {
    const types = joinedTypes === '' ? [] : joinedTypes.split('+')
    const key = `${operator} ${feed}`
    let transitions = feeds.get(key)
    if (!transitions) feeds.set(key, (transitions = { operator, feed, judged: 0, illegal: 0, ways: [] }))
    const count = Number(countText)
    transitions.judged += count
    if (isLegalSequence(machine, before, types, state)) continue
    transitions.illegal += count
    transitions.ways.push([machine, before, types, state, count])
  }
  return [...feeds.values()]
}

/** Checks the transitions of a span. */
export const countTransitions = async (
  { facts, region, earlierFeeds }: CountContext,
  span: Span,
): Promise<FeedTransitions[]> =>
  checkTransitions(
    await facts.rows<TransitionRow>(region.scope, transitionCountsSql(span, earlierFeeds), {
      limits: { seconds: 120 },
    }),
  )
