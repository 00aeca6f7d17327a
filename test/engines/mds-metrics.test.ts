// Compares MDS Metrics with snapshots of each minute, for random intervals, dimensions and filters.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import { toQualityBits } from '#contract/mobility.ts'
import { dayMs, hourMs, minuteMs } from '#contract/period.ts'
import { deployedStates, vehicleStateNames } from '#contract/vehicle-states.ts'
import { createRandom } from '../city/random.ts'
import {
  larkId,
  lostAfterHours,
  type MetricsReply,
  type MetricsTown,
  openMetricsTown,
  toRows,
  type TownEvent,
  type TownInterval,
  type TownTrip,
  type Zone,
  zones,
} from '../metrics-town.ts'

const runs = Number(process.env['METRIC_RUNS'] ?? 10)
/** The clocks of New York go forward on March 8. */
const begin = Date.parse('2026-03-07T00:00:00Z')
const clock = { at: begin + 20 * dayMs }
let town: MetricsTown
beforeAll(async () => {
  town = await openMetricsTown(clock, 'America/New_York')
})
afterAll(() => town.close())

const random = createRandom(5)
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
const anyZone = (): Zone => pick(['A', 'A', 'B', null])

/** Makes vehicles with random states during four days, with trips and events. */
function makeFleet(): { intervals: TownInterval[]; trips: TownTrip[]; events: TownEvent[] } {
  const [intervals, trips, events]: [TownInterval[], TownTrip[], TownEvent[]] = [[], [], []]
  for (let device = 1; device <= 12; device++) {
    const [operator, type] = [device % 3 ? 'lark' : 'heron', device % 2 ? 'bicycle' : 'scooter_standing']
    for (let at = begin + random() * 5 * hourMs; at < begin + 4 * dayMs;) {
      const length = random() < 0.05 ? 70 * hourMs * random() : 4 * hourMs * random()
      // Some times are full minutes.
      const step = random() < 0.3 ? minuteMs : 1
      const [from, to] = [Math.floor(at / step) * step, Math.floor((at + length) / step) * step + step]
      const state = pick([...vehicleStateNames, 'available', 'on_trip', 'on_trip', 'non_operational'])
      const zone = anyZone()
      intervals.push({ operator, device, type, state, from, to, zone })
      events.push({
        operator,
        device,
        time: from,
        types: pick([['trip_start'], ['trip_end', 'battery_low'], []]),
        zone,
      })
      if (state === 'on_trip')
        trips.push({
          operator,
          device,
          type,
          start: from,
          end: to,
          from: zone,
          to: anyZone(),
          duration: Math.round((to - from) / 1000),
          distance: random() < 0.1 ? NaN : Math.round(random() * 5e6) / 1000,
          quality: random() < 0.2 ? toQualityBits(['over_24_hours']) : 0,
        })
      at = to
    }
  }
  // Trips of an operator without vehicles.
  const tripsWithoutFleet = trips
    .slice(0, 30)
    .map((trip) => ({ ...trip, operator: 'crane', start: trip.start + 60_001 }))
  return { intervals, trips: [...trips, ...tripsWithoutFleet], events }
}

const isDeployed = (state: string): boolean => (deployedStates as readonly string[]).includes(state)
const isRiding = (state: string): boolean => state === 'on_trip' || state === 'stopped'
const sumValues = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
const computeMean = (values: readonly number[]): number => sumValues(values) / values.length
const countVehicles = (rows: readonly { operator: string; device: number }[]): number =>
  new Set(rows.map(({ operator, device }) => `${operator} ${device}`)).size

interface Fleet {
  intervals: TownInterval[]
  trips: TownTrip[]
  events: TownEvent[]
}

/**
 * Returns the value of a measure, from snapshots of each minute.
 * @param riders intervals of trips in any place
 * @param withFleet operators with deployed vehicles in the period of the request
 */
function plainValue(
  name: string,
  { from, until }: { from: number; until: number },
  fleet: Fleet,
  riders: readonly TownInterval[],
  withFleet: ReadonlySet<string>,
): number {
  const intervals = fleet.intervals.filter((interval) => interval.from < until && interval.to > from)
  const minutes: number[] = []
  for (let at = from; at < until; at += minuteMs) minutes.push(at)
  const countSnapshots = (is: (state: string) => boolean): number[] =>
    minutes.map(
      (at) =>
        intervals.filter((interval) => is(interval.state) && interval.from <= at && at < interval.to).length,
    )
  const sumTime = (is: (state: string) => boolean): number =>
    sumValues(
      intervals
        .filter(({ state }) => is(state))
        .map((interval) => Math.min(interval.to, until) - Math.max(interval.from, from)),
    )
  const averageByHour = (): number[] => {
    const counts = countSnapshots(isDeployed)
    const hourMeans: number[] = []
    for (let index = 0; index < counts.length; index += 60)
      hourMeans.push(computeMean(counts.slice(index, index + 60)))
    return hourMeans
  }
  const [, family = '', word = '', statistic = ''] =
    /^(vehicles|events|trips)\.([a-z]+(?:_[a-z]+)*)\.(.*)$/.exec(name) ?? []
  if (family === 'events')
    return fleet.events.filter(({ time, types }) => time >= from && time < until && types.includes(word))
      .length
  if (family === 'vehicles') {
    const is = (state: string): boolean => state === word
    if (statistic === 'duration.sum') return sumTime(is) / 1000
    const counts = countSnapshots(is)
    return statistic === 'avg'
      ? computeMean(counts)
      : statistic === 'min'
        ? Math.min(...counts)
        : Math.max(...counts)
  }
  const started = fleet.trips.filter(({ start }) => start >= from && start < until)
  if (family === 'trips') {
    const trips = word === 'start_loc' ? started : fleet.trips.filter(({ end }) => end >= from && end < until)
    if (statistic === 'count') return trips.length
    const [field, how] = statistic.split('.') as ['duration' | 'distance', string]
    const values = trips
      .filter((trip) => !trip.quality && !Number.isNaN(trip[field]))
      .map((trip) => trip[field])
    if (how === 'sum') return trips.length ? sumValues(values) : -1
    if (!values.length) return -1
    const sorted = values.toSorted((a, b) => a - b)
    const middle = (sorted.length - 1) / 2
    if (how === 'med') return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
    return how === 'avg'
      ? computeMean(values)
      : Math.sqrt(computeMean(values.map((value) => (value - computeMean(values)) ** 2)))
  }
  const deployed = intervals.filter(({ state }) => isDeployed(state))
  const active = countVehicles(deployed.filter(({ state }) => isRiding(state)))
  const isActive = ({ operator, device }: TownInterval): boolean =>
    riders.some(
      (trip) => trip.operator === operator && trip.device === device && trip.from < until && trip.to > from,
    )
  const inactive = countVehicles(deployed.filter((trip) => !isActive(trip)))
  const average = computeMean(countSnapshots(isDeployed))
  switch (name.replace('dockless.', '')) {
    case 'deployed.avg':
      return average
    case 'deployed.min':
      return Math.min(...countSnapshots(isDeployed))
    case 'deployed.max':
      return Math.max(...countSnapshots(isDeployed))
    case 'deployed.avg.min':
      return Math.min(...averageByHour())
    case 'deployed.avg.max':
      return Math.max(...averageByHour())
    case 'active.count':
      return active
    case 'inactive.count':
      return inactive
    case 'utilization.active.percent':
      return active + inactive ? active / (active + inactive) : -1
    case 'utilization.idle.percent':
      return sumTime(isDeployed) ? 1 - sumTime(isRiding) / sumTime(isDeployed) : -1
    default:
      return average ? started.filter(({ operator }) => withFleet.has(operator)).length / average : -1
  }
}

const statistics = ['avg', 'med', 'std', 'sum']
const measures = [
  ...['available', 'on_trip', 'removed', 'missing'].flatMap((state) =>
    ['avg', 'min', 'max', 'duration.sum'].map((statistic) => `vehicles.${state}.${statistic}`),
  ),
  'events.trip_start.count',
  'events.battery_low.count',
  ...['start_loc', 'end_loc'].flatMap((end) => [
    `trips.${end}.count`,
    ...statistics.flatMap((statistic) => [
      `trips.${end}.duration.${statistic}`,
      `trips.${end}.distance.${statistic}`,
    ]),
  ]),
  ...[
    'deployed.avg',
    'deployed.min',
    'deployed.max',
    'deployed.avg.min',
    'deployed.avg.max',
    'active.count',
    'inactive.count',
    'utilization.active.percent',
    'utilization.idle.percent',
    'utilization.trips_per_vehicle.avg',
  ].map((metric) => `dockless.${metric}`),
]

test('every MDS metric equals a count of snapshots of each minute, for any intervals, dimensions and filters', async () => {
  const fleetOfTown = makeFleet()
  await town.intervals(fleetOfTown.intervals)
  await town.trips(fleetOfTown.trips)
  await town.events(fleetOfTown.events)
  // Events get their vehicle type from registered vehicles. These are not registered, so the type of their
  // events is `other`.
  const clippedIntervals = fleetOfTown.intervals.map((interval) => ({
    ...interval,
    to: Math.min(interval.to, interval.from + lostAfterHours * hourMs),
  }))
  const anyQuestion = fc.record({
    measures: fc.shuffledSubarray(measures, { minLength: 1, maxLength: 6 }),
    interval: fc.constantFrom('PT45M', 'PT1H', 'PT150M', 'PT6H', 'P1D', 'P1DT3H', 'P2D'),
    startMinute: fc.integer({ min: 0, max: 48 * 60 }),
    intervals: fc.integer({ min: 1, max: 3 }),
    timezone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata'),
    dimensions: fc.shuffledSubarray(['provider_id', 'vehicle_type', 'geography_id']),
    provider: fc.constantFrom(null, null, 'lark', 'heron'),
    zone: fc.constantFrom(null, null, 'A' as const),
  })
  await fc.assert(
    fc.asyncProperty(anyQuestion, async ({ startMinute, intervals, provider, zone, ...question }) => {
      const needsHours = question.measures.some((name) => name.includes('deployed.avg.m'))
      const isShort = ['PT45M', 'PT1H'].includes(question.interval)
      const supported = question.measures.filter(
        (name) => !(needsHours && isShort && name.includes('deployed.avg.m')),
      )
      if (!supported.length) return
      const start = begin + startMinute * minuteMs
      const local = civilClock(question.timezone).local(start)
      const date = new Date(local.day * dayMs).toISOString().slice(0, 10)
      const start_date = `${date}T${new Date(local.seconds * 1000).toISOString().slice(11, 16)}`
      const length = question.interval.startsWith('PT') ? 150 * minuteMs : dayMs
      const reply = await town.call('POST', {
        ...question,
        measures: supported,
        start_date,
        end_date:
          new Date(
            civilClock(question.timezone).instant(local.day, local.seconds).ms + (intervals - 1) * length,
          )
            .toISOString()
            .slice(0, 16) + 'Z',
        filters: [
          ...(provider ? [{ name: 'provider_id', values: [provider] }] : []),
          ...(zone ? [{ name: 'geography_id', values: [zones[zone]] }] : []),
        ],
      })
      expect([reply.statusCode, reply.body.slice(0, 200)]).toEqual([200, expect.anything()])
      const metricsReply = reply.json<MetricsReply>()
      const starts = [...new Set(metricsReply.rows.map(([at]) => String(at)))]
      const edges = starts.map((at) => Date.parse(`${at.replace(/([+-]\d\d)$/, '$1:00')}`))
      const minutes = ({ PT45M: 45, PT1H: 60, PT150M: 150, PT6H: 360 } as Partial<Record<string, number>>)[
        question.interval
      ]
      const getHourEnd = (from: number): number =>
        minutes
          ? from + minutes * minuteMs
          : getIntervalEnd(from, question.interval, edges[0] ?? from, question.timezone)
      const withFleet = new Set(
        clippedIntervals
          .filter(
            ({ state, from, to }) =>
              isDeployed(state) && from < getHourEnd(edges.at(-1) ?? 0) && to > (edges[0] ?? 0),
          )
          .map(({ operator }) => operator),
      )
      for (const row of toRows(metricsReply)) {
        const from = Date.parse(String(row['interval_start']).replace(/([+-]\d\d)$/, '$1:00'))
        const until = getHourEnd(from)
        const isOurs = (record: { operator: string; type?: string }, place: Zone): boolean =>
          (!provider || record.operator === provider) &&
          (!zone || place === zone) &&
          (row['provider_id'] === undefined ||
            row['provider_id'] === (record.operator === 'lark' ? larkId : record.operator)) &&
          (row['vehicle_type'] === undefined || row['vehicle_type'] === (record.type ?? 'other')) &&
          (row['geography_id'] === undefined || (place !== null && row['geography_id'] === zones[place]))
        for (const name of supported) {
          const place = (trip: TownTrip): Zone => (name.includes('end_loc') ? trip.to : trip.from)
          const fleet = {
            intervals: clippedIntervals.filter((interval) => isOurs(interval, interval.zone)),
            trips: fleetOfTown.trips.filter((trip) => isOurs(trip, place(trip))),
            events: fleetOfTown.events.filter((event) => isOurs(event, event.zone)),
          }
          const plain = plainValue(
            name,
            { from, until },
            fleet,
            clippedIntervals.filter(({ state }) => isRiding(state)),
            withFleet,
          )
          expect([name, row['interval_start'], Number(row[name]).toFixed(3)]).toEqual([
            name,
            row['interval_start'],
            (Math.round(plain * 10_000) / 10_000).toFixed(3),
          ])
        }
      }
    }),
    { numRuns: runs },
  )
}, 240_000)

/** Returns the end of an interval of days that starts at a moment, counted from the first interval. */
function getIntervalEnd(from: number, interval: string, first: number, timezone: string): number {
  const [days, hours] = { P1D: [1, 0], P1DT3H: [1, 3], P2D: [2, 0] }[interval] ?? [1, 0]
  const zoned = civilClock(timezone)
  const { day, seconds } = zoned.local(first)
  for (let times = 1; ; times++) {
    const end = zoned.instant(day + times * days!, seconds).ms + times * hours! * hourMs
    if (end > from) return end
  }
}
