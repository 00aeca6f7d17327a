import type { IssueStatus } from '#contract/issues.ts'
import type { LocalDay } from '#contract/period.ts'
import { chosenPeriod } from '#web/filters/period.ts'
import type { IssuesSearch } from './issues-search.ts'

/** The filters as the calls take them; what is not filtered by is absent. */
export interface IssuesQuestion {
  start_date: LocalDay
  end_date: LocalDay
  service_code?: string
  status?: IssueStatus
  resolution_time?: string
}

/** The day of the question that a map of single days shows, as far as the address bar says; the first where it says none. Null where all are shown at once. */
export function shownDay(
  { by, at }: Pick<IssuesSearch, 'by' | 'at'>,
  { start_date, end_date }: IssuesQuestion,
): LocalDay | null {
  if (by === undefined) return null
  return at !== undefined && at >= start_date && at <= end_date ? at : start_date
}

/** What the 311 map asks, for what the address bar says. */
export function issuesQuestion(search: IssuesSearch, today: LocalDay): IssuesQuestion {
  const { types, status, resolution_time } = search
  return {
    ...chosenPeriod(search, today),
    ...(types ? { service_code: types.join(',') } : {}),
    ...(status ? { status } : {}),
    ...(resolution_time ? { resolution_time: resolution_time } : {}),
  }
}
