import { CdsArea, CdsObject, CdsSpace, CdsZone, LocationReference, streetSides } from '#contract/cds.ts'
import { canHaveSide } from '#contract/curb-line.ts'
import type { Geometry } from '#contract/place.ts'
import type { StagedPlace, StagedZone } from '../../store/staged.ts'
import type { Findings, StagingContext } from '../curb-format.ts'
import { checkGeometry } from './check-geometry.ts'
import { renameFields } from './known-fields.ts'
import { asText, isRecord, normalize, type RawRecord, toMilliseconds, toNumber, toText } from './values.ts'

/** Characters of an id and of other texts. */
const maxIdLength = 200
const maxTextLength = 500
/** Ids of a list. */
const maxIds = 500
/** Larger counts are mistakes. */
const maxCount = 1e9
const zoneFields = Object.keys(CdsZone.shape)
const sideWords: Record<string, string> = {
  north: 'N',
  south: 'S',
  east: 'E',
  west: 'W',
  northeast: 'NE',
  northwest: 'NW',
  southeast: 'SE',
  southwest: 'SW',
}

/** Reads a side of the street in any spelling. Null if the value is no side. */
export function readStreetSide(value: unknown): (typeof streetSides)[number] | null {
  const word = normalize(asText(value))
    .replace(/[\s.-]+/g, '')
    .replace(/(side|bound)$/, '')
  const side = sideWords[word] ?? word.toUpperCase()
  return streetSides.find((streetSide) => streetSide === side) ?? null
}

/** Converts a GeoJSON feature to its properties and geometry. Other values are returned unchanged. */
export const openFeature = (raw: unknown): unknown =>
  isRecord(raw) && raw['type'] === 'Feature' && isRecord(raw['properties'])
    ? { ...raw['properties'], geometry: raw['geometry'] ?? raw['properties']['geometry'] }
    : raw

/** Returns the id of a record as text. Refuses the record if it has none. */
export function checkId(record: RawRecord, field: string, findings: Findings): string {
  const id = toText(record[field], maxIdLength)
  if (id === null) findings.refuse('missing_id', `The record has no ${field}.`, field)
  else if (id !== record[field]) findings.repair('bad_value', `${field} was read as the text “${id}”.`, field)
  return id ?? ''
}

/** Converts times of a record to milliseconds. Leaves out times that cannot be read. */
function checkTimes(record: RawRecord, fields: readonly string[], findings: Findings): void {
  for (const field of fields) {
    if (record[field] === undefined) continue
    const time = toMilliseconds(record[field])
    if (!time) findings.repair('bad_time', `${field} is not a time; it was left out.`, field)
    else if (time.isConverted) findings.repair('bad_time', `${field} was converted to milliseconds.`, field)
    if (time) record[field] = time.ms
    else delete record[field]
  }
}

/** Rounds numbers to whole ones, and leaves out values that are negative or not numbers. */
function checkCounts(record: RawRecord, fields: readonly string[], findings: Findings): void {
  for (const field of fields) {
    if (record[field] === undefined) continue
    const number = toNumber(record[field])
    if (number === null || number < 0 || number > maxCount) {
      findings.repair('bad_value', `${field} is not valid; it was left out.`, field)
      delete record[field]
    } else {
      const rounded = Math.round(number)
      if (rounded !== record[field])
        findings.repair('bad_value', `${field} was rounded to a whole number.`, field)
      record[field] = rounded
    }
  }
}

/** Reads texts. Leaves out empty ones. */
function checkTexts(record: RawRecord, fields: readonly string[], findings: Findings): void {
  for (const field of fields) {
    if (record[field] === undefined) continue
    const text = toText(record[field], maxTextLength)
    if (text === null) delete record[field]
    else if (typeof record[field] !== 'string')
      findings.repair('bad_value', `${field} was read as a text.`, field)
    if (text !== null) record[field] = text
  }
}

/** Reads true and false in any case. Leaves out other values. */
function checkFlags(record: RawRecord, fields: readonly string[], findings: Findings): void {
  for (const field of fields) {
    if (record[field] === undefined || typeof record[field] === 'boolean') continue
    const word = normalize(asText(record[field]))
    if (word === 'true' || word === 'false') {
      record[field] = word === 'true'
      findings.repair('bad_value', `${field} was read as ${word}.`, field)
    } else {
      delete record[field]
      findings.repair('bad_value', `${field} is neither true nor false; it was left out.`, field)
    }
  }
}

/** Reads the ids of a list, without repetitions and entries that are not ids. */
export function readIds(record: RawRecord, field: string, findings: Findings): string[] {
  const value = record[field]
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    const single = toText(value, maxIdLength)
    findings.repair('bad_value', `${field} is not a list.`, field)
    return single === null ? [] : [single]
  }
  const ids = (value as unknown[]).flatMap((id) => toText(id, maxIdLength) ?? [])
  if (ids.length < value.length)
    findings.repair('bad_value', `${field} has entries that are no ids; they were left out.`, field)
  const distinctIds = [...new Set(ids)]
  if (distinctIds.length > maxIds)
    findings.repair('too_many', `${field} has more than ${maxIds} ids; the others were left out.`, field)
  return distinctIds.slice(0, maxIds)
}

/** A zone after the check of its fields. Its policies are not resolved. */
export interface CheckedZone {
  zone: StagedZone['zone']
  id: string
  policyIds: string[]
  rawHistory: unknown
}

const idLists = ['prev_curb_zone_ids', 'curb_area_ids', 'curb_space_ids', 'curb_object_ids'] as const

/** Checks the fields of a zone, except policies, which the caller resolves. Null if it is not a record. */
export function checkZone(raw: unknown, context: StagingContext, findings: Findings): CheckedZone | null {
  const record = openRecord(raw, zoneFields, findings)
  if (!record) return null
  const id = checkId(record, 'curb_zone_id', findings)
  const geometry = checkGeometry(record['geometry'], context, findings)
  if (findings.isRefused || !geometry)
    return { zone: record as StagedZone['zone'], id, policyIds: [], rawHistory: null }
  record['geometry'] = geometry
  checkTimes(record, ['published_date', 'last_updated_date', 'start_date', 'end_date'], findings)
  checkCounts(record, ['length', 'width', 'num_spaces'], findings)
  checkTexts(
    record,
    ['name', 'user_zone_id', 'street_name', 'cross_street_start_name', 'cross_street_end_name'],
    findings,
  )
  checkFlags(record, ['median', 'entire_roadway'], findings)
  checkSide(record, geometry, findings)
  checkAngle(record, findings)
  checkReferences(record, findings)
  for (const list of idLists) if (record[list] !== undefined) record[list] = readIds(record, list, findings)
  const policyIds = readIds(record, 'curb_policy_ids', findings)
  const rawHistory = record['prev_policies']
  for (const field of ['curb_policy_ids', 'prev_policies']) delete record[field]
  const { start_date: start, end_date: end } = record
  if (typeof start === 'number' && typeof end === 'number' && end <= start)
    findings.refuse('never_applies', 'The zone ends before it starts.', 'end_date')
  return { zone: record as StagedZone['zone'], id, policyIds, rawHistory }
}

/** Returns the fields of a record with the names of the standard. Null if it is not a record. */
function openRecord(raw: unknown, fields: readonly string[], findings: Findings): RawRecord | null {
  const record = openFeature(raw)
  if (!isRecord(record)) {
    findings.refuse('not_a_record', 'The record is not an object with fields, or its JSON is broken.')
    return null
  }
  return renameFields(record, fields, findings, '')
}

function checkSide(record: RawRecord, geometry: Geometry, findings: Findings): void {
  const { street_side: raw } = record
  if (raw === undefined) return
  const side = readStreetSide(raw)
  if (!side) {
    delete record['street_side']
    findings.repair(
      'bad_value',
      `“${asText(raw).slice(0, 40)}” is not a side of a street; it was left out.`,
      'street_side',
    )
    return
  }
  if (side !== raw) findings.repair('spelling', `The side was read as ${side}.`, 'street_side')
  record['street_side'] = side
  if (geometry.type === 'LineString' && !canHaveSide(geometry.coordinates, side))
    findings.note(
      'wrong_side',
      `The curb runs in a direction in which it has no side ${side}.`,
      'street_side',
    )
}

function checkAngle(record: RawRecord, findings: Findings): void {
  const { parking_angle: raw } = record
  if (raw === undefined) return
  const angle = ['parallel', 'perpendicular', 'angled'].find((name) => name === normalize(asText(raw)))
  if (angle === raw) return
  if (angle) record['parking_angle'] = angle
  else delete record['parking_angle']
  findings.repair(
    angle ? 'spelling' : 'bad_value',
    angle ? `The parking angle was read as ${angle}.` : 'The parking angle is not known; it was left out.',
    'parking_angle',
  )
}

function checkReferences(record: RawRecord, findings: Findings): void {
  const { location_references: raw } = record
  if (raw === undefined) return
  const references = Array.isArray(raw) ? (raw as unknown[]) : []
  const validReferences = references.filter((item) => LocationReference.safeParse(item).success)
  if (validReferences.length < references.length || !Array.isArray(raw))
    findings.repair(
      'bad_value',
      'Location references that are not valid were left out.',
      'location_references',
    )
  if (validReferences.length) record['location_references'] = validReferences
  else delete record['location_references']
}

const placeShapes = {
  area: { schema: CdsArea, id: 'curb_area_id', required: [] },
  space: { schema: CdsSpace, id: 'curb_space_id', required: ['curb_zone_id'] },
  object: { schema: CdsObject, id: 'curb_object_id', required: [] },
} as const

/** Checks an area, space or object. Null if the value is not a record. */
export function checkPlace(
  kind: keyof typeof placeShapes,
  raw: unknown,
  context: StagingContext,
  findings: Findings,
): { id: string; staged: StagedPlace } | null {
  const { schema, id: idField } = placeShapes[kind]
  const record = openRecord(raw, Object.keys(schema.shape), findings)
  if (!record) return null
  const id = checkId(record, idField, findings)
  const geometry = checkGeometry(record['geometry'], context, findings)
  if (geometry) record['geometry'] = geometry
  checkTimes(record, ['published_date', 'last_updated_date'], findings)
  checkCounts(record, ['length', 'width'], findings)
  checkTexts(record, ['name', 'object_type', 'curb_zone_id', 'curb_space_id', 'curb_policy_id'], findings)
  if (kind === 'space') {
    const number = toNumber(record['space_number'])
    if (record['space_number'] !== undefined && (number === null || !Number.isInteger(number))) {
      delete record['space_number']
      findings.repair('bad_value', 'The space number is not a whole number; it was left out.', 'space_number')
    } else if (number !== null) record['space_number'] = number
    if (record['length'] === undefined) {
      record['length'] = 0
      findings.repair('missing_field', 'The space has no length; it was set to 0.', 'length')
    }
  }
  if (kind === 'area') record['curb_zone_ids'] = readIds(record, 'curb_zone_ids', findings)
  if (kind === 'object')
    for (const field of ['name', 'object_type'])
      if (record[field] === undefined) {
        record[field] = field === 'name' ? id : 'other'
        findings.repair('missing_field', `The object has no ${field}.`, field)
      }
  if (findings.isRefused) return { id, staged: { kind, place: record } as unknown as StagedPlace }
  // Publication adds the times, which CDS requires.
  const placeholders = { published_date: 0, last_updated_date: 0 }
  const parsed = schema.safeParse({ ...placeholders, ...record })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    findings.refuse(
      'bad_value',
      `A value does not fit CDS: ${issue?.message ?? 'unknown'}`,
      issue?.path.join('.') ?? null,
    )
  }
  return { id, staged: { kind, place: record } as unknown as StagedPlace }
}
