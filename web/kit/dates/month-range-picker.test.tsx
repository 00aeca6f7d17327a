import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderPart } from '../test-part.tsx'
import { MonthRangePicker, type MonthRange } from './month-range-picker.tsx'

const onChange = vi.fn<(value: MonthRange) => void>()

function Held(bounds: { minDate?: string; maxDate?: string }) {
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
const displayedValues = () =>
  ['From, month', 'From, year', 'To, month', 'To, year'].map((name) => select(name).selectedOptions[0]?.text)

it('shows both months under one name', async () => {
  await renderPart(<Held />)
  expect(within(screen.getByRole('group', { name: 'Months' })).getAllByRole('combobox')).toHaveLength(4)
  expect(displayedValues()).toEqual(['March', '2026', 'May', '2026'])
})

it('offers years from 2010 to now, and disables months outside', async () => {
  await renderPart(<Held />)
  const years = [...select('To, year').options].map(({ value }) => value)
  expect([years[0], years.at(-1)]).toEqual(['2010', '2026'])
  expect([...select('To, month').options].filter(({ disabled }) => disabled).map(({ text }) => text)).toEqual(
    ['December'],
  )
})

it('respects the bounds of the caller', async () => {
  await renderPart(<Held minDate="2026-02-10" maxDate="2026-10-31" />)
  expect([...select('From, year').options].map(({ value }) => value)).toEqual(['2026'])
  expect(
    [...select('From, month').options].filter(({ disabled }) => disabled).map(({ text }) => text),
  ).toEqual(['January', 'November', 'December'])
  await userEvent.selectOptions(select('From, month'), 'February')
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-02-10', to: '2026-05-31' })
})

it('moves the other end along', async () => {
  await renderPart(<Held />)
  await userEvent.selectOptions(select('From, month'), 'August')
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-08-01', to: '2026-08-31' })
  await userEvent.selectOptions(select('To, year'), '2020')
  expect(onChange).toHaveBeenLastCalledWith({ from: '2020-08-01', to: '2020-08-31' })
  expect(displayedValues()).toEqual(['August', '2020', 'August', '2020'])
})

it('clamps a month that the chosen year does not have', async () => {
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
