import {
  type IssueMeasure,
  issueMeasures,
  type IssueSort,
  type IssueSortKey,
  type IssueStatus,
} from '#contract/issues.ts'
import type { LocalDay } from '#contract/period.ts'
import type { TimeBucket } from '#contract/spatial.ts'
import { type AxisExtra, colorSchemes } from '#web/evaluation/map-search.ts'
import { periodPresets, type PeriodPreset } from '#web/evaluation/period-preset.ts'
import {
  daysInOrder,
  flag,
  listOf,
  oneDay,
  oneOf,
  oneUuid,
  orAbsent,
  someOf,
  unlessDefault,
  viewOf,
  wholeUpTo,
} from '#web/evaluation/search-values.ts'

/** What the colour of a point tells. */
export const colorings = ['status', 'type'] as const
export type Coloring = (typeof colorings)[number]
/** What the colour of a shape tells. */
export const measures = issueMeasures
export type Measure = IssueMeasure
/** Issues are played by day, with the weather under them where that is asked for. */
export const issueBuckets = ['day'] as const satisfies readonly TimeBucket[]
export const issueExtras = ['weather'] as const satisfies readonly AxisExtra[]
/** Hours to the closing, as the call takes them. */
export const resolutionChoices = ['24', '24-72', '72-168', '168-'] as const

/** The 311 map's state in the address bar. What has its default value is absent. */
export interface IssuesSearch {
  /** Values by shape in place of points. */
  show?: 'shapes' | undefined
  color?: Coloring | undefined
  measure?: Measure | undefined
  layer?: string | undefined
  shape?: string | undefined
  colors?: (typeof colorSchemes)[number] | undefined
  period?: PeriodPreset | undefined
  startDate?: LocalDay | undefined
  endDate?: LocalDay | undefined
  /** Service codes; absent: all. */
  types?: string[] | undefined
  status?: IssueStatus | undefined
  resolutionTime?: string | undefined
  /** The selected issue: see issue-key.ts. */
  issue?: string | undefined
  sort?: IssueSort | undefined
  page?: number | undefined
  results?: true | undefined
  /** Longitude, latitude, zoom. */
  view?: [lon: number, lat: number, zoom: number] | undefined
  /** The time axis, as of the other maps: absent, there is none. */
  by?: TimeBucket | undefined
  /** The day that is shown. */
  at?: LocalDay | undefined
  under?: AxisExtra[] | undefined
  /** A second period that shapes are compared with; never while the time axis is there. */
  compareStart?: LocalDay | undefined
  compareEnd?: LocalDay | undefined
  sideBySide?: true | undefined
  percent?: true | undefined
}

const statuses: readonly IssueStatus[] = ['open', 'closed']
const sortKeys: Record<IssueSortKey, true> = {
  requested_time: true,
  closed_time: true,
  resolution_time: true,
  service_name: true,
  status: true,
  source_status: true,
  address: true,
  id: true,
}
const resolution = /^(\d{1,6}|\d{1,6}-(\d{1,6})?)$/
const longestId = 300
const mostPages = 100_000

/** A text of the address bar; one of digits alone is a number there. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= longestId
    ? value
    : typeof value === 'number' && Number.isFinite(value)
      ? String(value)
      : undefined

/** The sorting of the list where it is not the usual one. */
const sortOf = (value: unknown): IssueSort | undefined =>
  typeof value === 'string' &&
  value !== '-requested_time' &&
  Object.hasOwn(sortKeys, value.startsWith('-') ? value.slice(1) : value)
    ? (value as IssueSort)
    : undefined

/** Reads the address bar's state; never fails: what makes no sense is as if absent. */
export function issuesSearch(search: Record<string, unknown>): IssuesSearch {
  const [start, end] = daysInOrder(oneDay(search['startDate']), oneDay(search['endDate']))
  const hours = textOf(search['resolutionTime'])
  const page = wholeUpTo(mostPages, search['page'])
  // A comma parts codes where they are asked for.
  const types = listOf(search['types'])
    .flatMap((each) => textOf(each) ?? [])
    .filter((code) => !code.includes(','))
  const show = oneOf(['shapes'] as const, search['show'])
  const [compareStart, compareEnd] = show
    ? daysInOrder(oneDay(search['compareStart']), oneDay(search['compareEnd']))
    : []
  const isCompared = compareStart !== undefined
  const by = isCompared ? undefined : oneOf(issueBuckets, search['by'])
  const found: IssuesSearch = {
    show,
    color: unlessDefault(oneOf(colorings, search['color']), 'status'),
    measure: unlessDefault(oneOf(measures, search['measure']), 'count'),
    layer: oneUuid(search['layer']),
    shape: oneUuid(search['shape']),
    colors: unlessDefault(oneOf(colorSchemes, search['colors']), 'tide'),
    period: start === undefined ? oneOf(periodPresets, search['period']) : undefined,
    startDate: start,
    endDate: end,
    types: orAbsent([...new Set(types)].toSorted()),
    status: oneOf(statuses, search['status']),
    resolutionTime: hours !== undefined && resolution.test(hours) ? hours : undefined,
    issue: textOf(search['issue']),
    sort: sortOf(search['sort']),
    page: page === 1 ? undefined : page,
    results: flag(search['results']),
    view: viewOf(search['view']),
    by,
    at: by && oneDay(search['at']),
    under: by && someOf(issueExtras, search['under']),
    compareStart,
    compareEnd,
    sideBySide: isCompared ? flag(search['sideBySide']) : undefined,
    percent: isCompared ? flag(search['percent']) : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
