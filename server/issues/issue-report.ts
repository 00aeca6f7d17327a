import type { IssueStatus } from '#contract/issues.ts'

/** A 311 request as a feed or a file tells it. Times in ms since 1970, null: not told. Nothing of who reported it. */
export interface IssueReport {
  issueId: string
  serviceCode: string
  serviceName: string
  description: string
  status: IssueStatus
  /** In the source's own words. */
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
