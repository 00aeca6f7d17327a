import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { RegulationPrecedence } from '#contract/curb-regulations.ts'
import { formatInteger } from '#web/kit/format.ts'
import { formatClockRange } from '#web/kit/time/time-of-day.ts'
import { formatWeekdays, formatUser } from '../rule-text.ts'
import styles from './regulations.module.css'
import type { RegulationCheck } from './use-regulation-check.ts'

interface Props {
  /** Undefined while the first check runs. */
  check: RegulationCheck | undefined
  zoneCount: number
}

/** The regulations that take precedence in the selected zones, and those that are overridden, with times. */
export function Precedences({ check, zoneCount }: Props) {
  const { t } = useTranslation()
  const formatPrecedence = useFormatPrecedence(zoneCount)
  const titleId = useId()
  if (!check) return null
  const noPrecedencesText =
    check.other_count === 0
      ? t('curb:regulations.precedence.none')
      : t('curb:regulations.precedence.agree', { count: check.other_count })
  const groups = [true, false].map((isOtherFirst) => ({
    isOtherFirst,
    items: check.precedences.filter((precedence) => precedence.is_other_first === isOtherFirst),
  }))
  return (
    <div className={styles['precedences']} role="group" aria-labelledby={titleId} aria-live="polite">
      <h3 id={titleId}>{t('curb:regulations.precedence.title')}</h3>
      {check.precedences.length ? (
        groups
          .filter(({ items }) => items.length > 0)
          .map(({ isOtherFirst, items }) => (
            <div key={String(isOtherFirst)} data-first={isOtherFirst || undefined}>
              <p>{t(`curb:regulations.precedence.${isOtherFirst ? 'otherFirst' : 'thisFirst'}`)}</p>
              <ul>
                {items.map((precedence) => (
                  <li key={precedence.other.curb_policy_id}>{formatPrecedence(precedence)}</li>
                ))}
              </ul>
            </div>
          ))
      ) : (
        <p>{zoneCount === 0 ? t('curb:regulations.precedence.noZones') : noPrecedencesText}</p>
      )}
      {check.is_complete ? null : <p>{t('curb:regulations.findings.incomplete')}</p>}
    </div>
  )
}

/** Formats texts such as `“Street cleaning” (priority 35): Mon, 8 AM–10 AM, in 3 of 12 zones`. */
function useFormatPrecedence(zoneCount: number): (precedence: RegulationPrecedence) => string {
  const { t, i18n } = useTranslation()
  return ({ other, times, is_every_week: isEveryWeek, users, zone_count: zones }) => {
    const timeTexts = times.map(({ days, from, until }) => {
      const isAllDay = from === '00:00' && until === '24:00'
      if (isAllDay && days.length === 7) return t('curb:regulations.precedence.always')
      const dayText = formatWeekdays(t, days, i18n.language)
      return isAllDay ? dayText : `${dayText}, ${formatClockRange(from, until)}`
    })
    return t('curb:regulations.precedence.line', {
      name: other.name || t('curb:regulations.nameless'),
      priority: other.priority,
      details: [
        timeTexts.join('; ') + (isEveryWeek ? '' : ` ${t('curb:regulations.precedence.someDates')}`),
        ...(users.length
          ? [t('curb:map.text.only', { users: users.map((name) => formatUser(t, name)).join(', ') })]
          : []),
        zones >= zoneCount
          ? t('curb:regulations.precedence.allZones', { count: zones })
          : t('curb:regulations.precedence.someZones', {
              zones: formatInteger(zones),
              total: formatInteger(zoneCount),
            }),
      ].join(' · '),
    })
  }
}
