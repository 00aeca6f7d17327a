import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import fc from 'fast-check'
import { dayFromNumber } from '#contract/period.ts'
import { renderPart } from '../test-part.tsx'
import {
  chooseMonth,
  earliestMonth,
  isMonthOutside,
  type MonthRange,
  MonthRangePicker,
  listYears,
} from './month-range-picker.tsx'

const onChange = vi.fn<(value: MonthRange) => void>()

function Controlled(bounds: { minDate?: string; maxDate?: string }) {
  const [value, setValue] = useState<MonthRange>({ from: '2026-03-01', to: '2026-05-31' })
  return (
    <MonthRangePicker
      label="Months"
      value={value}
      today="2026-11-21"
      onChange={(next) => {
        onChange(next)
        setValue(next)
      }}
      {...bounds}
    />
  )
}
const select = (name: string) => screen.getByLabelText<HTMLSelectElement>(name)
const getDisplayedValues = () =>
  ['From, month', 'From, year', 'To, month', 'To, year'].map((name) => select(name).selectedOptions[0]?.text)

it('shows both months under one name', async () => {
  await renderPart(<Controlled />)
  expect(within(screen.getByRole('group', { name: 'Months' })).getAllByRole('combobox')).toHaveLength(4)
  expect(getDisplayedValues()).toEqual(['March', '2026', 'May', '2026'])
})

it('offers years from 2010 to now, and disables months outside', async () => {
  await renderPart(<Controlled />)
  const years = [...select('To, year').options].map(({ value }) => value)
  expect([years[0], years.at(-1)]).toEqual(['2010', '2026'])
  expect([...select('To, month').options].filter(({ disabled }) => disabled).map(({ text }) => text)).toEqual(
    ['December'],
  )
})

it('respects the bounds of the caller', async () => {
  await renderPart(<Controlled minDate="2026-02-10" maxDate="2026-10-31" />)
  expect([...select('From, year').options].map(({ value }) => value)).toEqual(['2026'])
  expect(
    [...select('From, month').options].filter(({ disabled }) => disabled).map(({ text }) => text),
  ).toEqual(['January', 'November', 'December'])
  await userEvent.selectOptions(select('From, month'), 'February')
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-02-10', to: '2026-05-31' })
})

it('moves the other end if necessary', async () => {
  await renderPart(<Controlled />)
  await userEvent.selectOptions(select('From, month'), 'August')
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-08-01', to: '2026-08-31' })
  await userEvent.selectOptions(select('To, year'), '2020')
  expect(onChange).toHaveBeenLastCalledWith({ from: '2020-08-01', to: '2020-08-31' })
  expect(getDisplayedValues()).toEqual(['August', '2020', 'August', '2020'])
})

it('clamps a month that is out of bounds in the chosen year', async () => {
  await renderPart(
    <MonthRangePicker
      label="Months"
      value={{ from: '2025-12-01', to: '2025-12-31' }}
      today="2026-11-21"
      onChange={onChange}
    />,
  )
  await userEvent.selectOptions(select('From, year'), '2026')
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-11-01', to: '2026-11-21' })
})

it('describes its error', async () => {
  await renderPart(
    <MonthRangePicker
      label="Months"
      value={{ from: '2025-12-01', to: '2025-12-31' }}
      today="2026-11-21"
      onChange={onChange}
      error="Too long"
    />,
  )
  expect(screen.getByRole('group', { name: 'Months' })).toHaveAccessibleDescription('Too long')
  expect(select('To, year')).toBeInvalid()
})

const bounds = { minDate: earliestMonth, maxDate: '2026-11-21' }
const range = { from: '2026-03-01', to: '2026-05-31' }

describe('a selected month', () => {
  it('sets its first or last day', () => {
    expect(chooseMonth(range, 'from', { year: 2026, month: 2 }, bounds)).toEqual({
      from: '2026-02-01',
      to: '2026-05-31',
    })
    expect(chooseMonth(range, 'to', { year: 2028, month: 2 }, { ...bounds, maxDate: '2030-12-31' })).toEqual({
      from: '2026-03-01',
      to: '2028-02-29',
    })
  })

  it('a selected month is clamped to the earliest and the latest day', () => {
    expect(chooseMonth(range, 'to', { year: 2026, month: 11 }, bounds).to).toBe('2026-11-21')
    expect(chooseMonth(range, 'to', { year: 2026, month: 12 }, bounds).to).toBe('2026-11-21')
    expect(chooseMonth(range, 'from', { year: 2009, month: 12 }, bounds).from).toBe('2010-01-01')
    expect(
      chooseMonth(range, 'from', { year: 2020, month: 5 }, { ...bounds, minDate: '2020-05-15' }).from,
    ).toBe('2020-05-15')
  })

  it('moves the other end if necessary', () => {
    expect(chooseMonth(range, 'from', { year: 2026, month: 8 }, bounds)).toEqual({
      from: '2026-08-01',
      to: '2026-08-31',
    })
    expect(chooseMonth(range, 'from', { year: 2026, month: 11 }, bounds)).toEqual({
      from: '2026-11-01',
      to: '2026-11-21',
    })
    expect(chooseMonth(range, 'to', { year: 2026, month: 1 }, bounds)).toEqual({
      from: '2026-01-01',
      to: '2026-01-31',
    })
  })

  it('results in a range within the bounds, with the start not after the end', () => {
    const day = fc.integer({ min: 13_000, max: 22_000 }).map(dayFromNumber)
    fc.assert(
      fc.property(
        day,
        day,
        day,
        day,
        fc.constantFrom('from' as const, 'to' as const),
        fc.integer({ min: 2004, max: 2032 }),
        fc.integer({ min: 1, max: 12 }),
        (a, b, c, d, end, year, month) => {
          const [minDate = '', maxDate = ''] = [a, b].sort()
          const [from = '', to = ''] = [c, d].sort()
          const next = chooseMonth({ from, to }, end, { year, month }, { minDate, maxDate })
          expect([next.from <= next.to, next.from >= minDate, next.to <= maxDate]).toEqual([true, true, true])
        },
      ),
    )
  })
})

it('months without a day within the bounds are outside', () => {
  expect([1, 10, 11, 12].map((month) => isMonthOutside(2026, month, bounds))).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect(isMonthOutside(2009, 12, bounds)).toBe(true)
  expect(isMonthOutside(2010, 1, { ...bounds, minDate: '2010-01-31' })).toBe(false)
})

it('years are within the bounds, from 2010 by default', () => {
  expect(listYears(bounds)).toHaveLength(17)
  expect([listYears(bounds)[0], listYears(bounds).at(-1)]).toEqual([2010, 2026])
})
