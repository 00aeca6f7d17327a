import { type CdsWeekday } from '#contract/cds.ts'
import type { CurbColumn, CurbMapping, RateBand } from '#contract/curb-imports.ts'
import { normalizeKey, toNumber } from '../checks/values.ts'
import { readHours } from '../texts/read-hours.ts'
import { readHourlyRate, readRuleText } from '../texts/read-rule-text.ts'
import type { TableSurvey } from './survey-table.ts'
import type { TableRecord } from './table-records.ts'

/** Spellings of column names by meaning, most specific first. They are compared by `normalizeKey`. */
const columnSpellings: Partial<Record<CurbColumn, readonly string[]>> = {
  id: [
    'curbzoneid',
    'meterid',
    'postid',
    'pole',
    'poleid',
    'spaceid',
    'zoneid',
    'elmntkey',
    'elementkey',
    'assetid',
    'id',
    'objectid',
    'oid',
    'fid',
    'globalid',
    'compkey',
  ],
  lat: ['latitude', 'lat', 'shapelat', 'y'],
  lon: ['longitude', 'lng', 'lon', 'long', 'shapelng', 'shapelon', 'x'],
  point: ['location', 'point', 'thegeom', 'shape', 'geocode', 'latlong', 'latlng', 'geom', 'wkt'],
  street_name: ['streetname', 'street', 'blockfacename', 'road', 'stname', 'location'],
  side: ['sideofstreet', 'streetside', 'side'],
  block: ['streetseg', 'blockfaceid', 'paystationblockfaceid', 'blockface', 'segkey', 'block', 'subarea'],
  from_street: ['xstreeta', 'fromstreet', 'crossstreet1', 'fromst'],
  to_street: ['xstreetb', 'tostreet', 'crossstreet2', 'tost'],
  name: ['name', 'locationdescription', 'unitdesc', 'label'],
  spaces: ['spaces', 'parkingspaces', 'numspaces', 'spacecount', 'capacity', 'parkingspacecount'],
  length: ['linearfeet', 'length', 'lengthft', 'shapelength'],
  max_stay: [
    'metertime',
    'timelimit',
    'maxstay',
    'parkingtimelimitcategory',
    'meteredtimelimit',
    'hours',
    'maxtime',
    'limit',
  ],
  rate: ['rate', 'meterrate', 'hourlyrate', 'paidparkingrate', 'price', 'raterange'],
  hours: [
    'hoursoperation',
    'hoursofoperation',
    'operatinghours',
    'timerestriction',
    'meterhours',
    'enforcementhours',
    'hours',
  ],
  rule_text: ['configname', 'regulation', 'ruletext', 'signtext', 'restriction', 'parkingregulation'],
  status: ['status', 'meterstatus', 'currentstatus', 'assetstatus', 'condition'],
  accessible: ['handicap', 'accessible', 'ada', 'disabled'],
  use: ['capcolor', 'curbcolor', 'color', 'parkingcategory', 'category', 'use'],
  effective_date: ['effectivestartdate', 'effectivedate', 'dateinventory', 'effectivefrom'],
}

/** Prefixes of columns with prices by time of day, and their days. */
const dayPrefixes: readonly (readonly [string, readonly CdsWeekday[]])[] = [
  ['weekday', ['mon', 'tue', 'wed', 'thu', 'fri']],
  ['wkd', ['mon', 'tue', 'wed', 'thu', 'fri']],
  ['saturday', ['sat']],
  ['sat', ['sat']],
  ['sunday', ['sun']],
  ['sun', ['sun']],
]

/** Columns with the hours of a rule of their own. */
const extraHours: readonly (readonly [RegExp, CurbMapping['hours_columns'][number]])[] = [
  [/^tow(away)?hours$/, { column: '', activity: 'no stopping', user_classes: [], purposes: [] }],
  [/^valethours$/, { column: '', activity: 'loading', user_classes: [], purposes: ['valet'] }],
  [/^taxi(zone)?hours$/, { column: '', activity: 'stopping', user_classes: [], purposes: ['taxi'] }],
  [/^food(service)?hours$/, { column: '', activity: 'parking', user_classes: [], purposes: ['vending'] }],
]

/** Usual meanings of colors and categories of meters: suggestions, which a planner confirms or changes. */
const useMeanings: Record<string, Omit<CurbMapping['uses'][number], 'value'>> = {
  grey: { activity: 'parking', user_classes: [], purposes: [] },
  gray: { activity: 'parking', user_classes: [], purposes: [] },
  green: { activity: 'parking', user_classes: [], purposes: [] },
  yellow: { activity: 'loading', user_classes: [], purposes: ['freight'] },
  red: { activity: 'loading', user_classes: ['truck'], purposes: ['freight'] },
  black: { activity: 'parking', user_classes: ['motorcycle'], purposes: [] },
  blue: { activity: 'parking', user_classes: ['accessible'], purposes: [] },
  brown: { activity: 'parking', user_classes: ['bus'], purposes: [] },
  'paid parking': { activity: 'parking', user_classes: [], purposes: [] },
  'no parking allowed': { activity: 'no parking', user_classes: [], purposes: [] },
}

/** Statuses of meters that are not in service. */
const excludedStatus = /remov|retire|decommission|inactive|\bplanned\b|proposed|storage|no head/i

/** Finds the first column that fits, by spelling, for each meaning. No column gets two meanings. */
export function suggestColumns<Column extends string>(
  spellings: Partial<Record<Column, readonly string[]>>,
  header: readonly string[],
  fitsColumn: (column: Column, name: string, chosenColumns: Partial<Record<Column, string>>) => boolean,
): Partial<Record<Column, string>> {
  const chosenColumns: Partial<Record<Column, string>> = {}
  const usedNames = new Set<string>()
  for (const column of Object.keys(spellings) as Column[]) {
    const chosenName = spellings[column]
      ?.flatMap((spelling) =>
        header.filter(
          (name) => normalizeKey(name).replace(/[^\p{L}\p{N}]/gu, '') === spelling && !usedNames.has(name),
        ),
      )
      .find((name) => fitsColumn(column, name, chosenColumns))
    if (chosenName === undefined) continue
    chosenColumns[column] = chosenName
    usedNames.add(chosenName)
  }
  return chosenColumns
}

/** Suggests a mapping from the header and the first rows. */
export function suggestMapping({ header, sample, hasGeometry, values }: TableSurvey): CurbMapping {
  const listColumnValues = (name: string): string[] =>
    [...(values.get(name)?.keys() ?? [])].filter((value) => value !== '')
  const columns = suggestColumns(columnSpellings, header, (column, name, chosenColumns) => {
    if (hasGeometry && (column === 'lat' || column === 'lon' || column === 'point')) return false
    if (column === 'point' && chosenColumns.lat !== undefined && chosenColumns.lon !== undefined) return false
    const columnValues = listColumnValues(name)
    return columnValues.length > 0 && fitsMeaning(column, columnValues.slice(0, maxTested), sample.length)
  })
  if (columns.lat === undefined || columns.lon === undefined) {
    delete columns.lat
    delete columns.lon
  }
  const { status, use } = columns
  return {
    columns,
    length_unit: 'ft',
    stay_unit: guessStayUnit(columns.max_stay, listColumnValues),
    rate_per: guessRatePer(columns, sample),
    bands: findBands(header),
    hours_columns: header.flatMap((name) => {
      const extra = extraHours.find(([pattern]) => pattern.test(normalizeKey(name)))
      return extra ? [{ ...extra[1], column: name }] : []
    }),
    uses:
      use === undefined
        ? []
        : listColumnValues(use).flatMap((value) => {
            const meaning = useMeanings[value.toLowerCase()]
            return meaning ? [{ value, ...meaning }] : []
          }),
    excluded_statuses:
      status === undefined ? [] : listColumnValues(status).filter((value) => excludedStatus.test(value)),
  }
}

/** Values of a column that are tested for a meaning. */
const maxTested = 50

/** A pair of coordinates, or a point as WKT. */
const coordinatesPattern = /^\(?\s*-?\d+\.\d+\s*,\s*-?\d+\.\d+\s*\)?$|^POINT\s*\(/i

/** Whether enough values of a column fit a meaning. */
function fitsMeaning(column: CurbColumn, values: readonly string[], rows: number): boolean {
  const computeShare = (test: (value: string) => boolean): number =>
    values.filter(test).length / values.length
  const isWithin =
    (limit: number) =>
    (value: string): boolean =>
      Math.abs(toNumber(value) ?? Infinity) <= limit
  switch (column) {
    case 'lat':
      return computeShare(isWithin(90)) > 0.9
    case 'lon':
      return computeShare(isWithin(180)) > 0.9
    case 'point':
      return computeShare((value) => coordinatesPattern.test(value)) > 0.9
    case 'street_name':
      return computeShare((value) => coordinatesPattern.test(value)) < 0.1
    case 'spaces':
    case 'length':
    case 'max_stay':
      return computeShare((value) => toNumber(value) !== null) > 0.6
    case 'rate':
      return computeShare((value) => readHourlyRate(value) !== null) > 0.5
    case 'hours':
      return computeShare((value) => readHours(value) !== null) > 0.3
    case 'rule_text':
      return computeShare((value) => readRuleText(value) !== null) > 0.1
    case 'use':
      return values.some((value) => useMeanings[value.toLowerCase()] !== undefined)
    case 'id':
      return values.length >= Math.min(rows, maxTested) * 0.2
    default:
      return true
  }
}

/** Guesses the unit of maximum stays: hours if most are at most 24, since so few minutes are rare. */
function guessStayUnit(
  column: string | undefined,
  listColumnValues: (name: string) => string[],
): 'minute' | 'hour' {
  const limits =
    column === undefined ? [] : listColumnValues(column).flatMap((value) => toNumber(value) ?? [])
  const smallCount = limits.filter((limit) => limit <= 24).length
  return limits.length > 0 && smallCount / limits.length > 0.7 ? 'hour' : 'minute'
}

/** Guesses that prices are of the maximum stay if the most frequent ones are proportional to stays. */
function guessRatePer(
  { rate, max_stay: stay }: CurbMapping['columns'],
  sample: readonly TableRecord[],
): 'hour' | 'max_stay' {
  const countsByStay = new Map<number, Map<number, number>>()
  for (const { fields } of sample) {
    const amount = toNumber(fields?.[rate ?? '']?.replace('$', ''))
    const maxStay = toNumber(fields?.[stay ?? ''])
    if (!amount || !maxStay) continue
    const counts = countsByStay.get(maxStay) ?? new Map<number, number>()
    countsByStay.set(maxStay, counts.set(amount, (counts.get(amount) ?? 0) + 1))
  }
  // The most frequent price of each maximum stay, if it occurs at least 3 times.
  const frequentPrices = [...countsByStay]
    .map(([maxStay, counts]) => ({
      maxStay,
      ...[...counts].map(([amount, rows]) => ({ amount, rows })).toSorted((a, b) => b.rows - a.rows)[0],
    }))
    .filter(({ rows = 0 }) => rows >= 3)
    .toSorted((a, b) => (b.rows ?? 0) - (a.rows ?? 0))
  const [first, second] = frequentPrices
  if (!first || !second || first.amount === second.amount) return 'hour'
  const ratio = (first.amount ?? 0) / first.maxStay / ((second.amount ?? 0) / second.maxStay)
  return Math.abs(ratio - 1) < 0.02 ? 'max_stay' : 'hour'
}

/** Finds the columns of prices by time of day, such as `weekdayrate1`, `weekdaystart1` and `weekdayend1`. */
function findBands(header: readonly string[]): RateBand[] {
  const nameByKey = new Map(header.map((name) => [normalizeKey(name), name]))
  return dayPrefixes.flatMap(([prefix, days]) =>
    [1, 2, 3, 4].flatMap((bandNumber) => {
      const [rate, start, end] = ['rate', 'start', 'end'].map((part) =>
        nameByKey.get(`${prefix}${part}${bandNumber}`),
      )
      return rate && start && end ? [{ days: [...days], rate, start, end }] : []
    }),
  )
}
