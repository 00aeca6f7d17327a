import type { Language } from '#contract/identity.ts'
import type { ReportPeriod } from './due-dates.ts'

export interface ReportFigure {
  name: string
  value: string
  /** The value in the compared period. */
  before: string
  change: string
  definition: string
  version: number
}

/** A table of texts. The first `groups` columns name what a row is about, the others are its figures. */
export interface ReportTable {
  header: readonly string[]
  rows: readonly (readonly string[])[]
  groups: number
}

/** Content of a mail and its PDF, as plain data that can be sent to a thread. */
export interface ReportContent {
  language: Language
  title: string
  region: string
  timezone: string
  isMetric: boolean
  period: ReportPeriod
  /** Names of the operators to which the figures are limited; null for all. */
  operators: readonly string[] | null
  /** Other filters as a sentence; empty without any. */
  filters: string
  newestFact: string | null
  figures: readonly ReportFigure[]
  table: ReportTable
  charts: readonly {
    title: string
    /** Formatted days. */
    labels: readonly string[]
    series: readonly { name: string; values: readonly (number | null)[] }[]
  }[]
  coverage: readonly { operator: string; share: string }[]
  /** Sentences about the method. */
  notes: readonly string[]
  /** Time of the run. It is the creation time of the PDF, so that equal content results in equal bytes. */
  createdTime: string
}
