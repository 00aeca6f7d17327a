import type { TFunction } from 'i18next'
import type { Issue } from '#contract/issues.ts'
import { formatSpan } from '#web/kit/format-duration.ts'
import { formatNumber, formatMissing } from '#web/kit/format.ts'

/** Returns the name of a type; some sources send only its code. */
export const getTypeName = ({
  service_name,
  service_code,
}: Pick<Issue, 'service_name' | 'service_code'>): string => service_name || service_code

/** Formats hours as a duration with all units; null as the text of missing values. */
export const formatResolutionTime = (hours: number | null): string =>
  hours === null ? formatMissing() : formatSpan(hours * 3600)

/** Formats the name of a district field: `council_district` is `Council district`. */
export const formatDistrictField = (name: string): string => {
  const spacedName = name.replaceAll('_', ' ').trim()
  return spacedName.charAt(0).toUpperCase() + spacedName.slice(1)
}

/** Formats a range of resolution times in hours, such as `24`, `24-72` or `168-`, as text. */
export function formatHourRange(t: TFunction, text: string): string {
  const [from = '', to = ''] = text.includes('-') ? text.split('-') : ['', text]
  const formatHours = (hours: string): string => {
    const bound = Number(hours)
    return bound >= 24 && bound % 24 === 0
      ? t('issues:resolution.days', { count: bound / 24, shown: formatNumber(bound / 24) })
      : t('issues:resolution.hours', { count: bound, shown: formatNumber(bound) })
  }
  if (from === '') return t('issues:resolution.within', { to: formatHours(to) })
  return to === ''
    ? t('issues:resolution.over', { from: formatHours(from) })
    : t('issues:resolution.between', { from: formatHours(from), to: formatHours(to) })
}
