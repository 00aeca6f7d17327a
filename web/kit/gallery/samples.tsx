import { Title } from '@mantine/core'
import { type ReactNode, Fragment, useId, useState } from 'react'
import { IconDroplet, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './gallery.module.css'
import type { DropdownOption } from '../dropdown-parts.tsx'
import { Dropdown } from '../dropdown.tsx'
import { MultiDropdown } from '../multi-dropdown.tsx'
import { TagList } from '../tag-list.tsx'
import { MoneyInput } from '../money-input.tsx'
import { TimeInput } from '../time/time-input.tsx'
import { type TimeOfDay, formatTimeRange } from '../time/time-of-day.ts'
import { WeekdayToggle } from '../weekday-toggle.tsx'
import { formatDuration, formatSpan } from '../format-duration.ts'
import { formatDistance, formatMoney, formatNumber } from '../format.ts'

/** A section with widgets of one kind. */
export function GalleryPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles['part']} aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      <div className={styles['widgets']}>{children}</div>
    </section>
  )
}

type Sample = 'teal' | 'amber' | 'long'

/** Dropdowns and tag lists in their states. */
export function ChoiceSamples() {
  const { t } = useTranslation()
  const [emptyChoice, setEmptyChoice] = useState<Sample | null>(null)
  const [singleChoice, setSingleChoice] = useState<Sample | null>('teal')
  const [emptyChoices, setEmptyChoices] = useState<Sample[]>([])
  const [multipleChoices, setMultipleChoices] = useState<Sample[]>(['teal', 'long'])
  const options: DropdownOption<Sample>[] = [
    {
      value: 'teal',
      text: t('kit:gallery.options.teal'),
      description: t('kit:gallery.options.tealHint'),
      icon: <IconDroplet size={18} />,
    },
    {
      value: 'amber',
      text: t('kit:gallery.options.amber'),
      description: t('kit:gallery.options.amberHint'),
      icon: <IconSun size={18} />,
    },
    { value: 'long', text: t('kit:gallery.options.long') },
  ]
  const formatLabel = (choice: string, state: string): string =>
    `${t(`kit:gallery.${choice}`)} · ${t(`kit:gallery.${state}`)}`
  const tags = options.map(({ value, text }) => ({ key: value, text }))
  const [remaining, setRemaining] = useState(tags.map(({ key }) => key))
  const errorText = t('kit:gallery.wrong')
  return (
    <>
      <GalleryPart title={t('kit:gallery.choices')}>
        <Dropdown
          label={formatLabel('one', 'empty')}
          options={options}
          value={emptyChoice}
          onChange={setEmptyChoice}
        />
        <Dropdown
          label={formatLabel('one', 'filled')}
          options={options}
          value={singleChoice}
          onChange={setSingleChoice}
          clearable
        />
        <Dropdown
          label={formatLabel('one', 'error')}
          options={options}
          value={emptyChoice}
          onChange={setEmptyChoice}
          error={errorText}
        />
        <Dropdown
          label={formatLabel('one', 'disabled')}
          options={options}
          value="amber"
          onChange={setSingleChoice}
          disabled
        />
        <MultiDropdown
          label={formatLabel('many', 'empty')}
          options={options}
          value={emptyChoices}
          onChange={setEmptyChoices}
        />
        <MultiDropdown
          label={formatLabel('many', 'filled')}
          options={options}
          value={multipleChoices}
          onChange={setMultipleChoices}
        />
        <MultiDropdown
          label={formatLabel('many', 'error')}
          options={options}
          value={emptyChoices}
          onChange={setEmptyChoices}
          error={errorText}
        />
        <MultiDropdown
          label={formatLabel('many', 'disabled')}
          options={options}
          value={multipleChoices}
          onChange={setMultipleChoices}
          disabled
        />
      </GalleryPart>
      <GalleryPart title={t('kit:gallery.tags')}>
        <TagList
          label={t('kit:gallery.filled')}
          tags={tags.filter(({ key }) => remaining.includes(key))}
          onRemove={(key) => setRemaining(remaining.filter((other) => other !== key))}
        />
        <TagList label={t('kit:gallery.fixed')} tags={tags} />
      </GalleryPart>
    </>
  )
}

/** Inputs of times, money and weekdays in their states. */
export function EntrySamples() {
  const { t } = useTranslation()
  const [noTime, setNoTime] = useState<TimeOfDay | null>(null)
  const [time, setTime] = useState<TimeOfDay | null>({ hour: 9, minute: 30 })
  const [hour, setHour] = useState<TimeOfDay | null>({ hour: 24, minute: 0 })
  const [noMoney, setNoMoney] = useState<number | null>(null)
  const [money, setMoney] = useState<number | null>(1204.5)
  const [yenAmount, setYenAmount] = useState<number | null>(1200)
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
        <MoneyInput label={t('kit:gallery.yen')} value={yenAmount} onChange={setYenAmount} currency="JPY" />
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

/** Inputs beside their formatted values. */
export function FormatSamples() {
  const { t } = useTranslation()
  const rows: readonly [input: string, value: string][] = [
    ['40 s', formatDuration(40)],
    ['3599 s', formatDuration(3599)],
    ['5400 s', formatDuration(5400)],
    ['0 s', formatSpan(0)],
    ['93 900 s', formatSpan(93_900)],
    ['0.04', formatNumber(0.04)],
    ['null', formatNumber(null)],
    ['1204.5 USD', formatMoney(1204.5)],
    ['1204.5 EUR', formatMoney(1204.5, 'EUR')],
    ['2500 m', `${formatDistance(2500, true)} / ${formatDistance(2500, false)}`],
    ['06:00, 22:00', formatTimeRange({ hour: 6, minute: 0 }, { hour: 22, minute: 0 })],
    ['null, null', formatTimeRange(null, null)],
  ]
  return (
    <GalleryPart title={t('kit:gallery.formats')}>
      <dl className={styles['formats']}>
        {rows.map(([input, value]) => (
          <Fragment key={input}>
            <dt>{input}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </GalleryPart>
  )
}
