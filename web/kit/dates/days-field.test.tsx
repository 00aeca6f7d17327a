import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import type { LocalDay } from '#contract/period.ts'
import { renderPart } from '../test-part.tsx'
import { DaysField, parseDays } from './days-field.tsx'

async function renderField(days: LocalDay[] = []) {
  const seen: LocalDay[][] = []
  function Form() {
    const [selected, setSelected] = useState(days)
    return (
      <form onSubmit={(event) => event.preventDefault()}>
        <DaysField
          label="Holidays"
          days={selected}
          today="2026-05-04"
          onChange={(next) => {
            setSelected(next)
            seen.push(next)
          }}
        />
      </form>
    )
  }
  await renderPart(<Form />)
  return { last: () => seen.at(-1), field: screen.getByLabelText('Holidays') }
}
const getChips = (): (string | null)[] =>
  within(screen.getByRole('list', { name: 'Holidays: chosen days' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('a field of single days', () => {
  it('adds typed days, sorted and once, at Enter, a separator and when it is left', async () => {
    const { last, field } = await renderField(['2026-12-25'])
    await userEvent.type(field, '07/04/2026{Enter}')
    await userEvent.type(field, '2026-01-01,12/25/2026')
    await userEvent.tab()
    expect(last()).toEqual(['2026-01-01', '2026-07-04', '2026-12-25'])
    expect(getChips()).toEqual(['Thu, Jan 1, 2026', 'Sat, Jul 4, 2026', 'Fri, Dec 25, 2026'])
    expect(field).toHaveValue('')
  })

  it('adds a pasted list', async () => {
    const { last, field } = await renderField()
    await userEvent.click(field)
    await userEvent.paste('2026-05-25\n2026-07-03; 2026-09-07')
    expect(last()).toEqual(['2026-05-25', '2026-07-03', '2026-09-07'])
  })

  it('shows the format of a day, and is invalid, so that no form is submitted', async () => {
    const { last, field } = await renderField()
    await userEvent.type(field, 'Christmas{Enter}')
    expect(screen.getByText('Write a day as 05/04/2026.')).toBeInTheDocument()
    expect(field).toBeInvalid()
    expect(last()).toBeUndefined()
    await userEvent.clear(field)
    expect(field).toBeValid()
  })

  it('removes a chosen day', async () => {
    const { last } = await renderField(['2026-01-01', '2026-12-25'])
    await userEvent.click(screen.getByRole('button', { name: 'Remove Thu, Jan 1, 2026' }))
    expect(last()).toEqual(['2026-12-25'])
  })

  it('chooses and removes days in the calendar by keyboard', async () => {
    const { last, field } = await renderField(['2026-05-25'])
    await userEvent.click(field)
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    const calendar = await screen.findByRole('dialog', { name: 'Holidays' })
    const day = within(calendar).getByRole('button', { name: 'Monday, May 25, 2026' })
    expect(day).toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(day)
    await userEvent.click(within(calendar).getByRole('button', { name: 'Friday, May 1, 2026' }))
    expect(last()).toEqual(['2026-05-01'])
    await userEvent.click(within(calendar).getByRole('button', { name: 'Done' }))
  })
})

it('reads days in the order of the language, and as the API has them', () => {
  expect(parseDays('4/7/2026 2026-07-05', 'es')).toEqual(['2026-07-04', '2026-07-05'])
  expect(parseDays('2/30/2026', 'en-US')).toBeNull()
  expect(parseDays(' , ', 'en-US')).toEqual([])
})
