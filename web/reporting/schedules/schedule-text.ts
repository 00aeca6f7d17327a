import type { TFunction } from 'i18next'
import type { ReportCadence, ReportRun, ScheduledReport } from '#contract/report-schedules.ts'
import { formatWeekday } from '#web/kit/weekdays.ts'
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

export const getReportName = (report: ScheduledReport, t: TFunction): string =>
  t(pageTitle(pageOfReport[report]))

/** Formats when a report is sent: each week or month, on a day (an ISO weekday or day of the month). */
export const formatCadence = (
  { cadence, day }: { cadence: ReportCadence; day: number },
  language: string,
  t: TFunction,
): string =>
  cadence === 'weekly'
    ? t('reporting:schedules.everyWeek', { day: formatWeekday(day, language, 'long') })
    : t('reporting:schedules.everyMonth', { day })

/** Formats the state of a run, with its numbers of mails. */
export const formatRunState = ({ state, mails }: ReportRun, t: TFunction): string =>
  t(`reporting:schedules.state.${state}`, { ...mails, count: mails.sent })
