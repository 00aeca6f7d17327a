import type { Position } from '#contract/place.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import type { StagedRecord, StagedZone } from '../../store/staged.ts'
import { checkGeometry } from '../checks/check-geometry.ts'
import { readStreetSide } from '../checks/check-place.ts'
import { requireZoneFits } from '../checks/require-zone-fits.ts'
import { isRecord, normalizeKey } from '../checks/values.ts'
import {
  type CurbFile,
  CurbFileError,
  type CurbFormat,
  Findings,
  type StagedRow,
  toStagedRow,
  type StagingContext,
} from '../curb-format.ts'
import { type CurbLine, createCurbLine, CurbLines, getCurbLength, cutCurb } from '../signs/curb-lines.ts'
import { readArrow, readSign } from '../signs/read-sign.ts'
import { type CurbSegment, type CurbSign, segmentCurb } from '../signs/segment-curb.ts'
import { type TableRecord, readTableRecords } from '../table/table-records.ts'

const rowsPerBatch = 500

interface Curb extends CurbLine {
  id: string
  fields: Readonly<Record<string, string>>
  source: unknown
  signs: CurbSign[]
}

interface Sign {
  record: TableRecord
  findings: Findings
  sign: CurbSign | null
  place: Position | null
  /** Index of the nearest curb. */
  curb: number | null
  /** False if the sign was removed or is not yet installed. */
  isInForce: boolean
}

/**
 * Curb lines with signs. The lines are cut at their signs and get the rules that the signs state. Lines and
 * signs may be in one GeoJSON file or in two, in any order: lines are curbs, points are signs. The rows are
 * refused records, then segments of curbs, then signs.
 */
export const signsFormat: CurbFormat = {
  key: 'signs',
  async *stage(files, context) {
    const { curbs, signs, refused } = await readAssets(files, context)
    if (!curbs.length && !refused.length)
      throw new CurbFileError(
        'The files have no curb lines. Send the lines of the curbs, and the signs as points.',
      )
    const lines = new CurbLines(curbs)
    for (const sign of signs) snapSign(sign, lines, curbs)
    let row = 0
    let rows: StagedRow[] = []
    const seenCurbs = new Map<string, number>()
    const seenSigns = new Map<string, number>()
    for (const stage of [
      ...refused.map((record) => (firstRow: number) => [makeRefusedRow(firstRow, record)]),
      ...curbs.map((curb) => (firstRow: number) => stageCurb(firstRow, curb, seenCurbs)),
      ...signs.map((sign) => (firstRow: number) => [stageSign(firstRow, sign, seenSigns)]),
    ]) {
      const staged = stage(row + 1)
      row += staged.length
      rows.push(...staged)
      if (rows.length < rowsPerBatch) continue
      yield rows
      rows = []
    }
    if (rows.length) yield rows
  },
}

/** Finds the first of these fields with a value. Case, blanks, dashes, `_` and `field` do not count. */
function findField(fields: Readonly<Record<string, string>>, names: readonly string[]): string {
  const byName = new Map(
    Object.entries(fields).map(([key, value]) => [normalizeKey(key).replace(/field$/, ''), value]),
  )
  return names.map((name) => byName.get(name) ?? '').find((value) => value !== '') ?? ''
}

const textNames = [
  'specialsigndescription',
  'signtext',
  'mutcddescription',
  'legend',
  'text',
  'description',
  'message',
]
const idNames = ['cartegraphid', 'signid', 'curbid', 'assetid', 'id', 'oid', 'objectid', 'label']

interface RefusedRecord {
  record: TableRecord
  findings: Findings
}

interface Assets {
  curbs: Curb[]
  signs: Sign[]
  refused: RefusedRecord[]
}

/** Reads the curbs and signs of all files. */
async function readAssets(files: readonly CurbFile[], context: StagingContext): Promise<Assets> {
  const assets: Assets = { curbs: [], signs: [], refused: [] }
  for (const file of files)
    for await (const records of readTableRecords(file))
      for (const record of records) addAsset(assets, record, context)
  return assets
}

/** Adds a record to the curbs if it is a line, to the signs if it is a point, and else to the refused ones. */
function addAsset({ curbs, signs, refused }: Assets, record: TableRecord, context: StagingContext): void {
  const findings = new Findings()
  const { fields } = record
  const type = isRecord(record.geometry) ? record.geometry['type'] : null
  if (!fields) {
    findings.refuse(
      'not_a_record',
      'The record is not a GeoJSON feature with properties, or its JSON is broken.',
    )
    refused.push({ record, findings })
    return
  }
  const geometry = checkGeometry(record.geometry, context, findings)
  if (geometry?.type === 'LineString')
    curbs.push({
      ...createCurbLine(geometry.coordinates),
      id: findField(fields, ['label', ...idNames]),
      fields,
      source: record.source,
      signs: [],
    })
  else if (geometry?.type === 'Point' || type === 'Point') {
    const place = geometry?.type === 'Point' ? geometry.coordinates : null
    signs.push(readSignRecord(record, fields, place, findings))
  } else {
    if (!findings.isRefused)
      findings.refuse('bad_geometry', 'Curbs are lines and signs are points.', 'geometry')
    refused.push({ record, findings })
  }
}

const notInForceStatus = /^(removed|missing|proposed|planned|retired)$/i

/** Reads a row of the sign file: its text, its place and whether it is in force. */
function readSignRecord(
  record: TableRecord,
  fields: Readonly<Record<string, string>>,
  place: Position | null,
  findings: Findings,
): Sign {
  const text = findField(fields, textNames)
  const status = findField(fields, ['assetstatus', 'status'])
  const retired = findField(fields, ['retired', 'retireddate'])
  const isInForce = !notInForceStatus.test(status) && retired === ''
  if (!isInForce)
    findings.refuse(
      'not_in_service',
      `The sign is not in force (${retired === '' ? status : `retired ${retired}`}).`,
    )
  const policies = readPolicies(fields)
  const arrowText =
    Object.entries(fields).find(([key, value]) => /arrow/i.test(key) && value !== '')?.[1] ?? text
  const sign: CurbSign = {
    id: findField(fields, idNames),
    text,
    arrow: readArrow(arrowText),
    along: 0,
    distance: 0,
    policies,
  }
  return { record, findings, sign: place && sign, place, curb: null, isInForce }
}

/** Reads the policies of a sign from its special description, if it has one, or else its standard text. */
function readPolicies(fields: Readonly<Record<string, string>>): CurbSign['policies'] {
  const special = findField(fields, ['specialsigndescription'])
  // The description begins with the code of the sign, such as `R7-108 Special: `.
  const text =
    special === '' ? findField(fields, textNames) : special.replace(/^[A-Z]+-?\d*\w?( Special)?: ?/, '')
  return readSign(text, findField(fields, ['regulationtype']))
}

/** Assigns a sign to the nearest curb. */
function snapSign(sign: Sign, lines: CurbLines, curbs: readonly Curb[]): void {
  if (!sign.place || !sign.sign || sign.findings.isRefused) return
  const snap = lines.findNearest(sign.place)
  if (!snap)
    return sign.findings.repair('no_curb_near', 'No curb is within 12 m of the sign; its rule was not used.')
  sign.curb = snap.curb
  sign.sign.along = snap.along
  sign.sign.distance = snap.distance
  // A sign without text has no rule for the curb.
  if (sign.sign.text !== '') curbs[snap.curb]?.signs.push(sign.sign)
}

const makeRefusedRow = (row: number, { record, findings }: RefusedRecord): StagedRow =>
  toStagedRow({ row, kind: 'zone', recordId: `feature ${record.row}`, source: record.source }, findings, null)

/** Makes an id unique, because ids repeat in files of real cities: the second `A1` becomes `A1#2`. */
function makeDistinctId(id: string, seen: Map<string, number>): string {
  let count = (seen.get(id) ?? 0) + 1
  while (count > 1 && seen.has(`${id}#${count}`)) count++
  const name = count === 1 ? id : `${id}#${count}`
  seen.set(name, 1).set(id, count)
  return name
}

/** Cuts a curb at its signs, and converts its segments to zones. */
function stageCurb(firstRow: number, curb: Curb, seen: Map<string, number>): StagedRow[] {
  const baseId =
    curb.id === '' ? `at ${curb.line[0]?.map((degrees) => degrees.toFixed(6)).join(',')}` : curb.id
  const name = makeDistinctId(baseId, seen)
  const segments = segmentCurb(getCurbLength(curb), curb.signs)
  return segments.map((segment, index) =>
    stageSegment(firstRow + index, segments.length === 1 ? name : `${name}/${index + 1}`, segment, curb),
  )
}

/** Converts a segment of a curb between signs to a zone. */
function stageSegment(row: number, recordId: string, segment: CurbSegment, curb: Curb): StagedRow {
  const findings = new Findings()
  const side = readStreetSide(findField(curb.fields, ['sideofstreet', 'streetside', 'side', 'direction']))
  const street = findField(curb.fields, ['streetname', 'street'])
  const zone: StagedZone['zone'] = {
    geometry: { type: 'LineString', coordinates: cutCurb(curb, segment.from, segment.to) },
    user_zone_id: recordId,
    ...(side ? { street_side: side } : {}),
    ...(street === '' ? {} : { street_name: street }),
  }
  for (const sign of segment.signs)
    if (!sign.policies)
      findings.repair(
        'text_set_aside',
        `The sign “${sign.text.slice(0, 100)}” is not certain; its rule was set aside.`,
      )
  if (!segment.policies.length)
    findings.note('no_rules', 'There is no sign with a rule at this part of the curb.')
  requireZoneFits(zone, findings)
  const source = {
    feature: curb.source,
    signs: segment.signs.map(({ id, text, arrow, along, policies }) => ({
      id,
      text,
      arrow,
      meters: Math.round(along * 10) / 10,
      is_read: policies !== null,
    })),
  }
  return toStagedRow({ row, kind: 'zone', recordId, source, confidence: segment.confidence }, findings, {
    kind: 'zone',
    zone,
    policies: segment.policies,
    policyIds: [],
    history: [],
    capacity: [],
  })
}

/** Converts a sign to an object of the curb. */
function stageSign(
  row: number,
  { record, findings, sign, place, isInForce }: Sign,
  seen: Map<string, number>,
): StagedRow {
  const id = makeDistinctId(sign?.id === '' || !sign ? `sign ${record.row}` : sign.id, seen)
  if (sign && isInForce && !sign.policies)
    findings.repair(
      'sign_without_rule',
      `The text “${sign.text.slice(0, 100)}” is not certain; no rule follows from it.`,
    )
  const staged: StagedRecord | null =
    place && sign
      ? {
          kind: 'object',
          place: {
            // CDS requires a UUID. It is derived, so that the same sign at the same place has the same one
            // after the next import.
            curb_object_id: deriveUuid('sign', id, ...place),
            geometry: { type: 'Point', coordinates: place },
            object_type: 'sign',
            name: sign.text === '' ? 'Sign' : sign.text.slice(0, 500),
            custom_attributes: { sign_id: id },
          },
        }
      : null
  return toStagedRow({ row, kind: 'object', recordId: id, source: record.source }, findings, staged)
}
