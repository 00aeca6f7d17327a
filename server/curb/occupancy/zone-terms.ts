import type { CapacityBasis } from '#contract/curb-occupancy.ts'
import { closedCurbStates } from '#contract/curb-rules.ts'
import { appendTo } from '#contract/group-by.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { getCalendar } from '../map/curb-week.ts'
import { compileRuleSet, type CompiledRuleSet, type CurbUser } from '../rules/rule-set.ts'
import { type Moment, type Span, createSpan, computeTimeline } from '../rules/timeline.ts'
import type { CurbIndex, IndexedZone } from '../store/curb-index.ts'
import { type HourFrame, intersect, type SlotTimes, type Times, mergeTimes } from './hour-frame.ts'
import type { CapacityStep } from './zone-sums.ts'

/** The user for whom hours of required payment are determined: a car without permits or a stated purpose. */
const driver: CurbUser = { userClasses: ['car'], purposes: [] }
const payingUses = ['parking', 'loading', 'unloading', 'stopping'] as const

/** Whether the longest use that is allowed costs money. */
const requiresPayment = ({ deciding }: Moment): boolean => {
  const allowedUse = payingUses.find((use) => deciding[use]?.effects[use] === 'allowed')
  return allowedUse !== undefined && (deciding[allowedUse]?.rule.rate?.some(({ rate }) => rate > 0) ?? false)
}

/** The times of a frame that count, by kind: may a vehicle stop (measured), must it pay (paid). */
export interface ZoneSlotTimes {
  measured: SlotTimes
  paid: SlotTimes
}

/** A span of time in which the same policies apply. */
interface RuleSpan {
  from: number
  until: number
  /** Ids of the policies, one per line; '' for none. */
  key: string
}

/** Which hours count and how many spaces there are in the zones of a region, on the days of a frame. */
export class ZoneTerms {
  readonly #index: CurbIndex
  readonly #frame: HourFrame
  readonly #span: Span
  readonly #capacities: ReadonlyMap<string, readonly CapacityStep[]>
  readonly #ruleSets = new Map<string, CompiledRuleSet>()
  readonly #masks = new Map<string, { measured: number[]; paid: number[] }>()
  readonly #slotTimes = new Map<string, ZoneSlotTimes>()
  readonly #openTimes = new Map<string, Times>()

  constructor(index: CurbIndex, frame: HourFrame, capacities: ReadonlyMap<string, readonly CapacityStep[]>) {
    this.#index = index
    this.#frame = frame
    this.#span = createSpan(getCalendar(index), frame.from, frame.until)
    this.#capacities = capacities
  }

  /** Lists zones current in the frame or with data before. @param firstDataMs start of data by zone, ms */
  listZones(firstDataMs: ReadonlyMap<string, number>): IndexedZone[] {
    const { from, until } = this.#frame
    return this.#index.zones.filter(
      (zone) =>
        (zone.to === null || zone.to > from) &&
        (zone.from < until || (firstDataMs.get(zone.id) ?? until) < until),
    )
  }

  /** Returns the spaces of a zone in the frame. A first step that begins later is marked `earliest`. */
  getCapacitySteps(zoneId: string): readonly CapacityStep[] {
    const history = this.#capacities.get(zoneId) ?? []
    const firstIndex = history.findLastIndex(({ from }) => from <= this.#frame.from)
    const steps = history
      .slice(Math.max(0, firstIndex))
      .filter(({ from }, i) => i === 0 || from < this.#frame.until)
    const [first] = steps
    return first && first.from > this.#frame.from
      ? [{ ...first, basis: 'earliest' }, ...steps.slice(1)]
      : steps
  }

  /** Returns the times of a zone that count. With `hasEarlierData`, its first rules apply before, too. */
  getSlotTimes(zone: IndexedZone, hasEarlierData: boolean): ZoneSlotTimes {
    const ruleSpans = this.#listRuleSpans(zone, hasEarlierData)
    const key = makeRuleSpansKey(ruleSpans)
    let slotTimes = this.#slotTimes.get(key)
    if (!slotTimes) {
      slotTimes = {
        measured: this.#frame.cut(this.#getTimes(ruleSpans, 'measured')),
        paid: this.#frame.cut(this.#getTimes(ruleSpans, 'paid')),
      }
      this.#slotTimes.set(key, slotTimes)
    }
    return slotTimes
  }

  /** Returns the times at which vehicles may stop in a zone. Zones with the same times share one list. */
  getOpenTimes(zone: IndexedZone): Times {
    const ruleSpans = this.#listRuleSpans(zone, false)
    const key = makeRuleSpansKey(ruleSpans)
    let times = this.#openTimes.get(key)
    if (!times) this.#openTimes.set(key, (times = mergeTimes(this.#getTimes(ruleSpans, 'measured'))))
    return times
  }

  #getTimes(ruleSpans: readonly RuleSpan[], kind: 'measured' | 'paid'): number[] {
    return ruleSpans.flatMap(({ from, until, key }) => intersect([from, until], this.#getMask(key)[kind]))
  }

  #listRuleSpans(zone: IndexedZone, hasEarlierData: boolean): RuleSpan[] {
    const begin = Math.max(this.#frame.from, hasEarlierData ? -Infinity : zone.from)
    const end = Math.min(this.#frame.until, zone.to ?? Infinity)
    const history = this.#index.getPolicyHistory(zone.id)
    const ruleSpans: RuleSpan[] = []
    let next = begin
    const addUntil = (until: number, key: string): void => {
      if (until > next) ruleSpans.push({ from: next, until, key })
      next = Math.max(next, until)
    }
    for (const [index, { policyIds, from, to }] of history.entries()) {
      const start = index === 0 && hasEarlierData ? begin : from
      addUntil(Math.min(start, end), '')
      addUntil(Math.min(to ?? end, end), policyIds.toSorted().join('\n'))
    }
    addUntil(end, '')
    return ruleSpans
  }

  #getMask(key: string): { measured: number[]; paid: number[] } {
    let mask = this.#masks.get(key)
    if (mask) return mask
    mask = { measured: [], paid: [] }
    let rules = this.#ruleSets.get(key)
    if (!rules) {
      const policies = key ? key.split('\n').flatMap((id) => this.#index.policies.get(id) ?? []) : []
      this.#ruleSets.set(key, (rules = compileRuleSet(policies)))
    }
    for (const moment of computeTimeline(rules, driver, this.#span)) {
      if (!closedCurbStates.includes(moment.state)) appendTime(mask.measured, moment)
      if (requiresPayment(moment)) appendTime(mask.paid, moment)
    }
    this.#masks.set(key, mask)
    return mask
  }
}

const makeRuleSpansKey = (ruleSpans: readonly RuleSpan[]): string =>
  ruleSpans.map(({ from, until, key }) => `${from} ${until} ${key}`).join('\n')

/** Adds a time to the end of a list; extends the last time if they adjoin. */
function appendTime(times: number[], { from, until }: Pick<Moment, 'from' | 'until'>): void {
  if (times.at(-1) === from) times[times.length - 1] = until
  else times.push(from, until)
}

/** Reads the history of the number of spaces by zone, oldest first. */
export async function readCapacities(
  state: Pick<State, 'as'>,
  scope: Scope,
  regionId: string,
): Promise<Map<string, CapacityStep[]>> {
  const rows = await state
    .as(scope)
    .selectFrom('curb_capacity')
    .select(['curb_zone_id', 'start_time', 'capacity', 'basis'])
    .where('region_id', '=', regionId)
    .orderBy('start_time')
    .execute()
  const steps = new Map<string, CapacityStep[]>()
  for (const row of rows) {
    const step = { from: row.start_time.getTime(), spaces: row.capacity, basis: row.basis as CapacityBasis }
    appendTo(steps, row.curb_zone_id, step)
  }
  return steps
}

/** Returns the step that applies at an instant. The first step also applies before it begins. */
export const findCapacity = (steps: readonly CapacityStep[], ms: number): CapacityStep | undefined =>
  steps.findLast(({ from }) => from <= ms) ?? steps[0]
