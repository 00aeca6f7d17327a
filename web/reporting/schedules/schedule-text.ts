import type { TFunction } from 'i18next'
import type { ReportCadence, ReportRun, ScheduledReport } from '#contract/report-schedules.ts'
import { type PageKey, pageTitle } from '#web/shell/pages.ts'

/** The page of each report. */
export const pageOfReport: Readonly<Record<ScheduledReport, PageKey>> = {
  trip_counts: 'tripCounts',
  mobility_metrics: 'mobilityMetrics',
  trip_distance: 'tripDistance',
  trip_duration: 'tripDuration',
  time_of_day: 'timeOfDay',
  trip_distance_by_tech: 'tripDistanceByTech',
  trip_speed_by_tech: 'tripSpeedByTech',
  parking_time: 'parkingTime',
  parking_time_by_district: 'parkingTimeByDistrict',
  bikeshare_stations: 'bikeshareStations',
}

export const reportName = (report: ScheduledReport, t: TFunction): string =>
  t(pageTitle(pageOfReport[report]))

/** The name of an ISO weekday. */
export const weekdayName = (day: number, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
    // January 5, 2026 is a Monday.
    Date.UTC(2026, 0, 4 + day),
  )

export const cadenceText = (
  { cadence, day }: { cadence: ReportCadence; day: number },
  language: string,
  t: TFunction,
): string =>
  cadence === 'weekly'
    ? t('reporting:schedules.everyWeek', { day: weekdayName(day, language) })
    : t('reporting:schedules.everyMonth', { day })

export const runStateText = ({ state, mails }: ReportRun, t: TFunction): string =>
  t(`reporting:schedules.state.${state}`, { ...mails, count: mails.sent })
