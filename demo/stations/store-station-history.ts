import { dayMs, hourMs, minuteMs } from '#contract/period.ts'
import {
  type StateRow,
  type StationFeed,
  type StationState,
  storeDetails,
  storeSpans,
  storeStates,
} from '#server/fleet/stations/station-history.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { DockedSystem, DockState } from './docked-system.ts'

/** Days of history before the demo begins. */
export const stationDays = 30
/** An outage of the feed, for an example of a gap. */
const outage = { daysBefore: 9, fromHour: 13, untilHour: 16 }

/** Makes spans of polls without a gap, each within a UTC day. */
function makeSpans(system: DockedSystem, untilMs: number): { from: number; until: number }[] {
  const today = system.getDay(untilMs)
  const begin = system.getBounds(today - stationDays).from
  const midnight = system.getBounds(today - outage.daysBefore).from
  const [gapFrom, gapUntil] = [midnight + outage.fromHour * hourMs, midnight + outage.untilHour * hourMs]
  const spans: { from: number; until: number }[] = []
  for (let from = begin; from < untilMs;) {
    const nextDay = (Math.floor(from / dayMs) + 1) * dayMs
    const end = from < gapFrom ? Math.min(nextDay, gapFrom, untilMs) : Math.min(nextDay, untilMs)
    spans.push({ from, until: end - minuteMs })
    from = end === gapFrom ? gapUntil : end
  }
  return spans
}

const toStationState = (system: DockedSystem, state: DockState): StationState => ({
  stationId: system.stations[state.station]?.id ?? '',
  vehiclesAvailable: state.vehicles,
  docksAvailable: state.docks,
  vehiclesDisabled: state.disabled,
  isInstalled: true,
  isRenting: state.isRenting,
  isReturning: state.isReturning,
  lastReported: state.lastReported,
})

/** Makes the rows that polls of a span would have stored: all stations, then changes and hourly reports. */
function makeRows(system: DockedSystem, { from, until }: { from: number; until: number }): StateRow[] {
  const last = new Map<number, DockState>()
  const rows = new Map<string, StateRow>()
  const record = (state: DockState, timeMs: number): void => {
    const before = last.get(state.station)
    const isSame =
      before?.vehicles === state.vehicles &&
      before.disabled === state.disabled &&
      before.isRenting === state.isRenting &&
      state.lastReported - before.lastReported < hourMs
    if (isSame) return
    last.set(state.station, state)
    const stored = toStationState(system, state)
    // A poll finds only the last of several changes within a minute.
    rows.set(`${stored.stationId} ${timeMs}`, { stationId: stored.stationId, from: timeMs, state: stored })
  }
  for (const state of system.statesAt(from)) record(state, from)
  for (let hour = from; hour <= until; hour += hourMs) {
    const end = Math.min(hour + hourMs, until + 1)
    for (let day = system.getDay(hour); day <= system.getDay(end - 1); day++)
      for (const state of system.getDayStates(day))
        if (state.timeMs > Math.max(hour, from) && state.timeMs < end) record(state, state.timeMs)
    for (const state of system.statesAt(end - 1)) record(state, end - 1)
  }
  return [...rows.values()]
}

/** Stores the history of the stations as if it had been polled every minute. Returns the number of rows. */
export async function storeStationHistory(
  facts: Facts,
  scope: Scope,
  { feed, system, until }: { feed: StationFeed; system: DockedSystem; until: number },
): Promise<number> {
  const spans = makeSpans(system, until)
  const [first] = spans
  if (!first) return 0
  const rows = spans.flatMap((span) => makeRows(system, span))
  await storeDetails(facts, scope, feed, {
    stations: system.stations.map(({ id, name, lon, lat, capacity }) => ({
      stationId: id,
      name,
      lon,
      lat,
      capacity,
      isVirtual: false,
    })),
    from: first.from,
  })
  await storeStates(facts, scope, feed, rows)
  await storeSpans(facts, scope, feed, spans)
  return rows.length
}
