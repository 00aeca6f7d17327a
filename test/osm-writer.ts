import { deflateSync } from 'node:zlib'

/** Content of an OpenStreetMap file, in a form that tests can write. */
export interface OsmThings {
  /** Longitude, latitude and optional tags by id. */
  nodes: Record<number, [lon: number, lat: number, tags?: Record<string, string>]>
  ways?: { id: number; nodes: number[]; tags?: Record<string, string> }[]
  relations?: {
    id: number
    members: { type?: 'node' | 'way' | 'relation'; ref: number; role?: string }[]
    tags?: Record<string, string>
  }[]
}

interface Writing {
  /** Whether nodes are written as dense nodes. */
  dense?: boolean
  packed?: boolean
  /** Required features of the file. By default those of every file. */
  features?: string[]
}

/** Encodes an unsigned number as a protocol buffer varint. */
export function varint(value: bigint | number): number[] {
  let remaining = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  for (; remaining > 127n; remaining >>= 7n) bytes.push(Number(remaining & 127n) | 128)
  return [...bytes, Number(remaining)]
}

export const zigzag = (value: number): number[] =>
  varint(value < 0 ? BigInt(value) * -2n - 1n : BigInt(value) * 2n)
export const number = (field: number, value: number): number[] => [...varint(field * 8), ...varint(value)]
const encodeSigned = (field: number, value: number): number[] => [...varint(field * 8), ...zigzag(value)]
export const message = (field: number, bytes: Iterable<number>): number[] => {
  const all = [...bytes]
  return [...varint(field * 8 + 2), ...varint(all.length), ...all]
}
const encodeDeltas = (values: readonly number[]): number[] =>
  values.flatMap((value, index) => zigzag(value - (values[index - 1] ?? 0)))
const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8')

/** Encodes a blob with its header. Tests may declare wrong lengths. */
export function blob(
  type: string,
  data: Uint8Array,
  {
    packed = true,
    declaredSize = data.length,
    length,
  }: { packed?: boolean; declaredSize?: number; length?: number } = {},
): Buffer {
  const body = Buffer.from(
    packed ? [...number(2, declaredSize), ...message(3, deflateSync(data))] : message(1, data),
  )
  const head = Buffer.from([...message(1, utf8(type)), ...number(3, length ?? body.length)])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(head.length)
  return Buffer.concat([size, head, body])
}

export const header = (
  features: readonly string[] = ['OsmSchema-V0.6', 'DenseNodes'],
  packed = true,
): Buffer =>
  blob('OSMHeader', Buffer.from(features.flatMap((feature) => message(4, utf8(feature)))), { packed })

/** Writes a file with one block for nodes, ways and relations each. */
export function writeOsm(
  { nodes, ways = [], relations = [] }: OsmThings,
  { dense = true, packed = true, features }: Writing = {},
): Buffer {
  const list = Object.entries(nodes).map(([id, [lon, lat, tags = {}]]) => ({
    id: Number(id),
    lon: Math.round(lon * 1e7),
    lat: Math.round(lat * 1e7),
    tags,
  }))
  const parts = [header(features, packed)]
  if (list.length)
    parts.push(
      blob(
        'OSMData',
        encodeBlock((texts) =>
          dense ? encodeDenseNodes(list, texts) : list.flatMap((node) => message(1, encodeNode(node, texts))),
        ),
        { packed },
      ),
    )
  if (ways.length)
    parts.push(
      blob(
        'OSMData',
        encodeBlock((texts) =>
          ways.flatMap(({ id, nodes: refs, tags = {} }) =>
            message(3, [...number(1, id), ...encodeTags(tags, texts), ...message(8, encodeDeltas(refs))]),
          ),
        ),
        { packed },
      ),
    )
  const kinds = ['node', 'way', 'relation']
  if (relations.length)
    parts.push(
      blob(
        'OSMData',
        encodeBlock((texts) =>
          relations.flatMap(({ id, members, tags = {} }) =>
            message(4, [
              ...number(1, id),
              ...encodeTags(tags, texts),
              ...message(
                8,
                members.flatMap(({ role = '' }) => varint(texts(role))),
              ),
              ...message(9, encodeDeltas(members.map(({ ref }) => ref))),
              ...message(
                10,
                members.flatMap(({ type = 'way' }) => varint(kinds.indexOf(type))),
              ),
            ]),
          ),
        ),
        { packed },
      ),
    )
  return Buffer.concat(parts)
}

type Texts = (text: string) => number

/** Encodes a block: its string table, then its only group. */
function encodeBlock(group: (texts: Texts) => number[]): Buffer {
  const table: string[] = ['']
  const texts: Texts = (text) => {
    if (!table.includes(text)) table.push(text)
    return table.indexOf(text)
  }
  const written = group(texts)
  return Buffer.from([
    ...message(
      1,
      table.flatMap((text) => message(1, utf8(text))),
    ),
    ...message(2, written),
  ])
}

const encodeTags = (tags: Record<string, string>, texts: Texts): number[] => [
  ...message(
    2,
    Object.keys(tags).flatMap((key) => varint(texts(key))),
  ),
  ...message(
    3,
    Object.values(tags).flatMap((value) => varint(texts(value))),
  ),
]

interface Node {
  id: number
  lon: number
  lat: number
  tags: Record<string, string>
}

const encodeNode = ({ id, lon, lat, tags }: Node, texts: Texts): number[] => [
  ...encodeSigned(1, id),
  ...encodeTags(tags, texts),
  ...encodeSigned(8, lat),
  ...encodeSigned(9, lon),
]

const encodeDenseNodes = (nodes: readonly Node[], texts: Texts): number[] =>
  message(2, [
    ...message(1, encodeDeltas(nodes.map(({ id }) => id))),
    ...message(8, encodeDeltas(nodes.map(({ lat }) => lat))),
    ...message(9, encodeDeltas(nodes.map(({ lon }) => lon))),
    ...message(
      10,
      nodes.flatMap(({ tags }) => [
        ...Object.entries(tags).flatMap(([key, value]) => [...varint(texts(key)), ...varint(texts(value))]),
        0,
      ]),
    ),
  ])
