import type { Facts } from '#server/stores/facts.ts'
import type { FeedChecks } from './day-facts.ts'
import type { HealthRegion } from './health-region.ts'
import { transitionCounts, type TransitionRow } from './queries/transitions.ts'
import type { Span } from './span.ts'
import { type EventType, type VehicleState, vehicleStateNames } from '#contract/vehicle-states.ts'
import {
  isLegalTransition,
  legalTransitions,
  type StateMachine,
} from '#server/mobility/fleet/state-machine.ts'

const machineOf = (name: string): StateMachine =>
  Object.hasOwn(legalTransitions, name) ? (name as StateMachine) : 'micromobility'

/** Whether events applied in order can lead from a state to another; the states between are nobody's business. Where no event is told, only nothing may change. */
export function isLegalWay(machine: string, from: string, types: readonly string[], to: string): boolean {
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

/** What the facts of a region are counted with. */
export interface Counting {
  facts: Facts
  region: HealthRegion
  /** Feeds that speak MDS 1.2. */
  earlierFeeds: readonly string[]
  /** Ms since 1970. */
  at: number
}

export type FeedWays = Pick<FeedChecks, 'operator' | 'feed' | 'judged' | 'illegal' | 'ways'>

/** Ways as they were gone, judged: by feed how many, and which of them are illegal. */
export function judgeWays(rows: readonly TransitionRow[]): FeedWays[] {
  const feeds = new Map<string, FeedWays>()
  for (const { operator, feed, machine, before, types: joined, state, count: text } of rows) {
    const types = joined === '' ? [] : joined.split('+')
    const key = `${operator} ${feed}`
    let each = feeds.get(key)
    if (!each) feeds.set(key, (each = { operator, feed, judged: 0, illegal: 0, ways: [] }))
    const count = Number(text)
    each.judged += count
    if (isLegalWay(machine, before, types, state)) continue
    each.illegal += count
    each.ways.push([machine, before, types, state, count])
  }
  return [...feeds.values()]
}

/** The transitions of a span, judged. */
export const countWays = async ({ facts, region, earlierFeeds }: Counting, span: Span): Promise<FeedWays[]> =>
  judgeWays(
    await facts.rows<TransitionRow>(region.scope, transitionCounts(span, earlierFeeds), {
      limits: { seconds: 120 },
    }),
  )
