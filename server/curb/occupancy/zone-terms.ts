import type { CapacityBasis } from '#contract/curb-occupancy.ts'
import { closedCurbStates } from '#contract/curb-rules.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { getCalendar } from '../map/curb-week.ts'
import { compileRuleSet, type CompiledRuleSet, type CurbUser } from '../rules/rule-set.ts'
import { type Moment, type Span, createSpan, timeline } from '../rules/timeline.ts'
import type { CurbIndex, IndexedZone } from '../store/curb-index.ts'
import { type HourFrame, intersect, type Pieces, type Times, unionOf } from './hour-frame.ts'
import type { CapacityStep } from './zone-sums.ts'

/** A car without permits, for no stated purpose: whom the hours of payment are for. */
const driver: CurbUser = { userClasses: ['car'], purposes: [] }
const payingUses = ['parking', 'loading', 'unloading', 'stopping'] as const

const asksForPayment = ({ deciding }: Moment): boolean => {
  const use = payingUses.find((each) => deciding[each]?.effects[each] === 'allowed')
  return use !== undefined && (deciding[use]?.rule.rate?.some(({ rate }) => rate > 0) ?? false)
}

/** The times of a frame that count, by kind. */
export interface ZonePieces {
  measured: Pieces
  paid: Pieces
}

interface RulePart {
  from: number
  until: number
  /** Ids of the policies; '' is none. */
  key: string
}

/** What holds in the zones of a region during the days of a frame: which hours count, and how many spaces there are. */
export class ZoneTerms {
  readonly #index: CurbIndex
  readonly #frame: HourFrame
  readonly #span: Span
  readonly #capacities: ReadonlyMap<string, readonly CapacityStep[]>
  readonly #ruleSets = new Map<string, CompiledRuleSet>()
  readonly #masks = new Map<string, { measured: number[]; paid: number[] }>()
  readonly #pieces = new Map<string, ZonePieces>()
  readonly #openTimes = new Map<string, Times>()

  constructor(index: CurbIndex, frame: HourFrame, capacities: ReadonlyMap<string, readonly CapacityStep[]>) {
    this.#index = index
    this.#frame = frame
    this.#span = createSpan(getCalendar(index), frame.from, frame.until)
    this.#capacities = capacities
  }

  /** Zones in force in the frame. `firstData`: when data of a zone begins, if that is before the zone does. */
  zones(firstData: ReadonlyMap<string, number>): IndexedZone[] {
    const { from, until } = this.#frame
    return this.#index.zones.filter(
      (zone) =>
        (zone.to === null || zone.to > from) &&
        (zone.from < until || (firstData.get(zone.id) ?? until) < until),
    )
  }

  /** Spaces of a zone. The first step also holds before it begins; it is then marked as `earliest`. */
  capacityOf(zoneId: string): readonly CapacityStep[] {
    const all = this.#capacities.get(zoneId) ?? []
    const last = all.findLastIndex(({ from }) => from <= this.#frame.from)
    const steps = all.slice(Math.max(0, last)).filter(({ from }, i) => i === 0 || from < this.#frame.until)
    const [first] = steps
    return first && first.from > this.#frame.from
      ? [{ ...first, basis: 'earliest' }, ...steps.slice(1)]
      : steps
  }

  /** Which times of a zone count. What is known of its first day also holds before, where there is data. */
  piecesOf(zone: IndexedZone, hasEarlierData: boolean): ZonePieces {
    const parts = this.#rulesOf(zone, hasEarlierData)
    const text = textOf(parts)
    let found = this.#pieces.get(text)
    if (!found) {
      found = {
        measured: this.#frame.cut(this.#timesOf(parts, 'measured')),
        paid: this.#frame.cut(this.#timesOf(parts, 'paid')),
      }
      this.#pieces.set(text, found)
    }
    return found
  }

  /** When a zone is open: vehicles may stop. Zones with the same times get the same list. */
  openTimesOf(zone: IndexedZone): Times {
    const parts = this.#rulesOf(zone, false)
    const text = textOf(parts)
    let found = this.#openTimes.get(text)
    if (!found) this.#openTimes.set(text, (found = unionOf(this.#timesOf(parts, 'measured'))))
    return found
  }

  #timesOf(parts: readonly RulePart[], kind: 'measured' | 'paid'): number[] {
    return parts.flatMap(({ from, until, key }) => intersect([from, until], this.#maskOf(key)[kind]))
  }

  #rulesOf(zone: IndexedZone, hasEarlierData: boolean): RulePart[] {
    const begin = Math.max(this.#frame.from, hasEarlierData ? -Infinity : zone.from)
    const end = Math.min(this.#frame.until, zone.to ?? Infinity)
    const history = this.#index.policyHistory(zone.id)
    const parts: RulePart[] = []
    let at = begin
    const add = (until: number, key: string): void => {
      if (until > at) parts.push({ from: at, until, key })
      at = Math.max(at, until)
    }
    for (const [number, { policyIds, from, to }] of history.entries()) {
      const start = number === 0 && hasEarlierData ? begin : from
      add(Math.min(start, end), '')
      add(Math.min(to ?? end, end), policyIds.toSorted().join('\n'))
    }
    add(end, '')
    return parts
  }

  #maskOf(key: string): { measured: number[]; paid: number[] } {
    let mask = this.#masks.get(key)
    if (mask) return mask
    mask = { measured: [], paid: [] }
    let rules = this.#ruleSets.get(key)
    if (!rules) {
      const policies = key ? key.split('\n').flatMap((id) => this.#index.policies.get(id) ?? []) : []
      this.#ruleSets.set(key, (rules = compileRuleSet(policies)))
    }
    for (const moment of timeline(rules, driver, this.#span)) {
      if (!closedCurbStates.includes(moment.state)) extend(mask.measured, moment)
      if (asksForPayment(moment)) extend(mask.paid, moment)
    }
    this.#masks.set(key, mask)
    return mask
  }
}

const textOf = (parts: readonly RulePart[]): string =>
  parts.map(({ from, until, key }) => `${from} ${until} ${key}`).join('\n')

function extend(times: number[], { from, until }: Pick<Moment, 'from' | 'until'>): void {
  if (times.at(-1) === from) times[times.length - 1] = until
  else times.push(from, until)
}

/** The history of the spaces of zones, oldest first. */
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
    const step = {
      from: row.start_time.getTime(),
      spaces: row.capacity,
      basis: row.basis as CapacityBasis,
    }
    const list = steps.get(row.curb_zone_id)
    if (list) list.push(step)
    else steps.set(row.curb_zone_id, [step])
  }
  return steps
}

/** The last step that holds at an instant. */
export const capacityAt = (steps: readonly CapacityStep[], ms: number): CapacityStep | undefined =>
  steps.findLast(({ from }) => from <= ms) ?? steps[0]
