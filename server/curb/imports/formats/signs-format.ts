import type { Position } from '#contract/place.ts'
import { madeUuid } from '#server/stores/made-uuid.ts'
import type { StagedRecord, StagedZone } from '../../store/staged.ts'
import { checkGeometry } from '../checks/check-geometry.ts'
import { streetSideOf } from '../checks/check-place.ts'
import { requireZoneFits } from '../checks/require-zone-fits.ts'
import { isRecord, plainKey } from '../checks/values.ts'
import {
  type CurbFile,
  CurbFileError,
  type CurbFormat,
  Findings,
  type StagedRow,
  stagedRow,
  type StagingContext,
} from '../curb-format.ts'
import { type CurbLine, curbLine, CurbLines, lengthOf, partOf } from '../signs/curb-lines.ts'
import { readArrow, readSign } from '../signs/read-sign.ts'
import { type CurbSegment, type CurbSign, segmentCurb } from '../signs/segment-curb.ts'
import { type TableRecord, tableRecords } from '../table/table-records.ts'

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
  curb: number | null
  /** The sign was removed or is not yet installed. */
  isInForce: boolean
}

/**
 * Curb lines with signs: the lines are cut at their signs and get the rules that these state. Lines and signs may be in one GeoJSON file
 * or in two, in any order: lines are curbs, points with a sign text are signs. The rows are the parts of the curbs, then the signs.
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
    const [seenCurbs, seenSigns] = [new Map<string, number>(), new Map<string, number>()]
    for (const stage of [
      ...refused.map((each) => (at: number) => [refusedRow(at, each)]),
      ...curbs.map((curb) => (at: number) => stageCurb(at, curb, seenCurbs)),
      ...signs.map((sign) => (at: number) => [stageSign(at, sign, seenSigns)]),
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

/** The first field that has a value, by spellings of its name without case, blanks, dashes, underscores and `field`. */
function fieldOf(fields: Readonly<Record<string, string>>, names: readonly string[]): string {
  const byName = new Map(
    Object.entries(fields).map(([key, value]) => [plainKey(key).replace(/field$/, ''), value]),
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

interface Refused {
  record: TableRecord
  findings: Findings
}

async function readAssets(
  files: readonly CurbFile[],
  context: StagingContext,
): Promise<{ curbs: Curb[]; signs: Sign[]; refused: Refused[] }> {
  const [curbs, signs, refused]: [Curb[], Sign[], Refused[]] = [[], [], []]
  for (const file of files)
    for await (const records of tableRecords(file))
      for (const record of records) {
        const findings = new Findings()
        const { fields } = record
        const type = isRecord(record.geometry) ? record.geometry['type'] : null
        if (!fields)
          findings.refuse(
            'not_a_record',
            'The record is not a GeoJSON feature with properties, or its JSON is broken.',
          )
        const geometry = fields ? checkGeometry(record.geometry, context, findings) : null
        if (fields && geometry?.type === 'LineString') {
          curbs.push({
            ...curbLine(geometry.coordinates),
            id: fieldOf(fields, ['label', ...idNames]),
            fields,
            source: record.source,
            signs: [],
          })
        } else if (fields && (geometry?.type === 'Point' || type === 'Point')) {
          signs.push(
            readSignRecord(
              record,
              fields,
              geometry?.type === 'Point' ? geometry.coordinates : null,
              findings,
            ),
          )
        } else {
          if (!findings.isRefused)
            findings.refuse('bad_geometry', 'Curbs are lines and signs are points.', 'geometry')
          refused.push({ record, findings })
        }
      }
  return { curbs, signs, refused }
}

const gone = /^(removed|missing|proposed|planned|retired)$/i

function readSignRecord(
  record: TableRecord,
  fields: Readonly<Record<string, string>>,
  place: Position | null,
  findings: Findings,
): Sign {
  const text = fieldOf(fields, textNames)
  const status = fieldOf(fields, ['assetstatus', 'status'])
  const retired = fieldOf(fields, ['retired', 'retireddate'])
  const isInForce = !gone.test(status) && retired === ''
  if (!isInForce)
    findings.refuse(
      'not_in_service',
      `The sign is not in force (${retired === '' ? status : `retired ${retired}`}).`,
    )
  const policies = readPolicies(fields)
  const arrowText =
    Object.entries(fields).find(([key, value]) => /arrow/i.test(key) && value !== '')?.[1] ?? text
  const sign: CurbSign = {
    id: fieldOf(fields, idNames),
    text,
    arrow: readArrow(arrowText),
    at: 0,
    distance: 0,
    policies,
  }
  return { record, findings, sign: place && sign, place, curb: null, isInForce }
}

/** A description of a special sign wins over its standard text; if it is not certain, nothing is. */
function readPolicies(fields: Readonly<Record<string, string>>): CurbSign['policies'] {
  const [special] = [fieldOf(fields, ['specialsigndescription'])]
  const text =
    special === '' ? fieldOf(fields, textNames) : special.replace(/^[A-Z]+-?\d*\w?( Special)?: ?/, '')
  return readSign(text, fieldOf(fields, ['regulationtype']))
}

function snapSign(sign: Sign, lines: CurbLines, curbs: readonly Curb[]): void {
  if (!sign.place || !sign.sign || sign.findings.isRefused) return
  const snap = lines.nearest(sign.place)
  if (!snap)
    return sign.findings.repair('no_curb_near', 'No curb is within 12 m of the sign; its rule was not used.')
  sign.curb = snap.curb
  sign.sign.at = snap.at
  sign.sign.distance = snap.distance
  // A sign without a text says nothing about the curb.
  if (sign.sign.text !== '') curbs[snap.curb]?.signs.push(sign.sign)
}

const refusedRow = (row: number, { record, findings }: Refused): StagedRow =>
  stagedRow({ row, kind: 'zone', recordId: `feature ${record.row}`, source: record.source }, findings, null)

/** Ids repeat in files of real cities: the second `A1` becomes `A1#2`. */
function distinctId(id: string, seen: Map<string, number>): string {
  let count = (seen.get(id) ?? 0) + 1
  while (count > 1 && seen.has(`${id}#${count}`)) count++
  const name = count === 1 ? id : `${id}#${count}`
  seen.set(name, 1).set(id, count)
  return name
}

function stageCurb(firstRow: number, curb: Curb, seen: Map<string, number>): StagedRow[] {
  const base = curb.id === '' ? `at ${curb.line[0]?.map((each) => each.toFixed(6)).join(',')}` : curb.id
  const name = distinctId(base, seen)
  const segments = segmentCurb(lengthOf(curb), curb.signs)
  return segments.map((segment, index) =>
    stageSegment(firstRow + index, segments.length === 1 ? name : `${name}/${index + 1}`, segment, curb),
  )
}

function stageSegment(row: number, recordId: string, segment: CurbSegment, curb: Curb): StagedRow {
  const findings = new Findings()
  const side = streetSideOf(fieldOf(curb.fields, ['sideofstreet', 'streetside', 'side', 'direction']))
  const street = fieldOf(curb.fields, ['streetname', 'street'])
  const zone: StagedZone['zone'] = {
    geometry: { type: 'LineString', coordinates: partOf(curb, segment.from, segment.to) },
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
    signs: segment.signs.map(({ id, text, arrow, at, policies }) => ({
      id,
      text,
      arrow,
      meters: Math.round(at * 10) / 10,
      is_read: policies !== null,
    })),
  }
  return stagedRow({ row, kind: 'zone', recordId, source, confidence: segment.confidence }, findings, {
    kind: 'zone',
    zone,
    policies: segment.policies,
    policyIds: [],
    history: [],
    capacity: [],
  })
}

function stageSign(
  row: number,
  { record, findings, sign, place, isInForce }: Sign,
  seen: Map<string, number>,
): StagedRow {
  const id = distinctId(sign?.id === '' || !sign ? `sign ${record.row}` : sign.id, seen)
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
            // CDS requires a UUID. The same sign at the same place has the same one after the next import.
            curb_object_id: madeUuid('sign', id, ...place),
            geometry: { type: 'Point', coordinates: place },
            object_type: 'sign',
            name: sign.text === '' ? 'Sign' : sign.text.slice(0, 500),
            custom_attributes: { sign_id: id },
          },
        }
      : null
  return stagedRow({ row, kind: 'object', recordId: id, source: record.source }, findings, staged)
}
