import { complianceStatuses, type ComplianceStatus } from '#contract/compliance.ts'
import { policyTypes } from '#contract/policy-types/list.ts'
import {
  daysInOrder,
  flag,
  oneDay,
  oneUuid,
  orAbsent,
  slugsOf,
  someOf,
} from '#web/evaluation/search-values.ts'

/** The summary's state in the address bar. What has its default value is absent. */
export interface ComplianceSearch {
  startDate?: string | undefined
  endDate?: string | undefined
  text?: string | undefined
  types?: string[] | undefined
  operators?: string[] | undefined
  statuses?: ComplianceStatus[] | undefined
  /** Beside the days before. */
  compare?: true | undefined
}

/** What the page of one policy holds beside days and operators. */
export interface DetailSearch extends Pick<ComplianceSearch, 'startDate' | 'endDate' | 'operators'> {
  /** The cell that is looked at. */
  date?: string | undefined
  operator?: string | undefined
  shape?: string | undefined
  /** Facts that are uncertain, too. */
  uncertain?: true | undefined
  page?: number | undefined
  /** Written for paper. */
  report?: true | undefined
}

const longestText = 200
/** The types that are offered to filter by, and `unknown`: rules as they were imported. */
const typeNames = [...policyTypes.map(({ name }) => name), 'unknown']
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).trim().slice(0, longestText) || undefined
    : undefined
const present = <T extends object>(found: T): T =>
  Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as T

function daysOf(search: Record<string, unknown>): Pick<ComplianceSearch, 'startDate' | 'endDate'> {
  const [startDate, endDate] = daysInOrder(oneDay(search['startDate']), oneDay(search['endDate']))
  return { startDate, endDate }
}

/** Reads the address bar's state; never fails: what makes no sense is as if absent. */
export const complianceSearch = (search: Record<string, unknown>): ComplianceSearch =>
  present<ComplianceSearch>({
    ...daysOf(search),
    text: textOf(search['text']),
    types: someOf(typeNames, search['types']),
    operators: orAbsent(slugsOf(search['operators'])),
    statuses: someOf(complianceStatuses, search['statuses']),
    compare: flag(search['compare']),
  })

export const detailSearch = (search: Record<string, unknown>): DetailSearch =>
  present<DetailSearch>({
    ...daysOf(search),
    operators: orAbsent(slugsOf(search['operators'])),
    date: oneDay(search['date']),
    operator: slugsOf(search['operator'])[0],
    shape: oneUuid(search['shape']),
    uncertain: flag(search['uncertain']),
    page:
      typeof search['page'] === 'number' && Number.isInteger(search['page']) && search['page'] > 1
        ? search['page']
        : undefined,
    report: flag(search['report']),
  })
