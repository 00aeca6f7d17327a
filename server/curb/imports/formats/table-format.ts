import type { CurbMapping } from '#contract/curb-imports.ts'
import type { Position } from '#contract/place.ts'
import type { StagedPolicy, StagedZone } from '../../store/staged.ts'
import { checkGeometry } from '../checks/check-geometry.ts'
import { readStreetSide } from '../checks/check-place.ts'
import { requireZoneFits } from '../checks/require-zone-fits.ts'
import { toNumber } from '../checks/values.ts'
import {
  CurbFileError,
  type CurbFormat,
  Findings,
  type StagedRow,
  toStagedRow,
  type StagingContext,
} from '../curb-format.ts'
import { BlockDirections, fitLine } from '../table/block-directions.ts'
import { readDate } from '../table/read-date.ts'
import { type Fields, readRowPolicies, getMappedValue } from '../table/row-policies.ts'
import { type TableRecord, readTableRecords } from '../table/table-records.ts'

/** Tables of meters or zones in CSV or GeoJSON, read by a mapping of their columns. */
export const tableFormat: CurbFormat = {
  key: 'table',
  async *stage([file], context) {
    const { mapping } = context
    if (!mapping) throw new CurbFileError('Choose first what each column of the table means.')
    if (mapping.columns.id === undefined)
      throw new CurbFileError(
        'The mapping has no column with the id of a record, by which the next import finds it again.',
      )
    const reading = startReading(mapping, context)
    for await (const records of readTableRecords(file)) surveyRecords(records, reading)
    sortVersions(reading)
    for await (const records of readTableRecords(file))
      yield records.map((record) => stageRecord(record, reading))
  },
}

/** A version of a record. Tables with effective dates have one row per version. */
interface Version {
  row: number
  from: number | null
  policies: StagedPolicy[]
  hasPlace: boolean
}

/** A table that is being read: its mapping, and what the first pass over its rows collects. */
interface TableReading {
  mapping: CurbMapping
  context: StagingContext
  directions: BlockDirections
  /** Versions of records in tables with effective dates by id, oldest first. */
  versions: Map<string, Version[]>
  /** Ids of staged records. */
  seen: Set<string>
}

/** Stages records in memory like a complete table. */
export function stageTableRows(
  records: readonly TableRecord[],
  mapping: CurbMapping,
  context: StagingContext,
): StagedRow[] {
  const reading = startReading(mapping, context)
  surveyRecords(records, reading)
  sortVersions(reading)
  return records.map((record) => stageRecord(record, reading))
}

const startReading = (mapping: CurbMapping, context: StagingContext): TableReading => ({
  mapping,
  context,
  directions: new BlockDirections(),
  versions: new Map(),
  seen: new Set(),
})

function sortVersions({ versions }: TableReading): void {
  for (const versionsOfRecord of versions.values())
    versionsOfRecord.sort((a, b) => (a.from ?? -1) - (b.from ?? -1) || a.row - b.row)
}

/** Surveys a table in a first pass: collects the directions of blocks and the versions of records. */
function surveyRecords(records: readonly TableRecord[], reading: TableReading): void {
  const { mapping, context, directions, versions } = reading
  const isDated = mapping.columns.effective_date !== undefined
  for (const { row, fields, geometry } of records) {
    if (!fields) continue
    const point = geometry === null ? readPoint(fields, mapping) : null
    // Near the poles, a degree of longitude has no length, so there are no directions.
    if (point && Math.abs(point[1]) < 89) directions.add(makeBlockKey(fields, mapping), point)
    const id = getMappedValue(fields, mapping, 'id')
    if (!isDated || id === '' || isExcluded(fields, mapping)) continue
    const from = readDate(getMappedValue(fields, mapping, 'effective_date'), context.timeZone)
    const hasPlace = checkGeometry(geometry ?? toPoint(point), context, new Findings()) !== null
    const versionsOfRecord = versions.get(id) ?? []
    versions.set(id, versionsOfRecord)
    versionsOfRecord.push({ row, from, policies: readRowPolicies(fields, mapping, new Findings()), hasPlace })
  }
}

const isExcluded = (fields: Fields, mapping: CurbMapping): boolean => {
  const status = getMappedValue(fields, mapping, 'status')
  return status !== '' && mapping.excluded_statuses.includes(status)
}

const makeBlockKey = (fields: Fields, mapping: CurbMapping): string =>
  (['street_name', 'side', 'block', 'from_street', 'to_street'] as const)
    .map((column) => getMappedValue(fields, mapping, column))
    .join('|')

/** Reads the position of a row: from latitude and longitude, `(lat, lng)` or `POINT (lng lat)`. */
function readPoint(fields: Fields, mapping: CurbMapping): Position | null {
  const lat = toNumber(getMappedValue(fields, mapping, 'lat'))
  const lon = toNumber(getMappedValue(fields, mapping, 'lon'))
  if (lat !== null && lon !== null) return lat === 0 && lon === 0 ? null : [lon, lat]
  const text = getMappedValue(fields, mapping, 'point')
  const latLon = /^[([]?\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*[)\]]?$/.exec(text)
  if (latLon) return [Number(latLon[2]), Number(latLon[1])]
  const wkt = /^POINT\s*Z?\s*\(\s*(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)/i.exec(text)
  return wkt ? [Number(wkt[1]), Number(wkt[2])] : null
}

function stageRecord(record: TableRecord, reading: TableReading): StagedRow {
  const { row, fields, source } = record
  const findings = new Findings()
  const id = fields ? getMappedValue(fields, reading.mapping, 'id') : ''
  if (!fields)
    findings.refuse(
      'not_a_record',
      'The row has more or fewer fields than the header, an open quotation mark, or is no record.',
    )
  const staged = fields && stageZone({ ...record, fields, id }, reading, findings)
  return toStagedRow(
    {
      row,
      kind: 'zone',
      recordId: id === '' ? `row ${row}` : id,
      source,
      confidence: staged?.confidence ?? null,
    },
    findings,
    staged?.zone ?? null,
  )
}

/** Returns the zone of a record. Null if the record is refused, or is an earlier version of another one. */
function stageZone(
  { row, id, fields, geometry }: TableRecord & { fields: Fields; id: string },
  reading: TableReading,
  findings: Findings,
): { zone: StagedZone; confidence: number | null } | null {
  const { mapping, context, seen } = reading
  if (id === '') findings.refuse('missing_id', 'The row has no id.', mapping.columns.id ?? null)
  if (isExcluded(fields, mapping))
    findings.refuse(
      'not_in_service',
      `The status “${getMappedValue(fields, mapping, 'status')}” is not imported.`,
      mapping.columns.status ?? null,
    )
  if (findings.isRefused) return null
  const versions = reading.versions.get(id) ?? []
  const current = versions.at(-1)
  if (current && current.row !== row) {
    if (!current.hasPlace)
      findings.refuse('missing_geometry', `The newest version, row ${current.row}, has no place.`)
    else findings.note('merged', `The row is an earlier version of the record in row ${current.row}.`)
    return null
  }
  if (!current && seen.has(id)) findings.refuse('duplicate_id', `An earlier row has the same id, ${id}.`)
  const place = readPlace(geometry, fields, reading, findings)
  if (!place || findings.isRefused) return null
  seen.add(id)
  const zone: StagedZone['zone'] = {
    geometry: place.geometry,
    ...getZoneFields(fields, mapping, findings, context),
  }
  const policies = listCurrentPolicies(readRowPolicies(fields, mapping, findings), versions, findings)
  requireZoneFits(zone, findings)
  const spaces = readSpaces(fields, mapping, findings)
  if (spaces !== null) zone.num_spaces = spaces
  return {
    zone: {
      kind: 'zone',
      zone,
      policies,
      policyIds: [],
      history: toHistory(versions),
      capacity: spaces === null ? [] : [{ spaces, from: null }],
    },
    confidence: place.confidence,
  }
}

/** Returns the policies of the newest version, or of the last readable one if its rule is unreadable. */
function listCurrentPolicies(
  policies: StagedPolicy[],
  versions: readonly Version[],
  findings: Findings,
): StagedPolicy[] {
  if (policies.length || findings.outcome !== 'repaired') return policies
  const earlierVersion = versions.slice(0, -1).findLast((version) => version.policies.length > 0)
  if (!earlierVersion) return policies
  findings.repair(
    'rule_set_aside',
    `The rule of row ${earlierVersion.row}, an earlier version, was taken because this one is not certain.`,
  )
  return earlierVersion.policies
}

/** Returns the periods in which earlier versions applied. */
function toHistory(versions: readonly Version[]): StagedZone['history'] {
  return versions.slice(0, -1).flatMap((version, index) => {
    const nextVersion = versions[index + 1]
    const isPeriod =
      version.from !== null &&
      nextVersion?.from !== undefined &&
      nextVersion.from !== null &&
      nextVersion.from > version.from
    return isPeriod && version.policies.length
      ? [
          {
            start: version.from as number,
            end: nextVersion.from as number,
            policies: version.policies,
            policyIds: [],
          },
        ]
      : []
  })
}

/** The assumed length of a parking space, 20 ft. */
const spaceMeters = 6.1
/** More spaces than this are mistakes. */
const maxSpaces = 10_000

function readLengthMeters(fields: Fields, mapping: CurbMapping): number | null {
  const number = toNumber(getMappedValue(fields, mapping, 'length'))
  if (number === null || number <= 0) return null
  return number * { ft: 0.3048, m: 1, cm: 0.01 }[mapping.length_unit]
}

/** Reads the geometry of a row. A point becomes a line along the street, as long as row or spaces say. */
function readPlace(
  recordGeometry: unknown,
  fields: Fields,
  { mapping, context, directions }: TableReading,
  findings: Findings,
): { geometry: StagedZone['zone']['geometry']; confidence: number | null } | null {
  const rawGeometry = recordGeometry ?? toPoint(readPoint(fields, mapping))
  const geometry = checkGeometry(rawGeometry, context, findings)
  if (!geometry || geometry.type !== 'Point') return geometry && { geometry, confidence: null }
  const side = readStreetSide(getMappedValue(fields, mapping, 'side'))
  const direction = directions.find(makeBlockKey(fields, mapping)) ?? getSideDirection(side)
  const spaces = toNumber(getMappedValue(fields, mapping, 'spaces')) ?? 1
  const meters = readLengthMeters(fields, mapping) ?? Math.min(Math.max(spaces, 1), 100) * spaceMeters
  const line = fitLine(geometry.coordinates, direction ?? [1, 0], Math.min(meters, 1000))
  if (direction) findings.note('line_from_point', 'The point became a line along its block.')
  else
    findings.repair(
      'line_from_point',
      'The point became a line from west to east: the direction of its street is not known.',
    )
  return { geometry: { type: 'LineString', coordinates: line }, confidence: direction ? 0.7 : 0.3 }
}

const toPoint = (point: Position | null): unknown => point && { type: 'Point', coordinates: point }

/** Returns the direction of a street with this side, as a unit vector to the east and north, if any. */
function getSideDirection(side: string | null): [number, number] | null {
  if (side === null) return null
  const diagonal = Math.SQRT1_2
  const directions: Record<string, [east: number, north: number]> = {
    N: [1, 0],
    S: [1, 0],
    E: [0, 1],
    W: [0, 1],
    NE: [diagonal, -diagonal],
    SW: [diagonal, -diagonal],
    NW: [diagonal, diagonal],
    SE: [diagonal, diagonal],
  }
  return directions[side] ?? null
}

function getZoneFields(
  fields: Fields,
  mapping: CurbMapping,
  findings: Findings,
  { timeZone }: StagingContext,
): Partial<StagedZone['zone']> {
  const getText = (column: Parameters<typeof getMappedValue>[2]): string =>
    getMappedValue(fields, mapping, column).slice(0, 500)
  const side = getText('side')
  const streetSide = side === '' ? null : readStreetSide(side)
  if (side !== '' && !streetSide)
    findings.note(
      'bad_value',
      `“${side.slice(0, 40)}” is not a side of a street; it was left out.`,
      mapping.columns.side ?? null,
    )
  const meters = readLengthMeters(fields, mapping)
  const end = getText('end_date')
  const endMs = end === '' ? null : readDate(end, timeZone)
  if (end !== '' && endMs === null)
    findings.repair(
      'bad_time',
      `The date “${end.slice(0, 40)}” is not certain; it was left out.`,
      mapping.columns.end_date ?? null,
    )
  const texts = {
    street_name: getText('street_name'),
    cross_street_start_name: getText('from_street'),
    cross_street_end_name: getText('to_street'),
    name: getText('name'),
    user_zone_id: getText('id'),
  }
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
    ...(streetSide ? { street_side: streetSide } : {}),
    ...(meters !== null && meters < 100_000 ? { length: Math.round(meters * 100) } : {}),
    ...(endMs === null ? {} : { end_date: endMs }),
  }
}

function readSpaces(fields: Fields, mapping: CurbMapping, findings: Findings): number | null {
  const text = getMappedValue(fields, mapping, 'spaces')
  if (text === '') return null
  const number = toNumber(text)
  if (number === null || number < 0 || number > maxSpaces) {
    findings.repair(
      'bad_value',
      `“${text.slice(0, 40)}” is not a number of spaces; it was left out.`,
      mapping.columns.spaces ?? null,
    )
    return null
  }
  if (!Number.isInteger(number))
    findings.repair(
      'fraction_of_space',
      `${number} spaces were rounded down.`,
      mapping.columns.spaces ?? null,
    )
  return Math.floor(number)
}
