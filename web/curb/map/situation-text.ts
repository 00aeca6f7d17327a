import type { TFunction } from 'i18next'
import type { CurbMapSituation } from '#contract/curb-map.ts'
import type { CurbWeekLine, RateWords } from '#contract/curb-rules.ts'
import { toMajor } from '#contract/money.ts'
import { formatSpan } from '#web/kit/format-duration.ts'
import { formatMoney } from '#web/kit/format.ts'
import { weekdayName } from '#web/kit/weekdays.ts'

/** "Paid parking, 2 hr, $1.50 for the first hour". */
export function situationText(t: TFunction, situation: CurbMapSituation, currency: string): string {
  const { state, max_stay: stay, first_hour: price } = situation
  return [
    t(`curb:map.state.${state}`),
    ...(stay === null ? [] : [t('curb:map.text.stay', { time: formatSpan(stay * 60) })]),
    ...(price === null || price === 0
      ? []
      : [t('curb:map.text.firstHour', { amount: formatMoney(toMajor(price, currency), currency) })]),
  ].join(', ')
}

function rateText(t: TFunction, rate: RateWords, currency: string): string {
  const amount = formatMoney(toMajor(rate.rate, currency), currency)
  const price = t('curb:map.text.rate', { amount, unit: t(`curb:map.unit.${rate.unit}`) })
  return rate.from > 0 ? t('curb:map.text.rateFrom', { price, time: formatSpan(rate.from * 60) }) : price
}

/** "Mon–Fri": neighboring days as a range. */
export function daysText(t: TFunction, days: readonly number[], language: string): string {
  if (days.length === 7) return t('curb:map.text.everyDay')
  const name = (day: number): string => weekdayName(day, language, 'short')
  const parts: string[] = []
  for (let at = 0; at < days.length;) {
    let end = at
    while (days[end + 1] === days[end]! + 1) end++
    parts.push(
      end - at >= 2
        ? `${name(days[at]!)}–${name(days[end]!)}`
        : days
            .slice(at, end + 1)
            .map(name)
            .join(', '),
    )
    at = end + 1
  }
  return parts.join(', ')
}

/** "09:00–18:00 paid parking, up to 2 hr, $1.50 per hour; trucks only". */
export function lineText(t: TFunction, line: CurbWeekLine, currency: string): string {
  const users = [...line.user_classes, ...line.purposes].map((name) => className(t, name))
  return [
    t(`curb:map.state.${line.state}`),
    ...(line.max_stay === null ? [] : [t('curb:map.text.stay', { time: formatSpan(line.max_stay * 60) })]),
    ...line.rates.filter(({ rate }) => rate > 0).map((rate) => rateText(t, rate, currency)),
    ...(users.length ? [t('curb:map.text.only', { users: users.join(', ') })] : []),
    ...(line.user_classes_except.length
      ? [
          t('curb:map.text.except', {
            users: line.user_classes_except.map((name) => className(t, name)).join(', '),
          }),
        ]
      : []),
  ].join(', ')
}

/** The name of a user class or purpose; one of the city's own as it is. */
export const className = (t: TFunction, name: string): string =>
  t(`curb:map.user.${name}`, { defaultValue: name.replaceAll('_', ' ') })
