import { useTranslation } from 'react-i18next'
import { stationDefaults } from '#contract/bikeshare.ts'
import { listLayers } from '#contract/geography.ts'
import { listOperators } from '#contract/operators.ts'
import { isFullDay } from '#contract/period.ts'
import { ReportFilters } from '#contract/report-schedules.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatParkedDuration } from '#web/filters/parked-durations.ts'
import { hourRange } from '#web/filters/trip-filters.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import { formatWeekday } from '#web/kit/weekdays.ts'
import { formatClockRange, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import type { StationSearch } from '../bikeshare/station-search.ts'
import { operatorName } from '../measure-format.ts'
import { parkingLimits } from '../report-search.ts'

/** Returns the filters of a report page, without its period, as a schedule has them. */
export const toReportFilters = ({ hours, layer, ...search }: StationSearch): ReportFilters =>
  ReportFilters.parse({ ...search, hour_filters: hourRange(hours), shape_layer_uuid: layer })

/** Returns a function that describes the filters of a scheduled report. */
export function useFormatFilters(regionId: string): (filters: ReportFilters) => string {
  const { t, i18n } = useTranslation()
  const operators = useEndpointQuery(listOperators, { query: { region_id: regionId } }).data?.items
  const layers = useEndpointQuery(listLayers, { params: { region_id: regionId } }).data?.items
  return (filters) => {
    const { hour_filters: hours, parking_limit: limit, shape_layer_uuid: layerId } = filters
    const { window_from: from, window_until: until, tolerance } = filters
    const layer = layers?.find(({ shape_layer_uuid: id }) => id === layerId)
    const hasOwnWindow = from !== stationDefaults.window_from || until !== stationDefaults.window_until
    const texts = [
      filters.operators.map((slug) => operatorName(operators, slug)).join(', '),
      filters.vehicle_types.map(vehicleTypeName).join(', '),
      filters.days.map((day) => formatWeekday(day, i18n.language, 'long')).join(', '),
      isFullDay(hours)
        ? ''
        : hours.map((hour, end) => formatTimeOfDay({ hour: hour + end, minute: 0 })).join('–'),
      limit === parkingLimits[0]
        ? ''
        : t('reporting:schedules.filters.limit', { limit: formatParkedDuration(t, limit) }),
      layer?.layer_name ?? '',
      hasOwnWindow ? formatClockRange(from, until) : '',
      tolerance === stationDefaults.tolerance
        ? ''
        : t('reporting:schedules.filters.tolerance', { count: tolerance }),
    ].filter((text) => text !== '')
    return texts.length
      ? t('reporting:schedules.filters.some', { filters: texts.join(' · ') })
      : t('reporting:schedules.filters.none')
  }
}
