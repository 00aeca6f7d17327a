import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState, type ComponentProps } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPart } from '../test-part.tsx'
import { DateRangePicker } from './date-range-picker.tsx'
import type { DateRange } from './date-range.ts'

type Options = Partial<Omit<ComponentProps<typeof DateRangePicker>, 'onChange'>>
const may = { from: '2026-05-10', to: '2026-05-20' }
const onChange = vi.fn<(range: DateRange) => void>()
beforeEach(() => onChange.mockClear())

function Controlled(options: Options) {
  const [range, setRange] = useState<DateRange>(options.range ?? { from: null, to: null })
  return (
    <DateRangePicker
      label="Dates"
      today="2026-11-21"
      {...options}
      range={range}
      onChange={(next) => {
        onChange(next)
        setRange(next)
      }}
    />
  )
}

const getField = () =>
  screen.getByText('Dates', { selector: 'label' }).parentElement!.querySelector('button')!
const getStartInput = () => screen.getByLabelText<HTMLInputElement>(/^Start date/)
const to = () => screen.getByLabelText<HTMLInputElement>(/^End date/)
const getModes = () => screen.getByLabelText<HTMLSelectElement>('Range')
// Queries by text and label, because queries by role are slow with all the days of the calendar.
const press = (name: string) => userEvent.click(screen.getByText(name, { selector: 'button span' }))
const pressDone = () => press('Done')
const getDay = (name: string) => userEvent.click(screen.getByLabelText(name))
const isCalendarOpen = () => screen.queryByLabelText(/Choose the/) !== null

async function renderPicker(options: Options = {}) {
  await renderPart(<Controlled {...options} />)
  await userEvent.click(getField())
  await screen.findByRole('dialog', { name: 'Dates' })
  await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'))
}

async function typeInto(input: HTMLInputElement, text: string) {
  await userEvent.clear(input)
  await userEvent.type(input, text)
}

describe('the field', () => {
  it('displays the applied range, and is named by label and range', async () => {
    await renderPart(<Controlled range={may} />)
    expect(getField()).toHaveAccessibleName(/^Dates May 10\s–\s20, 2026$/)
  })
  it.each([
    [{ from: null, to: null }, 'Any date'],
    [{ from: '2026-05-10', to: null }, 'From May 10, 2026'],
    [{ from: null, to: '2026-05-20' }, 'Until May 20, 2026'],
  ])('shows %j as %s', async (range, text) => {
    await renderPart(<Controlled range={range} />)
    expect(getField()).toHaveTextContent(text)
  })
  it('opens a dialog and the calendar with the focus in the first input', async () => {
    await renderPicker({ range: may })
    await waitFor(() => expect(getStartInput()).toHaveFocus())
    expect(isCalendarOpen()).toBe(true)
    expect(screen.getByRole('button', { name: 'May 2026' })).toBeInTheDocument()
  })
  it('the field cannot be opened when disabled, and describes its error', async () => {
    await renderPart(<Controlled disabled error="Too much" />)
    expect(getField()).toBeDisabled()
    expect(getField()).toHaveAccessibleDescription('Too much')
  })
})

describe('modes', () => {
  it('modes are all six by default, starting with custom', async () => {
    await renderPicker()
    expect([...getModes().options].map(({ text }) => text)).toEqual([
      'Custom',
      'Single Day',
      'No Start',
      'No End',
      'This Month',
      'Last Month',
    ])
    expect(getModes()).toHaveValue('custom')
  })
  it('modes disable inputs and show one month or two', async () => {
    await renderPicker({ range: may })
    expect(screen.getAllByRole('table')).toHaveLength(2)
    for (const [mode, isFrom, isTo] of [
      ['singleDay', true, false],
      ['noStart', false, true],
      ['noEnd', true, false],
    ] as const) {
      await userEvent.selectOptions(getModes(), mode)
      expect([getStartInput().disabled, to().disabled]).toEqual([!isFrom, !isTo])
      expect(screen.getAllByRole('table')).toHaveLength(1)
    }
    await userEvent.selectOptions(getModes(), 'lastMonth')
    expect([getStartInput().value, to().value]).toEqual(['10/01/2026', '10/31/2026'])
    expect(screen.getAllByRole('table')).toHaveLength(2)
    await pressDone()
    expect(onChange).toHaveBeenCalledWith({ from: '2026-10-01', to: '2026-10-31' })
  })
  it('modes change automatically with the range', async () => {
    await renderPicker({ range: may })
    await press('This Month')
    expect(getModes()).toHaveValue('thisMonth')
    await typeInto(to(), '11/20/2026')
    expect(getModes()).toHaveValue('custom')
  })
  it('modes are retained after Done', async () => {
    await renderPicker({ range: may })
    await userEvent.selectOptions(getModes(), 'noEnd')
    await pressDone()
    expect(onChange).toHaveBeenCalledWith({ from: '2026-05-10', to: null })
    await userEvent.click(getField())
    await waitFor(() => expect(getModes()).toHaveValue('noEnd'))
  })
  it('modes can be limited, with another default, or hidden', async () => {
    await renderPicker({ dropdownOptions: ['singleDay', 'lastMonth'], dropdownDefault: 'lastMonth' })
    expect([...getModes().options].map(({ value }) => value)).toEqual(['singleDay', 'lastMonth'])
    expect(getStartInput()).toHaveValue('10/01/2026')
  })
  it('modes cannot change if their list is hidden', async () => {
    await renderPicker({ disableDropdown: true, dropdownDefault: 'singleDay' })
    expect(screen.queryByLabelText('Range')).not.toBeInTheDocument()
    expect(screen.queryByRole('group', { name: 'Presets' })).not.toBeInTheDocument()
    await typeInto(getStartInput(), '11/20/2026')
    expect(to()).toHaveValue('11/20/2026')
  })
})

describe('presets', () => {
  it.each([
    ['This Month', '11/01/2026', '11/21/2026'],
    ['Last Month', '10/01/2026', '10/31/2026'],
    ['This Quarter', '10/01/2026', '11/21/2026'],
    ['Last Quarter', '07/01/2026', '09/30/2026'],
  ])('%s is %s to %s', async (name, first, last) => {
    await renderPicker({ range: may })
    await press(name)
    expect([getStartInput().value, to().value]).toEqual([first, last])
  })
  it('presets of the caller are added', async () => {
    await renderPicker({ morePresets: [{ label: 'Always', range: may }] })
    await press('Always')
    expect(getStartInput()).toHaveValue('05/10/2026')
  })
})

describe('the calendar', () => {
  it('sets the active end, then the other; 100 ms after the last day it closes and Done is focused', async () => {
    await renderPicker({ range: { from: '2026-05-10', to: null } })
    await getDay('Tuesday, May 12, 2026')
    expect(getStartInput()).toHaveValue('05/12/2026')
    expect(screen.getByLabelText('Choose the end date')).toBeInTheDocument()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    fireEvent.click(screen.getByLabelText('Friday, May 15, 2026'))
    act(() => vi.advanceTimersByTime(99))
    expect(isCalendarOpen()).toBe(true)
    screen.getByLabelText('Friday, May 15, 2026').focus()
    act(() => vi.advanceTimersByTime(1))
    expect(isCalendarOpen()).toBe(false)
    expect(screen.getByRole('button', { name: 'Done' })).toHaveFocus()
    vi.useRealTimers()
    await pressDone()
    expect(onChange).toHaveBeenCalledWith({ from: '2026-05-12', to: '2026-05-15' })
  })
  it('opens again with the next input', async () => {
    await renderPicker({ dropdownDefault: 'singleDay', range: { from: '2026-05-10', to: '2026-05-10' } })
    await getDay('Tuesday, May 12, 2026')
    await waitFor(() => expect(isCalendarOpen()).toBe(false))
    await userEvent.click(getStartInput())
    expect(isCalendarOpen()).toBe(true)
  })
  it('clears the end if the start is after it, and makes an end before the start the start', async () => {
    await renderPicker({ range: may })
    await getDay('Thursday, May 21, 2026')
    expect([getStartInput().value, to().value]).toEqual(['05/21/2026', ''])
    await getDay('Friday, May 1, 2026')
    expect([getStartInput().value, to().value]).toEqual(['05/01/2026', ''])
  })
  it('starts weeks on Sunday, marks today and disables days out of bounds', async () => {
    await renderPicker({
      range: { from: '2026-11-10', to: '2026-11-12' },
      minDate: '2026-10-05',
      maxDate: '2026-11-25',
    })
    const [table] = screen.getAllByRole('table')
    expect(
      within(table!)
        .getAllByRole('columnheader')
        .map((cell) => cell.textContent),
    ).toEqual(['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'])
    expect(screen.getByLabelText('Saturday, November 21, 2026')).toHaveAttribute('aria-current', 'date')
    expect(screen.getByLabelText('Thursday, November 26, 2026')).toBeDisabled()
    expect(screen.getByLabelText('Sunday, October 4, 2026')).toBeDisabled()
    expect(screen.getByLabelText('Tuesday, November 10, 2026')).toHaveAttribute('aria-pressed', 'true')
  })
  it('the calendar is reached with arrow down', async () => {
    await renderPicker({ range: may })
    await userEvent.type(getStartInput(), '{ArrowDown}')
    await waitFor(() => expect(screen.getByLabelText('Sunday, May 10, 2026')).toHaveFocus())
    await userEvent.keyboard('{ArrowRight}{Enter}')
    expect(getStartInput()).toHaveValue('05/11/2026')
  })
})

describe('typed dates', () => {
  it('typed dates apply once valid, and the last digit moves to the other input', async () => {
    await renderPicker()
    await userEvent.type(getStartInput(), '5/10/202')
    expect(isCalendarOpen()).toBe(true)
    await userEvent.type(getStartInput(), '6', { initialSelectionStart: 8 })
    expect(to()).toHaveFocus()
    await userEvent.type(to(), '5/20/2026')
    expect(getStartInput()).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(onChange).toHaveBeenCalledWith(may)
  })
  it('typed dates corrected in the middle do not move the focus', async () => {
    await renderPicker({ range: may })
    await userEvent.type(getStartInput(), '{Backspace}1', {
      initialSelectionStart: 4,
      initialSelectionEnd: 4,
    })
    expect(getStartInput()).toHaveFocus()
  })
  it('typed dates have at most ten characters: digits, point and slash', async () => {
    await renderPicker()
    await userEvent.type(getStartInput(), 'a1-2.b')
    expect(getStartInput()).toHaveValue('12.')
    expect(getStartInput()).toHaveAttribute('maxlength', '10')
    expect(getStartInput()).toHaveAccessibleDescription(/^MM\/DD\/YYYY/)
  })
  it('typed dates that are invalid show an error on blur; an empty text clears date and error', async () => {
    await renderPicker({ range: may })
    await typeInto(to(), '13/45/2026')
    await userEvent.tab()
    expect(to()).toHaveAccessibleDescription(/Invalid date format/)
    expect(to()).toBeInvalid()
    await userEvent.clear(to())
    await userEvent.tab()
    expect(to()).toBeValid()
    await pressDone()
    expect(onChange).toHaveBeenCalledWith({ from: '2026-05-10', to: null })
  })
})

describe('Cancel and Done', () => {
  it('Cancel restores the applied range and clears errors', async () => {
    await renderPicker({ range: may, requireDates: true })
    await userEvent.clear(getStartInput())
    await pressDone()
    expect(getStartInput()).toHaveAccessibleDescription(/Date input is required/)
    await press('Cancel')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(getField()).toHaveTextContent('May 10 – 20, 2026')
    await userEvent.click(getField())
    expect(await screen.findByLabelText(/^Start date/)).toHaveValue('05/10/2026')
    expect(getStartInput()).toBeValid()
    expect(onChange).not.toHaveBeenCalled()
  })
  it('Esc and a click outside work like Cancel', async () => {
    await renderPicker({ range: may })
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(onChange).not.toHaveBeenCalled()
    await waitFor(() => expect(getField()).toHaveFocus())
  })
  it.each([
    ['required', { requireDates: true }, '', '5/1/2026', 'Start', 'Date input is required'],
    [
      'too long',
      { rangeLimit: 31, minDate: '2026-06-01' },
      '5/1/2026',
      '6/1/2026',
      'End',
      'Maximum date range is 31 days',
    ],
    [
      'too early',
      { minDate: '2026-05-02', maxDate: '2026-05-02' },
      '5/1/2026',
      '5/3/2026',
      'Start',
      'Date is before the earliest allowed',
    ],
    [
      'too late',
      { minDate: '2026-05-01', maxDate: '2026-05-02' },
      '5/1/2026',
      '5/3/2026',
      'End',
      'Date is after the latest allowed',
    ],
  ])('Done does not apply a range that is %s', async (_, options, first, last, invalidField, text) => {
    await renderPicker(options)
    if (first) await typeInto(getStartInput(), first)
    if (last) await typeInto(to(), last)
    await pressDone()
    const [invalidInput, validInput] =
      invalidField === 'Start' ? [getStartInput(), to()] : [to(), getStartInput()]
    expect(invalidInput).toHaveAccessibleDescription(new RegExp(text))
    expect(invalidInput).toHaveFocus()
    expect(validInput).toBeValid()
    expect(onChange).not.toHaveBeenCalled()
  })
  it('Done does not apply a reversed range', async () => {
    await renderPicker({ range: { from: '2026-05-20', to: '2026-05-10' } })
    await pressDone()
    expect(to()).toHaveAccessibleDescription(/Invalid date format/)
    expect(getStartInput()).toBeValid()
  })
})
