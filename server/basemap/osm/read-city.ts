import type { Box } from '#contract/place.ts'
import { type MapClass, classifyArea, classifyLine, classifyPlace } from './classify-tags.ts'
import { OsmFileError } from './osm-file-error.ts'
import type { OsmFile } from './osm-file.ts'

/** A compact sorted set of ids. Files are sorted by id, so the next lookup is usually close to the last. */
class SortedIds {
  readonly ids: Float64Array
  #lastIndex = 0

  /** Takes ownership of the list: it is sorted and deduplicated in place. */
  constructor(list: Float64Array) {
    list.sort()
    let length = 0
    for (let index = 0; index < list.length; index++)
      if (index === 0 || list[index] !== list[index - 1]) list[length++] = list[index]!
    this.ids = list.subarray(0, length)
  }

  /** Returns the position of an id; -1 if missing. */
  indexOf(id: number): number {
    const { ids } = this
    let index = this.#lastIndex
    if (ids[index] !== id) {
      // The next few positions are tried before the binary search.
      const until = Math.min(ids.length, index + 8)
      while (index < until && ids[index]! < id) index++
      if (ids[index] !== id) index = this.#search(id)
    }
    this.#lastIndex = Math.min(index, ids.length - 1)
    return ids[index] === id ? index : -1
  }

  /** Returns the position of the first id that is not less than `id`. */
  #search(id: number): number {
    let low = 0
    let high = this.ids.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.ids[middle]! < id) low = middle + 1
      else high = middle
    }
    return low
  }

  has(id: number): boolean {
    return this.indexOf(id) !== -1
  }
}

/** A growing list of numbers of eight bytes each, in one typed array. */
class GrowingList {
  #values = new Float64Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = value
  }

  /** Returns the content without a copy; valid until the next push. */
  view(): Float64Array {
    return this.#values.subarray(0, this.#length)
  }
}

/** A way that is drawn, or that belongs to a drawn area. */
interface CityWay {
  id: number
  /** Null if it is drawn only as a part of an area. */
  line: MapClass | null
  area: MapClass | null
  isCoast: boolean
  refs: number[]
}

/** An area bounded by several ways. */
interface CityArea {
  id: number
  area: MapClass
  ways: number[]
}

/** The drawn objects of a file. Coordinates are integers of 1e-7 degrees; ways refer to nodes by id. */
export interface City {
  ways: CityWay[]
  areas: CityArea[]
  places: { id: number; lon: number; lat: number; place: MapClass }[]
  /** Longitude and latitude of a node; null if the file lacks it. */
  nodeAt: (id: number) => [lon: number, lat: number] | null
  /** The bounding box of all nodes of the file, in degrees; null without nodes. */
  extent: Box | null
}

/** Receives the progress of a step, 0 to 1. */
export type OnStep = (step: 'areas' | 'box' | 'ways' | 'nodes', share: number) => void

/** The largest number of nodes of drawn ways in memory, sixteen bytes each. */
const nodesLimit = 30_000_000

/** Marks a longitude that was not read; no real one is as small. */
const missingLon = -(2 ** 31)
const areaRelationTypes = ['multipolygon', 'boundary']

/**
 * Reads the drawn objects of a file, or those in a box. Takes four passes, because a file contains nodes
 * before the objects that use them: areas, nodes in the box, ways, and the coordinates of their nodes. Only
 * the ids of the nodes in the box and the coordinates of the nodes of drawn ways are in memory.
 */
export async function readCity(
  file: OsmFile,
  box: Box | null,
  onStep: OnStep = () => undefined,
  maxNodes = nodesLimit,
): Promise<City> {
  const { areas, members } = await readAreas(file, { maxNodes, onShare: (share) => onStep('areas', share) })
  const nodesInBox =
    box && (await readNodesIn(box, file, { maxNodes, onShare: (share) => onStep('box', share) }))
  const { ways, neededNodes } = await readWays(
    file,
    { members, nodesInBox },
    { maxNodes, onShare: (share) => onStep('ways', share) },
  )
  const nodes = await readNodes(file, { neededNodes, box }, (share) => onStep('nodes', share))
  return { ways, areas, ...nodes }
}

interface PassOptions {
  /** With more nodes or member ways, the file is too large. */
  maxNodes: number
  onShare: (share: number) => void
}

const makeTooLargeError = (): OsmFileError =>
  new OsmFileError(
    'The file is too large for a basemap. Select a part with --box west,south,east,north, or extract it first.',
  )

/** Reads the areas that consist of several ways, and the ids of these ways. */
async function readAreas(
  file: OsmFile,
  { maxNodes, onShare }: PassOptions,
): Promise<{ areas: CityArea[]; members: Set<number> }> {
  const areas: CityArea[] = []
  const members = new Set<number>()
  await file.read(
    {
      relation(id, refs, tags) {
        const area = areaRelationTypes.includes(tags.get('type') ?? '') ? classifyArea(tags) : null
        if (!area) return
        const ways = refs.flatMap(({ type, ref }) => (type === 'way' ? [ref] : []))
        areas.push({ id, area, ways })
        for (const way of ways) members.add(way)
        if (members.size > maxNodes) throw makeTooLargeError()
      },
    },
    onShare,
  )
  return { areas, members }
}

/** Reads the drawn ways, within a box if there is one, and the ids of their nodes. */
async function readWays(
  file: OsmFile,
  { members, nodesInBox }: { members: ReadonlySet<number>; nodesInBox: SortedIds | null },
  { maxNodes, onShare }: PassOptions,
): Promise<{ ways: CityWay[]; neededNodes: SortedIds }> {
  const ways: CityWay[] = []
  const nodeIds = new GrowingList()
  await file.read(
    {
      way(id, refs, tags) {
        const line = classifyLine(tags)
        const isClosed = refs.length > 3 && refs[0] === refs.at(-1)
        const area = isClosed ? classifyArea(tags) : null
        const isCoast = tags.get('natural') === 'coastline'
        const isMember = members.has(id)
        if (!(line || area || isCoast || isMember) || refs.length < 2) return
        if (nodesInBox && !isMember && !refs.some((ref) => nodesInBox.has(ref))) return
        ways.push({ id, line, area, isCoast, refs })
        for (const ref of refs) nodeIds.push(ref)
        if (nodeIds.length > maxNodes) throw makeTooLargeError()
      },
    },
    onShare,
  )
  return { ways, neededNodes: new SortedIds(nodeIds.view()) }
}

/** Reads the coordinates of the nodes of ways, the places, and the extent of all nodes. */
async function readNodes(
  file: OsmFile,
  { neededNodes, box }: { neededNodes: SortedIds; box: Box | null },
  onShare: (share: number) => void,
): Promise<Pick<City, 'places' | 'nodeAt' | 'extent'>> {
  const lons = new Int32Array(neededNodes.ids.length).fill(missingLon)
  const lats = new Int32Array(neededNodes.ids.length)
  const places: City['places'] = []
  const extent: Box = [Infinity, Infinity, -Infinity, -Infinity]
  await file.read(
    {
      node(id, lon, lat, tags) {
        if (lon < extent[0]) extent[0] = lon
        if (lon > extent[2]) extent[2] = lon
        if (lat < extent[1]) extent[1] = lat
        if (lat > extent[3]) extent[3] = lat
        const place = tags && classifyPlace(tags)
        if (place && (!box || isWithin(lon, lat, box))) places.push({ id, lon, lat, place })
        const index = neededNodes.indexOf(id)
        if (index === -1) return
        lons[index] = lon
        lats[index] = lat
      },
    },
    onShare,
  )
  return {
    places,
    nodeAt(id) {
      const index = neededNodes.indexOf(id)
      return index === -1 || lons[index] === missingLon ? null : [lons[index]!, lats[index]!]
    },
    extent: extent[0] === Infinity ? null : (extent.map((coordinate) => coordinate / 1e7) as Box),
  }
}

const isWithin = (lon: number, lat: number, [west, south, east, north]: Box): boolean =>
  lon >= west * 1e7 && lon <= east * 1e7 && lat >= south * 1e7 && lat <= north * 1e7

/** Reads the ids of the nodes in a box. */
async function readNodesIn(box: Box, file: OsmFile, { maxNodes, onShare }: PassOptions): Promise<SortedIds> {
  const ids = new GrowingList()
  await file.read(
    {
      node(id, lon, lat) {
        if (!isWithin(lon, lat, box)) return
        ids.push(id)
        if (ids.length > maxNodes) throw makeTooLargeError()
      },
    },
    onShare,
  )
  return new SortedIds(ids.view())
}
