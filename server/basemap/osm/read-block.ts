import { OsmFileError } from './osm-file-error.ts'
import { Strings, type Tags } from './strings.ts'
import { WireReader } from './wire-reader.ts'

/** A member of a relation; `ref` is its id. */
export interface Member {
  type: 'node' | 'way' | 'relation'
  ref: number
}

/** Callbacks for a block; other data is not decoded. Longitude and latitude are integers of 1e-7 degrees. */
export interface Visitor {
  /** `tags` is null if a node has none. */
  node?: (id: number, lon: number, lat: number, tags: Tags | null) => void
  way?: (id: number, refs: number[], tags: Tags) => void
  relation?: (id: number, members: Member[], tags: Tags) => void
}

/** The kinds of objects in a block, so that later passes can skip it. */
export interface BlockKinds {
  nodes: boolean
  ways: boolean
  relations: boolean
}

/** The scale of coordinates: units and offsets are in nanodegrees. */
interface Scale {
  granularity: number
  lonOffset: number
  latOffset: number
}

/** Reads one block. The field numbers are those of `PrimitiveBlock` in the PBF format's osmformat.proto. */
export function readBlock(bytes: Uint8Array, visitor: Visitor): BlockKinds {
  const reader = new WireReader(bytes)
  const groups: WireReader[] = []
  const scale: Scale = { granularity: 100, lonOffset: 0, latOffset: 0 }
  let strings = new Strings(new WireReader(new Uint8Array()))
  // The scale comes after the groups of objects that it applies to, so these are read in a second step.
  for (let field = reader.readField(); field !== 0; field = reader.readField()) {
    if (field === 1) strings = new Strings(reader.readInner())
    else if (field === 2) groups.push(reader.readInner())
    else if (field === 17) scale.granularity = reader.readVarint()
    else if (field === 19) scale.latOffset = reader.readInt64()
    else if (field === 20) scale.lonOffset = reader.readInt64()
    else reader.skip()
  }
  const kinds: BlockKinds = { nodes: false, ways: false, relations: false }
  for (const group of groups)
    for (let field = group.readField(); field !== 0; field = group.readField()) {
      if (field === 1 || field === 2) {
        kinds.nodes = true
        if (!visitor.node) group.skip()
        else if (field === 1) readNode(group.readInner(), strings, scale, visitor.node)
        else readDense(group.readInner(), strings, scale, visitor.node)
      } else if (field === 3) {
        kinds.ways = true
        if (visitor.way) readWay(group.readInner(), strings, visitor.way)
        else group.skip()
      } else if (field === 4) {
        kinds.relations = true
        if (visitor.relation) readRelation(group.readInner(), strings, visitor.relation)
        else group.skip()
      } else group.skip()
    }
  return kinds
}

/** Converts the file's units to integers of 1e-7 degrees. */
const toCoordinate = (value: number, granularity: number, offset: number): number =>
  Math.round((offset + granularity * value) / 100)

function readNode(
  reader: WireReader,
  strings: Strings,
  { granularity, lonOffset, latOffset }: Scale,
  visit: NonNullable<Visitor['node']>,
): void {
  let id = 0
  let lat = 0
  let lon = 0
  const keys: number[] = []
  const values: number[] = []
  for (let field = reader.readField(); field !== 0; field = reader.readField()) {
    if (field === 1) id = reader.readZigzag()
    else if (field === 2) readList(reader, keys)
    else if (field === 3) readList(reader, values)
    else if (field === 8) lat = reader.readZigzag()
    else if (field === 9) lon = reader.readZigzag()
    else reader.skip()
  }
  visit(
    id,
    toCoordinate(lon, granularity, lonOffset),
    toCoordinate(lat, granularity, latOffset),
    keys.length ? strings.getTags(keys, values) : null,
  )
}

/** Reads nodes in the dense format: parallel lists of delta-encoded numbers. */
function readDense(
  reader: WireReader,
  strings: Strings,
  { granularity, lonOffset, latOffset }: Scale,
  visit: NonNullable<Visitor['node']>,
): void {
  const empty = new WireReader(new Uint8Array())
  let ids = empty
  let lats = empty
  let lons = empty
  let tags = empty
  for (let field = reader.readField(); field !== 0; field = reader.readField()) {
    if (field === 1) ids = reader.readInner()
    else if (field === 8) lats = reader.readInner()
    else if (field === 9) lons = reader.readInner()
    else if (field === 10) tags = reader.readInner()
    else reader.skip()
  }
  let id = 0
  let lat = 0
  let lon = 0
  while (!ids.isDone) {
    if (lats.isDone || lons.isDone)
      throw new OsmFileError('The file is damaged: there are fewer places than nodes.')
    id += ids.readZigzag()
    lat += lats.readZigzag()
    lon += lons.readZigzag()
    const keys: number[] = []
    const values: number[] = []
    // The tags of all nodes are in one list; 0 ends those of a node.
    for (
      let key = tags.isDone ? 0 : tags.readVarint();
      key !== 0;
      key = tags.isDone ? 0 : tags.readVarint()
    ) {
      keys.push(key)
      values.push(tags.isDone ? 0 : tags.readVarint())
    }
    visit(
      id,
      toCoordinate(lon, granularity, lonOffset),
      toCoordinate(lat, granularity, latOffset),
      keys.length ? strings.getTags(keys, values) : null,
    )
  }
}

function readWay(reader: WireReader, strings: Strings, visit: NonNullable<Visitor['way']>): void {
  let id = 0
  const keys: number[] = []
  const values: number[] = []
  const refs: number[] = []
  for (let field = reader.readField(); field !== 0; field = reader.readField()) {
    if (field === 1) id = reader.readInt64()
    else if (field === 2) readList(reader, keys)
    else if (field === 3) readList(reader, values)
    else if (field === 8) readDeltas(reader, refs)
    else reader.skip()
  }
  visit(id, refs, strings.getTags(keys, values))
}

/** Types of members by their code. */
const memberTypes = ['node', 'way', 'relation'] as const

function readRelation(reader: WireReader, strings: Strings, visit: NonNullable<Visitor['relation']>): void {
  let id = 0
  const keys: number[] = []
  const values: number[] = []
  const refs: number[] = []
  const types: number[] = []
  for (let field = reader.readField(); field !== 0; field = reader.readField()) {
    if (field === 1) id = reader.readInt64()
    else if (field === 2) readList(reader, keys)
    else if (field === 3) readList(reader, values)
    else if (field === 9) readDeltas(reader, refs)
    else if (field === 10) readList(reader, types)
    else reader.skip()
  }
  visit(
    id,
    refs.map((ref, index) => ({ type: memberTypes[types[index] ?? 0] ?? 'node', ref })),
    strings.getTags(keys, values),
  )
}

/** Adds the numbers of a packed list to `numbers`. */
function readList(reader: WireReader, numbers: number[]): void {
  const packed = reader.readInner()
  while (!packed.isDone) numbers.push(packed.readVarint())
}

/** Adds the numbers of a delta-encoded list to `numbers`. */
function readDeltas(reader: WireReader, numbers: number[]): void {
  const packed = reader.readInner()
  let value = 0
  while (!packed.isDone) numbers.push((value += packed.readZigzag()))
}
