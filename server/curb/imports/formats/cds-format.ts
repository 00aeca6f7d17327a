import type { StagedPolicyPeriod } from '../../store/staged.ts'
import { checkPlace, checkZone, openFeature } from '../checks/check-place.ts'
import { checkPolicy } from '../checks/check-policy.ts'
import { requireZoneFits } from '../checks/require-zone-fits.ts'
import { asText, isRecord, toMilliseconds, toText } from '../checks/values.ts'
import {
  type CurbFile,
  CurbFileError,
  type CurbFormat,
  Findings,
  type StagedRow,
  toStagedRow,
  type StagingContext,
} from '../curb-format.ts'
import { readJsonRecords } from '../json-records.ts'
import { OppositeSides } from '../checks/opposite-sides.ts'

const kinds = {
  zones: 'zone',
  policies: 'policy',
  areas: 'area',
  spaces: 'space',
  objects: 'object',
} as const
type ListName = keyof typeof kinds
const lists: ReadonlySet<string> = new Set(Object.keys(kinds))
/** `data` has the lists in CDS 1.1; in 1.0 it may be a list of such objects. Some feeds omit it. */
const containers: ReadonlySet<string> = new Set(['data'])

/** Files and API responses of CDS Curbs 1.0 and 1.1. Several files are read as one. */
export const cdsFormat: CurbFormat = {
  key: 'cds',
  async *stage(files, context) {
    const policyIds = await readPolicyIds(files, context)
    const seenIds = {
      zone: new Set<string>(),
      policy: new Set<string>(),
      area: new Set<string>(),
      space: new Set<string>(),
      object: new Set<string>(),
    }
    const sides = new OppositeSides()
    let row = 0
    for (const file of files)
      for await (const parts of readJsonRecords(file, lists, containers)) {
        const rows: StagedRow[] = []
        for (const part of parts)
          if (part.list !== null && lists.has(part.list)) {
            const kind = kinds[part.list as ListName]
            const source = part.value === undefined ? part.text : part.value
            rows.push(
              stageRecord(
                { row: ++row, kind, source, value: part.value },
                { context, policyIds, seenIds: seenIds[kind], sides },
              ),
            )
          }
        if (rows.length) yield rows
      }
  },
}

interface RawPart {
  row: number
  kind: StagedRow['kind']
  source: unknown
  value: unknown
}
/** What the check of a record depends on. */
interface CdsReading {
  context: StagingContext
  policyIds: ReadonlySet<string>
  /** Ids of accepted records of the same kind. */
  seenIds: Set<string>
  sides: OppositeSides
}

/** Checks a record of a CDS file. */
function stageRecord({ row, kind, source, value }: RawPart, reading: CdsReading): StagedRow {
  const findings = new Findings()
  const { context, policyIds, seenIds } = reading
  const finish = (id: string, staged: StagedRow['staged']): StagedRow => {
    if (id !== '' && seenIds.has(id))
      findings.refuse('duplicate_id', `An earlier record has the same id, ${id}.`)
    if (!findings.isRefused) seenIds.add(id)
    return toStagedRow({ row, kind, recordId: id, source }, findings, staged)
  }
  if (kind === 'policy') {
    const id = isRecord(value) ? (toText(value['curb_policy_id'], 200) ?? '') : ''
    if (isRecord(value) && id === '')
      findings.refuse('missing_id', 'The policy has no curb_policy_id.', 'curb_policy_id')
    const policy = checkPolicy(value, findings)
    return finish(id, policy && { kind, policy: { ...policy, curb_policy_id: id } })
  }
  if (kind !== 'zone') {
    const checked = checkPlace(kind, value, context, findings)
    return finish(checked?.id ?? '', checked?.staged ?? null)
  }
  const checked = checkZone(value, context, findings)
  if (!checked) return finish('', null)
  if (findings.isRefused) return finish(checked.id, null)
  const knownIds = findKnownIds(checked.policyIds, policyIds, findings, 'curb_policy_ids')
  if (checked.policyIds.length && !knownIds.length)
    findings.refuse(
      'unknown_policy',
      'None of the policies of the zone is known. Import them before the zones, or in one file.',
      'curb_policy_ids',
    )
  if (!checked.policyIds.length)
    findings.note('empty_list', 'The zone has no policies: nothing is regulated in it.', 'curb_policy_ids')
  requireZoneFits(checked.zone, findings)
  reading.sides.check(checked.zone, findings)
  const { num_spaces: spaces } = checked.zone
  return finish(checked.id, {
    kind: 'zone',
    zone: checked.zone,
    policies: [],
    policyIds: knownIds,
    history: readHistory(checked.rawHistory, policyIds, findings),
    capacity: typeof spaces === 'number' ? [{ spaces, from: null }] : [],
  })
}

/** Returns the ids of known policies. Reports others. */
function findKnownIds(
  ids: readonly string[],
  policyIds: ReadonlySet<string>,
  findings: Findings,
  field: string,
): string[] {
  const knownIds = ids.filter((id) => policyIds.has(id))
  if (knownIds.length < ids.length)
    findings.repair(
      'unknown_policy',
      `${ids.length - knownIds.length} of ${ids.length} policies are not known or were refused; they were left out.`,
      field,
    )
  return knownIds
}

/** Reads earlier policies of a zone (`prev_policies`) by time, without invalid and overlapping periods. */
function readHistory(raw: unknown, policyIds: ReadonlySet<string>, findings: Findings): StagedPolicyPeriod[] {
  if (raw === undefined || raw === null) return []
  const list = Array.isArray(raw) ? (raw as unknown[]) : [raw]
  const periods: StagedPolicyPeriod[] = []
  for (const [index, period] of list.entries()) {
    const field = `prev_policies[${index}]`
    const start = isRecord(period) ? toMilliseconds(period['start_date']) : null
    const end = isRecord(period) ? toMilliseconds(period['end_date']) : null
    const ids =
      isRecord(period) && Array.isArray(period['curb_policy_ids'])
        ? (period['curb_policy_ids'] as unknown[])
        : null
    if (!start || !end || end.ms <= start.ms || !ids) {
      findings.repair('bad_value', 'A period of earlier policies is not valid; it was left out.', field)
      continue
    }
    const knownIds = findKnownIds(
      ids.flatMap((id) => toText(id, 200) ?? []),
      policyIds,
      findings,
      field,
    )
    periods.push({ start: start.ms, end: end.ms, policies: [], policyIds: knownIds })
  }
  periods.sort((a, b) => a.start - b.start)
  const disjointPeriods: StagedPolicyPeriod[] = []
  for (const period of periods)
    if (period.start >= (disjointPeriods.at(-1)?.end ?? period.start)) disjointPeriods.push(period)
  if (disjointPeriods.length < periods.length)
    findings.repair(
      'bad_value',
      'Periods of earlier policies overlap; the later ones were left out.',
      'prev_policies',
    )
  return disjointPeriods
}

/** Reads the policy ids to which zones may refer, and checks the fields at the top of the files. */
async function readPolicyIds(
  files: readonly CurbFile[],
  context: StagingContext,
): Promise<ReadonlySet<string>> {
  const ids = new Set(context.publishedPolicyIds)
  const members = new Map<string, unknown>()
  let hasLists = false
  for (const file of files)
    for await (const parts of readJsonRecords(file, lists, containers))
      for (const part of parts) {
        if (part.list === null) members.set(part.member, part.value)
        else if (lists.has(part.list)) hasLists = true
        if (part.list !== 'policies') continue
        const record = openFeature(part.value)
        const findings = new Findings()
        const id = isRecord(record) ? toText(record['curb_policy_id'], 200) : null
        if (id !== null && checkPolicy(record, findings) && !findings.isRefused) ids.add(id)
      }
  if (!hasLists)
    throw new CurbFileError(
      'The file is JSON but has none of the lists of CDS: zones, policies, areas, spaces, objects.',
    )
  checkMetadata(members, context)
  return ids
}

/** Reports if time zone, currency or version of the files are missing or differ from those of the region. */
function checkMetadata(
  members: ReadonlyMap<string, unknown>,
  { timeZone, currency, noteFile }: StagingContext,
): void {
  const fileTimeZone = members.get('time_zone')
  if (typeof fileTimeZone !== 'string' || fileTimeZone === '')
    noteFile('missing_time_zone', `The file names no time zone; that of the region is used, ${timeZone}.`)
  else if (fileTimeZone !== timeZone)
    noteFile(
      'missing_time_zone',
      `The file names the time zone ${fileTimeZone}, the region has ${timeZone}. Times of day are read in the zone of the region.`,
    )
  const fileCurrency = members.get('currency')
  if (typeof fileCurrency !== 'string' || fileCurrency === '')
    noteFile('missing_currency', `The file names no currency; that of the region is used, ${currency}.`)
  else if (fileCurrency.toUpperCase() !== currency)
    noteFile(
      'missing_currency',
      `The file has rates in ${fileCurrency.slice(0, 10)}, the region has ${currency}. Rates are not converted.`,
    )
  const version = members.get('version')
  if (version !== undefined && !/^1\.[01](\.\d+)?$/.test(asText(version)))
    noteFile('bad_value', `The file says that it is CDS ${asText(version).slice(0, 20)}; it was read as 1.1.`)
}
