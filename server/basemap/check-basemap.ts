import { once } from 'node:events'
import fs from 'node:fs'
import { finished } from 'node:stream/promises'
import {
  BasemapEnd,
  basemapBytesLimit,
  BasemapHead,
  type BasemapRole,
  BasemapShape,
  basemapShapesLimit,
} from '#contract/basemap.ts'
import type { NodeReadable } from '#contract/endpoint.ts'
import { Problem } from '#server/http/problem.ts'
import { readLines, TooLong } from './read-lines.ts'

const isPosition = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'number' &&
  typeof value[1] === 'number' &&
  Math.abs(value[0]) <= 180 &&
  Math.abs(value[1]) <= 90

const areAll = (value: unknown, minLength: number, fits: (each: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length >= minLength && value.every(fits)

const isLine = (value: unknown): boolean => areAll(value, 2, isPosition)

const isRing = (value: unknown): boolean => {
  if (!areAll(value, 4, isPosition)) return false
  const ring = value as number[][]
  return ring[0]?.[0] === ring.at(-1)?.[0] && ring[0]?.[1] === ring.at(-1)?.[1]
}

const isPolygon = (value: unknown): boolean => areAll(value, 1, isRing)

/** The error in the coordinates of a shape; null if they match its type. */
export function geometryFault({ type, coordinates }: BasemapShape['geometry']): string | null {
  switch (type) {
    case 'Point':
      return isPosition(coordinates) ? null : 'a point must be a longitude and a latitude'
    case 'LineString':
      return isLine(coordinates) ? null : 'a line must have two positions or more'
    case 'Polygon':
      return isPolygon(coordinates) ? null : 'a polygon must have closed rings of four positions or more'
    case 'MultiPolygon':
      return areAll(coordinates, 1, isPolygon)
        ? null
        : 'each polygon must have closed rings of four positions or more'
  }
}

/** Bytes of one shape. */
const lineBytes = 8 * 1024 * 1024

/** The content of a checked basemap; its shapes are in the file, one per line. */
export interface CheckedBasemap {
  attribution: string
  counts: Map<BasemapRole, number>
}

const refuse = (text: string): Problem => new Problem('validation_error', text)

function parsed(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw refuse(`Line ${number} is no JSON.`)
  }
}

/** Checks a basemap while it is received and writes its shapes to a file: nothing is stored before all of it is valid. */
export async function checkBasemap(body: NodeReadable, path: string): Promise<CheckedBasemap> {
  const file = fs.createWriteStream(path, { flags: 'wx' })
  const written = finished(file)
  written.catch(() => undefined)
  try {
    return await checkLines(body, async (line) => {
      if (!file.write(`${line}\n`)) await once(file, 'drain')
    })
  } catch (error) {
    if (!(error instanceof TooLong)) throw error
    throw new Problem(
      'too_large',
      error.what === 'line'
        ? `A shape is larger than ${lineBytes / 1024 / 1024} MB.`
        : `The basemap is larger than ${basemapBytesLimit / 1024 / 1024} MB. Cut out a smaller part.`,
    )
  } finally {
    file.end()
    await written
  }
}

async function checkLines(
  body: NodeReadable,
  writeLine: (line: string) => Promise<void>,
): Promise<CheckedBasemap> {
  let number = 0
  let head: BasemapHead | null = null
  let end: number | null = null
  const counts = new Map<BasemapRole, number>()
  const ids = new Set<string>()
  for await (const line of readLines(body, { bytes: basemapBytesLimit, lineBytes })) {
    const value = parsed(line, ++number)
    if (end !== null) throw refuse(`Line ${number} is after the end.`)
    if (head === null) {
      const read = BasemapHead.safeParse(value)
      if (!read.success)
        throw refuse('The first line must say {"basemap": 1, "attribution": …, "source": …}.')
      head = read.data
      continue
    }
    const last = BasemapEnd.safeParse(value)
    if (last.success) {
      end = last.data.end
      continue
    }
    const { role, id } = readShape(value, number)
    if (ids.has(`${role} ${id}`)) throw refuse(`Line ${number}: ${role} ${id} was there before.`)
    ids.add(`${role} ${id}`)
    if (ids.size > basemapShapesLimit)
      throw new Problem(
        'too_large',
        `The basemap has more than ${basemapShapesLimit.toLocaleString('en-US')} shapes. Cut out a smaller part.`,
      )
    counts.set(role, (counts.get(role) ?? 0) + 1)
    await writeLine(line)
  }
  if (head === null || end !== ids.size)
    throw refuse(
      `The basemap is not complete: ${ids.size} shapes arrived${end === null ? ', and no end' : ` of ${end}`}. Nothing was changed.`,
    )
  if (ids.size === 0) throw refuse('There is nothing in the basemap. Nothing was changed.')
  return { attribution: head.attribution, counts }
}

function readShape(value: unknown, number: number): BasemapShape {
  const read = BasemapShape.safeParse(value)
  if (!read.success)
    throw refuse(
      `Line ${number} is no shape of a basemap: ${read.error.issues[0]?.path.join('.') || 'it'} is wrong.`,
    )
  const fault = geometryFault(read.data.geometry)
  if (fault) throw refuse(`Line ${number}: ${fault}.`)
  return read.data
}
