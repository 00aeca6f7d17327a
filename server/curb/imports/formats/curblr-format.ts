import { LRUCache } from 'lru-cache'
import type { CurbFinding } from '#contract/curb-imports.ts'
import type { StagedPolicy } from '../../store/staged.ts'
import { requireZoneFits } from '../checks/require-zone-fits.ts'
import { checkPolicy, lastPriority } from '../checks/check-policy.ts'
import { checkZone } from '../checks/check-place.ts'
import { renameFields } from '../checks/known-fields.ts'
import { asText, isRecord, normalize, type RawRecord, toNumber, toText } from '../checks/values.ts'
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
import { readCurblrRates } from './curblr-rates.ts'
import { readCurblrTimeSpans } from './curblr-time-spans.ts'

const lists: ReadonlySet<string> = new Set(['features'])
const containers: ReadonlySet<string> = new Set()

const regulationFields = ['rule', 'userClasses', 'timeSpans', 'payment', 'priority']
const ruleFields = ['activity', 'priorityCategory', 'maxStay', 'noReturn', 'payment', 'authority', 'priority']

/** What is read once per file. */
interface CurblrReading {
  context: StagingContext
  /** The index of each category in the priority hierarchy of the manifest. A lower index precedes. */
  priorities: ReadonlyMap<string, number>
  /** Numbers of features with the same place and asset, by record id. */
  repeats: Map<string, number>
  /** Regulations that were already read. Most segments of a city share theirs with others. */
  cachedPolicies: LRUCache<string, { policy: StagedPolicy | null; findings: readonly CurbFinding[] }>
}

const maxCachedPolicies = 5000

/** CurbLR 1.0 and 1.1. Each feature becomes a zone with a policy for each regulation. */
export const curblrFormat: CurbFormat = {
  key: 'curblr',
  async *stage([file], context) {
    const reading: CurblrReading = {
      context,
      priorities: await readPriorities(file, context),
      repeats: new Map(),
      cachedPolicies: new LRUCache({ max: maxCachedPolicies }),
    }
    let row = 0
    for await (const parts of readJsonRecords(file, lists, containers)) {
      const rows: StagedRow[] = []
      for (const part of parts)
        if (part.list === 'features') rows.push(stageFeature(++row, part.value, part.text, reading))
      if (rows.length) yield rows
    }
  },
}

/** Reads the priority hierarchy of the manifest. Also reports missing or different metadata. */
async function readPriorities(file: CurbFile, context: StagingContext): Promise<ReadonlyMap<string, number>> {
  let manifest: RawRecord = {}
  let hasFeatures = false
  for await (const parts of readJsonRecords(file, lists, containers))
    for (const part of parts) {
      if (part.list === 'features') hasFeatures = true
      else if (part.list === null && normalize(part.member) === 'manifest' && isRecord(part.value))
        manifest = part.value
    }
  if (!hasFeatures) throw new CurbFileError('The file is JSON but has no list called “features”.')
  const { timeZone, currency, priorityHierarchy: hierarchy } = manifest
  const { noteFile } = context
  if (typeof timeZone !== 'string')
    noteFile(
      'missing_time_zone',
      `The manifest names no time zone; that of the region is used, ${context.timeZone}.`,
    )
  else if (timeZone !== context.timeZone)
    noteFile(
      'missing_time_zone',
      `The manifest names the time zone ${timeZone}, the region has ${context.timeZone}. Times of day are read in the zone of the region.`,
    )
  if (typeof currency !== 'string')
    noteFile(
      'missing_currency',
      `The manifest names no currency; that of the region is used, ${context.currency}.`,
    )
  else if (currency !== context.currency)
    noteFile(
      'missing_currency',
      `The file has rates in ${currency}, the region has ${context.currency}. Rates are not converted.`,
    )
  if (!Array.isArray(hierarchy))
    noteFile(
      'missing_priority',
      'The manifest has no priorityHierarchy; priorities are taken from the regulations.',
    )
  const categories = Array.isArray(hierarchy) ? (hierarchy as unknown[]) : []
  return new Map(categories.map((category, i) => [normalize(asText(category)), i]))
}

/** Converts a CurbLR feature to a zone with its policies. */
function stageFeature(row: number, value: unknown, text: string, reading: CurblrReading): StagedRow {
  const findings = new Findings()
  const properties = isRecord(value) && isRecord(value['properties']) ? value['properties'] : null
  if (!isRecord(value) || !properties) {
    findings.refuse(
      'not_a_record',
      'The record is not a GeoJSON feature with properties, or its JSON is broken.',
    )
    return toStagedRow(
      { row, kind: 'zone', recordId: `row ${row}`, source: value === undefined ? text : value },
      findings,
      null,
    )
  }
  const fields = renameFields(properties, ['location', 'regulations'], findings, '')
  const location = isRecord(fields['location']) ? fields['location'] : {}
  const recordId = createRecordId(location, value['geometry'], reading.repeats)
  const finish = (staged: StagedRow['staged']): StagedRow =>
    toStagedRow({ row, kind: 'zone', recordId, source: value }, findings, staged)
  const status = location['status'] === undefined ? 'active' : normalize(asText(location['status']))
  if (status !== 'active') {
    findings.refuse(
      'not_in_service',
      `The status of the segment is “${status.slice(0, 40)}”: it is not in force.`,
      'location.status',
    )
    return finish(null)
  }
  const checked = checkZone(
    { ...toZone(location), curb_zone_id: recordId, geometry: value['geometry'] },
    reading.context,
    findings,
  )
  if (!checked || findings.isRefused) return finish(null)
  const { curb_zone_id: _, ...zone } = checked.zone
  const raw = fields['regulations']
  const regulations = toList(raw)
  const policies = regulations.flatMap(
    (regulation, i) => readCachedPolicy(regulation, findings, `regulations[${i}]`, reading) ?? [],
  )
  if (regulations.length && !policies.length)
    findings.refuse('no_rules', 'No regulation of the segment could be read.', 'regulations')
  if (!regulations.length)
    findings.note('empty_list', 'The segment has no regulations: nothing is regulated in it.', 'regulations')
  requireZoneFits(zone as typeof checked.zone, findings)
  const { num_spaces: spaces } = checked.zone
  return finish({
    kind: 'zone',
    zone: zone as typeof checked.zone,
    policies,
    policyIds: [],
    history: [],
    capacity: typeof spaces === 'number' && spaces > 0 ? [{ spaces, from: null }] : [],
  })
}

/** Wraps a single record in a list. Other values than lists and records become an empty list. */
function toList(raw: unknown): unknown[] {
  if (Array.isArray(raw)) return raw as unknown[]
  return isRecord(raw) ? [raw] : []
}

/** Creates the id of a segment from its place and asset. Segments that share both are numbered in order. */
function createRecordId(location: RawRecord, geometry: unknown, repeats: Map<string, number>): string {
  const { shstRefId, sideOfStreet, shstLocationStart, shstLocationEnd, objectId, assetType, assetSubtype } =
    location
  const parts = [
    objectId,
    shstRefId,
    sideOfStreet,
    shstLocationStart,
    shstLocationEnd,
    assetType,
    assetSubtype,
  ]
  const words = parts.map((part) => toText(part, 60) ?? '')
  const place =
    isRecord(geometry) && Array.isArray(geometry['coordinates'])
      ? JSON.stringify(geometry['coordinates'][0] ?? null)
      : ''
  const id = words.some((word) => word !== '') ? words.join(':') : `at ${place.slice(0, 60)}`
  const count = (repeats.get(id) ?? 0) + 1
  repeats.set(id, count)
  return count === 1 ? id : `${id}#${count}`
}

const toCentimeters = (meters: unknown): number | undefined => {
  const number = toNumber(meters)
  return number === null || number < 0 ? undefined : Math.round(number * 100)
}

/** Returns the fields of a CDS zone from the location of a CurbLR feature. */
function toZone(location: RawRecord): RawRecord {
  const { shstRefId, sideOfStreet, objectId, streetName, baysAngle, baysCount, assetType, assetSubtype } =
    location
  const start = toCentimeters(location['shstLocationStart'])
  const end = toCentimeters(location['shstLocationEnd'])
  const refId = toText(shstRefId, 2000)
  const side = sideOfStreet === 'left' || sideOfStreet === 'right' ? { side: sideOfStreet } : {}
  const angle = normalize(toText(baysAngle, 40) ?? '')
  const texts = {
    street_name: toText(streetName, 500),
    user_zone_id: toText(objectId, 500),
    asset_type: toText(assetType, 200),
    asset_subtype: toText(assetSubtype, 200),
  }
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)),
    ...(angle === '' ? {} : { parking_angle: angle === 'diagonal' ? 'angled' : angle }),
    ...(baysCount === undefined || baysCount === null ? {} : { num_spaces: baysCount }),
    ...(refId !== null && start !== undefined && end !== undefined
      ? { location_references: [{ source: 'https://sharedstreets.io', ref_id: refId, start, end, ...side }] }
      : {}),
  }
}

/** Reads a regulation, or reuses the result for an identical one. */
function readCachedPolicy(
  raw: unknown,
  findings: Findings,
  path: string,
  reading: CurblrReading,
): StagedPolicy | null {
  const key = path + JSON.stringify(raw)
  let cached = reading.cachedPolicies.get(key)
  if (!cached) {
    const policyFindings = new Findings()
    cached = { policy: readPolicy(raw, policyFindings, path, reading), findings: policyFindings.list }
    reading.cachedPolicies.set(key, cached)
  }
  findings.addAll(cached.findings)
  return cached.policy
}

/** Converts a regulation of CurbLR to a policy; null if it was set aside. */
function readPolicy(
  raw: unknown,
  findings: Findings,
  path: string,
  reading: CurblrReading,
): StagedPolicy | null {
  const setAside = (code: 'no_activity' | 'rule_set_aside', message: string, field = path): null => {
    findings.repair(code, message, field)
    return null
  }
  if (!isRecord(raw)) return setAside('rule_set_aside', 'The regulation is not an object; it was set aside.')
  const regulation = renameFields(raw, regulationFields, findings, `${path}.`)
  const rule = isRecord(regulation['rule'])
    ? renameFields(regulation['rule'], ruleFields, findings, `${path}.rule.`)
    : null
  if (!rule || rule['activity'] === undefined || rule['activity'] === null || rule['activity'] === '')
    return setAside(
      'no_activity',
      'The regulation has no activity; it was set aside.',
      `${path}.rule.activity`,
    )
  const spans = readCurblrTimeSpans(regulation['timeSpans'], reading.context.timeZone)
  if (typeof spans === 'string')
    return setAside('rule_set_aside', `The regulation was set aside: ${spans}`, `${path}.timeSpans`)
  const classes = readUserClasses(regulation['userClasses'])
  if (classes === null)
    return setAside(
      'rule_set_aside',
      'The regulation was set aside: limits of height, length or weight cannot be expressed.',
      `${path}.userClasses`,
    )
  const rates = readCurblrRates(regulation['payment'], findings, `${path}.payment`)
  const { maxStay, noReturn, priorityCategory: category } = rule
  const policy: RawRecord = {
    priority: readPriority({ rule, regulation, priorities: reading.priorities }, findings, path),
    ...(toText(category, 500) === null ? {} : { name: toText(category, 500) }),
    rules: classes.map((userClasses) => ({
      activity: activityNames[asText(rule['activity'])] ?? rule['activity'],
      ...(isLimit(maxStay) ? { max_stay: maxStay, max_stay_unit: 'minute' } : {}),
      ...(isLimit(noReturn) ? { no_return: noReturn, no_return_unit: 'minute' } : {}),
      ...(userClasses.length ? { user_classes: userClasses } : {}),
      ...(rates.length ? { rate: rates } : {}),
    })),
    ...(spans.length ? { time_spans: spans } : {}),
  }
  const policyFindings = new Findings()
  const checked = checkPolicy(policy, policyFindings, `${path}.`)
  // A refused policy does not refuse the segment; only this regulation is set aside.
  findings.addAll(
    policyFindings.list.map((finding) =>
      finding.effect === 'refuse' ? { ...finding, effect: 'repair' } : finding,
    ),
  )
  return checked
}

/** Whether a field contains a limit. Zero and empty values mean no limit. */
const isLimit = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && value !== 0 && value !== '0'

/** Reads the priority of a regulation: that of its category in the manifest, else its own, else the last. */
function readPriority(
  {
    rule,
    regulation,
    priorities,
  }: Pick<CurblrReading, 'priorities'> & { rule: RawRecord; regulation: RawRecord },
  findings: Findings,
  path: string,
): number {
  const category = rule['priorityCategory']
  const index =
    category === undefined || category === null ? undefined : priorities.get(normalize(asText(category)))
  if (index !== undefined) return index
  const number = [rule['priority'], regulation['priority'], category]
    .map(toNumber)
    .find(
      (candidate) => candidate !== null && Number.isInteger(candidate) && candidate >= 0 && candidate <= 1000,
    )
  if (number !== undefined && number !== null) {
    findings.repair(
      'missing_priority',
      `The priority category is not in the manifest; the priority ${number} was used.`,
      `${path}.rule.priorityCategory`,
    )
    return number
  }
  findings.repair(
    'missing_priority',
    `The regulation has no priority of the manifest; it comes last (${lastPriority}).`,
    `${path}.rule.priorityCategory`,
  )
  return lastPriority
}

/** CDS names of activities that CurbLR names differently. */
const activityNames: Record<string, string> = { standing: 'stopping', 'no standing': 'no stopping' }

const limitFields = /^(min|max)(height|length|weight|width)$/i

/** CDS names of user classes that CurbLR names differently. */
const classNames: Record<string, string> = { handicap: 'accessible', disabled: 'accessible', bike: 'bicycle' }

/**
 * Reads the user classes of a regulation, one list for each necessary CDS rule. An entry of CurbLR matches
 * vehicles with any of its classes, a rule of CDS only those with all of them. A single empty list means
 * everybody. Null if an entry has limits that CDS cannot express.
 */
function readUserClasses(raw: unknown): string[][] | null {
  const list = toList(raw)
  const rules: string[][] = []
  for (const entry of list) {
    if (!isRecord(entry) || Object.keys(entry).length === 0) continue
    if (Object.entries(entry).some(([key, value]) => limitFields.test(key) && value !== null && value !== ''))
      return null
    const classes = readClassNames(entry['classes'])
    const subclasses = readClassNames(entry['subclasses'])
    for (const userClass of classes.length ? classes : [null])
      for (const subclass of subclasses.length ? subclasses : [null]) {
        const words = [userClass, subclass].filter((word) => word !== null)
        if (words.length) rules.push(words)
      }
  }
  return rules.length ? rules : [[]]
}

const readClassNames = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value])
    .flatMap((item) => (typeof item === 'string' ? (toText(item, 100) ?? []) : []))
    .map((word) => classNames[normalize(word)] ?? word)
