import type { Box } from '#contract/place.ts'
import { type MapClass, classifyArea, classifyLine, classifyPlace } from './classify-tags.ts'
import { OsmFileError } from './osm-file-error.ts'
import type { OsmFile } from './osm-file.ts'

/** A compact sorted set of ids. Files have ids in order, so the next lookup is close to the previous one. */
class SortedIds {
  readonly ids: Float64Array
  #last = 0

  /** Takes ownership of the list: it is sorted and deduplicated in place. */
  constructor(list: Float64Array) {
    list.sort()
    let length = 0
    for (let at = 0; at < list.length; at++)
      if (at === 0 || list[at] !== list[at - 1]) list[length++] = list[at]!
    this.ids = list.subarray(0, length)
  }

  /** Position of an id; -1 if missing. */
  indexOf(id: number): number {
    const { ids } = this
    let at = this.#last
    if (ids[at] !== id) {
      // The next few positions are tried before the binary search.
      const until = Math.min(ids.length, at + 8)
      while (at < until && ids[at]! < id) at++
      if (ids[at] !== id) at = this.#search(id)
    }
    this.#last = Math.min(at, ids.length - 1)
    return ids[at] === id ? at : -1
  }

  #search(id: number): number {
    let [low, high] = [0, this.ids.length]
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

/** A growing list of numbers in one block of memory, eight bytes each. */
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

  /** The content without a copy; valid until the next push. */
  view(): Float64Array {
    return this.#values.subarray(0, this.#length)
  }
}

/** A way that is drawn, or that belongs to an area that is. */
interface CityWay {
  id: number
  /** Null if it is drawn only as a part of an area. */
  line: MapClass | null
  area: MapClass | null
  isCoast: boolean
  refs: number[]
}

/** An area of several ways. */
interface CityArea {
  id: number
  area: MapClass
  ways: number[]
}

/** The drawn objects of a file, in integers of 1e-7 degrees, before nodes are looked up. */
export interface City {
  ways: CityWay[]
  areas: CityArea[]
  places: { id: number; lon: number; lat: number; place: MapClass }[]
  /** Longitude and latitude of a node; null if the file lacks it. */
  nodeAt: (id: number) => [lon: number, lat: number] | null
  /** The bounding box of all nodes of the file, in degrees; null without nodes. */
  extent: Box | null
}

/** Progress of a step. */
export type OnStep = (step: 'areas' | 'box' | 'ways' | 'nodes', share: number) => void

/** Nodes of drawn ways in memory at most, sixteen bytes each. */
const nodesLimit = 30_000_000

const missing = -(2 ** 31)
const area = ['multipolygon', 'boundary']

/**
 * Reads the drawn objects of a file, or those in a box. Four passes, because a file has nodes before the objects that use them: areas, nodes
 * in the box, ways, and the places of their nodes. In memory are the ids of nodes in the box, and the places of the nodes of drawn ways.
 */
export async function readCity(
  file: OsmFile,
  box: Box | null,
  onStep: OnStep = () => undefined,
  most = nodesLimit,
): Promise<City> {
  const tooLarge = (): OsmFileError =>
    new OsmFileError(
      'The file is too large for a basemap. Select a part with --box west,south,east,north, or extract it first.',
    )
  const areas: CityArea[] = []
  const members = new Set<number>()
  await file.read(
    {
      relation(id, refs, tags) {
        const drawn = area.includes(tags.get('type') ?? '') ? classifyArea(tags) : null
        if (!drawn) return
        const ways = refs.flatMap(({ type, ref }) => (type === 'way' ? [ref] : []))
        areas.push({ id, area: drawn, ways })
        for (const way of ways) members.add(way)
        if (members.size > most) throw tooLarge()
      },
    },
    (share) => onStep('areas', share),
  )
  const inBox = box && (await nodesIn(file, box, most, tooLarge, (share) => onStep('box', share)))
  const ways: CityWay[] = []
  const needed = new GrowingList()
  await file.read(
    {
      way(id, refs, tags) {
        const line = classifyLine(tags)
        const isClosed = refs.length > 3 && refs[0] === refs.at(-1)
        const closed = isClosed ? classifyArea(tags) : null
        const isCoast = tags.get('natural') === 'coastline'
        const isMember = members.has(id)
        if (!(line || closed || isCoast || isMember) || refs.length < 2) return
        if (inBox && !isMember && !refs.some((ref) => inBox.has(ref))) return
        ways.push({ id, line, area: closed, isCoast, refs })
        for (const ref of refs) needed.push(ref)
        if (needed.length > most) throw tooLarge()
      },
    },
    (share) => onStep('ways', share),
  )
  const ids = new SortedIds(needed.view())
  const lons = new Int32Array(ids.ids.length).fill(missing)
  const lats = new Int32Array(ids.ids.length)
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
        const at = ids.indexOf(id)
        if (at === -1) return
        lons[at] = lon
        lats[at] = lat
      },
    },
    (share) => onStep('nodes', share),
  )
  return {
    ways,
    areas,
    places,
    nodeAt(id) {
      const at = ids.indexOf(id)
      return at === -1 || lons[at] === missing ? null : [lons[at]!, lats[at]!]
    },
    extent: extent[0] === Infinity ? null : (extent.map((each) => each / 1e7) as Box),
  }
}

const isWithin = (lon: number, lat: number, [west, south, east, north]: Box): boolean =>
  lon >= west * 1e7 && lon <= east * 1e7 && lat >= south * 1e7 && lat <= north * 1e7

async function nodesIn(
  file: OsmFile,
  box: Box,
  most: number,
  tooLarge: () => OsmFileError,
  onShare: (share: number) => void,
): Promise<SortedIds> {
  const found = new GrowingList()
  await file.read(
    {
      node(id, lon, lat) {
        if (!isWithin(lon, lat, box)) return
        found.push(id)
        if (found.length > most) throw tooLarge()
      },
    },
    onShare,
  )
  return new SortedIds(found.view())
}
