import { type CdsPolicyContent, type CdsRule, cdsWeekdays } from '#contract/cds.ts'
import { dayNumber, localDay } from '#contract/period.ts'
import { CurbIndexes } from '#server/curb/store/curb-index.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { computeSmoothNoise } from '../smooth-noise.ts'
import type { CurbBand, CurbPlace } from './curb-place.ts'
import { withResponses } from './price-response.ts'

/** Name of the inventory of the first run. */
export const demoInventory = 'Downtown curb survey'
/** Number of blocks in the core. */
export const coreBlocks = 260
/** Every third block of the core has a sensor. */
const sensorEvery = 3
/** Maximum number of spaces that one sensor covers. */
const maxSensorSpaces = 14
const metersPerDegree = 111_195

interface ZoneRow {
  zoneId: string
  label: string
  streetName: string
  geometry: unknown
  capacity: number
}

/** The policies of a zone from a time (ms) on. */
interface RulesFrom {
  from: number
  policies: readonly CdsPolicyContent[]
}

const getHourlyRate = (rule: CdsRule): number | undefined =>
  rule.rate?.find(({ rate_unit, start_duration }) => rate_unit === 'hour' && !start_duration)?.rate

interface PolicyRule {
  policy: CdsPolicyContent
  rule: CdsRule
}

const listRules = (policies: readonly CdsPolicyContent[]): PolicyRule[] =>
  policies.flatMap((policy) => policy.rules.map((rule) => ({ policy, rule })))

const makeMeterRules = (policies: readonly CdsPolicyContent[]): PolicyRule[] =>
  listRules(policies).filter(({ rule }) => rule.activity === 'parking' && getHourlyRate(rule) !== undefined)

const toBands = ({ policy, rule }: PolicyRule): CurbBand[] =>
  (policy.time_spans ?? []).map((span) => ({
    weekdays: (span.days_of_week ?? cdsWeekdays).map((day) => cdsWeekdays.indexOf(day)),
    opens: toMinutes(span.time_of_day_start, 0),
    closes: toMinutes(span.time_of_day_end, 1440),
    rate: getHourlyRate(rule) ?? 0,
  }))

const makeSmartRule = (policies: readonly CdsPolicyContent[]): PolicyRule | undefined =>
  listRules(policies).find(({ rule }) => rule.activity === 'loading' && rule.purposes?.includes('delivery'))

/** Tests for street cleaning, which applies in some weeks of the month. */
const isCleaning = ({ time_spans: spans }: CdsPolicyContent): boolean =>
  spans?.some(({ weeks_of_month: weeks }) => weeks) ?? false

/** Tests for places without traffic: stopping is prohibited, other than by street cleaning. */
const isClearway = (policies: readonly CdsPolicyContent[]): boolean =>
  listRules(policies).some(({ policy, rule }) => rule.activity === 'no stopping' && !isCleaning(policy))

const toMinutes = (text: string | null | undefined, fallback: number): number =>
  text ? Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5)) : fallback

function getMaxStay({ max_stay: stay, max_stay_unit: unit }: CdsRule): number {
  if (stay == null) return 240
  return unit === 'hour' ? stay * 60 : stay
}

/** Encodes block, side and position along it in one number below 2^16. */
function parseLabel(label: string): { number: number; block: number } | null {
  const parts = /^(\d+)-([RL])(\d+)$/.exec(label)
  if (!parts) return null
  const block = Number(parts[1]) - 1
  return { block, number: block * 16 + (parts[2] === 'R' ? 0 : 8) + (Number(parts[3]) - 1) }
}

const origin: [number, number] = [0, 0]

function getMiddle(geometry: unknown): [number, number] {
  const { coordinates } = geometry as { coordinates: [number, number][] }
  const [[west, south], [east, north]] = [coordinates[0] ?? origin, coordinates.at(-1) ?? origin]
  return [(west + east) / 2, (south + north) / 2]
}

/** Computes the relative demand of a position, which decreases from the center and varies by neighborhood. */
function computeAttraction([lon, lat]: [number, number], center: { lon: number; lat: number }): number {
  const y = (lat - center.lat) * metersPerDegree
  const x = (lon - center.lon) * metersPerDegree * Math.cos((center.lat * Math.PI) / 180)
  const proximity = 1.06 - 0.38 * Math.min(1.2, Math.hypot(x, y) / 800)
  return Math.max(0.5, Math.min(1.12, proximity + 0.12 * computeSmoothNoise(4711, x / 260, y / 260)))
}

/** Returns null for zones without traffic: neither metered nor smart, or where nobody may stop. */
export function makePlace(
  row: ZoneRow,
  history: readonly RulesFrom[],
  center: { lon: number; lat: number },
): CurbPlace | null {
  const numbers = parseLabel(row.label)
  const newest = history.at(-1)
  const smart = newest && makeSmartRule(newest.policies)
  const metered = history.flatMap(({ from, policies }) => {
    const rules = makeMeterRules(policies)
    return rules.length ? [{ from, rules, bands: rules.flatMap(toBands) }] : []
  })
  const last = metered.at(-1)
  const bands = smart ? toBands(smart) : (last?.bands ?? [])
  const rule = smart?.rule ?? last?.rules[0]?.rule
  if (!numbers || !newest || !rule || !bands.length || row.capacity < 1 || isClearway(newest.policies))
    return null
  const place = getMiddle(row.geometry)
  return {
    zoneId: row.zoneId,
    ...numbers,
    label: row.label,
    streetName: row.streetName,
    lon: Math.round(place[0] * 1e6) / 1e6,
    lat: Math.round(place[1] * 1e6) / 1e6,
    spaces: Math.min(row.capacity, 60),
    use: smart ? 'smart' : 'meter',
    maxStay: getMaxStay(rule),
    opens: Math.min(...bands.map(({ opens }) => opens)),
    closes: Math.max(...bands.map(({ closes }) => closes)),
    rates: smart ? [] : metered.map(({ from, bands: hourly }) => ({ from, bands: hourly })),
    isCleaned: newest.policies.some(isCleaning),
    until: smart || !last ? null : (history.find(({ from }) => from > last.from)?.from ?? null),
    attraction: computeAttraction(place, center),
    hasSensor: false,
    response: null,
  }
}

/** Places a sensor at the longest metered stretch of every third core block, and every other smart zone. */
export function withSensors(places: readonly CurbPlace[]): CurbPlace[] {
  const longest = new Map<number, CurbPlace>()
  for (const place of places) {
    const { block, use, until, spaces } = place
    if (use !== 'meter' || until !== null || block >= coreBlocks || block % sensorEvery) continue
    if (spaces <= maxSensorSpaces && spaces > (longest.get(block)?.spaces ?? 2)) longest.set(block, place)
  }
  let smart = 0
  return places.map((place) => ({
    ...place,
    hasSensor: place.use === 'smart' ? smart++ % 2 === 0 : longest.get(place.block) === place,
  }))
}

/** Reads the places with generated traffic from the region's current curb. */
export async function readCurbPlaces(
  state: State,
  scope: Scope,
  { regionId, center, seed }: { regionId: string; center: { lon: number; lat: number }; seed: number },
): Promise<CurbPlace[]> {
  const store = state.as(scope)
  const [index, rows, capacities, inventory] = await Promise.all([
    new CurbIndexes(state).get(scope, regionId),
    store
      .selectFrom('curb_zone')
      .select(['curb_zone_id', 'street_name', 'geometry', 'record'])
      .where('region_id', '=', regionId)
      .where('end_time', 'is', null)
      .execute(),
    store
      .selectFrom('curb_capacity')
      .select(['curb_zone_id', 'capacity'])
      .where('region_id', '=', regionId)
      .orderBy('start_time')
      .execute(),
    store
      .selectFrom('curb_inventory')
      .select('created_time')
      .where('region_id', '=', regionId)
      .where('name', '=', demoInventory)
      .executeTakeFirst(),
  ])
  const capacityByZone = new Map(capacities.map((row) => [row.curb_zone_id, row.capacity]))
  const places = rows.flatMap((row) => {
    const history = index.getPolicyHistory(row.curb_zone_id).map(({ from, policyIds }) => ({
      from,
      policies: policyIds.flatMap((id) => index.policies.get(id) ?? []),
    }))
    const place = makePlace(
      {
        zoneId: row.curb_zone_id,
        label: String((row.record as { user_zone_id?: unknown }).user_zone_id ?? ''),
        streetName: row.street_name,
        geometry: row.geometry,
        capacity: capacityByZone.get(row.curb_zone_id) ?? 0,
      },
      history,
      center,
    )
    return place ? [place] : []
  })
  const withSensor = withSensors(places.toSorted((a, b) => a.number - b.number))
  if (!inventory) return withSensor
  return withResponses(withSensor, seed, dayNumber(localDay(inventory.created_time, index.timezone)))
}
