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
import { readLines, TooLongError } from './read-lines.ts'

const isPosition = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'number' &&
  typeof value[1] === 'number' &&
  Math.abs(value[0]) <= 180 &&
  Math.abs(value[1]) <= 90

const isArrayOf = (value: unknown, minLength: number, isValid: (element: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length >= minLength && value.every(isValid)

const isLine = (value: unknown): boolean => isArrayOf(value, 2, isPosition)

const isRing = (value: unknown): boolean => {
  if (!isArrayOf(value, 4, isPosition)) return false
  const ring = value as number[][]
  return ring[0]?.[0] === ring.at(-1)?.[0] && ring[0]?.[1] === ring.at(-1)?.[1]
}

const isPolygon = (value: unknown): boolean => isArrayOf(value, 1, isRing)

/** Finds the error in the coordinates of a shape; null if they match its type. */
export function findGeometryError({ type, coordinates }: BasemapShape['geometry']): string | null {
  switch (type) {
    case 'Point':
      return isPosition(coordinates) ? null : 'a point must be a longitude and a latitude'
    case 'LineString':
      return isLine(coordinates) ? null : 'a line must have two positions or more'
    case 'Polygon':
      return isPolygon(coordinates) ? null : 'a polygon must have closed rings of four positions or more'
    case 'MultiPolygon':
      return isArrayOf(coordinates, 1, isPolygon)
        ? null
        : 'each polygon must have closed rings of four positions or more'
  }
}

/** The largest allowed shape, in bytes. */
const lineBytesLimit = 8 * 1024 * 1024

/** Summary of a checked basemap. Its shapes are in the file, one per line. */
export interface CheckedBasemap {
  attribution: string
  counts: Map<BasemapRole, number>
}

const makeProblem = (text: string): Problem => new Problem('validation_error', text)

function parseLine(line: string, lineNumber: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw makeProblem(`Line ${lineNumber} is not valid JSON.`)
  }
}

/**
 * Checks a basemap while it is received and writes its shapes to a file at `path`, so that nothing is stored
 * in the database before all of it is valid.
 * @throws Problem that names the first invalid line.
 */
export async function checkBasemap(body: NodeReadable, path: string): Promise<CheckedBasemap> {
  const file = fs.createWriteStream(path, { flags: 'wx' })
  const closed = finished(file)
  // Errors are reported by the `await` below; until then the rejection must not count as unhandled.
  closed.catch(() => undefined)
  try {
    return await checkLines(body, async (line) => {
      if (!file.write(`${line}\n`)) await once(file, 'drain')
    })
  } catch (error) {
    if (!(error instanceof TooLongError)) throw error
    throw new Problem(
      'too_large',
      error.part === 'line'
        ? `A shape is larger than ${lineBytesLimit / 1024 / 1024} MB.`
        : `The basemap is larger than ${basemapBytesLimit / 1024 / 1024} MB. Cut out a smaller part.`,
    )
  } finally {
    file.end()
    await closed
  }
}

/**
 * Checks a basemap line by line and passes on valid lines.
 * @throws Problem that names the first invalid line.
 */
async function checkLines(
  body: NodeReadable,
  writeLine: (line: string) => Promise<void>,
): Promise<CheckedBasemap> {
  let lineNumber = 0
  let head: BasemapHead | null = null
  let declaredCount: number | null = null
  const counts = new Map<BasemapRole, number>()
  const ids = new Set<string>()
  for await (const line of readLines(body, { maxBytes: basemapBytesLimit, maxLineBytes: lineBytesLimit })) {
    const value = parseLine(line, ++lineNumber)
    if (declaredCount !== null) throw makeProblem(`Line ${lineNumber} is after the end.`)
    if (head === null) {
      const parsed = BasemapHead.safeParse(value)
      if (!parsed.success)
        throw makeProblem('The first line must say {"basemap": 1, "attribution": …, "source": …}.')
      head = parsed.data
      continue
    }
    const parsedEnd = BasemapEnd.safeParse(value)
    if (parsedEnd.success) {
      declaredCount = parsedEnd.data.end
      continue
    }
    const { role, id } = readShape(value, lineNumber)
    if (ids.has(`${role} ${id}`)) throw makeProblem(`Line ${lineNumber}: ${role} ${id} was there before.`)
    ids.add(`${role} ${id}`)
    if (ids.size > basemapShapesLimit)
      throw new Problem(
        'too_large',
        `The basemap has more than ${basemapShapesLimit.toLocaleString('en-US')} shapes. Cut out a smaller part.`,
      )
    counts.set(role, (counts.get(role) ?? 0) + 1)
    await writeLine(line)
  }
  if (head === null || declaredCount !== ids.size)
    throw makeProblem(
      `The basemap is not complete: ${ids.size} shapes arrived${declaredCount === null ? ', and no end' : ` of ${declaredCount}`}. Nothing was changed.`,
    )
  if (ids.size === 0) throw makeProblem('There is nothing in the basemap. Nothing was changed.')
  return { attribution: head.attribution, counts }
}

function readShape(value: unknown, lineNumber: number): BasemapShape {
  const parsed = BasemapShape.safeParse(value)
  if (!parsed.success)
    throw makeProblem(
      `Line ${lineNumber} is no shape of a basemap: ${parsed.error.issues[0]?.path.join('.') || 'it'} is wrong.`,
    )
  const error = findGeometryError(parsed.data.geometry)
  if (error) throw makeProblem(`Line ${lineNumber}: ${error}.`)
  return parsed.data
}
