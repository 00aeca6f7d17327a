// Reference implementation of compliance by day (decision 019 and docs/metrics.md), without SQL.
import type {
  ComplianceMeasure,
  ComplianceReason,
  ComplianceRecord,
  ComplianceStatus,
  Measure,
} from '#contract/compliance.ts'
import { dayFromNumber, dayNumber, getWeekday, hourMs, minuteMs } from '#contract/period.ts'
import type { Area } from '#contract/place.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { type VehicleState, vehicleStateNames, vehicleStates } from '#contract/vehicle-states.ts'
import { holdsPlace, getMetersBetween, getMetersToBorder, touchesArea } from './plain-areas.ts'
import type {
  PlainCity,
  PlainShape,
  PlainPoint,
  PlainParkingEvent,
  PlainRevision,
  PlainInterval,
  PlainTrip,
} from './plain-city.ts'
import { type PlainClock, plainClock, parseSeconds } from './plain-clock.ts'
import { listGapHours, hasRecord } from './plain-records.ts'

export type PlainRecord = Omit<ComplianceRecord, 'reason'>

const unitMs: Record<string, number> = { minutes: minuteMs, hours: hourMs, days: 24 * hourMs }
const metersPerHour: Record<string, number> = { mph: 1609.344, kph: 1000 }
const deployed = vehicleStateNames.filter((state) => vehicleStates[state].deployed)
const movingStates: readonly VehicleState[] = ['on_trip', 'stopped']

type Span = [from: number, until: number]
/** Whether a time means the end of the day. */
const isMidnight = (time: string | null): boolean =>
  time === null || time === '00:00:00' || time === '23:59:59'

/** Returns the window of a day; null if a clock change skips it. */
function getWindow(
  { start_time: start, end_time: end }: PlainRevision['policy'],
  day: number,
  clock: PlainClock,
): Span | null {
  const from = clock.at(day, start === null ? 0 : parseSeconds(start))
  const overnight = !isMidnight(end) && (start ?? '00:00:00') > (end ?? '')
  const until = isMidnight(end)
    ? clock.at(day + 1, 0)
    : clock.at(overnight ? day + 1 : day, parseSeconds(end ?? ''))
  return until > from ? [from, until] : null
}

const intersectSpans = ([a, b]: Span, [from, until]: Span): Span => [Math.max(a, from), Math.min(b, until)]
const measureOverlap = (spans: readonly Span[], within: Span): number =>
  spans.reduce((sum, span) => {
    const [a, b] = intersectSpans(span, within)
    return sum + Math.max(0, b - a)
  }, 0)

/** Returns the fleet size in a time range by a method; null if no part of the range counts. */
function getFleetSize(
  method: 'avg' | 'max' | 'sae_max' | 'daytime_avg',
  spans: readonly Span[],
  within: Span,
  { city: { region }, clock }: { city: PlainCity; clock: PlainClock },
): number | null {
  const [from, until] = within
  if (method === 'avg') return measureOverlap(spans, within) / (until - from)
  if (method === 'max') {
    let max = 0
    for (let at = Math.ceil(from / minuteMs) * minuteMs; at < until; at += minuteMs)
      max = Math.max(max, spans.filter(([a, b]) => a <= at && at < b).length)
    return max
  }
  if (method === 'sae_max') {
    // An hour of the local clock; a repeated hour counts as two.
    const hours = new Map<string, Span>()
    for (let at = from; at < until; at = Math.min(until, Math.floor(at / minuteMs) * minuteMs + minuteMs)) {
      const { day, seconds } = clock.shows(at)
      const key = `${day} ${Math.floor(seconds / 3600)} ${clock.offset(at)}`
      const end = Math.min(until, Math.floor(at / minuteMs) * minuteMs + minuteMs)
      hours.set(key, [hours.get(key)?.[0] ?? at, end])
    }
    return Math.max(
      0,
      ...[...hours.values()].map((span) => measureOverlap(spans, span) / (span[1] - span[0])),
    )
  }
  const { from: opens, until: shuts } = region.operatingHours
  let [vehicleMs, openMs] = [0, 0]
  for (let day = clock.shows(from).day - 1; day <= clock.shows(until).day; day++) {
    const open = intersectSpans(
      [clock.at(day, parseSeconds(opens)), clock.at(shuts > opens ? day : day + 1, parseSeconds(shuts))],
      within,
    )
    if (open[1] <= open[0]) continue
    vehicleMs += measureOverlap(spans, open)
    openMs += open[1] - open[0]
  }
  return openMs ? vehicleMs / openMs : null
}

/** What was measured for an operator in a place within a window. */
interface Measurement {
  measured: number | null
  vehicles: number | null
  dropOffs: number | null
  /** Vehicles of facts that certainly break the rule, and of those with an uncertain place. */
  sure: string[]
  unsure: string[]
  /** Whether later records may add facts. */
  mayGrow: boolean
  /** Why nothing was measured. */
  reason: 'nothing_to_measure' | 'no_fleet' | null
}
const nothing: Measurement = {
  measured: null,
  vehicles: null,
  dropOffs: null,
  sure: [],
  unsure: [],
  mayGrow: false,
  reason: null,
}

type IsThere = (interval: PlainInterval) => boolean

/** The vehicles and events of an operator to which a policy applies. */
class OperatorFacts {
  readonly city: PlainCity
  readonly revision: PlainRevision
  readonly operator: string
  readonly clock: PlainClock
  constructor(city: PlainCity, revision: PlainRevision, operator: string, clock: PlainClock) {
    this.city = city
    this.revision = revision
    this.operator = operator
    this.clock = clock
  }

  /** Whether the policy applies to a vehicle, by the type of the fact or else of the registration. */
  appliesToVehicle({ operator, device, type }: { operator: string; device: string; type?: string }): boolean {
    const { vehicle_types: types, propulsion_types: drives } = this.revision.policy
    const vehicle = this.city.vehicles.find(
      (vehicle) => vehicle.operator === operator && vehicle.device === device,
    )
    const vehicleType = type ?? vehicle?.type ?? 'other'
    const isOfType =
      !types.length ||
      (types as string[]).includes(vehicleType) ||
      (vehicleType.startsWith('scooter_') && types.includes('scooter'))
    return (
      operator === this.operator &&
      isOfType &&
      (!drives.length || drives.some((drive) => vehicle?.propulsion.includes(drive)))
    )
  }

  /** Times of vehicles in some states, until their next event, until they are lost, or until now. */
  spans(states: readonly VehicleState[], within: Span, isThere: IsThere = () => true): Span[] {
    const lost = this.city.region.lostAfterHours * hourMs
    return this.city.intervals
      .filter(
        (interval) => this.appliesToVehicle(interval) && states.includes(interval.state) && isThere(interval),
      )
      .map((interval) =>
        intersectSpans([interval.from, Math.min(interval.to, interval.from + lost, this.city.now)], within),
      )
      .filter(([from, until]) => until > from)
  }

  /** The sum of these times, in milliseconds. */
  sumTimes(states: readonly VehicleState[], within: Span, isThere?: IsThere): number {
    return measureOverlap(this.spans(states, within, isThere), within)
  }

  fleet(within: Span, measure: Extract<Measure, { kind: 'fleet' }>): Measurement {
    const spans = this.spans(this.revision.policy.vehicle_states ?? deployed, within)
    const measured = getFleetSize(measure.method, spans, within, this)
    return {
      ...nothing,
      measured,
      vehicles: measured,
      reason: measured === null ? 'nothing_to_measure' : null,
    }
  }

  fleetInShape(within: Span, shape: PlainShape, isShare: boolean): Measurement {
    const states = this.revision.policy.vehicle_states ?? deployed
    const parkedStates = states.filter((state) => !movingStates.includes(state))
    const timeInShape = this.sumTimes(parkedStates, within, (interval) => isIn(shape, interval))
    const all = this.sumTimes(states, within)
    const vehicles = timeInShape / (within[1] - within[0])
    if (!isShare) return { ...nothing, measured: vehicles, vehicles }
    return {
      ...nothing,
      measured: all ? (100 * timeInShape) / all : null,
      vehicles,
      reason: all ? null : 'no_fleet',
    }
  }

  dropOffs([from, until]: Span, shape: PlainShape): Measurement {
    const dropOffEvents = this.city.events.filter(
      (event) =>
        this.appliesToVehicle(event) &&
        event.types.includes('provider_drop_off') &&
        event.time >= from &&
        event.time < until &&
        isIn(shape, event),
    )
    const vehicles = new Set(dropOffEvents.map(({ device }) => device)).size
    return { ...nothing, measured: dropOffEvents.length, dropOffs: dropOffEvents.length, vehicles }
  }

  tripsPerVehicle(within: Span): Measurement {
    const trips = this.city.trips.filter(
      (trip) => this.appliesToVehicle(trip) && trip.start >= within[0] && trip.start < within[1],
    ).length
    const vehicles = this.sumTimes(deployed, within) / (within[1] - within[0])
    return {
      ...nothing,
      measured: vehicles ? trips / vehicles : null,
      vehicles,
      reason: vehicles ? null : 'nothing_to_measure',
    }
  }

  parkingEventsIn([from, until]: Span): PlainParkingEvent[] {
    return this.city.parkingEvents.filter(
      (event) => this.appliesToVehicle(event) && event.from >= from && event.from < until,
    )
  }

  parkedShare(within: Span, shapes: readonly PlainShape[]): Measurement {
    const parkingEvents = this.parkingEventsIn(within)
    const inShapes = parkingEvents.filter((event) => shapes.some((shape) => isIn(shape, event)))
    return {
      ...nothing,
      measured: parkingEvents.length ? (100 * inShapes.length) / parkingEvents.length : null,
      vehicles: new Set(parkingEvents.map(({ device }) => device)).size,
      reason: parkingEvents.length ? null : 'nothing_to_measure',
    }
  }

  parked(within: Span, shape: PlainShape, isLonger: boolean): Measurement {
    const { maximum, unit } = this.revision.policy
    const parkingEvents = this.parkingEventsIn(within).filter((event) => isIn(shape, event))
    const isLong = ({ from, to }: PlainParkingEvent): boolean =>
      !isLonger ||
      (maximum !== null && Math.min(to, this.city.now) - from > maximum * (unitMs[unit ?? ''] ?? NaN))
    return {
      ...nothing,
      ...splitByCertainty(shape, parkingEvents.filter(isLong)),
      mayGrow: parkingEvents.some((event) => !isLong(event) && event.to > this.city.now),
    }
  }

  ridden([from, until]: Span, { areas }: PlainShape): Measurement {
    const isThere = (lon: number, lat: number, time: number | null): boolean =>
      time !== null && time >= from && time < until && areas.some((area) => holdsPlace(area, lon, lat))
    const touchesShape = ({ route, startLon, startLat, start, endLon, endLat, end }: PlainTrip): boolean => {
      if (!route) return isThere(startLon, startLat, start) || isThere(endLon, endLat, end)
      return route.some((point, index) => {
        const next = route[index + 1] ?? (route.length === 1 ? point : null)
        return (
          next !== null &&
          point.time < until &&
          next.time >= from &&
          areas.some((area) => touchesArea(area, [point.lon, point.lat], [next.lon, next.lat]))
        )
      })
    }
    const trips = this.city.trips.filter((trip) => this.appliesToVehicle(trip) && touchesShape(trip))
    return { ...nothing, sure: trips.map(({ device }) => device) }
  }

  speeding([from, until]: Span, shape: PlainShape): Measurement {
    const { maximum, unit } = this.revision.policy
    if (maximum === null) return nothing
    // Rounded to a 32-bit float like stored speeds, so that 25 km/h is not faster than 25 km/h.
    const limit = Math.fround((maximum * (metersPerHour[unit ?? ''] ?? NaN)) / 3600)
    const fastPoints = this.city.points.filter(
      (point) =>
        point.tripId !== null &&
        this.appliesToVehicle(point) &&
        point.time >= from &&
        point.time < until &&
        isIn(shape, point) &&
        Math.fround(this.speedAt(point)) > limit,
    )
    return { ...nothing, ...splitByCertainty(shape, fastPoints) }
  }

  /** Meters per second; NaN if unknown. */
  speedAt(point: PlainPoint): number {
    if (!Number.isNaN(point.speed)) return point.speed
    const before = this.city.points
      .filter(
        ({ operator, device, tripId, time, id }) =>
          operator === point.operator &&
          device === point.device &&
          tripId !== null &&
          (time < point.time || (time === point.time && id < point.id)),
      )
      .toSorted((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
      .at(-1)
    if (
      !before ||
      before.tripId !== point.tripId ||
      before.time === point.time ||
      point.time - before.time > 5 * minuteMs
    )
      return NaN
    const meters = getMetersBetween([before.lon, before.lat], [point.lon, point.lat])
    return meters / ((point.time - before.time) / 1000)
  }
}

const isIn = ({ areas }: PlainShape, { lon, lat }: { lon: number; lat: number }): boolean =>
  areas.some((area) => holdsPlace(area, lon, lat))

/** Splits vehicles by whether their place is certainly in the shape, given its accuracy. */
function splitByCertainty(
  { areas, outline }: PlainShape,
  facts: readonly { device: string; lon: number; lat: number; accuracy: number }[],
): { sure: string[]; unsure: string[] } {
  const border = outline ?? (areas[0] as Area)
  const isUnsure = ({ lon, lat, accuracy }: { lon: number; lat: number; accuracy: number }): boolean =>
    getMetersToBorder(border, lon, lat) < accuracy
  return {
    sure: facts.filter((fact) => !isUnsure(fact)).map(({ device }) => device),
    unsure: facts.filter((fact) => isUnsure(fact)).map(({ device }) => device),
  }
}

const measureNames = {
  fleet: 'vehicles',
  drop_offs: 'drop_offs',
  trips_per_vehicle: 'trips_per_vehicle',
  parked_longer: 'long_parking_events',
  parked: 'parking_events',
  ridden: 'trips',
  speeding: 'speeding_points',
  parked_share: 'percent_of_parking',
} as const
const getMeasureName = (measure: Exclude<Measure, { kind: 'fee' }>): ComplianceMeasure =>
  measure.kind === 'fleet_in_shape'
    ? measure.share
      ? 'percent_of_fleet'
      : 'vehicles'
    : measureNames[measure.kind]
/** Measures of all shapes together, not of each shape. */
const measuresOfAllShapes: readonly Measure['kind'][] = ['fleet', 'trips_per_vehicle', 'parked_share']
/** Measures of which each fact is a violation. */
const measuresByFact: readonly Measure['kind'][] = ['parked_longer', 'parked', 'ridden', 'speeding']

function measureFacts(
  facts: OperatorFacts,
  measure: Exclude<Measure, { kind: 'fee' }>,
  within: Span,
  shape: PlainShape,
): Measurement {
  switch (measure.kind) {
    case 'fleet':
      return facts.fleet(within, measure)
    case 'fleet_in_shape':
      return facts.fleetInShape(within, shape, measure.share)
    case 'drop_offs':
      return facts.dropOffs(within, shape)
    case 'trips_per_vehicle':
      return facts.tripsPerVehicle(within)
    case 'parked_share':
      return facts.parkedShare(within, facts.revision.shapes)
    case 'parked':
      return facts.parked(within, shape, false)
    case 'parked_longer':
      return facts.parked(within, shape, true)
    case 'ridden':
      return facts.ridden(within, shape)
    case 'speeding':
      return facts.speeding(within, shape)
  }
}

/** Returns all records of a revision on some days, for the operators of the city that the policy does not exclude. */
export function plainDays(city: PlainCity, revision: PlainRevision, days: readonly string[]): PlainRecord[] {
  const { policy } = revision
  const measure = findPolicyType(policy.policy_type)?.measure(policy)
  if (!measure || measure.kind === 'fee') return []
  const operators = policy.operators.length ? policy.operators : city.operators
  const allShapes: PlainShape = { shape_uuid: null, name: revision.shapes[0]?.name ?? '', areas: [] }
  const shapes = measuresOfAllShapes.includes(measure.kind) ? [allShapes] : revision.shapes
  return days.flatMap((date) =>
    operators.flatMap((operator) =>
      shapes.map((shape) => makeRecord(city, revision, { measure, date, operator, shape })),
    ),
  )
}

interface RecordSubject {
  measure: Exclude<Measure, { kind: 'fee' }>
  date: string
  operator: string
  shape: PlainShape
}

function makeRecord(
  city: PlainCity,
  revision: PlainRevision,
  { measure, date, operator, shape }: RecordSubject,
): PlainRecord {
  const { policy } = revision
  const [clock, day] = [plainClock(city.region.timezone), dayNumber(date)]
  const record = {
    date,
    operator,
    shape_uuid: shape.shape_uuid,
    shape_name: shape.name,
    measure: getMeasureName(measure),
    minimum: policy.minimum,
    maximum: policy.maximum,
    unit: policy.unit,
    policy_uuid: revision.policy_uuid,
    vehicle_count: null,
    drop_offs_count: null,
    measured: null,
    violations: 0,
    uncertain: 0,
    gap_hours: 0,
    provisional: false,
    method_version: 2,
    counts_uncertain: city.region.countsUncertain,
  }
  const notApplicable = (
    reason_code: ComplianceReason,
    overrides: Partial<PlainRecord> = {},
  ): PlainRecord => ({ ...record, status: 'not_applicable', reason_code, ...overrides })
  if (policy.days.length && !policy.days.includes(getWeekday(dayFromNumber(day))))
    return notApplicable('not_on_this_day')
  const policyWindow = getWindow(policy, day, clock)
  if (!policyWindow) return notApplicable('not_on_this_day')
  const window = intersectSpans(policyWindow, [revision.from, revision.until ?? Infinity])
  if (window[1] <= window[0]) return notApplicable('not_in_force')
  if (window[0] >= city.now) return notApplicable('day_goes_on', { provisional: true })
  // If only trips are measured, those of files are sufficient.
  if (!hasRecord(city, operator, { day, clock, withTrips: measure.kind === 'ridden' }))
    return notApplicable('no_feed')
  const facts = new OperatorFacts(city, revision, operator, clock)
  const within: Span = [window[0], Math.min(window[1], city.now)]
  const measurement = measureFacts(facts, measure, within, shape)
  const isOpen = window[1] > city.now
  const isByFact = measuresByFact.includes(measure.kind)
  const all = [...measurement.sure, ...measurement.unsure]
  const counted = city.region.countsUncertain ? all : measurement.sure
  const measured = isByFact
    ? all.length
    : measurement.measured === null
      ? null
      : roundToNano(measurement.measured)
  const judgment = {
    measured,
    vehicle_count: isByFact
      ? new Set(all).size
      : measurement.vehicles === null
        ? null
        : roundToNano(measurement.vehicles),
    drop_offs_count: measurement.dropOffs,
    uncertain: measurement.unsure.length,
    violations: isByFact ? counted.length : 0,
  }
  const makeResult = (
    status: ComplianceStatus,
    reason_code: ComplianceReason,
    overrides: Partial<PlainRecord> = {},
  ): PlainRecord => ({ ...record, ...judgment, status, reason_code, ...overrides })
  const gaps = listGapHours(city, operator, window, clock)
  if (gaps) return makeResult('not_applicable', 'data_gap', { gap_hours: gaps })
  if (measurement.reason)
    return notApplicable(
      measurement.reason === 'no_fleet' && (policy.minimum === null || hasFleetOnDay(facts, day))
        ? 'nothing_to_measure'
        : measurement.reason,
    )
  const limits =
    measure.kind === 'parked_longer' || measure.kind === 'speeding'
      ? [policy.maximum]
      : isByFact
        ? [0]
        : [policy.minimum, policy.maximum]
  if (limits.every((limit) => limit === null))
    return isByFact ? notApplicable('no_limit') : makeResult('not_applicable', 'no_limit')
  if (isByFact) {
    if (counted.length)
      return makeResult('non_compliant', 'found', { provisional: isOpen || measurement.mayGrow })
    return isOpen
      ? makeResult('not_applicable', 'day_goes_on', { provisional: true })
      : makeResult('compliant', 'none_found', { provisional: measurement.mayGrow })
  }
  const value = measured ?? NaN
  // Above the maximum: no later fact can change this.
  const isFinal = measure.kind === 'drop_offs' || (measure.kind === 'fleet' && measure.method === 'max')
  if (policy.maximum !== null && value > policy.maximum && (!isOpen || isFinal))
    return makeResult('non_compliant', 'over_maximum', { violations: 1, provisional: isOpen })
  if (isOpen) return makeResult('not_applicable', 'day_goes_on', { provisional: true })
  if (policy.minimum === null || value >= policy.minimum) return makeResult('compliant', 'within')
  return hasFleetOnDay(facts, day)
    ? makeResult('non_compliant', 'under_minimum', { violations: 1 })
    : makeResult('not_applicable', 'no_fleet')
}

/** Rounds to nine decimals, to ignore rounding errors. */
const roundToNano = (value: number): number => Math.round(value * 1e9) / 1e9

/** Whether the operator has a vehicle in the public right of way at any time of a local day. */
function hasFleetOnDay({ city, operator, clock }: OperatorFacts, day: number): boolean {
  const [from, until] = [clock.at(day, 0), Math.min(city.now, clock.at(day + 1, 0))]
  return city.intervals.some(
    (interval) =>
      interval.operator === operator &&
      deployed.includes(interval.state) &&
      interval.from < until &&
      Math.min(interval.to, interval.from + city.region.lostAfterHours * hourMs) > from,
  )
}
