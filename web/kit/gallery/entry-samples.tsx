import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MoneyInput } from '../money-input.tsx'
import { TimeInput } from '../time/time-input.tsx'
import type { TimeOfDay } from '../time/time-of-day.ts'
import { WeekdayToggle } from '../weekday-toggle.tsx'
import { GalleryPart } from './gallery-part.tsx'

export function EntrySamples() {
  const { t } = useTranslation()
  const [noTime, setNoTime] = useState<TimeOfDay | null>(null)
  const [time, setTime] = useState<TimeOfDay | null>({ hour: 9, minute: 30 })
  const [hour, setHour] = useState<TimeOfDay | null>({ hour: 24, minute: 0 })
  const [noMoney, setNoMoney] = useState<number | null>(null)
  const [money, setMoney] = useState<number | null>(1204.5)
  const [yen, setYen] = useState<number | null>(1200)
  const [noDays, setNoDays] = useState<number[]>([])
  const [days, setDays] = useState([1, 2, 3, 4, 5])
  const errorText = t('kit:gallery.wrong')
  return (
    <>
      <GalleryPart title={t('kit:gallery.times')}>
        <TimeInput label={t('kit:gallery.empty')} value={noTime} onChange={setNoTime} />
        <TimeInput label={t('kit:gallery.filled')} value={time} onChange={setTime} />
        <TimeInput label={t('kit:gallery.wholeHours')} value={hour} onChange={setHour} isHourOnly />
        <TimeInput label={t('kit:gallery.error')} value={time} onChange={setTime} error={errorText} />
        <TimeInput label={t('kit:gallery.disabled')} value={time} onChange={setTime} disabled />
      </GalleryPart>
      <GalleryPart title={t('kit:gallery.money')}>
        <MoneyInput label={t('kit:gallery.empty')} value={noMoney} onChange={setNoMoney} />
        <MoneyInput label={t('kit:gallery.filled')} value={money} onChange={setMoney} />
        <MoneyInput label={t('kit:gallery.yen')} value={yen} onChange={setYen} currency="JPY" />
        <MoneyInput label={t('kit:gallery.error')} value={money} onChange={setMoney} error={errorText} />
        <MoneyInput label={t('kit:gallery.disabled')} value={money} onChange={setMoney} disabled />
      </GalleryPart>
      <GalleryPart title={t('kit:gallery.weekdays')}>
        <WeekdayToggle label={t('kit:gallery.empty')} value={noDays} onChange={setNoDays} />
        <WeekdayToggle label={t('kit:gallery.filled')} value={days} onChange={setDays} />
        <WeekdayToggle label={t('kit:gallery.error')} value={noDays} onChange={setNoDays} error={errorText} />
        <WeekdayToggle label={t('kit:gallery.disabled')} value={days} onChange={setDays} disabled />
      </GalleryPart>
    </>
  )
}
