import type { IssueStatus } from '#contract/issues.ts'

/** A 311 request as a feed or file reports it, without the person who reported it. Times in ms since 1970, null if missing. */
export interface IssueReport {
  issueId: string
  serviceCode: string
  serviceName: string
  description: string
  status: IssueStatus
  /** As the source calls it. */
  sourceStatus: string
  requested: number
  updated: number | null
  closed: number | null
  address: string | null
  lat: number | null
  lon: number | null
  /** As the source names them. */
  districts: Record<string, string>
}
