import { flag, viewOf } from '#web/evaluation/search-values.ts'
import { segmentOf } from './routes-search.ts'

/** The public routes map's state in the address bar. */
export interface PublicRoutesSearch {
  /** YYYY-MM; absent: the newest. */
  month?: string | undefined
  route?: string | undefined
  results?: true | undefined
  view?: [lon: number, lat: number, zoom: number] | undefined
}

/** Reads the address bar's state; never fails. */
export function publicRoutesSearch(search: Record<string, unknown>): PublicRoutesSearch {
  const month = search['month']
  const found: PublicRoutesSearch = {
    month: typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
    route: segmentOf(search['route']),
    results: flag(search['results']),
    view: viewOf(search['view']),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
