import type { IssueStatus } from '#contract/issues.ts'

/** A 311 request from a feed or file, without its reporter. Times are ms since 1970, null if missing. */
export interface IssueReport {
  issueId: string
  serviceCode: string
  serviceName: string
  description: string
  status: IssueStatus
  /** The status in the words of the source. */
  sourceStatus: string
  requested: number
  updated: number | null
  closed: number | null
  address: string | null
  lat: number | null
  lon: number | null
  /** Values by the names that the source uses, such as `council_district`. */
  districts: Record<string, string>
}
