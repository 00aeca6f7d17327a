import { dayFromNumber, dayNumber, type LocalDay, localDay } from '#contract/period.ts'
import type { DerivedRegion } from '#server/derived/derived-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { curbOccupancy } from '../product-names.ts'
import type { HourFrame } from './hour-frame.ts'
import { readOccupancyDays, readOccupancyRegion, writeOccupancyRegion } from './occupancy-region.ts'
import { readFirstPaidDays, type SessionsOfZone } from './read-sources.ts'

interface FrameSessions {
  region: DerivedRegion
  frame: HourFrame
  /** The sessions of the frame. */
  sessions: readonly SessionsOfZone[]
  /** The zone of each space. */
  spaces: ReadonlyMap<string, string>
  /** Milliseconds since 1970. */
  now: number
}

/** The first day with a payment of a zone; undefined if it has none. */
interface FirstDayChange {
  before: LocalDay | undefined
  after: LocalDay | undefined
}

/**
 * Updates the first day with a payment of each zone. Marks days outside the frame as dirty if payments are
 * now known or no longer known on them. Returns the first days by zone.
 */
export async function updateFirstPaidDays(
  { state, facts }: { state: State; facts: Facts },
  input: FrameSessions,
): Promise<ReadonlyMap<string, LocalDay>> {
  const { scope, regionId, timezone } = input.region
  const store = state.as(scope)
  const storedRegion = (await readOccupancyRegion(store, regionId)) ?? { basis: '', first_paid: {} }
  const firstPaid = new Map(Object.entries(storedRegion.first_paid))
  const changes = await findChanges(facts, firstPaid, input)
  if (!changes.size) return firstPaid
  const today = localDay(new Date(input.now), timezone)
  const affectedDays = new Set<LocalDay>()
  for (const [zone, change] of changes) {
    if (change.after === undefined) firstPaid.delete(zone)
    else firstPaid.set(zone, change.after)
    for (const day of listAffectedDays(change, today)) affectedDays.add(day)
  }
  await writeOccupancyRegion(store, regionId, { ...storedRegion, first_paid: Object.fromEntries(firstPaid) })
  const [earliest] = [...affectedDays].toSorted()
  if (earliest !== undefined) {
    const { first, last } = getBounds(input.frame)
    const storedDays = await readOccupancyDays(facts, scope, regionId, earliest)
    const daysOutside = storedDays.filter((day) => affectedDays.has(day) && (day < first || day > last))
    await markDirty(state, scope, { product: curbOccupancy, regionId }, { spans: daysOutside })
  }
  return firstPaid
}

/** Finds zones with a first day that is earlier than the stored one, or with a stored one that is lost. */
async function findChanges(
  facts: Facts,
  firstPaid: ReadonlyMap<string, LocalDay>,
  { region: { scope, regionId, timezone }, frame, sessions, spaces }: FrameSessions,
): Promise<Map<string, FirstDayChange>> {
  const firstInFrame = listFirstDays(frame, sessions, timezone)
  const changes = new Map<string, FirstDayChange>()
  for (const [zone, day] of firstInFrame) {
    const before = firstPaid.get(zone)
    if (before === undefined || day < before) changes.set(zone, { before, after: day })
  }
  // The stored first payment is in the frame but no longer exists.
  const { first, last } = getBounds(frame)
  const lostZones = [...firstPaid].filter(([zone, day]) => {
    const firstDay = firstInFrame.get(zone)
    return day >= first && day <= last && (firstDay === undefined || firstDay > day)
  })
  if (lostZones.length) {
    const zones = lostZones.map(([zone]) => zone)
    const remaining = await readFirstPaidDays({ facts, scope, regionId }, timezone, zones, spaces)
    for (const [zone, before] of lostZones) changes.set(zone, { before, after: remaining.get(zone) })
  }
  return changes
}

/** Lists the day of the first paid session that begins in the frame, by zone. */
function listFirstDays(
  frame: HourFrame,
  sessions: readonly SessionsOfZone[],
  timezone: string,
): Map<string, LocalDay> {
  const firstDays = new Map<string, LocalDay>()
  for (const { zone, source_kind: kind, starts } of sessions) {
    if (kind !== 'payment') continue
    const start = starts.reduce((first, ms) => (ms >= 0 && ms < first ? ms : first), Infinity)
    if (start < Infinity) firstDays.set(zone, localDay(new Date(frame.from + start), timezone))
  }
  return firstDays
}

/** Lists the days from the earlier first day to the later one: only on them, it changes what is known. */
function listAffectedDays({ before, after }: FirstDayChange, today: LocalDay): LocalDay[] {
  const toNumber = (day: LocalDay | undefined): number =>
    day === undefined ? dayNumber(today) + 1 : dayNumber(day)
  const oldStart = toNumber(before)
  const newStart = toNumber(after)
  const days: LocalDay[] = []
  for (let day = Math.min(oldStart, newStart); day < Math.max(oldStart, newStart); day++)
    days.push(dayFromNumber(day))
  return days
}

const getBounds = ({ days }: HourFrame): { first: LocalDay; last: LocalDay } => ({
  first: days[0]!,
  last: days.at(-1)!,
})
