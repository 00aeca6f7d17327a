import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Box } from '#contract/place.ts'
import { BasemapFileError } from './basemap-file-error.ts'

const unzip = promisify(gunzip)

/** Metadata of a PMTiles file (PMTiles specification, version 3). */
export interface PmtilesMetadata {
  attribution: string
  /** Names of the tiles' layers; empty if unknown. */
  layers: string[]
  minZoom: number
  maxZoom: number
  bounds: Box
}

const headerBytes = 127
/** The largest accepted description in bytes, both stored and decompressed. */
const descriptionLimit = 16 * 1024 * 1024
/** The specification's codes of the compressions that every browser can read. */
const uncompressedCode = 1
const gzipCode = 2
/** The specification's code of the tile type MVT. */
const vectorTiles = 1

/** The other compressions by code, as they are named in error messages. */
const unsupportedCompressions: Record<number, string> = {
  0: 'in an unknown way',
  3: 'with Brotli',
  4: 'with Zstandard',
}

function checkCompression(parts: 'directories' | 'tiles', code: number): void {
  if (code !== uncompressedCode && code !== gzipCode)
    throw new BasemapFileError(
      `its ${parts} are packed ${unsupportedCompressions[code] ?? 'in an unknown way'}; they must be plain or packed with gzip`,
    )
}

/**
 * Reads the header and the description. The byte offsets are those of the specification's header.
 * @throws BasemapFileError if the file is not usable.
 */
export async function readPmtiles(file: FileHandle): Promise<PmtilesMetadata> {
  const { size } = await file.stat()
  const head = Buffer.alloc(headerBytes)
  const { bytesRead } = await file.read(head, 0, headerBytes, 0)
  if (bytesRead < headerBytes || head.toString('latin1', 0, 7) !== 'PMTiles')
    throw new BasemapFileError('it is not PMTiles')
  if (head[7] !== 3) throw new BasemapFileError(`it is PMTiles of version ${head[7]}; version 3 is read`)
  // Each section is declared by its offset and its length, eight bytes each.
  const ends = [8, 24, 40, 56].map((offset) =>
    Number(head.readBigUInt64LE(offset) + head.readBigUInt64LE(offset + 8)),
  )
  if (ends.some((end) => end > size))
    throw new BasemapFileError('it is truncated: it is shorter than its header says')
  if (head[99] !== vectorTiles)
    throw new BasemapFileError('it contains images; vector tiles (MVT) are required')
  checkCompression('directories', head[97] ?? 0)
  checkCompression('tiles', head[98] ?? 0)
  const description = await readDescription(
    file,
    Number(head.readBigUInt64LE(24)),
    Number(head.readBigUInt64LE(32)),
    head[97] === gzipCode,
  )
  const readDegrees = (offset: number): number => head.readInt32LE(offset) / 1e7
  return {
    attribution:
      typeof description['attribution'] === 'string' ? description['attribution'].slice(0, 2000) : '',
    layers: getLayers(description),
    minZoom: head[100] ?? 0,
    maxZoom: head[101] ?? 0,
    bounds: [readDegrees(102), readDegrees(106), readDegrees(110), readDegrees(114)],
  }
}

async function readDescription(
  file: FileHandle,
  offset: number,
  length: number,
  isCompressed: boolean,
): Promise<Record<string, unknown>> {
  if (length === 0) return {}
  if (length > descriptionLimit) throw new BasemapFileError('its description is too long')
  const bytes = Buffer.alloc(length)
  await file.read(bytes, 0, length, offset)
  try {
    const text = isCompressed ? await unzip(bytes, { maxOutputLength: descriptionLimit }) : bytes
    const value: unknown = JSON.parse(text.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // The error below covers an undecodable description too.
  }
  throw new BasemapFileError('its description cannot be read')
}

/** Returns the layer names. They are in `vector_layers`; older tools have them only in the statistics. */
function getLayers(description: Record<string, unknown>): string[] {
  const statistics = description['tilestats']
  const declaredNames = readNames(description['vector_layers'], 'id')
  return declaredNames.length
    ? declaredNames
    : readNames((statistics as { layers?: unknown } | null | undefined)?.layers, 'layer')
}

const maxNames = 200
const maxNameLength = 200

/** Reads the distinct texts under a key of the objects in a list, which may be invalid. */
function readNames(list: unknown, key: string): string[] {
  const values = Array.isArray(list)
    ? list.map((field: unknown) => (field as Record<string, unknown> | null)?.[key])
    : []
  const names = values.filter((value) => typeof value === 'string')
  const validNames = names.filter(({ length }) => length > 0 && length <= maxNameLength)
  return [...new Set(validNames)].slice(0, maxNames)
}
