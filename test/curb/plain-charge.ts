import type { CdsRate } from '#contract/cds.ts'
import { minuteMs } from '#contract/period.ts'

/** Reference implementation of a stay's fee, minute by minute, for rates per minute, hour and day. */
export function plainCharge(rates: readonly CdsRate[], start: number, end: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const texts = new Map<number, string>()
  const formatLocal = (ms: number): string => {
    const text = texts.get(ms) ?? format.format(ms)
    texts.set(ms, text)
    return text
  }
  const listUnitMinutes = ({ rate_unit: unit, rate_unit_period: period }: CdsRate): number[] => {
    const units: number[] = []
    let number = -1
    for (let at = start; at < end; at += minuteMs) {
      const elapsed = (at - start) / minuteMs
      let begins: boolean
      if (period === 'calendar') {
        const [date, time = ''] = formatLocal(at).split(', ')
        const minutesPast = Number(time.split(':')[1]?.slice(0, 2))
        begins =
          unit === 'minute' ||
          (unit === 'hour' ? minutesPast === 0 : formatLocal(at - minuteMs).split(', ')[0] !== date)
      } else begins = unit === 'minute' || (unit === 'hour' ? elapsed % 60 === 0 : isStartOfDay(at))
      if (begins || elapsed === 0) number++
      units.push(number)
    }
    return units
  }
  /** Whether a later day of a rolling rate begins: the first time on a day with the arrival's local time. */
  function isStartOfDay(at: number): boolean {
    return formatLocal(at).split(', ')[1] === formatLocal(start).split(', ')[1] && !isRepeated(at)
  }
  function isRepeated(at: number): boolean {
    for (let before = at - 2 * 60 * minuteMs; before < at; before += minuteMs)
      if (formatLocal(before) === formatLocal(at)) return true
    return false
  }
  let total = 0
  const starts = (rate: CdsRate): number => {
    const units = listUnitMinutes(rate)
    const unitIndex = units.findIndex((unit) => unit >= (rate.start_duration ?? 0))
    return unitIndex === -1 ? Infinity : unitIndex
  }
  for (const rate of rates.toSorted((a, b) => starts(a) - starts(b))) {
    const first = rate.start_duration ?? 0
    const last = rate.end_duration ?? Infinity
    const unitsInBand = listUnitMinutes(rate).filter((unit) => unit >= first && unit < last)
    if (unitsInBand.length === 0) continue
    let amount: number
    if (rate.rate_unit_period === 'calendar' || rate.increment_duration !== undefined) {
      const unitCount = new Set(unitsInBand).size
      let paid = 0
      while (paid < unitCount) paid += rate.increment_duration ?? 1
      amount = rate.rate * Math.min(paid, last - first)
    } else {
      // The unit is charged in proportion to its minutes: 1, 60, or those of the day.
      amount = 0
      for (const unit of new Set(unitsInBand)) {
        const minutes = unitsInBand.filter((other) => other === unit).length
        amount += (rate.rate * minutes) / getUnitMinutes(rate, unit)
      }
      amount = Math.ceil(Number(amount.toFixed(6)))
    }
    const step = rate.increment_amount ?? 1
    amount = Math.ceil(amount / step) * step
    total += Math.max(0, Math.min(amount, (rate.maximum_fee ?? Infinity) - total))
  }
  return total

  /** Returns the minutes of a unit of a rolling rate. */
  function getUnitMinutes(rate: CdsRate, unit: number): number {
    if (rate.rate_unit !== 'day') return rate.rate_unit === 'hour' ? 60 : 1
    let [from, until] = [start, start]
    for (let count = 0; count <= unit; count++) {
      from = until
      until += minuteMs
      while (!isStartOfDay(until)) until += minuteMs
    }
    return (until - from) / minuteMs
  }
}
