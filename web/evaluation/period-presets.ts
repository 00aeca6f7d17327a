import { defaultPeriod, type LocalDay } from '#contract/period.ts'
import { presetRange, type RangePreset } from '#web/kit/dates/preset-range.ts'
import { periodPresets, type PeriodPreset } from './period-preset.ts'

export interface Period {
  start_date: LocalDay
  end_date: LocalDay
}

const kitPreset: Record<PeriodPreset, RangePreset> = {
  this_month: 'thisMonth',
  last_month: 'lastMonth',
  this_quarter: 'thisQuarter',
  last_quarter: 'lastQuarter',
}

/** The days that a preset means today; both ends included. */
export function presetPeriod(preset: PeriodPreset, today: LocalDay): Period {
  const { from, to } = presetRange(kitPreset[preset], today)
  return { start_date: from, end_date: to }
}

interface Chosen {
  period?: PeriodPreset | undefined
  startDate?: LocalDay | undefined
  endDate?: LocalDay | undefined
}

/** The days that the address bar means today. */
export function chosenPeriod({ period, startDate, endDate }: Chosen, today: LocalDay): Period {
  if (startDate !== undefined && endDate !== undefined) return { start_date: startDate, end_date: endDate }
  return period ? presetPeriod(period, today) : defaultPeriod(today)
}

/** How to remember days: as a preset where they are one, as nothing where they are the default, else as themselves. */
export function rememberPeriod(period: Period, today: LocalDay): Chosen {
  const same = (other: Period): boolean =>
    other.start_date === period.start_date && other.end_date === period.end_date
  const preset = periodPresets.find((each) => same(presetPeriod(each, today)))
  if (preset || same(defaultPeriod(today)))
    return { period: preset, startDate: undefined, endDate: undefined }
  return { period: undefined, startDate: period.start_date, endDate: period.end_date }
}

/** Days of a period as they are read. */
export function periodText({ start_date, end_date }: Period, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.formatRange(Date.parse(start_date), Date.parse(end_date))
}
