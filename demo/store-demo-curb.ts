import { randomUUID } from 'node:crypto'
import { dayMs } from '#contract/period.ts'
import type { Position } from '#contract/place.ts'
import type { App } from '#server/app.ts'
import { makeEmptyCounts } from '#server/curb/imports/import-store.ts'
import { publishImport } from '#server/curb/store/publish-import.ts'
import type { StagedRecord, StagedZone } from '#server/curb/store/staged.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Store } from '#server/stores/state.ts'
import type { City } from './city.ts'
import { holidays } from './curb/curb-demand.ts'
import { coreBlocks, demoInventory } from './curb/curb-places.ts'
import { policies, type PolicyKey } from './curb/curb-policies.ts'
import { createRandom, hashNumbers } from './hash-numbers.ts'
import { toDegrees } from './point.ts'
import type { StreetEdge } from './street-graph.ts'

/** Number of blocks around the center with an inventory. */
const blockCount = 560
const maxSmartZones = 40
/** Distance from the center line of a street to its curb. */
const curbOffsetMeters = { arterial: 8, collector: 6.5, local: 5 } as const
/** Length without curb zones at each end of a block. */
const cornerMeters = 9
const spaceMeters = 6.5

/** A stretch of one side of a block, in meters from its start, with its policies. */
interface Stretch {
  from: number
  to: number
  policyKeys: PolicyKey[]
  isSmart?: boolean
  isMarked?: boolean
}

/** Zones of the first inventory, and of the second, which converts some parking to loading zones. */
interface CurbPlan {
  before: StagedZone[]
  after: StagedZone[]
}

const sides = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const

/** Stores the downtown curb's inventories of 18 months ago and of later. Returns the number of zones. */
export async function storeDemoCurb(
  { state }: Pick<App, 'state'>,
  scope: Scope,
  { regionId, city, seed, at }: { regionId: string; city: City; seed: number; at: Date },
): Promise<number> {
  const store = state.as(scope)
  const inventoryId = randomUUID()
  await store
    .insertInto('curb_settings')
    .values({
      region_id: regionId,
      settings: JSON.stringify({
        assumedVehicleLength: 610,
        isPublic: true,
        designatedPeriods: { holidays: listHolidaysAround(at) },
      }),
    })
    .execute()
  await store
    .insertInto('curb_inventory')
    .values({
      inventory_id: inventoryId,
      region_id: regionId,
      name: demoInventory,
      kind: 'cds',
      created_time: at,
    })
    .execute()
  const plan = planCurb(city, seed)
  const daysAgo = (days: number): Date => new Date(at.getTime() - days * dayMs)
  const versions = [
    { zones: plan.before, effective: daysAgo(560), fileName: 'downtown-curb.json' },
    { zones: plan.after, effective: daysAgo(150), fileName: 'downtown-curb-loading.json' },
  ]
  for (const version of versions) {
    const importId = await stageVersion(store, { regionId, inventoryId }, version)
    const { effective } = version
    await publishImport(
      state,
      { scope, email: demoSurveyor },
      { regionId, importId, effective, at: effective },
    )
  }
  return plan.after.length
}

const demoSurveyor = 'curb-survey@portmeridian.example'

interface InventoryVersion {
  zones: readonly StagedZone[]
  effective: Date
  fileName: string
}

/** Stores a version of the inventory as an import that can be published. Returns its id. */
async function stageVersion(
  store: Store,
  { regionId, inventoryId }: { regionId: string; inventoryId: string },
  { zones, effective, fileName }: InventoryVersion,
): Promise<string> {
  const importId = randomUUID()
  await store
    .insertInto('curb_import')
    .values({
      import_id: importId,
      region_id: regionId,
      inventory_id: inventoryId,
      file_name: fileName,
      file_hash: importId,
      status: 'staged',
      counts: JSON.stringify({
        ...makeEmptyCounts(),
        rows: zones.length,
        outcomes: { accepted: zones.length, repaired: 0, refused: 0 },
        kinds: { zone: zones.length },
      }),
      created_by: demoSurveyor,
      created_time: effective,
    })
    .execute()
  for (let from = 0; from < zones.length; from += 500)
    await store
      .insertInto('curb_import_row')
      .values(
        zones
          .slice(from, from + 500)
          .map((zone, index) => makeStagedRow(zone, from + index, importId, regionId)),
      )
      .execute()
  return importId
}

const makeStagedRow = (zone: StagedZone, row: number, importId: string, regionId: string) => ({
  import_id: importId,
  region_id: regionId,
  row,
  kind: zone.kind,
  record_id: String(zone.zone.user_zone_id),
  outcome: 'accepted',
  findings: '[]',
  source: '{}',
  staged: JSON.stringify(zone satisfies StagedRecord),
})

/** Lists the fixed-date holidays of the United States in the years around a date. */
function listHolidaysAround(at: Date): string[] {
  const year = at.getUTCFullYear()
  return [year - 2, year - 1, year, year + 1].flatMap((holidayYear) =>
    holidays.map((day) => `${holidayYear}-${day}`),
  )
}

/** Plans the curb of the blocks around the center. */
export function planCurb(city: City, seed: number): CurbPlan {
  const names = mapStreetNames(city)
  const crossings = mapCrossings(city, names)
  /** Returns twice the distance from the center to the middle of an edge; used for ordering only. */
  const getDistance = ({ path }: StreetEdge): number =>
    Math.hypot(path[0]! + path.at(-2)!, path[1]! + path.at(-1)!)
  const edges = city.streets.edges
    .filter((edge) => edge.length > 45 && edge.district !== undefined && !edge.isPark)
    .toSorted((a, b) => getDistance(a) - getDistance(b))
    .slice(0, blockCount)
  const plan: CurbPlan = { before: [], after: [] }
  let smartCount = 0
  edges.forEach((edge, block) => {
    for (const side of [1, -1] as const) {
      const random = createRandom(hashNumbers(seed, block, side + 8080))
      const usableMeters = edge.length - 2 * cornerMeters
      const street = findStreetName(city, edge, names)
      const stretches = planStretches(edge, random, {
        usableMeters,
        isCore: block < coreBlocks,
        needsSmart: smartCount < maxSmartZones,
      })
      smartCount += stretches.filter(({ isSmart }) => isSmart).length
      stretches.forEach((stretch, number) => {
        const staged = (policyKeys: readonly PolicyKey[]): StagedZone => ({
          kind: 'zone',
          zone: makeZone(
            city,
            { edge, side, stretch },
            {
              label: `${block + 1}-${side > 0 ? 'R' : 'L'}${number + 1}`,
              street,
              startCrossStreet: findCrossStreet(crossings, edge.from, street),
              endCrossStreet: findCrossStreet(crossings, edge.to, street),
            },
          ),
          policies: policyKeys.map((key) => policies[key]),
          policyIds: [],
          history: [],
          capacity: [],
        })
        const isConverted = stretch.policyKeys.includes('paid') && random() < 0.12
        plan.before.push(staged(stretch.policyKeys))
        plan.after.push(staged(isConverted ? ['loading', 'loadingOnly', 'free'] : stretch.policyKeys))
      })
    }
  })
  return plan
}

interface BlockSide {
  /** Length without corners. */
  usableMeters: number
  isCore: boolean
  needsSmart: boolean
}

/** Divides a side of a block: meters and loading zones in the core, residential parking around it. */
function planStretches(
  edge: StreetEdge,
  random: () => number,
  { usableMeters, isCore, needsSmart }: BlockSide,
): Stretch[] {
  const stretches: Stretch[] = []
  let position = 0
  const add = (meters: number, policyKeys: PolicyKey[], options: Partial<Stretch> = {}): void => {
    const to = Math.min(usableMeters, position + meters)
    if (to - position >= spaceMeters) stretches.push({ from: position, to, policyKeys, ...options })
    position = to
  }
  if (edge.class === 'arterial') {
    if (random() < 0.35) add(24, ['busStop'])
    if (isCore && random() < 0.4)
      add(usableMeters - position, ['rush', 'cleaning', 'paidCore', 'free'], { isMarked: true })
    else add(usableMeters - position, random() < 0.5 ? ['clearway'] : ['rush', 'paid', 'free'])
    return stretches
  }
  if (random() < 0.12) add(7, ['hydrant'])
  if (isCore && random() < 0.3) {
    const isSmart = needsSmart && random() < 0.6
    add(13, isSmart ? ['smart', 'smartOnly', 'free'] : ['loading', 'loadingOnly', 'free'], {
      isSmart,
      isMarked: true,
    })
  }
  if (isCore && random() < 0.12) add(13, ['passenger', 'passengerOnly'])
  if (random() < 0.1) add(6.5, ['accessible', 'accessibleOnly'], { isMarked: true })
  if (isCore)
    add(usableMeters - position, ['cleaning', random() < 0.5 ? 'paidCore' : 'paid', 'free'], {
      isMarked: random() < 0.7,
    })
  else add(usableMeters - position, random() < 0.6 ? ['cleaning', 'residents', 'free'] : ['cleaning', 'free'])
  return stretches
}

interface ZoneNames {
  /** Block, side and position, such as 12-R1. */
  label: string
  street: string
  startCrossStreet: string
  endCrossStreet: string
}

function makeZone(
  city: City,
  { edge, side, stretch }: { edge: StreetEdge; side: 1 | -1; stretch: Stretch },
  { label, street, startCrossStreet, endCrossStreet }: ZoneNames,
): StagedZone['zone'] {
  const { lon0, lat0 } = city.streets
  const meters = stretch.to - stretch.from
  const line = makeCurbLine(edge, side, cornerMeters + stretch.from, cornerMeters + stretch.to)
  const coordinates = line.map((point): Position => toDegrees(lon0, lat0, point))
  return {
    geometry: { type: 'LineString', coordinates },
    user_zone_id: label,
    street_name: street,
    ...(startCrossStreet ? { cross_street_start_name: startCrossStreet } : {}),
    ...(endCrossStreet ? { cross_street_end_name: endCrossStreet } : {}),
    street_side: getCompassSide(edge, side),
    length: Math.round(meters * 100),
    width: 240,
    parking_angle: 'parallel',
    ...(stretch.isMarked ? { num_spaces: Math.max(1, Math.floor(meters / spaceMeters)) } : {}),
    ...(stretch.isSmart ? { name: `Smart zone ${label}` } : {}),
  }
}

/** Makes the line of a curb between two distances along its street. Side 1 is the right. */
function makeCurbLine(edge: StreetEdge, side: 1 | -1, from: number, to: number): [number, number][] {
  const offset = curbOffsetMeters[edge.class] * side
  const points: [number, number][] = []
  let before = 0
  for (let index = 2; index < edge.path.length; index += 2) {
    const [ax, ay, bx, by] = [
      edge.path[index - 2]!,
      edge.path[index - 1]!,
      edge.path[index]!,
      edge.path[index + 1]!,
    ]
    const length = Math.hypot(bx - ax, by - ay)
    if (length === 0) continue
    const [dx, dy] = [(bx - ax) / length, (by - ay) / length]
    const [start, end] = [Math.max(from - before, 0), Math.min(to - before, length)]
    if (start < end)
      for (const along of points.length ? [end] : [start, end])
        points.push([ax + dx * along + dy * offset, ay + dy * along - dx * offset])
    before += length
  }
  return points
}

/** Returns the compass direction from the center line of a street to its curb. */
function getCompassSide({ path }: StreetEdge, side: 1 | -1): (typeof sides)[number] {
  const heading = Math.atan2(path.at(-2)! - path[0]!, path.at(-1)! - path[1]!)
  const outward = heading + (side * Math.PI) / 2
  return sides[Math.round((outward / (2 * Math.PI)) * 8 + 16) % 8]!
}

/** Maps the midpoints of the segments of streets to street names. */
function mapStreetNames(city: City): Map<string, string> {
  const names = new Map<string, string>()
  const streets = city.layers.find(({ level }) => level === 'basemap:street')?.features ?? []
  for (const { geometry, properties } of streets) {
    const name = properties['name']
    if (geometry.type !== 'LineString' || typeof name !== 'string') continue
    const line = geometry.coordinates as Position[]
    for (const [index, [lon, lat]] of line.entries()) {
      const next = line[index + 1]
      if (next) names.set(toPlaceKey([(lon + next[0]) / 2, (lat + next[1]) / 2]), name)
    }
  }
  return names
}

/** Maps each node to the names of the streets that meet at it. */
function mapCrossings(city: City, names: ReadonlyMap<string, string>): Map<number, string[]> {
  const crossings = new Map<number, string[]>()
  for (const edge of city.streets.edges) {
    const name = findStreetName(city, edge, names)
    if (!name) continue
    for (const node of [edge.from, edge.to]) {
      const list = crossings.get(node) ?? []
      crossings.set(node, list)
      if (!list.includes(name)) list.push(name)
    }
  }
  return crossings
}

/** Finds a street that crosses another one at a node; '' if none does. */
const findCrossStreet = (
  crossings: ReadonlyMap<number, readonly string[]>,
  node: number,
  street: string,
): string => (crossings.get(node) ?? []).filter((name) => name !== street).toSorted()[0] ?? ''

const toPlaceKey = ([lon, lat]: Position): string => `${lon.toFixed(4)} ${lat.toFixed(4)}`

function findStreetName(city: City, { path }: StreetEdge, names: ReadonlyMap<string, string>): string {
  const { lon0, lat0 } = city.streets
  for (let index = 2; index < path.length; index += 2) {
    const [lonA, latA] = toDegrees(lon0, lat0, [path[index - 2]!, path[index - 1]!])
    const [lonB, latB] = toDegrees(lon0, lat0, [path[index]!, path[index + 1]!])
    const name = names.get(toPlaceKey([(lonA + lonB) / 2, (latA + latB) / 2]))
    if (name !== undefined) return name
  }
  return ''
}
