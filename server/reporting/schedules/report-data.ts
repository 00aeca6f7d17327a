import type { Language } from '#contract/identity.ts'
import type { ReportPeriod } from './due-dates.ts'

/** A figure of a report, in texts. */
export interface ReportFigure {
  name: string
  value: string
  before: string
  change: string
  definition: string
  version: number
}

/** Everything that a mail and its PDF show, as plain data. */
export interface ReportContent {
  language: Language
  title: string
  region: string
  timezone: string
  isMetric: boolean
  period: ReportPeriod
  /** Names of the operators that the figures are limited to; null: all. */
  operators: readonly string[] | null
  newestFact: string | null
  figures: readonly ReportFigure[]
  /** The first `groups` columns are names. */
  table: { header: readonly string[]; rows: readonly (readonly string[])[]; groups: number }
  charts: readonly {
    title: string
    /** Days, as text. */
    labels: readonly string[]
    series: readonly { name: string; values: readonly (number | null)[] }[]
  }[]
  coverage: readonly { operator: string; share: string }[]
  /** Sentences about the method. */
  notes: readonly string[]
  /** When the run was made; the PDF has this time, so that the same data are the same bytes. */
  createdTime: string
}
