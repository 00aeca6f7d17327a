import type { Facts } from '#server/stores/facts.ts'
import type { FeedChecks } from './day-facts.ts'
import type { HealthRegion } from './health-region.ts'
import { transitionCounts, type TransitionRow } from './queries/transitions.ts'
import type { Span } from './span.ts'
import { type EventType, type VehicleState, vehicleStateNames } from '#contract/vehicle-states.ts'
import { isLegalTransition, legalTransitions, type StateMachine } from '#server/fleet/events/state-machine.ts'

const machineOf = (name: string): StateMachine =>
  Object.hasOwn(legalTransitions, name) ? (name as StateMachine) : 'micromobility'

/** Whether the events, applied in this order, can lead from one state to the other through any states in between. Without events the state must not change. */
export function isLegalSequence(
  machine: string,
  from: string,
  types: readonly string[],
  to: string,
): boolean {
  let reached: VehicleState[] = [from as VehicleState]
  if (types.length === 0) return from === to
  for (const [at, type] of types.entries()) {
    const next = at === types.length - 1 ? [to as VehicleState] : vehicleStateNames
    reached = next.filter((state) =>
      reached.some((before) => isLegalTransition(machineOf(machine), before, type as EventType, state)),
    )
  }
  return reached.length > 0
}

/** What the checks of a region need. */
export interface Counting {
  facts: Facts
  region: HealthRegion
  /** Feeds of MDS 1.2. */
  earlierFeeds: readonly string[]
  /** Ms since 1970. */
  at: number
}

export type FeedTransitions = Pick<FeedChecks, 'operator' | 'feed' | 'judged' | 'illegal' | 'ways'>

/** Checks transitions against the state machine: how many per feed, and which are illegal. */
export function checkTransitions(rows: readonly TransitionRow[]): FeedTransitions[] {
  const feeds = new Map<string, FeedTransitions>()
  for (const { operator, feed, machine, before, types: joined, state, count: text } of rows) {
    const types = joined === '' ? [] : joined.split('+')
    const key = `${operator} ${feed}`
    let each = feeds.get(key)
    if (!each) feeds.set(key, (each = { operator, feed, judged: 0, illegal: 0, ways: [] }))
    const count = Number(text)
    each.judged += count
    if (isLegalSequence(machine, before, types, state)) continue
    each.illegal += count
    each.ways.push([machine, before, types, state, count])
  }
  return [...feeds.values()]
}

/** The transitions of a span, checked. */
export const countTransitions = async (
  { facts, region, earlierFeeds }: Counting,
  span: Span,
): Promise<FeedTransitions[]> =>
  checkTransitions(
    await facts.rows<TransitionRow>(region.scope, transitionCounts(span, earlierFeeds), {
      limits: { seconds: 120 },
    }),
  )
