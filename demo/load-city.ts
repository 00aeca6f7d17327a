import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { City, CityFeature, CityLayer } from './city.ts'
import type { StreetEdge, StreetGraph } from './street-graph.ts'

const folder = new URL('./city/', import.meta.url)

type Header = Omit<City, 'layers' | 'streets'> & { layers: Omit<CityLayer, 'features'>[] }

/** An edge of `street-graph.json.gz`; its path in meters east and north of the city's center. */
interface StoredEdge extends Pick<StreetEdge, 'class' | 'isPark'> {
  district?: string
  path: number[]
}

/** Reads Port Meridian, the made-up city of the demo, from `demo/city/`. */
export function loadCity(): City {
  const { layers, ...city } = readHeader()
  return {
    ...city,
    layers: layers.map((layer) => ({
      ...layer,
      features: readZipped<{ features: CityFeature[] }>(`${layer.name.toLowerCase()}.geojson.gz`).features,
    })),
    streets: readStreets(city),
  }
}

/** Reads only the streets, because parsing the layers takes 100 MB. */
export function loadStreets(): Pick<City, 'streets' | 'timezone'> {
  const city = readHeader()
  return { streets: readStreets(city), timezone: city.timezone }
}

const readHeader = (): Header => JSON.parse(readFileSync(new URL('city.json', folder), 'utf8')) as Header

const readStreets = (center: Pick<Header, 'lon' | 'lat'>): StreetGraph =>
  joinEdges(readZipped<{ edges: StoredEdge[] }>('street-graph.json.gz').edges, center)

function readZipped<Content>(name: string): Content {
  return JSON.parse(gunzipSync(readFileSync(new URL(name, folder))).toString()) as Content
}

/** Builds the graph: edges with a common end share a node. Nodes are numbered by first appearance. */
function joinEdges(edges: readonly StoredEdge[], { lon, lat }: { lon: number; lat: number }): StreetGraph {
  const nodes = new Map<string, number>()
  const nodeX: number[] = []
  const nodeY: number[] = []
  const getNode = (x: number, y: number): number => {
    const key = `${x} ${y}`
    const node = nodes.get(key)
    if (node !== undefined) return node
    nodes.set(key, nodes.size)
    nodeX.push(x)
    nodeY.push(y)
    return nodes.size - 1
  }
  return {
    lon0: lon,
    lat0: lat,
    edges: edges.map(({ class: kind, district, isPark, path }) => ({
      from: getNode(path[0]!, path[1]!),
      to: getNode(path.at(-2)!, path.at(-1)!),
      length: computeLength(path),
      class: kind,
      district,
      isPark,
      path: Float64Array.from(path),
    })),
    nodeX: Float64Array.from(nodeX),
    nodeY: Float64Array.from(nodeY),
  }
}

function computeLength(path: readonly number[]): number {
  let meters = 0
  for (let i = 2; i < path.length; i += 2)
    meters += Math.hypot(path[i]! - path[i - 2]!, path[i + 1]! - path[i - 1]!)
  return meters
}
