import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Box } from '#contract/place.ts'
import { BasemapFileError } from './basemap-file-error.ts'

const unzip = promisify(gunzip)

/** The description of a PMTiles file (PMTiles specification, version 3). */
export interface PmtilesAbout {
  attribution: string
  /** Names of the tiles' layers; empty if unknown. */
  layers: string[]
  minZoom: number
  maxZoom: number
  bounds: Box
}

const headerBytes = 127
/** Bytes of the description, as stored and decompressed. */
const descriptionLimit = 16 * 1024 * 1024
/** Compressions of tiles and descriptions that every browser reads, by the numbers of the specification. */
const [plain, gzipped] = [1, 2]
const vectorTiles = 1

const packings: Record<number, string> = { 0: 'in an unknown way', 3: 'with Brotli', 4: 'with Zstandard' }

function readable(what: string, packing: number): void {
  if (packing !== plain && packing !== gzipped)
    throw new BasemapFileError(
      `its ${what} packed ${packings[packing] ?? 'in an unknown way'}; they must be plain or packed with gzip`,
    )
}

/** Reads header and description; throws a BasemapFileError if the file is not usable. */
export async function readPmtiles(file: FileHandle): Promise<PmtilesAbout> {
  const { size } = await file.stat()
  const head = Buffer.alloc(headerBytes)
  const { bytesRead } = await file.read(head, 0, headerBytes, 0)
  if (bytesRead < headerBytes || head.toString('latin1', 0, 7) !== 'PMTiles')
    throw new BasemapFileError('it is not PMTiles')
  if (head[7] !== 3) throw new BasemapFileError(`it is PMTiles of version ${head[7]}; version 3 is read`)
  const ends = [8, 24, 40, 56].map((at) => Number(head.readBigUInt64LE(at) + head.readBigUInt64LE(at + 8)))
  if (ends.some((end) => end > size))
    throw new BasemapFileError('it is truncated: it is shorter than its header says')
  if (head[99] !== vectorTiles)
    throw new BasemapFileError('it contains images; vector tiles (MVT) are required')
  readable('directories are', head[97] ?? 0)
  readable('tiles are', head[98] ?? 0)
  const description = await readDescription(
    file,
    Number(head.readBigUInt64LE(24)),
    Number(head.readBigUInt64LE(32)),
    head[97] === gzipped,
  )
  const degrees = (at: number): number => head.readInt32LE(at) / 1e7
  return {
    attribution:
      typeof description['attribution'] === 'string' ? description['attribution'].slice(0, 2000) : '',
    layers: layersOf(description),
    minZoom: head[100] ?? 0,
    maxZoom: head[101] ?? 0,
    bounds: [degrees(102), degrees(106), degrees(110), degrees(114)],
  }
}

async function readDescription(
  file: FileHandle,
  offset: number,
  length: number,
  isPacked: boolean,
): Promise<Record<string, unknown>> {
  if (length === 0) return {}
  if (length > descriptionLimit) throw new BasemapFileError('its description is too long')
  const bytes = Buffer.alloc(length)
  await file.read(bytes, 0, length, offset)
  try {
    const text = isPacked ? await unzip(bytes, { maxOutputLength: descriptionLimit }) : bytes
    const value: unknown = JSON.parse(text.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new BasemapFileError('its description cannot be read')
}

/** Layer names are in `vector_layers`; older tools have them only in the statistics. */
function layersOf(description: Record<string, unknown>): string[] {
  const statistics = description['tilestats']
  const declared = namesIn(description['vector_layers'], 'id')
  return declared.length
    ? declared
    : namesIn((statistics as { layers?: unknown } | null | undefined)?.layers, 'layer')
}

function namesIn(list: unknown, key: string): string[] {
  const names = Array.isArray(list)
    ? list.map((each: unknown) => (each as Record<string, unknown> | null)?.[key])
    : []
  return [
    ...new Set(
      names.filter(
        (name): name is string => typeof name === 'string' && name.length > 0 && name.length <= 200,
      ),
    ),
  ].slice(0, 200)
}
